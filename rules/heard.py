"""What players say, as a result: "A: 6-5-5 im Zweiten aus der Hand", "Bert: Schock Fünf".

The counterpart of `rules.spoken`. What is not said is what nearly always holds: a first throw, and
a result of one throw is from the hand, one of several throws is not.
"""

import re
from collections.abc import Mapping

from rules.dice import DICE_PER_PLAYER, Dice, as_dice
from rules.errors import MalformedRecord
from rules.ranking import Result

THROWS: Mapping[str, int] = {
    "im ersten": 1, "im zweiten": 2, "im dritten": 3,
    "in the first": 1, "in the second": 2, "in the third": 3,
}  # fmt: skip
FROM_HAND = ("aus der hand", "aus dem rohr", "in einem wurf", "from the hand", "in one throw")
ASSEMBLED = ("gebastelt", "zugeworfen", "zusammengewürfelt", "assembled")
NUMBERS: Mapping[str, int] = {
    "eins": 1, "zwei": 2, "doof": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6,
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
}  # fmt: skip
FIGURES: Mapping[str, Dice] = {
    "schock aus": (1, 1, 1), "schock-aus": (1, 1, 1), "schock out": (1, 1, 1), "aus": (1, 1, 1),
    "jule": (4, 2, 1),
}  # fmt: skip
ONES_AND = ("schock", "max")
THREE_OF = ("general", "pasch", "drei dicke", "jenny")
EXAMPLE = 'for example "A: 6-5-5 im Dritten", "B: Schock 5" or "C: 6 2 1 im Zweiten aus der Hand"'


def heard(words: str) -> Result:
    """Read one spoken result.

    Args:
        words: name, colon, dice or figure, then the throw and how, in German or English.

    Raises:
        MalformedRecord: the words do not say a result; the message shows how to.
    """
    player, colon, said = words.partition(":")
    if not colon or not player.strip():
        raise MalformedRecord(f"{words!r} names no player; say who threw what, {EXAMPLE}")
    rest = " ".join(said.casefold().replace(",", " ").split())
    rest, throws = _taken(rest, THROWS)
    rest, from_hand = _taken(rest, dict.fromkeys(FROM_HAND, True))
    rest, assembled = _taken(rest, dict.fromkeys(ASSEMBLED, True))
    if from_hand and assembled:
        raise MalformedRecord(f"{words!r} is said to be from the hand and assembled; it is one")
    dice = _dice(rest)
    if dice is None:
        raise MalformedRecord(
            f"{said.strip()!r} is no throw of three dice; say it as dice, {EXAMPLE}"
        )
    count = throws or 1
    if assembled and count == 1:
        raise MalformedRecord(f"{words!r}: one throw cannot be assembled; say in which throw")
    return Result(
        player=player.strip(), dice=dice, throws=count, from_hand=bool(from_hand) or count == 1
    )


def _taken(text: str, words: Mapping[str, int]) -> tuple[str, int]:
    """Take the first of these words out of a text; 0 if there is none."""
    for word, value in words.items():
        if re.search(rf"(^| ){re.escape(word)}( |$)", text):
            return " ".join(text.replace(word, " ", 1).split()), int(value)
    return text, 0


def _dice(text: str) -> Dice | None:
    if text in FIGURES:
        return FIGURES[text]
    for names, of in ((ONES_AND, lambda n: (n, 1, 1)), (THREE_OF, lambda n: (n, n, n))):
        for name in names:
            number = text.removeprefix(name).strip() if text.startswith(name) else ""
            value = NUMBERS.get(number) or (int(number) if re.fullmatch("[1-6]", number) else 0)
            if value:
                return as_dice(of(value))
    digits = re.sub(r"[\s\-–/.]|stra(ß|ss)e|straight", "", text)
    if not re.fullmatch(f"[1-6]{{{DICE_PER_PLAYER}}}", digits):
        return None
    return as_dice([int(digit) for digit in digits])
