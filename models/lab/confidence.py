"""Fit how two witnesses' words become probabilities (`vision.confidence`).

    python -m models.lab.confidence ../shared/photos --cache words.pkl --write models/manifest.json
    python -m models.lab.confidence ../shared/photos --models-by-source runs/loso --cache words.pkl
    python -m models.lab.confidence ../shared/photos --cache words.pkl --left-out --min-die-px 24
    python -m models.lab.confidence ../shared/photos --cache spoilt.pkl --spoilt 2

Every photograph is read by networks that never saw it: all by one set that saw none (the shipped
one, or `--models DIR`), or each by the set of `models.lab.leave_one_out` that its source was left
out of. Two logistic models are fitted, each source
counting alike; `sure` is the lowest chance above which no photograph was read wrong, and a margin.
With `--spoilt N` every photograph is also shown with N of the faults of a camera and its light, in
turn (`device.photo_faults`): nothing is fitted on these, but *sure* begins above what was wrong
there, too.
With `--left-out` everything is fitted on all sources but one and applied to that one, in turn:
what a strange table may expect.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from device.photo_errata import load_errata, put_right
from device.photo_faults import AS_IT_IS, FAULTS
from device.photo_score import score, smallest_labelled_px
from vision.confidence import Confidence, die_features, fused, kind_shares, value_features
from vision.detections import CUP
from vision.reader import PhotoReader
from vision.testimony import words_of

from .seen import Seen, seen

RIDGE = 0.02
MARGIN = 0.25
"""The way from the riskiest wrong photograph's chance to 1 that `sure` keeps from it, at least."""
ROUNDS = 60
LEAST_SURE = 0.70
"""Nothing below is called sure, however well these photographs are read."""
ERRATA = Path(__file__).parents[2] / "docs" / "eye" / "label_errata.csv"
"""Labels that were looked at and are mistaken; they are put right before anything is fitted."""


def examples(picture: Seen) -> list[tuple[list[float], bool, list[float], bool]]:
    """Per cluster of a flat die: features and truth of both questions; needs labels with places."""
    width, height = picture.size_px
    out: list[tuple[list[float], bool, list[float], bool]] = []
    if any(die.centre is None for die in picture.photo.dice):
        return out
    free = [die for die in picture.photo.dice if die.centre is not None]
    every = words_of(picture.clusters, picture.said)
    for cluster, words in zip(picture.clusters, every, strict=True):
        if CUP in cluster.classes or int(kind_shares(words).argmax()):
            continue
        x1, y1, x2, y2 = cluster.box
        inside = [
            die
            for die in free
            if die.centre
            and x1 <= die.centre[0] * width <= x2
            and y1 <= die.centre[1] * height <= y2
        ]
        die = inside[0] if inside else None
        if die is not None:
            free.remove(die)
        value = int(fused(words.names, words.opinion).argmax()) + 1
        right = die is not None and die.value == value
        out.append((die_features(words), die is not None, value_features(words), right))
    return out


def fit(features: NDArray[np.float64], truth: NDArray[np.float64], weight: NDArray[np.float64]):
    """Logistic regression by Newton's method with a small ridge; constant first."""
    x = np.column_stack([np.ones(len(features)), features])
    beta = np.zeros(x.shape[1])
    for _ in range(ROUNDS):
        p = 1 / (1 + np.exp(-np.clip(x @ beta, -30, 30)))
        slope = x.T @ (weight * (truth - p)) - RIDGE * beta
        curve = (x * (weight * p * (1 - p))[:, None]).T @ x + RIDGE * np.eye(x.shape[1])
        beta = beta + np.linalg.solve(curve, slope)
    return beta


def fitted(pictures: list[Seen]) -> Confidence:
    """Both models; every source weighs the same."""
    rows = [(picture.source, row) for picture in pictures for row in examples(picture)]
    names, counts = np.unique([name for name, _ in rows], return_counts=True)
    share = {
        name: len(rows) / len(names) / count for name, count in zip(names, counts, strict=True)
    }
    weight = np.array([share[name] for name, _ in rows])
    die = fit(
        np.array([row[0] for _, row in rows]),
        np.array([row[1] for _, row in rows], float),
        weight,
    )
    real = np.array([row[1] for _, row in rows], bool)
    value = fit(
        np.array([row[2] for _, row in rows])[real],
        np.array([row[3] for _, row in rows], float)[real],
        weight[real],
    )
    return Confidence(
        tuple(round(float(v), 4) for v in die), tuple(round(float(v), 4) for v in value)
    )


def judged(
    pictures: list[Seen], confidence: Confidence
) -> list[tuple[str, float, bool, bool, int, int]]:
    """Per photograph: source, chance, right, sure, dice, dice right."""
    reader = PhotoReader(None, None, None, clock=time.perf_counter, confidence=confidence)  # type: ignore[arg-type]
    out = []
    for picture in pictures:
        reading = reader.judge(
            picture.clusters, picture.said, size_px=picture.size_px, complete=picture.complete
        )
        result = score(
            picture.photo.dice,
            reading.dice,
            size_px=picture.size_px,
            sure=reading.sure,
            chance=reading.chance,
        )
        clear = bool(reading.dice) and not (reading.towers or reading.burning) and picture.complete
        chance = reading.chance if clear else 0.0
        out.append(
            (picture.source, chance, result.right, reading.sure, result.labelled, result.dice_right)
        )
    return out


