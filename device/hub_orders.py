"""What the hub wants of a table, carried out: who plays, a referee's action, a picture.

An action is carried out once, however often it comes: it has a number (`id`), and who sends it
again is told again what came of it.
"""

from __future__ import annotations

import logging
import re
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from device.hub_wire import (
    ACTION,
    ANSWERS,
    EVIDENCE,
    MOST_EVIDENCE_BYTES,
    SEATING,
    WANTED,
    Seating,
    is_sha256,
    seal,
    topic,
)
from device.pairing_file import Pairing
from web_ui.errors import ActionRefused

MOST_ANSWERS = 1000
"""Answers that are remembered: more rulings than any evening has."""

_ID = re.compile(r"[A-Za-z0-9-]{1,64}")
"""What fits into the topic of the answer."""

_log = logging.getLogger(__name__)


class ShowFault(Protocol):
    """Shows a fault at the table, or takes it back."""

    def __call__(self, what: str, *, there: bool) -> None:
        """`what`: a code of `device.hub_troubles`."""


class Publish(Protocol):
    """Sends a message to the broker; False: there is none."""

    def __call__(self, topic: str, content: bytes, *, retain: bool = False) -> bool:
        """`retain`: the broker keeps it for whoever comes later."""


@dataclass(frozen=True)
class TableSide:
    """What a table offers to the hub. All of it is called from threads of the uplink.

    Attributes:
        state: what the table shows, as a JSON object (docs/hub.md).
        on_seating: told once of every change; after a start also of the one that holds already.
        on_action: carries out a referee's action as a page's would be, and returns what came of it
            (a JSON object); raises `ActionRefused`.
        evidence: content of a still or clip that the log names; None: there is none (any more).
        show_fault: shows a fault at the table or takes it back.
    """

    state: Callable[[], Mapping[str, Any]]
    on_seating: Callable[[Seating], None]
    on_action: Callable[[dict[str, Any]], Mapping[str, Any]]
    evidence: Callable[[str], bytes | None]
    show_fault: ShowFault


class Orders:
    """Carries out what the hub wants.

    Args:
        pairing: with the hub.
        side: of the table.
        publish: sends the answers.
    """

    def __init__(self, pairing: Pairing, side: TableSide, publish: Publish) -> None:
        self._table, self._key = pairing.table, pairing.key
        self._side, self._publish = side, publish
        self._seating: Seating | None = None
        self._answers: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self._kinds = {SEATING: self._seat, ACTION: self._act, WANTED: self._show}

    def carry_out(self, what: str, body: Mapping[str, Any]) -> None:
        """Carry out a message of the hub; one of a kind that nobody knows is left alone.

        Raises:
            ForgedMessageError: its content has not the form of its kind.
        """
        if (kind := self._kinds.get(what)) is not None:
            kind(body)

    def _seat(self, body: Mapping[str, Any]) -> None:
        seating = Seating.from_body(body)
        if seating != self._seating:
            self._side.on_seating(seating)
            self._seating = seating

    def _act(self, body: Mapping[str, Any]) -> None:
        number, action = body.get("id"), body.get("action")
        if not isinstance(number, str) or not _ID.fullmatch(number):
            _log.warning("an action of the hub for %s has no usable id", self._table)
            return
        if (answer := self._answers.get(number)) is None:
            answer = self._answer_to(action)
            self._answers[number] = answer
            if len(self._answers) > MOST_ANSWERS:
                self._answers.popitem(last=False)
        self._answer(number, answer)

    def _answer_to(self, action: object) -> dict[str, Any]:
        if not isinstance(action, dict):
            return _refused("bad_action", "Das ist keine Aktion.", "This is no action.")
        try:
            return {"ok": True, "result": dict(self._side.on_action(action))}
        except ActionRefused as refused:
            return _refused(refused.code, refused.text_de, refused.text_en)
        except Exception as error:  # the referee must hear of it, whatever it is
            _log.exception("a referee's action failed at %s", self._table)
            return _refused("failed", f"Am Tisch ging es schief: {error}", f"It failed: {error}")

    def _show(self, body: Mapping[str, Any]) -> None:
        digest = body.get("sha256")
        if not is_sha256(digest):
            return
        content = self._side.evidence(str(digest))
        if content is None:
            gone = ("no_evidence", "Dieses Bild gibt es nicht mehr.", "This picture is gone.")
            self._answer(str(digest), _refused(*gone))
        elif len(content) > MOST_EVIDENCE_BYTES:
            large = ("too_large", "Dieser Film ist zu groß.", "This clip is too large.")
            self._answer(str(digest), _refused(*large))
        else:
            self._publish(topic(self._table, EVIDENCE, str(digest)), content)

    def _answer(self, number: str, answer: Mapping[str, Any]) -> None:
        where = topic(self._table, ANSWERS, number)
        self._publish(where, seal(self._key, where, {"id": number, **answer}))


def _refused(code: str, text_de: str, text_en: str) -> dict[str, Any]:
    return {"ok": False, "code": code, "text_de": text_de, "text_en": text_en}


def rest_of_a_log(show_fault: ShowFault) -> TableSide:
    """The side of a table of which only an older log is sent: nobody asks it for anything."""
    return TableSide(
        state=dict,
        on_seating=lambda seating: None,
        on_action=lambda action: {},
        evidence=lambda sha256: None,
        show_fault=show_fault,
    )
