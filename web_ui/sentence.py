"""One line of the log as a sentence."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Data = Mapping[str, Any]


@dataclass(frozen=True)
class Sentence:
    """What the log shows of one entry.

    Attributes:
        text: the sentence, not escaped.
        kind: what it is about, for the page's colours: throw, move, round, deckel, milestone,
            question, refused, fault, other.
        dice: dice to draw after the sentence.
    """

    text: str
    kind: str
    dice: tuple[int, ...] = ()