def sure_from(rows: list[tuple[str, float, bool, bool, int, int]]) -> float:
    """The chance from which on nothing was wrong, and a margin towards 1.

    Args:
        rows: of `judged` with `sure` at 0: sure is then what looks and witnesses agree about.
    """
    wrong = (chance for _, chance, right, agreed, *_ in rows if agreed and not right)
    riskiest = max(wrong, default=0.5)
    return round(max(LEAST_SURE, riskiest + MARGIN * (1 - riskiest)), 4)


def as_they_are(pictures: list[Seen]) -> list[Seen]:
    """Those that nothing was done to."""
    return [picture for picture in pictures if picture.fault == AS_IT_IS]


def chosen(pictures: list[Seen]) -> Confidence:
    """Both models and the bound of *sure* that these photographs give."""
    confidence = fitted(as_they_are(pictures))
    return replace(confidence, sure=sure_from(judged(pictures, replace(confidence, sure=0.0))))


def left_out(
    pictures: list[Seen], min_die_px: float
) -> list[tuple[str, float, bool, bool, int, int]]:
    """`judged`, each source by what the others gave; photographs of smaller dice are left out."""
    rows = []
    for source in sorted({picture.source for picture in pictures}):
        others = [picture for picture in pictures if picture.source != source]
        confidence = chosen(others)
        own = [
            picture
            for picture in as_they_are(pictures)
            if picture.source == source and _die_px(picture) >= min_die_px
        ]
        rows += judged(own, confidence)
    return rows


def _die_px(picture: Seen) -> float:
    """Side of the smallest labelled die, of the typical finding where no label has a place."""
    side = smallest_labelled_px(picture.photo.dice, picture.size_px)
    sides = [
        float((cluster.box[2:] - cluster.box[:2]).prod()) ** 0.5 for cluster in picture.clusters
    ]
    return side or (float(np.median(sides)) if sides else 0.0)


def table(rows: list[tuple[str, float, bool, bool, int, int]]) -> str:
    """Figures per source, Markdown."""
    lines = [
        "| source | n | right | dice right | sure | sure but wrong |",
        "|---|---|---|---|---|---|",
    ]
    for name in [*sorted({row[0] for row in rows}), "all"]:
        part = [row for row in rows if name in (row[0], "all")]
        n, dice = len(part), sum(row[4] for row in part)
        right, sure = sum(row[2] for row in part), sum(row[3] for row in part)
        wrong = sum(row[3] and not row[2] for row in part)
        dice_right = sum(row[5] for row in part)
        lines.append(
            f"| {name} | {n} | {right / n:.1%} | {dice_right / dice:.1%} | {sure / n:.1%} "
            f"| {wrong} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Command line; see the module's text."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("photos", type=Path)
    parser.add_argument("--models-by-source", type=Path)
    parser.add_argument("--models", type=Path)
    parser.add_argument("--cache", type=Path, help="keep what was seen there")
    parser.add_argument(
        "--errata", type=Path, default=ERRATA, help="default: docs/eye/label_errata.csv"
    )
    parser.add_argument(
        "--left-out",
        action="store_true",
        help="fit without each source in turn, and judge that one",
    )
    parser.add_argument(
        "--min-die-px", type=float, default=0.0, help="with --left-out: dice at least this wide"
    )
    parser.add_argument(
        "--write", type=Path, nargs="+", default=[], help="every manifest.json that shall hold it"
    )
    parser.add_argument(
        "--spoilt",
        type=int,
        choices=range(len(FAULTS) + 1),
        default=0,
        metavar="N",
        help=f"show each with N of {len(FAULTS)} faults, too",
    )
    args = parser.parse_args()
    if args.left_out and args.write:
        parser.error("--left-out measures and writes nothing; leave out one of it and --write")
    if args.min_die_px and not args.left_out:
        parser.error("--min-die-px goes with --left-out; all photographs decide what is written")
    try:
        pictures = seen(
            args.photos,
            by_source=args.models_by_source,
            models_dir=args.models,
            ways=args.spoilt,
            cache=args.cache,
        )
    except ValueError as error:
        parser.error(str(error))
    errata = load_errata(args.errata)
    pictures = [replace(one, photo=put_right(one.source, one.photo, errata)) for one in pictures]
    if args.left_out:
        print(table(left_out(pictures, args.min_die_px)))
        return
    confidence = chosen(pictures)
    print(table(judged(as_they_are(pictures), confidence)))
    spoilt = [picture for picture in pictures if picture.fault != AS_IT_IS]
    if spoilt:
        print(f"\nspoilt\n\n{table(judged(spoilt, confidence))}")
    print(confidence)
    for manifest in args.write:
        data = json.loads(manifest.read_text())
        data["reading"] = {
            "die": confidence.die,
            "value": confidence.value,
            "sure": confidence.sure,
        }
        manifest.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
