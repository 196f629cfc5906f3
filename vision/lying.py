"""What lies where: a scene sorted by zones, and the arithmetic of dice before and after."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from vision.table import Box, SceneState, TableCup, TableDie

Face = tuple[float, float, int]
"""Where a die lay and what it showed: x, y (mm) and value."""

DICE_IN_PLAY = 3
ASIDE_MM, BETWEEN_MM = 90.0, 10.0
"""Width of the put-aside strip, and of what lies between it and the throwing zone."""


class Places(Protocol):
    """What places mean to whoever throws there: `Zones` of one mat for all, or a `Seat`."""

    def is_aside(self, point: tuple[float, float]) -> bool:
        """Whether a die at this place of the mat, millimetres, has been put aside."""

    def takes_cup(self, point: tuple[float, float]) -> bool:
        """Whether a cup that stands there covers a throw."""


@dataclass(frozen=True)
class Zones:
    """Areas of the mat, millimetres (left, top, right, bottom).

    Attributes:
        throwing: where cups go down and dice are thrown.
        aside: the put-aside strip. What lies between the two counts as thrown: a die may roll
            there, but nobody lays one there.
    """

    throwing: Box = (0.0, 0.0, 320.0, 315.0)
    aside: Box = (330.0, 0.0, 420.0, 315.0)

    @classmethod
    def of_mat(cls, size_mm: tuple[float, float]) -> "Zones":
        """The areas of a mat of another size: its strip is as wide, at its right edge."""
        width, height = size_mm
        return cls(
            throwing=(0.0, 0.0, width - ASIDE_MM - BETWEEN_MM, height),
            aside=(width - ASIDE_MM, 0.0, width, height),
        )

    @property
    def line_mm(self) -> float:
        """Where the line between the two is printed, x in millimetres."""
        return (self.throwing[2] + self.aside[0]) / 2

    def is_aside(self, point: tuple[float, float]) -> bool:
        """Whether a place lies in the put-aside strip."""
        return inside(point, self.aside)

    def takes_cup(self, point: tuple[float, float]) -> bool:
        """Whether a place lies in the throwing zone."""
        return inside(point, self.throwing)


@dataclass(frozen=True)
class Lying:
    """A scene's dice by place and kind.

    Attributes:
        zone: flat dice in the throwing zone.
        strip: flat dice in the put-aside strip.
        towers: stacked dice where dice are thrown.
        burning: tilted dice where dice are thrown.
        stacked_aside: stacked or tilted ones in the strip: laid there by hand, no fault.
        off: whatever is a die beside the mat.
        cup: the cup in the throwing zone that came last, of those that have settled there.
        in_play: how many dice there are in all.
    """

    zone: tuple[TableDie, ...]
    strip: tuple[TableDie, ...]
    towers: tuple[TableDie, ...]
    burning: tuple[TableDie, ...]
    stacked_aside: tuple[TableDie, ...]
    off: tuple[TableDie, ...]
    cup: TableCup | None
    in_play: int = DICE_IN_PLAY

    @property
    def complete(self) -> bool:
        """Whether all dice in play lie flat on the mat, and no more."""
        return len(self.flat) == self.in_play

    @property
    def flat(self) -> tuple[TableDie, ...]:
        """All flat dice on the mat."""
        return self.zone + self.strip

    @property
    def on_mat(self) -> tuple[TableDie, ...]:
        """All dice on the mat, flat or not."""
        return self.flat + self.towers + self.burning + self.stacked_aside

    @property
    def in_sight(self) -> int:
        """How many dice are to be seen on the mat, at the least: a tower is two."""
        return len(self.on_mat) + len(self.towers)

    @property
    def miscounted(self) -> str:
        """What a doubt about the number of flat dice is called in `vision.events.DOUBTS`."""
        return "fewer" if len(self.flat) < self.in_play else "more"

    @property
    def why_uncovered(self) -> str:
        """What a doubt about dice is called over which no cup was seen (`vision.events.DOUBTS`).

        A fault in sight comes first: three flat look-alikes beside a tower must not be confirmed,
        nor three dice one of which may lean.
        """
        if self.towers or self.burning:
            return "kind"
        if not self.complete:
            return self.miscounted
        return "no_cup" if self.stands_sure else "kind"

    @property
    def stands_sure(self) -> bool:
        """Whether of no flat die it is a question how it stands."""
        return all(die.stands_sure for die in self.flat)

    @property
    def why_unclear(self) -> str:
        """What a doubt is called about something of which it is unclear how it stands.

        Where all dice in play lie flat beside it, for sure, it is none of this throw; only what is
        a tower or burns for sure may be, and one of the flat ones a look-alike.
        """
        odd = self.towers + self.burning
        stands_odd = bool(odd) and all(die.sure for die in odd)
        all_flat = sum(die.sure for die in self.flat) >= self.in_play
        return "more" if all_flat and not stands_odd else "kind"

    @property
    def at_rest(self) -> bool:
        """Whether something lies on the mat and all of it lies still in plain sight."""
        return bool(self.on_mat) and all(die.at_rest for die in self.on_mat)

    @property
    def fault_types(self) -> list[str]:
        """What the faults that lie there are called in `vision.events.EVENT_TYPES`."""
        found = {"off_mat": self.missing_off, "tower": self.towers, "burning": self.burning}
        return [kind for kind, things in found.items() if things]

    @property
    def missing_off(self) -> tuple[TableDie, ...]:
        """Dice beside the mat; with all on it, whatever is seen beside it is none of them."""
        return self.off if len(self.flat) < self.in_play else ()


def sort_scene(scene: SceneState, places: Places, *, in_play: int = DICE_IN_PLAY) -> Lying:
    """Sort a scene's dice by place and kind; `in_play`: how many there are in all."""
    on_mat = [die for die in scene.dice if die.on_mat]
    flat = [die for die in on_mat if die.kind == "die"]
    odd = [die for die in on_mat if die.kind != "die"]
    thrown = [die for die in odd if not places.is_aside(die.position_mm)]
    cups = [cup for cup in scene.cups if cup.settled and places.takes_cup(cup.position_mm)]
    return Lying(
        zone=tuple(die for die in flat if not places.is_aside(die.position_mm)),
        strip=tuple(die for die in flat if places.is_aside(die.position_mm)),
        towers=tuple(die for die in thrown if die.kind == "tower"),
        burning=tuple(die for die in thrown if die.kind == "burning"),
        stacked_aside=tuple(die for die in odd if die not in thrown),
        off=tuple(die for die in scene.dice if not die.on_mat),
        cup=max(cups, key=lambda cup: cup.since_s, default=None),
        in_play=in_play,
    )


