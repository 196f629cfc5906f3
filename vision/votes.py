"""Several looks at one picture brought together: one cluster per die, with every look's vote.

Looks that see the picture turned by a quarter fail differently (light, the direction of a glare,
the network's own grid), so a die that all four find and name alike is worth more than one high
score. All looks come from one network: what it never learned, it gets wrong in all four. That is
why the reader asks a second, different network afterwards.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from vision.detections import CLASS_NAMES, VALUE_CLASSES, Detections, iou

SAME_IOU = 0.4
"""Two looks at one die overlap more than this; two neighbours do not."""
SAME_DISTANCE = 0.35
"""Centres closer than this share of the larger side are one die, however the boxes differ."""


@dataclass(eq=False)
class Cluster:
    """One thing on the table as the looks saw it.

    Attributes:
        boxes: one (4,) box a finding, pixels.
        scores: its score, 0..1.
        classes: its class id.
        looks: the look that it came from.
    """

    boxes: list[NDArray[np.float32]] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    classes: list[int] = field(default_factory=list)
    looks: list[int] = field(default_factory=list)

    @property
    def box(self) -> NDArray[np.float32]:
        """(4,) pixels: the boxes' mean, weighted by score."""
        return np.asarray(np.average(self.boxes, axis=0, weights=self.scores), dtype=np.float32)

    def weights(self, looks: int) -> NDArray[np.float32]:
        """(9,) belief per class: the mean score over all looks, a look without it counts 0."""
        total = np.zeros(len(CLASS_NAMES), dtype=np.float32)
        for class_id, score in zip(self.classes, self.scores, strict=True):
            total[class_id] += score / looks
        return total

    def found_in(self) -> int:
        """How many different looks found it."""
        return len(set(self.looks))

    def holds(self, box: NDArray[np.float32]) -> bool:
        """Whether a box (4,) is at this place."""
        own = self.box
        if iou(own, box) >= SAME_IOU:
            return True
        apart = np.hypot(*((own[:2] + own[2:]) / 2 - (box[:2] + box[2:]) / 2))
        side = max(own[2] - own[0], own[3] - own[1], box[2] - box[0], box[3] - box[1])
        return bool(apart < SAME_DISTANCE * side)

    def add(self, look: int, found: Detections, index: int) -> None:
        """Take one finding in."""
        self.boxes.append(found.xyxy[index])
        self.scores.append(float(found.score[index]))
        self.classes.append(int(found.class_id[index]))
        self.looks.append(look)


def cluster_looks(looks: Sequence[Detections]) -> list[Cluster]:
    """Group the findings of several looks by place.

    The best findings of all looks found the clusters, so that a poor box does not pull a good
    one away. A second finding of the same look at the same place counts as dissent.

    Args:
        looks: findings of every look, all in pixels of the same picture.

    Returns:
        The clusters, those with the best single score first.
    """
    order = sorted(
        (-float(found.score[index]), look, index)
        for look, found in enumerate(looks)
        for index in range(len(found))
    )
    clusters: list[Cluster] = []
    for _, look, index in order:
        box = looks[look].xyxy[index]
        home = next((cluster for cluster in clusters if cluster.holds(box)), None)
        if home is None:
            home = Cluster()
            clusters.append(home)
        home.add(look, looks[look], index)
    return clusters


def with_overlooked(clusters: Sequence[Cluster], found: Detections, *, look: int) -> list[Cluster]:
    """Add what another look, of another scale, found at places where no cluster is.

    Nor is there one where but one look has seen a die, fainter than the other look: its box may
    lie beside it, and what reads nothing there would pass it over.

    Args:
        clusters: of all looks of one scale.
        found: findings of the other look, in pixels of the same picture.
        look: its number, none of theirs.

    Returns:
        All clusters; dice of whatever value have the class 0, as the looks have it.
    """
    unnamed = replace(found, class_id=np.where(found.class_id < VALUE_CLASSES, 0, found.class_id))
    every = list(clusters)
    for index, box in enumerate(found.xyxy):
        there = [cluster for cluster in every if cluster.holds(box)]
        if any(_stands_for(cluster, float(found.score[index])) for cluster in there):
            continue
        every = [cluster for cluster in every if cluster not in there]
        every.append(Cluster())
        every[-1].add(look, unnamed, index)
    return every


def _stands_for(cluster: Cluster, score: float) -> bool:
    """Whether it stays where it is though another look saw something there with this score."""
    other_than_a_die = max(cluster.classes) >= VALUE_CLASSES
    return cluster.found_in() > 1 or max(cluster.scores) >= score or other_than_a_die


def median_side(found: Detections, *, min_score: float = 0.3) -> float | None:
    """The median side of the dice found, in pixels; None without any.

    Args:
        found: findings of one look.
        min_score: weaker findings count only where there is no better one.
    """
    dice = found.select(found.class_id < VALUE_CLASSES)
    if not len(dice):
        dice = found.select(found.class_id != CLASS_NAMES.index("cup"))
    clear = dice.select(dice.score >= min_score)
    chosen = clear if len(clear) else dice
    return float(np.median(chosen.sides)) if len(chosen) else None


def median_aspect(found: Detections, *, min_score: float = 0.3) -> float:
    """The median width / height of the dice found; 1.0 where fewer than three speak.

    A picture that was squeezed to a square shows every die squeezed the same way.
    """
    dice = found.select((found.class_id < VALUE_CLASSES) & (found.score >= min_score))
    if len(dice) < 3:
        return 1.0
    width = dice.xyxy[:, 2] - dice.xyxy[:, 0]
    height = dice.xyxy[:, 3] - dice.xyxy[:, 1]
    return float(np.median(width / np.maximum(height, 1)))
