"""The state machine of a match: which event may follow when.

Theory of operation
-------------------

A match is a pair *(part, phase)*. The **part** says what is being played for:
the opening, half 1, half 2, the final, or nothing any more. The **phase** says
what the table waits for inside that part.

Six phases wait for somebody at the table:

* ``OPENING``: throws for the start of the game are missing; who throws first
  does not matter.
* ``LOADED``: the cup is down, the player whose turn it is must throw. He is here
  before his first throw and after a throw that burnt.
* ``LOOKED``: a valid throw lies there. He may turn sixes, put dice out, throw
  again or stop.
* ``TURNED``: he has turned sixes, so a further throw must follow. He may still
  put out what the book lets him; he may not stop.

* ``COVERED``: a valid throw lies under the cup and nobody has seen it. He may lift
  the cup (the throw is then read) or stop and leave it for the showdown.
* ``SHOWDOWN``: all have finished, and some throws are still under their cups; the
  cups are lifted, and the round is settled with the last of them.

Three phases are passed through within one decision and are never seen from
outside, because what follows is not anybody's choice:

* ``BETWEEN``: a turn is over, or a round begins; the next turn or the
  settlement follows.
* ``SETTLED``: the round has a winner and a loser; Deckel move, players drop out,
  then a new round or the end of the part follows.
* ``PART_OVER``: somebody has all Deckel; the next part or the end follows.

``GAME_OVER`` waits for nothing; only a person's correction can follow, or the next game.

Every action is decided into a sequence of events, every event is looked up in
the two tables below, and an event that is not in them raises `IllegalEvent` and
changes nothing. So a damaged log is noticed where it is damaged. Corrections
(`throw_corrected`, `taken_back`, `round_ruled`) are not in the tables: they are allowed in
every phase and replace the state by the one recomputed from the corrected
record (see `rules.correcting`).
"""

from collections.abc import Mapping
from enum import StrEnum

from rules.errors import IllegalEvent


class Part(StrEnum):
    """What is being played for."""

    OPENING = "opening"
    HALF1 = "half1"
    HALF2 = "half2"
    FINAL = "final"
    OVER = "over"


class Phase(StrEnum):
    """What the table waits for; see the theory of operation above."""

    OPENING = "opening"
    LOADED = "loaded"
    LOOKED = "looked"
    TURNED = "turned"
    COVERED = "covered"
    SHOWDOWN = "showdown"
    BETWEEN = "between"
    SETTLED = "settled"
    PART_OVER = "part_over"
    GAME_OVER = "game_over"


CORRECTIONS = frozenset({"throw_corrected", "taken_back", "round_ruled"})


def _with_interruptions(here: Phase) -> Mapping[str, Phase]:
    """Return where a phase that waits for somebody is left to: a pause stays, an end ends."""
    return {"paused": here, "resumed": here, "abandoned": Phase.GAME_OVER}


def _with_faults(here: Phase) -> Mapping[str, Phase]:
    """Return where faults lead from a phase that waits for somebody; see `rules.faulting`."""
    return {
        **_with_interruptions(here),
        "fault_reported": here,
        "reentered": here,
        "deckel_ruled": here,
        "doofmann_paid": here,
        "turn_replaced": Phase.LOADED,
        "turn_forfeited": Phase.BETWEEN,
        "round_void": Phase.SETTLED,
        "part_forfeited": Phase.SETTLED,
    }


