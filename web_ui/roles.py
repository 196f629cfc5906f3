"""Who may do what: four roles, and for every action the least of them.

Looking needs no role. Whoever has a higher role may do all that a lower one may.
"""

from collections.abc import Mapping

VIEWER, TABLE, REFEREE, ADMIN = "viewer", "table", "referee", "admin"

ROLES = (VIEWER, TABLE, REFEREE, ADMIN)
"""From the least to the highest."""

PIN_ROLES = (TABLE, REFEREE, ADMIN)
"""Roles that have a PIN."""

LEAST_ROLE: Mapping[str, str] = {
    # What the camera would send, entered by hand; answers; undoing the last move.
    "throw": TABLE,
    "cover": TABLE,
    "keep": TABLE,
    "return": TABLE,
    "turn": TABLE,
    "stop": TABLE,
    "take_deckel": TABLE,
    "hand_over": TABLE,
    "reenter": TABLE,
    "take_back": TABLE,
    "answer_question": TABLE,
    # Whoever disputes a throw stands at the table.
    "claim": TABLE,
    # The table goes for a smoke; the next game begins with whoever sits there.
    "pause": TABLE,
    "resume": TABLE,
    "begin_game": TABLE,
    # With a `reason` to abandon the game under way it is the referee's (`parsing.least_of`).
    "start_game": TABLE,
    # What costs somebody a round, or takes a loss away from him.
    "report_fault": REFEREE,
    "rule_case": REFEREE,
    "correct_throw": REFEREE,
    "repeat_throw": REFEREE,
    "rule_round": REFEREE,
    "rule_deckel": REFEREE,
    "abandon": REFEREE,
}
"""Least role by type of action; a test keeps it complete."""

ADMIN_S = 3_600
"""A signed-in admin is forgotten after an hour: nobody sets PINs all evening."""

LEAST_DIGITS: Mapping[str, int] = {TABLE: 4, REFEREE: 6, ADMIN: 6}
MOST_DIGITS = 12


def least_role(action_type: str) -> str:
    """Return the least role for an action; what nobody has listed only the admin may do."""
    return LEAST_ROLE.get(action_type, ADMIN)


def reaches(role: str, least: str) -> bool:
    """Tell whether a role is `least` or higher."""
    return ROLES.index(role) >= ROLES.index(least)
