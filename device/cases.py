"""Cases for the referee: what was seen and the rules do not allow.

A case is a fact with its evidence, the section of the book it offends against, and what the book
says of the penalty. It changes nothing: a person rules that it was so (what the book names is then
entered as a reported fault), or that it was not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from device.seen import Seen
from rules.actions import Action, ReportFault, RuleRound
from rules.errors import Refused
from rules.match import Match
from rules.phases import Part
from rules.state import SettledRound
from web_ui.errors import ActionRefused
from web_ui.ports import CLAIM

ROUNDS = (Part.HALF1, Part.HALF2, Part.FINAL)
"""Parts in which faults can be reported."""


@dataclass(frozen=True)
class Kind:
    """A kind of case.

    Attributes:
        fault: with which fault it is reported (a field of the book); None: no book names one.
        topics: fields or topics of the book that say what was not allowed.
        de: what was seen, a sentence about `{player}`.
        en: the same in English.
    """

    fault: str | None
    topics: tuple[str, ...]
    de: str
    en: str


KINDS: Mapping[str, Kind] = {
    "too_many_throws": Kind(
        "too_many_throws",
        ("limit", "max_throws"),
        "{player} hat nach dem letzten erlaubten Wurf noch einmal geworfen.",
        "{player} has thrown again after the last throw allowed.",
    ),
    "lifted_out_of_turn": Kind(
        "lift_early",
        ("direction", "showdown"),
        "{player} hat den Becher gehoben, ohne an der Reihe zu sein.",
        "{player} has lifted the cup out of turn.",
    ),
    "dice_put_back": Kind(
        None,
        ("return_kept",),
        "{player} hat mit einem Würfel geworfen, der schon draußen lag.",
        "{player} has thrown a die that lay outside already.",
    ),
    "six_turned": Kind(
        None,
        ("turning", "further_throw"),
        "{player} hat eine Sechs gedreht, die nicht gedreht werden darf.",
        "{player} has turned a six that may not be turned.",
    ),
    "die_kept": Kind(
        None,
        ("keep",),
        "{player} hat herausgelegt, was nicht draußen bleiben darf.",
        "{player} has put out what may not stay outside.",
    ),
    "packed_up_early": Kind(
        "pack_early",
        ("pack_early",),
        "{player} hat die Würfel weggenommen, bevor es an der Zeit war.",
        "{player} has taken the dice away before it was time.",
    ),
    "die_dropped": Kind(
        "drop_die",
        ("drop_die",),
        "Bei {player} liegt ein Würfel neben der Matte: Ist er gefallen?",
        "A die of {player} lies beside the mat: was it dropped?",
    ),
}

KIND_OF_REFUSAL: Mapping[str, str] = {
    "too_many_throws": "too_many_throws",
    "no_dice_in_cup": "too_many_throws",
    "no_return": "dice_put_back",
    "sixes_not_in_one_throw": "six_turned",
    "other_six_must_return": "six_turned",
    "no_throw_left": "six_turned",
    "only_ones": "die_kept",
    "turned_keeps_only_ones": "die_kept",
    "must_throw_after_turn": "packed_up_early",
    "not_your_turn": "lifted_out_of_turn",
    "showdown": "lifted_out_of_turn",
}
"""Refusals that are a player's fault, by their code; any other is a doubt about what was seen."""

NO_PENALTY = (
    "Das Regelwerk nennt dafür keine Strafe; der Schiedsrichter entscheidet.",
    "The book names no penalty for it; the referee decides.",
)
PENALTIES: Mapping[str, tuple[str, str]] = {
    "lose_round": ("Die Runde ist verloren.", "The round is lost."),
    "void_single_open_throw_doofmann": (
        "Alle Würfe sind ungültig; an ihre Stelle treten ein einziger offener Wurf und ein "
        "Doofmanndeckel.",
        "All throws are void; a single open throw and a Doofmanndeckel take their place.",
    ),
    "stands_no_repeat": (
        "Der Wurf darf wieder verdeckt, aber nicht wiederholt werden.",
        "The throw may be covered again, but not repeated.",
    ),
    "repeat": ("Der Wurf wird wiederholt.", "The throw is repeated."),
    "drinks_then_lose_part": (
        "Eine Getränkerunde; beim zweiten Mal ist die Hälfte oder das Finale verloren.",
        "A round of drinks; the second time, the half or the final is lost.",
    ),
    "referee": NO_PENALTY,
}
"""What the book says of a fault, by the value of its field; German and English."""