_TURNS: Mapping[Phase, Mapping[str, Phase]] = {
    Phase.LOADED: {
        **_with_faults(Phase.LOADED),
        "thrown": Phase.LOOKED,
        "burnt": Phase.LOADED,
        "covered": Phase.COVERED,
        "took_voluntarily": Phase.BETWEEN,
        "turn_handed_over": Phase.LOADED,
        "player_out": Phase.BETWEEN,  # the stock was emptied before anybody threw
    },
    Phase.LOOKED: {
        **_with_faults(Phase.LOOKED),
        "thrown": Phase.LOOKED,
        "burnt": Phase.LOADED,
        "covered": Phase.COVERED,
        "kept": Phase.LOOKED,
        "returned": Phase.LOOKED,
        "turned": Phase.TURNED,
        "stopped": Phase.BETWEEN,
    },
    Phase.TURNED: {
        **_with_faults(Phase.TURNED),
        "thrown": Phase.LOOKED,
        "burnt": Phase.LOADED,
        "covered": Phase.COVERED,
        "kept": Phase.TURNED,
        "returned": Phase.TURNED,
        "turned": Phase.TURNED,
    },
    Phase.COVERED: {
        **_with_faults(Phase.COVERED),
        "thrown": Phase.LOOKED,
        "burnt": Phase.LOADED,
        "left_covered": Phase.BETWEEN,
        "took_voluntarily": Phase.BETWEEN,
    },
    Phase.BETWEEN: {
        "limit_set": Phase.BETWEEN,
        "turn_started": Phase.LOADED,
        "carried_over": Phase.COVERED,
        "showdown_started": Phase.SHOWDOWN,
        "round_settled": Phase.SETTLED,
        "round_void": Phase.SETTLED,
    },
    Phase.SHOWDOWN: {
        **_with_faults(Phase.SHOWDOWN),
        "thrown": Phase.SHOWDOWN,
        "burnt": Phase.SHOWDOWN,
        "round_settled": Phase.SETTLED,
    },
}

_HALF: Mapping[Phase, Mapping[str, Phase]] = {
    **_TURNS,
    Phase.SETTLED: {
        "deckel_moved": Phase.SETTLED,
        "player_out": Phase.SETTLED,
        "round_started": Phase.BETWEEN,
        "half_over": Phase.PART_OVER,
    },
}

TRANSITIONS: Mapping[Part, Mapping[Phase, Mapping[str, Phase]]] = {
    Part.OPENING: {
        Phase.OPENING: {
            **_with_interruptions(Phase.OPENING),
            "fault_reported": Phase.OPENING,
            "thrown": Phase.OPENING,
            "burnt": Phase.OPENING,
            "opening_tied": Phase.OPENING,
            "opening_settled": Phase.SETTLED,
        },
        Phase.SETTLED: {
            "deckel_moved": Phase.SETTLED,
            "half_started": Phase.SETTLED,
        },
    },
    Part.HALF1: {
        **_HALF,
        Phase.PART_OVER: {"half_started": Phase.SETTLED, "game_over": Phase.GAME_OVER},
    },
    Part.HALF2: {
        **_HALF,
        Phase.PART_OVER: {"final_started": Phase.SETTLED, "game_over": Phase.GAME_OVER},
    },
    Part.FINAL: {
        **_TURNS,
        Phase.SETTLED: {
            "deckel_moved": Phase.SETTLED,
            "player_out": Phase.SETTLED,
            "round_started": Phase.BETWEEN,
            "game_over": Phase.GAME_OVER,
        },
    },
    Part.OVER: {Phase.GAME_OVER: {}},
}
"""Which phase an event leads to: ``TRANSITIONS[part][phase][event type]``."""

PART_CHANGES: Mapping[Part, Mapping[str, Part]] = {
    Part.OPENING: {"half_started": Part.HALF1, "abandoned": Part.OVER},
    Part.HALF1: {"half_started": Part.HALF2, "game_over": Part.OVER, "abandoned": Part.OVER},
    Part.HALF2: {"final_started": Part.FINAL, "game_over": Part.OVER, "abandoned": Part.OVER},
    Part.FINAL: {"game_over": Part.OVER, "abandoned": Part.OVER},
    Part.OVER: {},
}
"""Which events lead from one part to the next; every other event stays in the part."""


def following(part: Part, phase: Phase, event_type: str) -> tuple[Part, Phase]:
    """Look up where an event leads.

    Raises:
        IllegalEvent: the event cannot happen in that part and phase.
    """
    here = TRANSITIONS[part].get(phase, {})
    if event_type not in here:
        possible = ", ".join(sorted(here)) or "none"
        raise IllegalEvent(
            f"event {event_type!r} cannot follow in part {part.value!r}, phase {phase.value!r}; "
            f"possible are: {possible}. The log is damaged or out of order."
        )
    return PART_CHANGES[part].get(event_type, part), here[event_type]
