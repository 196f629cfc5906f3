"""How likely a reading is: from both witnesses' words to calibrated probabilities.

Two questions per cluster of findings, each answered by a small logistic model: is there a flat die
at all, and is its value the one that both words together name? The weights were fitted on
photographs that the networks had never seen (`models.lab.confidence`, `models/CARD.md`), so 0.99
means: of a hundred such dice on a strange table, one is wrong. A photograph is read right when
every die is, and nothing that was passed over is a die: the product of all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.detections import BURNING, TOWER, VALUE_CLASSES
from vision.errors import ModelError

FLOOR = 0.03
"""Neither witness can rule a value out alone."""
OTHER_KIND = 0.15
"""How much of the finder's score may go to another kind than it says: it mixes them up."""
EDGE = 1e-3
"""Probabilities are kept this far from 0 and 1 before their log-odds are taken."""

Vector = NDArray[np.float32]


@dataclass(frozen=True)
class Words:
    """What is known of one cluster.

    Attributes:
        kinds: (3,) the finder: mean score over all looks of die, tower, burning.
        names: (9,) the namer, mean of all views: values 1..6, tower, burning, nothing.
        opinion: (7,) the counter, mean of all views: values 1..6, anything else.
        found_in: share of the looks that found it, 0..1.
        steady: whether the namer says the same in most of the views (`vision.reader.STEADY`).
    """

    kinds: Vector
    names: Vector
    opinion: Vector
    found_in: float
    steady: bool

    @property
    def seen(self) -> float:
        """How sure the looks are together that something is there, whatever it is; 0 and more."""
        return float(self.kinds.sum())


@dataclass(frozen=True)
class Confidence:
    """Weights of both models; the first number of each is the constant.

    Attributes:
        die: over the log-odds of the finder's score, of the namer's word that it is something, of
            both readers meaning the same value, and of the counter finding nothing readable.
        value: over the log-odds of the likeliest value, both readers taken together, as far as the
            namer sees a value at all.
        sure: a photograph this likely right is called sure, 0..1.

    Raises:
        ModelError: numbers that these models do not have.
    """

    die: tuple[float, ...] = (-3.0, 1.0, 1.0, 0.5, -0.5)
    value: tuple[float, ...] = (0.0, 1.5)
    sure: float = 0.97

    def __post_init__(self) -> None:
        if (len(self.die), len(self.value)) != (5, 2) or not 0 <= self.sure <= 1:
            raise ModelError(
                "The manifest's `reading` must hold 5 numbers for `die`, 2 for `value` and `sure` "
                f"from 0 to 1, but got {self.die}, {self.value} and {self.sure}; fit it again with "
                "models.lab.confidence."
            )

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> "Confidence":
        """From the manifest's entry; missing parts keep their defaults."""
        parts: dict[str, Any] = {
            name: tuple(float(v) for v in told[name]) for name in ("die", "value") if name in told
        }
        if "sure" in told:
            parts["sure"] = float(told["sure"])
        return cls(**parts)

    def die_chance(self, words: Words) -> float:
        """Probability that a flat die lies there, 0..1."""
        return _logistic(self.die, die_features(words))

    def value_chance(self, words: Words) -> float:
        """Probability that the joint value is the die's, if there is one, 0..1."""
        return _logistic(self.value, value_features(words))


def fused(belief: Vector, opinion: Vector) -> Vector:
    """Both witnesses' word as one probability per value: a product of experts with a floor.

    Args:
        belief: (6,) or more, the first witness's weight per value, >= 0.
        opinion: (6,) or more, the counter's probability per value.

    Returns:
        (6,) float32, sums to 1.
    """
    own = belief[:VALUE_CLASSES]
    own = own / max(float(own.sum()), 1e-6)
    product = (own + FLOOR) * (opinion[:VALUE_CLASSES] + FLOOR)
    return np.asarray(product / product.sum(), dtype=np.float32)


def kind_shares(words: Words) -> Vector:
    """(3,) float32, sums to 1: how likely a flat die, a tower, a burning die lies there."""
    finder = words.kinds + OTHER_KIND * words.seen + EDGE
    namer = [words.names[:VALUE_CLASSES].sum(), words.names[TOWER], words.names[BURNING]]
    product = finder * (np.asarray(namer, np.float32) + EDGE)
    return np.asarray(product / product.sum(), dtype=np.float32)


def both_mean(words: Words) -> float:
    """Probability that namer and counter mean the same value, if each of them names one, 0..1."""
    names, opinion = words.names[:VALUE_CLASSES], words.opinion[:VALUE_CLASSES]
    return float(np.dot(names, opinion) / max(float(names.sum() * opinion.sum()), 1e-6))


def die_features(words: Words) -> list[float]:
    """What the first model looks at."""
    return [
        _log_odds(words.seen),
        _log_odds(1.0 - float(words.names[-1])),
        _log_odds(both_mean(words)),
        _log_odds(float(words.opinion[-1])),
    ]


def value_features(words: Words) -> list[float]:
    """What the second model looks at: how far the likeliest value leads for both together.

    Where the namer half sees nothing, or a tower, that is half as far.
    """
    lead = max(0.0, _log_odds(float(fused(words.names, words.opinion).max())))
    return [lead * float(words.names[:VALUE_CLASSES].sum())]


def all_right(chances: Sequence[float]) -> float:
    """Probability that everything is right, taken as independent; 1.0 for nothing."""
    return float(np.prod(chances))


def _log_odds(share: float) -> float:
    kept = min(max(share, EDGE), 1.0 - EDGE)
    return float(np.log(kept / (1.0 - kept)))


def _logistic(weights: Sequence[float], features: Sequence[float]) -> float:
    total = weights[0] + float(np.dot(weights[1:], features))
    return float(1.0 / (1.0 + np.exp(-np.clip(total, -30, 30))))