@dataclass(frozen=True)
class Case:
    """An open case, in the form in which the log and the dashboard have it.

    Attributes:
        opened: `case_id`, `seq` of the event, `kind`, `player`, `part`, `round`, `code`, `section`,
            `text_de`, `text_en`, `fault` (with which it can be reported, or None), `topics` (of
            the book), `penalty_section`, `penalty_de`, `penalty_en`, `dice`, `outside`, `t_s`,
            `evidence_s`, and `still` where a picture was kept. A claim has `throw_id`, `by` and
            `claim` instead of `seq`, `t_s`, `evidence_s` and `still`.
        past: it happened in a game before this one.
    """

    opened: Mapping[str, Any]
    past: bool = False

    @classmethod
    def about(
        cls,
        kind: str,
        player: str,
        seen: Seen,
        match: Match,
        refusal: Refused | None = None,
        *,
        round_of: Mapping[str, Any] | None = None,
    ) -> Case:
        """Open a case about something seen.

        Args:
            kind: a key of `KINDS`.
            player: who did it.
            seen: what was seen.
            match: the match at that time.
            refusal: in whose words the rules object.
            round_of: an event of the round it belongs to; None: to the one under way.
        """
        when = round_of or {"part": match.part.value, "round": match.state.round}
        about, book, event = KINDS[kind], match.book, seen.event
        penalty = None if about.fault is None else str(getattr(book, about.fault))
        words = NO_PENALTY if penalty is None else PENALTIES[penalty]
        opened: dict[str, Any] = {
            "case_id": f"{kind}-{seen.seq}",
            "seq": seen.seq,
            "kind": kind,
            "player": player,
            "part": when["part"],
            "round": when["round"],
            "code": kind if refusal is None else refusal.code,
            "section": book.cite(*about.topics) if refusal is None else refusal.section,
            "text_de": about.de.format(player=player),
            "text_en": about.en.format(player=player),
            "fault": about.fault,
            "topics": list(about.topics if about.fault is None else (*about.topics, about.fault)),
            "penalty_section": "" if about.fault is None else book.cite(about.fault),
            "penalty_de": words[0],
            "penalty_en": words[1],
            "dice": list(event.dice),
            "outside": list(event.outside),
            "t_s": event.t_s,
            "evidence_s": [event.started_at_s, event.ended_at_s],
        }
        if "still" in seen.evidence:
            opened["still"] = seen.evidence["still"]
        return cls(opened)

    @property
    def case_id(self) -> str:
        """Unique in a log."""
        return str(self.opened["case_id"])

    @property
    def is_claim(self) -> bool:
        """Whether a player disputes a throw; else the camera has seen something."""
        return bool(self.opened["kind"] == CLAIM)

    def disputes(self, throw_id: int) -> bool:
        """Whether it is a claim about that throw of the game under way."""
        return self.is_claim and not self.past and bool(self.opened["throw_id"] == throw_id)

    @property
    def offence(self) -> tuple[Any, ...]:
        """What makes two cases the same offence."""
        return (self.past, *(self.opened[key] for key in ("kind", "player", "part", "round")))

    def penalty(self, match: Match, by: str) -> Action | None:
        """The action by which what the book names is entered; None: it names nothing to enter.

        A round that is over is ruled anew, where the book has the offender lose it; its value is
        that of the best of the others (row F3).

        Raises:
            ActionRefused: the round is over and only a person knows what follows.
        """
        told, state = self.opened, match.state
        fault, player = told["fault"], str(told["player"])
        if fault is None:
            return None
        if self.past:
            raise _too_late()
        if (state.part.value, state.round) == (told["part"], told["round"]):
            return ReportFault(player, fault, by)
        settled = self._settled(match)
        if settled is None or getattr(match.book, fault) != "lose_round":
            raise _too_late()
        if settled.loser == player:
            return None
        best = next((result for result in settled.order if result.player != player), None)
        if best is None or settled.deckel != settled.order[0].deckel:
            raise _too_late()  # a round that counted otherwise, such as a hardcore one
        return RuleRound(
            str(told["part"]), int(told["round"]), "loser", by,
            f"{told['text_de']} ({told['section']})",
            loser=player, winner=best.player, deckel=best.deckel,
        )  # fmt: skip

    def _settled(self, match: Match) -> SettledRound | None:
        part, number = self.opened["part"], self.opened["round"]
        rounds = (entry for entry in match.state.history if entry.part.value == part)
        return next((entry for entry in rounds if entry.round == number), None)


def _too_late() -> ActionRefused:
    return ActionRefused(
        "Die Runde, in der das geschah, ist vorbei, und das Regelwerk sagt nicht, wie sie dann "
        "zählt. Bitte die Runde oder die Deckel von Hand entscheiden und den Fall dann schließen.",
        "The round in which it happened is over, and the book does not say how it counts then. "
        "Please rule on the round or the Deckel by hand, and then close the case.",
        "case_round_over",
    )