def values(dice: Iterable[TableDie]) -> tuple[int, ...]:
    """Likeliest values, highest first."""
    return tuple(sorted((die.value for die in dice), reverse=True))


def candidates(dice: Sequence[TableDie], *, count: int = 3) -> tuple[tuple[int, ...], ...]:
    """The likeliest combinations of values, best first.

    Args:
        dice: any number of dice.
        count: how many combinations.

    Returns:
        Values highest first; dice are taken as independent of each other.
    """
    chances: dict[tuple[int, ...], float] = {(): 1.0}
    for die in dice:
        longer: dict[tuple[int, ...], float] = {}
        for known, chance in chances.items():
            for value, share in enumerate(die.probabilities, start=1):
                combined = tuple(sorted((*known, value), reverse=True))
                longer[combined] = longer.get(combined, 0.0) + chance * share
        chances = longer
    ranked = sorted(chances, key=lambda combination: -chances[combination])
    return tuple(ranked[:count]) if dice else ()


def is_explained(now: Iterable[int], known: Iterable[int]) -> bool:
    """Whether dice that lie there can be known ones, moved about; a 6 may have become a 1."""
    strange = Counter(now) - Counter(known)
    unused = Counter(known) - Counter(now)
    return set(strange) <= {1} and strange[1] <= unused[6]


def kept_and_turned(
    before: Iterable[int], now: Iterable[int], thrown: Iterable[int]
) -> tuple[tuple[int, ...], int]:
    """What was put aside since the strip was last looked at.

    Args:
        before: values in the strip then.
        now: values in the strip now.
        thrown: the last throw; empty if unknown.

    Returns:
        The newly kept values as they were thrown, highest first, and how many sixes were turned
        into ones (they are not among the first).
    """
    new, gone = Counter(now) - Counter(before), Counter(before) - Counter(now)
    last = Counter(thrown)
    turned_there = min(new[1], gone[6])
    strange_ones = max(0, new[1] - turned_there - last[1])
    turned = turned_there + min(strange_ones, last[6])
    new[1] -= turned
    return tuple(sorted((+new).elements(), reverse=True)), turned


def near(die: TableDie, places: Iterable[tuple[float, float]], distance_mm: float) -> bool:
    """Whether a die lies at one of the places."""
    x, y = die.position_mm
    return any(abs(x - u) <= distance_mm and abs(y - v) <= distance_mm for u, v in places)


def near_same(die: TableDie, faces: Iterable[Face], distance_mm: float) -> bool:
    """Whether a die lies where one that shows its value lay."""
    return near(die, [(x, y) for x, y, value in faces if value == die.value], distance_mm)


def inside(point: tuple[float, float], box: Box) -> bool:
    """Whether a point lies in a rectangle of the mat, millimetres."""
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]
