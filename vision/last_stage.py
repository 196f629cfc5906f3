"""A last stage of the namer (`vision.readers`) that was tuned to one table's own dice.

The network says how likely each value is (`logits`) and from what (`features`, what is left of the
crop before its last layer). A tuned stage adds a linear word of its own on the six values:

    values' = softmax((logits of the values + features @ weights + bias) / temperature)

Only the share among the six values changes. How much of the belief goes to them at all, and how
much to "tower", "burning" or "nothing", stays what the network says: a tuned stage can never
talk a tilted die flat. With zeros at temperature 1 it is the shipped namer.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.detections import VALUE_CLASSES
from vision.errors import ModelError

__all__ = ["LastStage", "load_last_stage", "save_last_stage", "sha256_of", "shares"]

FORM = "schockauge last stage 1"
"""Written into every file, so that another .npz is not taken for one."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class LastStage:
    """A correction of the network's last layer for the six values.

    Attributes:
        weights: (F, 6) float32, one row per feature.
        bias: (6,) float32.
        temperature: 1 or more: the values' beliefs are cooled by it, so that they are as often
            right as they say.
        base_sha256: hexadecimal digest of the network's file that it belongs to.
        notes: how it was made, for people: throws, dice, figures.

    Raises:
        ModelError: shapes that do not fit, numbers that are none, or a temperature below 1.
    """

    weights: Floats
    bias: Floats
    temperature: float
    base_sha256: str
    notes: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        shape = self.weights.shape
        if len(shape) != 2 or shape[1] != VALUE_CLASSES or self.bias.shape != (VALUE_CLASSES,):
            raise ModelError(
                f"A last stage has weights (F, {VALUE_CLASSES}) and a bias ({VALUE_CLASSES},), but "
                f"got {shape} and {self.bias.shape}; tune it again."
            )
        numbers = (self.weights, self.bias, np.float32(self.temperature))
        if not all(np.isfinite(part).all() for part in numbers) or self.temperature < 1:
            raise ModelError(
                "A last stage has finite numbers and a temperature of 1 or more, but got others; "
                "tune it again."
            )

    def apply(self, logits: Floats, features: Floats) -> Floats:
        """The tuned logits.

        Args:
            logits: (N, C) of the network, the first six for the values 1..6.
            features: (N, F) of the network.

        Returns:
            (N, C) float32; the values' share in the softmax stays what it was.

        Raises:
            ModelError: the network has another number of features.
        """
        if features.shape != (len(logits), len(self.weights)):
            raise ModelError(
                f"The last stage was tuned for {len(self.weights)} features, but the network "
                f"gives {features.shape[-1]}; it belongs to another model: tune it again."
            )
        values = logits[:, :VALUE_CLASSES]
        tuned = (values + features @ self.weights + self.bias) / self.temperature
        level = _log_sum(values) - _log_sum(tuned)
        return np.concatenate([tuned + level, logits[:, VALUE_CLASSES:]], 1).astype(np.float32)

    def check_base(self, sha256: str) -> None:
        """Make sure that it belongs to a network.

        Raises:
            ModelError: it was tuned for another file.
        """
        if sha256 != self.base_sha256:
            raise ModelError(
                f"The last stage was tuned for the namer {self.base_sha256[:12]}…, but the "
                f"one in use is {sha256[:12]}…; tune it again with `schockauge learn tune`, or "
                "leave model.own_dice_file empty."
            )


def shares(logits: Floats) -> Floats:
    """Softmax of every row: (N, C) -> (N, C) float32, rows sum to 1."""
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), dtype=np.float32)


def sha256_of(path: Path) -> str:
    """Hexadecimal digest of a model's file.

    Raises:
        ModelError: it cannot be read.
    """
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError as error:
        raise ModelError(f"The model {path} cannot be read: {error.strerror or error}.") from error


def save_last_stage(path: Path, stage: LastStage) -> None:
    """Write a stage; the same stage always gives the same bytes.

    Raises:
        ModelError: the disk does not take it.
    """
    try:
        with path.open("wb") as file:
            np.savez(
                file,
                form=np.array(FORM),
                weights=stage.weights,
                bias=stage.bias,
                temperature=np.array(stage.temperature),
                base_sha256=np.array(stage.base_sha256),
                notes=np.array(json.dumps(dict(stage.notes), sort_keys=True)),
            )
    except OSError as error:
        raise ModelError(f"{path} cannot be written: {error.strerror or error}.") from error


def load_last_stage(path: Path) -> LastStage:
    """Read a stage.

    Raises:
        ModelError: missing, damaged, or another kind of file.
    """
    try:
        # The bytes first: numpy leaves a damaged file open.
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
            if str(file["form"]) != FORM:
                raise ValueError(f"its form is {str(file['form'])!r}, expected {FORM!r}")
            return LastStage(
                np.asarray(file["weights"], dtype=np.float32),
                np.asarray(file["bias"], dtype=np.float32),
                float(file["temperature"]),
                str(file["base_sha256"]),
                dict(json.loads(str(file["notes"]))),
            )
    except FileNotFoundError as error:
        raise ModelError(
            f"The last stage {path} does not exist; make it with `schockauge learn tune`, or leave "
            "model.own_dice_file empty."
        ) from error
    except (
        OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, zipfile.BadZipFile,
    ) as error:  # fmt: skip
        raise ModelError(
            f"{path} is no last stage of `schockauge learn tune`: {error}; tune it again."
        ) from error


def _log_sum(rows: Floats) -> Floats:
    top = rows.max(axis=1, keepdims=True)
    return np.asarray(top + np.log(np.exp(rows - top).sum(axis=1, keepdims=True)))
