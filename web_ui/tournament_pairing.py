"""The page on which the organiser pairs a table: its code as digits and as a QR code.

The door at which tables ask (`web_ui.pairing`) is open to everybody: who does not know the code
gets nothing. The code itself is shown to those alone who may act in the hall.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import segno
from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response

from web_ui import access
from web_ui.errors import ActionRefused, RequestError
from web_ui.pairing import PairingPort
from web_ui.parsing import language
from web_ui.rendering import render
from web_ui.tournament_acting import (
    LEAST,
    check_form,
    may_act,
    reason_of,
    refused_page,
    to_sign_in,
)
from web_ui.tournament_clock import shown
from web_ui.tournament_context import hall
from web_ui.tournament_view import head_view, seen

OFFER, WITHDRAW = "offer", "withdraw"
"""The buttons: show a code for a table, and let it hold no more."""

NAMED = "table-{}"
"""What is proposed; a device called so comes to the table of its number."""

LONGEST_TABLE = 32

Answer = Response | str


@dataclass(frozen=True, kw_only=True)
class OpenCode:
    """A code that a table may be paired with now.

    Attributes:
        table: its name.
        code: what is entered there, such as `7-482913`.
        url: where the table asks.
        invitation: what its QR code says.
        left_s: how long it holds, seconds.
    """

    table: str
    code: str
    url: str
    invitation: str
    left_s: float


class PairingOffice(PairingPort, Protocol):
    """Shows codes, and gives out pairings to those who know them; safe between threads."""

    def offer(self, table: str) -> None:
        """Have a code for a table; one that is open already stays.

        Raises:
            ActionRefused: it cannot be called so, or no table could reach this page.
        """

    def withdraw(self, table: str) -> None:
        """Let a table's code hold no more; without one nothing happens."""

    def codes(self) -> Sequence[OpenCode]:
        """Return the codes that are open."""

    def problem(self) -> tuple[str, str] | None:
        """Say why no table can be paired here, in German and English; None where it can."""


class NoPairing:
    """Where nothing can be paired: pages without a broker."""

    _WHY = (
        "Hier lassen sich keine Tische koppeln.",
        "No tables can be paired here.",
    )

    def offer(self, table: str) -> None:
        """Refuse."""
        raise ActionRefused(*self._WHY, "no_pairing")

    def withdraw(self, table: str) -> None:
        """There is none."""

    def codes(self) -> Sequence[OpenCode]:
        """None."""
        return ()

    def problem(self) -> tuple[str, str] | None:
        """Say so."""
        return self._WHY

    def begin(self, offer: int, message: bytes) -> tuple[str, bytes]:
        """Refuse."""
        raise ActionRefused(*self._WHY, "no_pairing")

    def finish(self, session: str, proof: bytes) -> bytes:
        """Refuse."""
        raise ActionRefused(*self._WHY, "no_pairing")


def office_blueprint(office: PairingOffice) -> Blueprint:
    """Make the page, to be registered with the hub's application."""
    blueprint = Blueprint("tournament_pairing", __name__)

    @blueprint.get("/tournament/pairing")
    def page() -> Answer:
        """Show the codes to those who may act; others are led to where they sign in."""
        if not may_act():
            return to_sign_in("/tournament/pairing")
        return _page(office, "tournament_pairing.html")

    @blueprint.get("/tournament/pairing/board")
    def board() -> str:
        """Return what changes on the page, as a fragment of HTML."""
        if not may_act():
            signed_in = access.signed_in_as() is not None
            code = "wrong_role" if signed_in else "sign_in"
            raise RequestError(403 if signed_in else 401, code, least=LEAST)
        return _page(office, "tournament_pairing_board.html")

    @blueprint.post("/tournament/pairing")
    def act() -> Answer:
        """Show a code or withdraw it; the page again with the reason where that is refused."""
        check_form()
        lang, do = language(), request.form.get("do", "")
        table = request.form.get("table", "").strip()[: 2 * LONGEST_TABLE]
        try:
            if do == OFFER:
                office.offer(table)
            elif do == WITHDRAW:
                office.withdraw(table)
            else:
                known = f"{OFFER}, {WITHDRAW}"
                raise RequestError(400, "unknown_action", found=do[:40], known=known)
        except (ActionRefused, RequestError) as error:
            reason = reason_of(error, lang)
            return refused_page(_page(office, "tournament_pairing.html", reason, table), error)
        return redirect(url_for("tournament_pairing.page", lang=lang), 303)

    return blueprint


def _page(office: PairingOffice, template: str, reason: str = "", typed: str = "") -> str:
    lang, problem = language(), office.problem()
    tables = [one for one in hall().tables() if one.name]
    codes = sorted(office.codes(), key=lambda one: one.table)
    names = {one.name for one in tables}
    return render(
        template,
        view=head_view(hall(), seen(hall()), lang),
        problem="" if problem is None else problem[lang == "en"],
        reason=reason,
        typed=typed or _next_name(names | {one.table for one in codes}),
        codes=[_code(one, is_paired=one.table in names) for one in codes],
        paired=sorted(tables, key=lambda one: one.name),
        token=access.token(),
        longest_table=LONGEST_TABLE,
    )


def _next_name(taken: set[str]) -> str:
    number = 1
    while NAMED.format(number) in taken:
        number += 1
    return NAMED.format(number)


def _code(one: OpenCode, *, is_paired: bool) -> dict[str, Any]:
    drawn = segno.make(one.invitation, error="m", micro=False).svg_inline(
        light="#ffffff", dark="#1d1a14", omitsize=True, svgclass=None, lineclass=None
    )
    return {
        "table": one.table,
        "code": one.code,
        "url": one.url,
        "svg": drawn,
        "left": shown(one.left_s),
        "is_paired": is_paired,
    }
