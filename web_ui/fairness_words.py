"""What the test of a set of dice says, in a sentence for players."""

from math import floor, log10

from rules.fairness import FEWEST_DICE, Faces
from web_ui.i18n import text

RAREST = 1_000_000
"""Beyond one in so many a number tells nobody anything."""


def fairness_text(faces: Faces, lang: str) -> str:
    """Return the verdict with the number of dice it rests on; never that they are loaded."""
    face = faces.strangest
    return text(
        lang,
        f"stats.dice.{faces.verdict}",
        thrown=faces.thrown,
        needed=FEWEST_DICE,
        percent=round(100 * (faces.noticed_from or 0)),
        n=_one_in(faces.chance, lang),
        face=face,
        count=faces.counts[face - 1],
        expected=round(faces.expected),
    )


def _one_in(chance: float, lang: str) -> str:
    """How many fair sets there are to one so uneven, to two digits that say something."""
    if chance * RAREST < 1:
        return text(lang, "stats.million")
    sets = 1 / chance
    return str(round(sets, 1 - floor(log10(sets)))).removesuffix(".0")
