"""The two readers of cut-out dice; they share no weights and learned from different truths.

The namer (`Namer`) knows what dice of every value look like. The counter (`PipCounter`) knows
what one pip looks like, and counts. So they go wrong on different dice, and a value that both say
may be called sure.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.crops import CROP_PX
from vision.errors import ModelError, PictureError
from vision.images import Image
from vision.last_stage import LastStage, sha256_of, shares
from vision.paint import one_paint
from vision.pips import read_maps
from vision.runtime import Network

NAMES = 9
"""What the namer tells apart: values 1..6, tower, burning, nothing."""
CROPS_PER_RUN = 64
LOGITS, FEATURES, HEAT, PART = "logits", "features", "heat", "part"
"""Names of outputs; features are what is left of a crop before the namer's last layer, and a part
of a die is what cannot be read for being mostly hidden."""

Floats = NDArray[np.float32]


class _CropNetwork:
    """An ONNX network over crops: (N, 3, 64, 64) float32 RGB 0..1 in, one row a crop out."""

    def __init__(self, weights: Path, output: str, *, threads: int, sha256: str | None) -> None:
        self._network = Network(weights, threads=threads, sha256=sha256)
        self.weights = weights
        self.output_names = self._network.output_names
        if output not in self.output_names:
            raise ModelError(
                f"{weights}: an output {output!r} is expected, but the model has "
                f"{list(self.output_names)}; this is another model."
            )

    def rows(self, crops_bgr: Image, *outputs: str) -> list[list[Floats]]:
        """The answers of these outputs, at most `CROPS_PER_RUN` rows each; empty without crops."""
        if crops_bgr.dtype != np.uint8 or crops_bgr.shape[1:] != (CROP_PX, CROP_PX, 3):
            raise PictureError(
                f"Crops must be (N, {CROP_PX}, {CROP_PX}, 3) uint8, but got {crops_bgr.shape} "
                f"{crops_bgr.dtype}; cut them with vision.crops.cut_crops."
            )
        return [
            self._run(crops_bgr[start : start + CROPS_PER_RUN], outputs)
            for start in range(0, len(crops_bgr), CROPS_PER_RUN)
        ]

    def _run(self, crops_bgr: Image, outputs: tuple[str, ...]) -> list[Floats]:
        answers = dict(zip(self.output_names, self._network.run(crops_bgr), strict=True))
        wanted = [answers[output] for output in outputs]
        for answer in wanted:
            if not answer.ndim or len(answer) != len(crops_bgr):
                raise ModelError(
                    f"{self.weights}: {len(crops_bgr)} crops were asked about, but the network "
                    f"answered {answer.shape}; this is another model."
                )
        return wanted


class Namer:
    """Says what a cut-out shows.

    Args:
        weights: an ONNX file with the input "crops" (N, 3, 64, 64), float32 RGB 0..1, and the
            output "logits" (N, 9): the values 1..6, tower, burning, nothing.
        threads: processor threads of one run.
        sha256: hexadecimal digest that the file must have; None: not checked.
        last_stage: tuned to the table's own dice; None: as the network was trained. It needs the
            second output "features" (N, F).

    Raises:
        ModelError: the file is missing, damaged, another one, or not such a network; the last
            stage belongs to another file.
    """

    def __init__(
        self,
        weights: Path,
        *,
        threads: int = 2,
        sha256: str | None = None,
        last_stage: LastStage | None = None,
    ) -> None:
        self._network = _CropNetwork(weights, LOGITS, threads=threads, sha256=sha256)
        self._last_stage = last_stage
        self.knows_parts = PART in self._network.output_names
        if last_stage is not None:
            last_stage.check_base(sha256_of(weights))
            self._check_features()

    def shows(self, crops_bgr: Image) -> Floats:
        """Name dice cut out by `vision.crops`.

        Args:
            crops_bgr: (N, 64, 64, 3) uint8; N may be 0.

        Returns:
            (N, 9) float32, every row sums to 1.

        Raises:
            PictureError: another shape or type.
            ModelError: the network answers in another form.
        """
        if self._last_stage is None:
            return shares(self._logits(self._network.rows(crops_bgr, LOGITS)))
        logits, features = self.logits_and_features(crops_bgr)
        return shares(self._last_stage.apply(logits, features) if len(logits) else logits)

    def logits_and_features(self, crops_bgr: Image) -> tuple[Floats, Floats]:
        """What a last stage is tuned on: the network's own answer and what it rests on.

        Args:
            crops_bgr: (N, 64, 64, 3) uint8; N may be 0.

        Returns:
            (N, 9) and (N, F) float32, without any tuned stage; F is 0 without crops.

        Raises:
            PictureError: another shape or type.
            ModelError: the network has no features, or answers in another form.
        """
        self._check_features()
        answers = self._network.rows(crops_bgr, LOGITS, FEATURES)
        logits = self._logits(answers)
        parts = [features for _, features in answers] or [np.zeros((0, 0), np.float32)]
        features = np.concatenate(parts)
        if features.ndim != 2:
            raise ModelError(
                f"{self._network.weights}: the features are {features.shape}, but a namer gives "
                f"({len(crops_bgr)}, F); export it again with models.lab.export."
            )
        return logits, features

    def _logits(self, answers: list[list[Floats]]) -> Floats:
        if not answers:
            return np.zeros((0, NAMES), dtype=np.float32)
        logits = np.concatenate([answer[0] for answer in answers])
        if logits.shape != (len(logits), NAMES):
            raise ModelError(
                f"{self._network.weights}: the network answered {logits.shape}, but a namer "
                f"answers ({len(logits)}, {NAMES}); this is another model."
            )
        return logits

    def parts(self, crops_bgr: Image) -> Floats:
        """Say how likely each is a part of a die that cannot be read.

        Args:
            crops_bgr: (N, 64, 64, 3) uint8; N may be 0.

        Returns:
            (N,) float32 log-odds.

        Raises:
            PictureError: another shape or type.
            ModelError: the network does not answer that.
        """
        if not self.knows_parts:
            raise ModelError(
                f"{self._network.weights}: this model has no {PART!r}, only "
                f"{', '.join(self._network.output_names)}; add it with models.lab.export --part."
            )
        answers = [part.ravel() for (part,) in self._network.rows(crops_bgr, PART)]
        return np.concatenate(answers or [np.zeros(0, np.float32)])

    def _check_features(self) -> None:
        if FEATURES not in (names := self._network.output_names):
            raise ModelError(
                f"{self._network.weights}: this model has no features, only {', '.join(names)}; a "
                "last stage can only be tuned for a namer that was exported with them."
            )


class PipCounter:
    """The second witness: counts the pips of the top face (`vision.pips`), all of one paint.

    Args:
        weights: an ONNX file with the input "crops" (N, 3, 64, 64), float32 RGB 0..1, and the
            output "heat" (N, 1, S, S): the logit of a pip at every place.
        threads: processor threads of one run.
        sha256: hexadecimal digest that the file must have; None: not checked.

    Raises:
        ModelError: the file is missing, damaged, another one, or not such a network.
    """

    def __init__(self, weights: Path, *, threads: int = 2, sha256: str | None = None) -> None:
        self._network = _CropNetwork(weights, HEAT, threads=threads, sha256=sha256)

    def probabilities(self, crops_bgr: Image) -> Floats:
        """Count the pips of dice cut out by `vision.crops`.

        Args:
            crops_bgr: (N, 64, 64, 3) uint8; N may be 0.

        Returns:
            (N, 7) float32, every row sums to 1: values 1..6, and 7 = not a flat readable die.

        Raises:
            PictureError: another shape or type.
            ModelError: the network answers in another form.
        """
        return one_paint(crops_bgr, *read_maps(self.maps(crops_bgr)))

    def maps(self, crops_bgr: Image) -> Floats:
        """Where pips are.

        Args:
            crops_bgr: (N, 64, 64, 3) uint8; N may be 0.

        Returns:
            (N, S, S) float32: how likely a pip of the top face is at each place, 0..1.

        Raises:
            PictureError: another shape or type.
            ModelError: the network answers in another form.
        """
        answers = [heat for (heat,) in self._network.rows(crops_bgr, HEAT)]
        for answer in answers:
            if answer.ndim != 4 or answer.shape[1] != 1 or answer.shape[2] != answer.shape[3]:
                raise ModelError(
                    f"{self._network.weights}: the network answered {answer.shape}, but a pip "
                    "finder answers (N, 1, S, S); this is another model."
                )
        if not answers:
            return np.zeros((0, 1, 1), np.float32)
        logits = np.clip(np.concatenate(answers)[:, 0], -40, 40)
        return np.asarray(1 / (1 + np.exp(-logits)), np.float32)
