"""Dice that rolled from the throw of one seat to another one's part of the mat.

Theory of operation
-------------------

A rolling die is too fast to be followed from frame to frame, so nobody sees whose it is. But while
a throw comes to rest at one seat, the others get no dice of their own: what they have more than
before, and no more than the thrower lacks, are *visitors*. They count at neither seat: the one
that threw asks, since dice are missing (`fewer`); the other goes on as if they were not there.

They become the seat's own when they cannot be visitors: there are more of them than the throwers
lack, the throw is complete without them or was none at all, they roll on or back, or the seat's own
cup was moved when they came. Then the seat asks about them as about any dice of its own. Two seats
that lift at the same time ask both.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vision.lying import near
from vision.table import SceneState, TableDie

HAD_S = 3.0
"""A die that a hand hides for less is the seat's own when it is seen again."""
FORGOTTEN_S = 5.0
"""A visitor that was not seen for this long has been taken away."""
KEPT_S = 30.0
"""How long it is remembered how many dice a seat had: longer than a throw takes to come to rest."""
COVERS_S = 0.5
"""So long after a cup came down dice under it may still be followed (`SceneSettings.gone_s`)."""
MOVED_S = 2.0
"""What comes so soon before or after a cup was moved may have been under it."""


@dataclass(frozen=True)
class Throwing:
    """A seat whose dice have not been read yet.

    Attributes:
        lifted_s: when its cup was last seen down.
        in_play: how many dice it has to show.
    """

    lifted_s: float
    in_play: int


@dataclass
class _Visit:
    at: int
    throwers: frozenset[int]
    since_s: float
    seen_s: float
    place: tuple[float, float]


class Visitors:
    """Tells visitors from a seat's own dice.

    Args:
        count: of the seats.
        same_place_mm: a die within this of a visitor that was lost sight of is that one.
    """

    def __init__(self, count: int, *, same_place_mm: float) -> None:
        self._same_place_mm = same_place_mm
        self._had: list[list[tuple[float, int]]] = [[(float("-inf"), 0)] for _ in range(count)]
        self._threw_s = [float("-inf")] * count
        self._visits: dict[int, _Visit] = {}

    def own(
        self, placed: Sequence[SceneState], throwing: dict[int, Throwing]
    ) -> tuple[SceneState, ...]:
        """The scenes of all seats without visitors.

        Args:
            placed: what lies at each.
            throwing: the seats whose throw comes to rest.
        """
        self._follow(placed, throwing)
        for at, state in enumerate(placed):
            others = {seat: throw for seat, throw in throwing.items() if seat != at}
            if at in throwing:
                self._threw_s[at] = state.t_s
            elif others:
                self._mark(at, placed, others)
            self._note(at, len(self._own_dice(state)), state.t_s)
        return tuple(replace(state, dice=self._own_dice(state)) for state in placed)

    def complete(self, seat: int) -> None:
        """A throw was read with all its dice, or there was none: no die of it is elsewhere."""
        for visit in self._visits.values():
            visit.throwers -= {seat}
        self._visits = {key: visit for key, visit in self._visits.items() if visit.throwers}

    def _own_dice(self, state: SceneState) -> tuple[TableDie, ...]:
        return tuple(die for die in state.dice if die.track_id not in self._visits)

    def _follow(self, placed: Sequence[SceneState], throwing: dict[int, Throwing]) -> None:
        """Find known visitors again; drop those that are gone or are a seat's own after all."""
        now_s = placed[0].t_s
        for at, state in enumerate(placed):
            seen = {die.track_id for die in state.dice}
            for die in state.dice:
                lost = [k for k, v in self._visits.items() if v.at == at and k not in seen]
                again = [k for k in lost if self._is_there(die, self._visits[k])]
                if die.track_id not in self._visits and again:
                    self._visits[die.track_id] = self._visits.pop(again[0])
                if (visit := self._visits.get(die.track_id)) is None:
                    continue
                visit.seen_s, visit.place = now_s, die.position_mm
                if visit.at != at:  # it has rolled on, or back
                    del self._visits[die.track_id]
        self._visits = {
            key: visit
            for key, visit in self._visits.items()
            if now_s - visit.seen_s < FORGOTTEN_S
            and not _is_own(visit, placed[visit.at], throwing.get(visit.at))
        }

    def _is_there(self, die: TableDie, visit: _Visit) -> bool:
        return near(die, [visit.place], self._same_place_mm)

    def _note(self, at: int, count: int, now_s: float) -> None:
        """Remember since when a seat has so many dice."""
        had = self._had[at]
        if count != had[-1][1]:
            had.append((now_s, count))
        while len(had) > 1 and now_s - had[1][0] > KEPT_S:
            del had[0]

    def _had_before(self, at: int, state: SceneState, others: dict[int, Throwing]) -> int:
        """How many dice of its own a seat had, with those hidden for a moment or just thrown."""
        until_s = max(min(throw.lifted_s for throw in others.values()), self._threw_s[at])
        since_s = until_s - HAD_S
        for cup in state.cups:  # what it covers is not to be seen beside it
            since_s = max(since_s, cup.since_s + COVERS_S)
        had = [one for one in self._had[at] if one[0] <= until_s] or self._had[at][:1]
        ends_s = [began_s for began_s, _ in had[1:]] + [float("inf")]
        return max(n for (_, n), end_s in zip(had, ends_s, strict=True) if end_s > since_s)

    def _mark(self, at: int, placed: Sequence[SceneState], others: dict[int, Throwing]) -> None:
        """Take for visitors what a seat has more than before while others throw."""
        state = placed[at]
        if any(state.t_s - cup.since_s < MOVED_S for cup in state.cups):
            return
        own = sorted(self._own_dice(state), key=lambda die: die.track_id)
        more = own[self._had_before(at, state, others) :]
        here = {k for k, v in self._visits.items() if v.throwers & others.keys() and v.at == at}
        away = sum(bool(v.throwers & others.keys()) for v in self._visits.values()) - len(here)
        lacking = [
            throw.in_play - sum(1 + (die.kind == "tower") for die in self._own_dice(placed[seat]))
            for seat, throw in others.items()
        ]
        if len(here) + len(more) + away > sum(max(0, lacks) for lacks in lacking):
            self._visits = {key: v for key, v in self._visits.items() if key not in here}
            return
        for die in more:
            self._visits[die.track_id] = _Visit(
                at, frozenset(others), die.still_since_s, state.t_s, die.position_mm
            )


def _is_own(visit: _Visit, state: SceneState, throw: Throwing | None) -> bool:
    """Whether a seat's cup was moved when a visitor came: it may have been under it."""
    if throw is not None:
        return throw.lifted_s - visit.since_s < MOVED_S
    return any(0 < cup.since_s - visit.since_s < MOVED_S for cup in state.cups)
