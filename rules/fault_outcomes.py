"""What follows from a fault at the table, by the value of the book's field (rows F1 to F7).

The keys of an outcome are those that a judge answers with. What needs the state of the
table (whose Deckel go where, the how manieth drop it is) is worked out elsewhere.
"""

from collections.abc import Mapping
from typing import Any

_LOSES_ROUND: Mapping[str, Any] = {"loses_round": True}
_REPLACED: Mapping[str, Any] = {
    "previous_throws_void": True,
    "single_open_throw": True,
    "doofmanndeckel": 1,
    "loses_round": False,
}
_LEFT_TO_REFEREE: Mapping[str, Any] = {"loses_round": False, "sanction": "referee"}

NO_CONCEDING = "concede_against_schock_aus_in_final"
"""The penalty by which some books forbid it, though Deckel be taken otherwise (statuten §19)."""

FAULT_OUTCOMES: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "lift_early": {
        "stands_no_repeat": {"may_cover_again": True, "may_repeat": False, "throw_stands": True},
        "void_single_open_throw_doofmann": _REPLACED,
    },
    "too_many_throws": {
        "lose_round": _LOSES_ROUND,
        "void_single_open_throw_doofmann": _REPLACED,
    },
    "vorwerfen": {"referee": _LEFT_TO_REFEREE, "lose_round": _LOSES_ROUND},
    "pack_early": {"referee": _LEFT_TO_REFEREE, "lose_round": _LOSES_ROUND},
    "drop_die": {
        "repeat": {"throw": "repeat", "loses_part": False},
        "drinks_then_lose_part": {"throw": "repeat", "loses_part": False, "drink_round": True},
    },
}
"""``FAULT_OUTCOMES[field of the book][its value]``."""

_BURNT: Mapping[str, str] = {
    "tilted": "tilted", "cocked": "tilted", "leaning": "tilted",
    "off_mat": "off_mat", "off_table": "drop_repeat", "dropped_die": "drop_repeat",
    "drop_die": "drop_repeat",
}  # fmt: skip


def burnt_topic(reason: str) -> str:
    """Where a book says that a throw is repeated which burns for this reason (rows F7, F8)."""
    return _BURNT.get(reason, "burnt_throw")
