"""The phases of a throwing zone, and what moves it from one to the next (`vision.throws`)."""

from enum import Enum


class Phase(Enum):
    """What the throwing zone is doing."""

    EMPTY = "empty"
    COVERED = "covered"
    LIFTED = "lifted"
    OPEN = "open"


class Signal(Enum):
    """What moves it on."""

    CUP_DOWN = "cup down"
    CUP_UP = "cup up"
    THROWN = "thrown"
    BURNT = "burnt"
    DOUBT = "doubt"
    SAME = "same dice"
    CLEARED = "cleared"


THROWS = frozenset({Signal.THROWN, Signal.BURNT, Signal.DOUBT})
"""Signals that tell of a throw."""
SETTLING = THROWS | {Signal.CLEARED}
"""Signals after which it is known what lies there: a cup that comes or goes tells nothing of it."""

TRANSITIONS: dict[Phase, dict[Signal, Phase]] = {
    Phase.EMPTY: {
        Signal.CUP_DOWN: Phase.COVERED,
        Signal.DOUBT: Phase.OPEN,  # dice without a cup
    },
    Phase.COVERED: {
        Signal.CUP_UP: Phase.LIFTED,
    },
    Phase.LIFTED: {
        Signal.CUP_DOWN: Phase.COVERED,  # lifted for a moment only
        Signal.THROWN: Phase.OPEN,
        Signal.BURNT: Phase.OPEN,
        Signal.DOUBT: Phase.OPEN,
        Signal.SAME: Phase.OPEN,  # the cup only passed over dice that were known
        Signal.CLEARED: Phase.EMPTY,
    },
    Phase.OPEN: {
        Signal.CUP_DOWN: Phase.COVERED,
        Signal.DOUBT: Phase.OPEN,  # other dice without a cup
        Signal.CLEARED: Phase.EMPTY,
    },
}
