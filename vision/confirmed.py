"""Dice whose true values a person has confirmed, as the namer sees them."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.detections import VALUE_CLASSES
from vision.last_stage import LastStage, shares

__all__ = ["LEAST_BELIEF", "ConfirmedDice", "Figures", "losses", "softmax"]

Floats = NDArray[np.float64]

LEAST_BELIEF = 1e-6
"""No die costs more than 13.8 in the log loss: a network's zero is not meant so literally."""


@dataclass(frozen=True, eq=False)
class ConfirmedDice:
    """What the network says of dice whose values are known.

    Attributes:
        logits: (D, A, C): every die in A pictures; the first `turns` are what reading sees.
        features: (D, A, F).
        value_ids: (D,) true values 0..5.
        throws: (D,) number of the throw.
        turns: how many pictures of a die are averaged when it is read.

    Raises:
        ValueError: shapes that do not fit, or a value that does not exist.
    """

    logits: NDArray[np.float32]
    features: NDArray[np.float32]
    value_ids: NDArray[np.int64]
    throws: NDArray[np.int64]
    turns: int = 4

    def __post_init__(self) -> None:
        count = len(self.value_ids)
        if self.logits.ndim != 3 or self.features.shape[:2] != self.logits.shape[:2]:
            raise ValueError(
                "logits and features must be (D, A, C) and (D, A, F), but got "
                f"{self.logits.shape} and {self.features.shape}."
            )
        if not len(self.logits) == count == len(self.throws):
            raise ValueError(
                f"{len(self.logits)} dice need as many values and throws, but got {count} and "
                f"{len(self.throws)}."
            )
        if count and not 0 <= self.value_ids.min() <= self.value_ids.max() < VALUE_CLASSES:
            raise ValueError(f"value_ids must be 0..5, but got {self.value_ids.tolist()}.")

    def __len__(self) -> int:
        return len(self.value_ids)

    def select(self, mask: NDArray[np.bool_]) -> "ConfirmedDice":
        """The dice that a mask (D,) picks."""
        return replace(
            self,
            logits=self.logits[mask],
            features=self.features[mask],
            value_ids=self.value_ids[mask],
            throws=self.throws[mask],
        )

    def beliefs(self, stage: LastStage | None) -> Floats:
        """(D, C): every die as it is read, by a stage or (None) as shipped."""
        columns, turns = self.logits.shape[2], self.turns
        logits = self.logits[:, :turns].reshape(-1, columns)
        if stage is not None:
            logits = stage.apply(logits, self.features[:, :turns].reshape(len(logits), -1))
        return np.asarray(shares(logits).reshape(-1, turns, columns).mean(axis=1), np.float64)


@dataclass(frozen=True)
class Figures:
    """How dice were read.

    Attributes:
        dice: how many.
        right: whose likeliest value is the true one.
        clearly_right: with a belief of `clear_belief` or more in the true value: may be sure.
        clearly_wrong: with a belief of `clear_belief` or more in another value.
        log_loss: mean of -log(belief in the true value).
    """

    dice: int
    right: int
    clearly_right: int
    clearly_wrong: int
    log_loss: float

    @classmethod
    def of(cls, beliefs: Floats, value_ids: NDArray[np.int64], clear_belief: float) -> "Figures":
        """Count (D, C) beliefs against (D,) values."""
        if not len(value_ids):
            return cls(0, 0, 0, 0, 0.0)
        values = beliefs[:, :VALUE_CLASSES]
        wrong = values.argmax(axis=1) != value_ids
        clear = values.max(axis=1) >= clear_belief
        loss = float(losses(beliefs, value_ids).mean())
        return cls(
            len(value_ids),
            int((~wrong).sum()),
            int((~wrong & clear).sum()),
            int((wrong & clear).sum()),
            round(loss, 4),
        )


def losses(beliefs: Floats, value_ids: NDArray[np.int64]) -> Floats:
    """(D,) -log of the belief (D, C) in the true value (D,)."""
    own = beliefs[np.arange(len(value_ids)), value_ids]
    return np.asarray(-np.log(np.maximum(own, LEAST_BELIEF)))


def softmax(logits: Floats) -> Floats:
    """Softmax over the last axis, any shape."""
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))
