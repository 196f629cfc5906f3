"""The marks that reported faults leave in the state of a match."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.changing import FrozenMapping, changed


@dataclass(frozen=True, kw_only=True)
class Faults:
    """What faults have brought about in this part and round.

    Attributes:
        lost_round: who has lost this round by a fault, in the order of the reports.
        replaced: whose turn of this round is a single open throw.
        fools: who has a Doofmanndeckel coming that has not been paid yet.
        only_schock_aus: this round counts only if a Schock aus falls.
        drops: how often each player has dropped a die in this part.
        part_loser: who has lost the part by a fault, until the Deckel have moved.
    """

    lost_round: tuple[str, ...] = ()
    replaced: tuple[str, ...] = ()
    fools: tuple[str, ...] = ()
    only_schock_aus: bool = False
    drops: Mapping[str, int] = field(default_factory=FrozenMapping)
    part_loser: str | None = None

    def next_round(self) -> "Faults":
        """Return what is left of the marks when a new round begins."""
        left = {"lost_round": (), "replaced": (), "only_schock_aus": False, "part_loser": None}
        return changed(self, **left)


NO_FAULTS = Faults()
"""Nothing has been reported."""
