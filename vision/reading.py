"""What was read on a loose photograph (`vision.reader`)."""

from dataclasses import dataclass, field

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class ReadDie:
    """One die on a photograph.

    Attributes:
        value: 1..6.
        score: probability that a die lies here and shows this value, 0..1.
        sure: the score reaches what a sure photograph needs, and the value alone
            `vision.reader.SURE_VALUE`; three looks of four found the die, all of it is in the
            picture, and both witnesses name this value, the namer in most views.
        box: left, top, right, bottom in pixels of the photograph.
    """

    value: int
    score: float
    sure: bool
    box: Box


@dataclass(frozen=True)
class Found:
    """A tower, a burning die, a cup or a part of a die.

    Attributes:
        box: left, top, right, bottom in pixels of the photograph.
        score: how clearly it is one, 0..1.
    """

    box: Box
    score: float


@dataclass(frozen=True)
class Reading:
    """What a photograph shows.

    Attributes:
        dice: flat dice, left to right.
        towers: stacked dice.
        burning: tilted dice.
        cups: cups.
        parts: what shows of dice that cannot be read, half under a sheet or out of the picture;
            looked for only where all else is sure.
        chance: probability that these are the dice and their values, 0..1.
        sure: there are dice, `chance` is high enough, and nothing else is in doubt.
        ms: milliseconds that reading took by the clock given to the reader.
    """

    dice: tuple[ReadDie, ...] = ()
    towers: tuple[Found, ...] = ()
    burning: tuple[Found, ...] = ()
    cups: tuple[Found, ...] = ()
    parts: tuple[Found, ...] = ()
    chance: float = 0.0
    sure: bool = False
    ms: float = field(default=0.0, compare=False)
