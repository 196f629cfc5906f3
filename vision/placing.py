"""Which seat everything on the mat lies at: one scene of the whole mat becomes one for every seat.

What lies on a border trembles over it and back; it stays where it was placed until it is clearly
beyond.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vision.seats import Point, Seat, seat_index
from vision.table import Box, SceneState

DIE_BORDER_MM = 5.0
"""Farther beyond a border than any box of a die at rest trembles."""
CUP_BORDER_MM = 25.0
"""The same for a cup (`SceneSettings.cup_rest_mm`)."""


@dataclass(frozen=True)
class Signs:
    """What the pictures alone say of every part of the mat, as in `vision.table.SceneState`."""

    busy: tuple[bool, ...]
    looks_bare: tuple[bool | None, ...]
    traces: tuple[bool, ...]
    gone: tuple[bool, ...]

    @classmethod
    def unknown(cls, count: int) -> "Signs":
        """Nothing is known of so many parts."""
        return cls((False,) * count, (None,) * count, (False,) * count, (False,) * count)

    def at_rest(self) -> "Signs":
        """The same when nothing has changed: nobody is busy."""
        return Signs((False,) * len(self.busy), self.looks_bare, self.traces, self.gone)

    @property
    def all_bare(self) -> bool | None:
        """Whether all of the mat looks bare; None: nobody can tell."""
        if False in self.looks_bare:
            return False
        return None if None in self.looks_bare else True


class Placing:
    """Follows what lies at which seat.

    Args:
        seats: who sits around the mat; none: all of it is one throwing zone.
    """

    def __init__(self, seats: Sequence[Seat]) -> None:
        self._seats = tuple(seats)
        self._known: dict[int, int] = {}

    def by_seat(self, state: SceneState, signs: Signs) -> tuple[SceneState, ...]:
        """The table as every seat has it.

        Args:
            state: all of the mat.
            signs: of its parts.

        Returns:
            A scene for each, in the order of the seats; without seats the scene itself.
        """
        if not self._seats:
            return (replace(state, gone=signs.gone[0]),)
        dice = [(die, self._at(die.track_id, die.position_mm, DIE_BORDER_MM)) for die in state.dice]
        cups = [(cup, self._at(cup.track_id, cup.position_mm, CUP_BORDER_MM)) for cup in state.cups]
        unborn = [(box, seat_index(self._seats, _middle(box))) for box in state.unborn]
        self._known = {die.track_id: at for die, at in dice}
        self._known |= {cup.track_id: at for cup, at in cups}
        return tuple(
            SceneState(
                state.t_s,
                tuple(die for die, at in dice if at == index),
                tuple(cup for cup, at in cups if at == index),
                signs.busy[index],
                signs.looks_bare[index],
                signs.traces[index],
                tuple(box for box, at in unborn if at == index),
                signs.gone[index],
            )
            for index in range(len(self._seats))
        )

    def _at(self, track_id: int, point: Point, border_mm: float) -> int:
        now = seat_index(self._seats, point)
        before = self._known.get(track_id, now)
        if now == before:
            return now
        here, there = self._seats[now], self._seats[before]
        across = [a - b for a, b in zip(here.towards, there.towards, strict=True)]
        farther = here.outwards_mm(point) - there.outwards_mm(point)
        beyond_mm = farther / (across[0] ** 2 + across[1] ** 2) ** 0.5
        return now if beyond_mm > border_mm else before


def things_of(placed: Sequence[SceneState]) -> tuple[list[Box], list[int]]:
    """Boxes of all cups and dice, and whose they are; dice last, they may lie over a cup's box."""
    cups = [(cup.box_mm, at) for at, state in enumerate(placed) for cup in state.cups]
    dice = [(die.box_mm, at) for at, state in enumerate(placed) for die in state.dice]
    return [box for box, _ in cups + dice], [at for _, at in cups + dice]


def _middle(box: Box) -> Point:
    return ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
