"""How well a table is followed: what was told and played of a clip against what truly happened.

Every true throw owns the time from when its cup was lifted to when the next one is. What was told
of that time, and what was entered into the game because of it, is judged together:

* *right*: entered without asking, with the right player, dice, dice outside and number.
* *asked*: the table was asked, and the answer entered for the right player.
* *wrong*: something else was entered and nobody asked, or it was entered for somebody else, of
  which nobody is asked: silently wrong.
* *missed*: nothing was told of it.

What was entered without asking although nothing was thrown is *invented*: silently wrong, too.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

THROWS = ("throw_seen", "tower", "burning", "off_mat")
MATCHED = ("cup_down", "cup_up", "dice_kept", "turned", "cleared")
"""Types that are told of beside throws: they must be told at about the right time."""
TOLERANCE_S = 1.5

Line = Mapping[str, Any]


@dataclass(frozen=True)
class TrueThrow:
    """A throw of the truth.

    Attributes:
        player: who threw.
        kind: `throw_seen`, or what was wrong with it: one of `THROWS`.
        dice: its flat dice, highest first.
        outside: what lay outside, highest first.
        up_s: when its cup was lifted.
        rest_s: when its dice lay still in sight.
        number: of the throw in its turn; 0 for one that burns.
    """

    player: str
    kind: str
    dice: tuple[int, ...]
    outside: tuple[int, ...]
    up_s: float
    rest_s: float
    number: int = 0


@dataclass(frozen=True)
class Entered:
    """A throw as it was entered into the game.

    Attributes:
        at_s: when it was told.
        player: for whom.
        kind: `throw_seen` or the reason for which it burns.
        dice: of the throw, highest first; of a burnt one those that lay flat.
        outside: what lay outside.
        asked: a person said so.
        number: of the throw in its turn; 0 for one that burns.
    """

    at_s: float
    player: str
    kind: str
    dice: tuple[int, ...]
    outside: tuple[int, ...]
    asked: bool
    number: int = 0


@dataclass(frozen=True)
class Verdict:
    """What became of one true throw: `right`, `asked`, `wrong` or `missed`; see the module."""

    throw: TrueThrow
    verdict: str
    told: tuple[Entered, ...] = ()
    reasons: tuple[str, ...] = ()

    @property
    def delay_s(self) -> float | None:
        """From the dice's rest to the first word about them; None where none was needed or said."""
        sure = [entered.at_s for entered in self.told if not entered.asked]
        return min(sure) - self.throw.rest_s if sure else None

    @property
    def wrong_seat(self) -> bool:
        """It was entered for somebody else."""
        return any(entered.player != self.throw.player for entered in self.told)

    @property
    def wrong_dice(self) -> bool:
        """It was entered without asking, with other dice."""
        sure = [e for e in self.told if not e.asked and e.kind == self.throw.kind == "throw_seen"]
        return any(entered.dice != self.throw.dice for entered in sure)

    @property
    def named(self) -> bool:
        """A fault that was told as what it is, a flat throw as a throw."""
        return any(e.kind == self.throw.kind and not e.asked for e in self.told)


@dataclass(frozen=True)
class Hits:
    """How often a type of event was told rightly, told though it was not so, and not told."""

    right: int = 0
    false: int = 0
    missed: int = 0

    def __add__(self, other: Hits) -> Hits:
        return Hits(self.right + other.right, self.false + other.false, self.missed + other.missed)

    @property
    def precision(self) -> float | None:
        """The share of what was told that is so; None of nothing."""
        return self.right / (self.right + self.false) if self.right + self.false else None

    @property
    def recall(self) -> float | None:
        """The share of what is so that was told; None of nothing."""
        return self.right / (self.right + self.missed) if self.right + self.missed else None


def true_throws(truth: Iterable[Line], game: Iterable[Line] = ()) -> list[TrueThrow]:
    """The throws of a truth, in order.

    Args:
        truth: lines as `schockauge simulate --truth` writes them.
        game: the events of the true game, which number the throws.
    """
    found: list[TrueThrow] = []
    up_s = 0.0
    numbers = (line.get("throw_no", 0) for line in game if line["type"] in ("thrown", "burnt"))
    for line in truth:
        if line["type"] == "cup_up":
            up_s = float(line["t_s"])
        elif line["type"] in THROWS:
            dice, outside = tuple(line["dice"]), tuple(line["outside"])
            rest_s = float(line.get("rest_s", line["t_s"]))
            number = next(numbers, 0)
            throw = TrueThrow(line["seat"], line["type"], dice, outside, up_s, rest_s, number)
            found.append(throw)
    return found


def owner(throws: Sequence[TrueThrow], at_s: float) -> int | None:
    """The number of the true throw that a moment belongs to; None before the first."""
    at = bisect_right([throw.up_s for throw in throws], at_s) - 1
    return at if at >= 0 else None


def judge(
    throws: Sequence[TrueThrow],
    entered: Iterable[Entered],
    asked: Iterable[tuple[float, str]],
) -> tuple[list[Verdict], list[Entered]]:
    """Judge every true throw.

    Args:
        throws: the truth.
        entered: what was entered into the game.
        asked: when every question was asked, and why.

    Returns:
        A verdict for each true throw, and what was invented.
    """
    told: list[list[Entered]] = [[] for _ in throws]
    reasons: list[list[str]] = [[] for _ in throws]
    invented: list[Entered] = []
    for one in entered:
        at = owner(throws, one.at_s)
        if at is None or (told[at] and not one.asked):
            invented.append(one)
        else:
            told[at].append(one)
    for at_s, reason in asked:
        at = owner(throws, at_s)
        if at is not None:
            reasons[at].append(reason)
    verdicts = [
        Verdict(throw, _verdict(throw, acts, why), tuple(acts), tuple(why))
        for throw, acts, why in zip(throws, told, reasons, strict=True)
    ]
    return verdicts, invented


def _verdict(throw: TrueThrow, told: Sequence[Entered], reasons: Sequence[str]) -> str:
    sure = [entered for entered in told if not entered.asked]
    elsewhere = any(entered.player != throw.player for entered in told)
    if elsewhere or any(not _is_so(throw, entered) for entered in sure):
        return "wrong"
    if reasons:
        return "asked"
    return "right" if sure else "missed"


def _is_so(throw: TrueThrow, entered: Entered) -> bool:
    """Whether the game has of this throw what it must have."""
    if throw.kind != "throw_seen":
        return entered.kind != "throw_seen"  # a burnt throw is repeated, whatever was wrong with it
    same = (entered.kind, entered.dice, entered.outside, entered.number)
    return same == (throw.kind, throw.dice, throw.outside, throw.number)


def matched(truth: Iterable[Line], told: Iterable[Line]) -> dict[str, Hits]:
    """How often each type of `MATCHED` was told with the right dice at about the right time."""
    true_lines, told_lines = list(truth), list(told)
    found = {}
    for kind in MATCHED:
        left = [line for line in told_lines if line["type"] == kind]
        so_many, right = len(left), 0
        true_of_kind = [line for line in true_lines if line["type"] == kind]
        for line in true_of_kind:
            near = [
                one for one in left
                if abs(one["t_s"] - line["t_s"]) <= TOLERANCE_S
                and Counter(one["dice"]) == Counter(line["dice"])
                and one.get("seat") in (None, line["seat"])
            ]  # fmt: skip
            if near:
                left.remove(min(near, key=lambda one: abs(one["t_s"] - line["t_s"])))
                right += 1
        found[kind] = Hits(right, so_many - right, len(true_of_kind) - right)
    return found
