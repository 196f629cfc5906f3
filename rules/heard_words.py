"""The words that `rules.heard` knows: dice, throws, figures, in small letters and without marks."""

import re
from collections.abc import Mapping
from itertools import product

from rules.dice import Dice, as_dice
from rules.spoken import number_words

FACES: Mapping[str, int] = {
    "eins": 1, "one": 1, "zwei": 2, "zwo": 2, "two": 2, "drei": 3, "three": 3, "vier": 4, "four": 4,
    "fünf": 5, "fuenf": 5, "five": 5, "sechs": 6, "six": 6, **{str(n): n for n in range(1, 7)},
}  # fmt: skip
"""A die by itself."""
KINDS: Mapping[str, int] = {
    "einsen": 1, "einser": 1, "ones": 1, "zweien": 2, "zweier": 2, "twos": 2,
    "dreien": 3, "dreier": 3, "threes": 3, "vieren": 4, "vierer": 4, "fours": 4,
    "fünfen": 5, "fünfer": 5, "fives": 5, "sechsen": 6, "sechser": 6, "sixes": 6,
    **{f"{n}{ending}": n for n in range(1, 7) for ending in ("er", "en")},
}  # fmt: skip
"""Dice of which there may be several."""
COUNTS: Mapping[str, int] = {
    "ein": 1, "eine": 1, "einen": 1, "a": 1, "1": 1,
    "zwei": 2, "zwo": 2, "two": 2, "2": 2, "drei": 3, "three": 3, "3": 3,
}  # fmt: skip
STRASSEN_NAMES: Mapping[str, Dice] = {
    "gasse": (3, 2, 1), "landstrasse": (4, 3, 2), "allee": (5, 4, 3),
    "autobahn": (6, 5, 4),
}  # fmt: skip
"""What blog2019 L39 calls the four Straßen, from the lowest to the highest."""
NUMBERS: Mapping[str, int] = {**FACES, **KINDS}
"""A die, by itself or one of several."""
NUMBER = "|".join(sorted(NUMBERS, key=len, reverse=True))
"""A pattern for it."""
ORDINALS: Mapping[str, int] = {
    "ersten": 1, "zweiten": 2, "dritten": 3, "first": 1, "second": 2, "third": 3,
    "1st": 1, "2nd": 2, "3rd": 3, "1": 1, "2": 2, "3": 3,
    "einem": 1, "zwei": 2, "drei": 3, "one": 1, "two": 2, "three": 3,
}  # fmt: skip
COMMON_WORDS: Mapping[str, str] = {
    "schock_aus": "schock aus", "jule": "jule", "schock": "schock", "general": "general",
    "strasse": "straße", "hausnummer": "hausnummer",
}  # fmt: skip
"""Figures as everybody calls them, whatever a book does."""
THROWS = re.compile(
    rf"\b(?:im|in the|in|mit|with) ({'|'.join(ORDINALS)})(?: w[uü]rf(?:en)?| throws?)?(?= |$)"
)
FROM_HAND = re.compile(
    r"\b(?:aus der hand|aus dem rohr|in einem wurf|in einem|from the hand|in one throw)\b"
)
ASSEMBLED = re.compile(r"\b(?:gebastelt|zugeworfen|zusammengewürfelt|assembled)\b")
TWO_OF = re.compile(r"\b(?:zwei|zwo|two) ([a-zäöüß]+) ([a-zäöüß]+)$")
"""What may be two of a kind and a third, or three dice."""
KOENIGSWURF = re.compile(r"(?:ein )?k(?:ö|oe)nigswurf")
SAYS_NOTHING = re.compile(r"\bblind\b|^(?:ein|eine|einen|a)\b(?= [a-zß]{4})")
NUMBERS_READ: Mapping[str, Dice] = {
    re.sub("[ -]", "", words).casefold(): as_dice(dice)
    for dice in product(range(6, 0, -1), repeat=3)
    for words in number_words(100 * dice[0] + 10 * dice[1] + dice[2])
}
"""How numbers are read, without blanks, in German and English."""
