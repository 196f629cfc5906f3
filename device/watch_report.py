"""What came of many clips: figures in all, per disturbance and type of event, as tables, a plot."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from device.errors import SchockaugeError
from device.watch_bench import ClipResult, Load
from device.watch_charts import delays_svg
from device.watch_score import MATCHED, THROWS, Hits, Verdict

FILES = ("watch.md", "delays.svg")
NONE = "none"
"""How clips without a disturbance are called."""


def counts(results: Sequence[ClipResult]) -> dict[str, int]:
    """What the figures are made of."""
    verdicts = [verdict for result in results for verdict in result.verdicts]
    faults = [verdict for verdict in verdicts if verdict.throw.kind != "throw_seen"]

    def so_many(word: str) -> int:
        return sum(verdict.verdict == word for verdict in verdicts)

    return {
        "clips": len(results),
        "throws": len(verdicts),
        "right": so_many("right"),
        "asked": so_many("asked"),
        "wrong": so_many("wrong"),
        "missed": so_many("missed"),
        "invented": sum(len(result.invented) for result in results),
        "questions": sum(result.asked for result in results),
        "wrong_seat": sum(verdict.wrong_seat for verdict in verdicts),
        "wrong_dice": sum(verdict.wrong_dice for verdict in verdicts),
        "faults": len(faults),
        "faults_noticed": sum(verdict.verdict in ("right", "asked") for verdict in faults),
        "faults_named": sum(verdict.named for verdict in faults),
        "games_equal": sum(not result.difference for result in results),
    }


def silently_wrong(row: dict[str, int]) -> int:
    """Entered without asking, and not so."""
    return row["wrong"] + row["invented"]


def per_type(results: Sequence[ClipResult]) -> dict[str, Hits]:
    """How often each type of event was told rightly, falsely, and not."""
    found = {}
    verdicts = [verdict for result in results for verdict in result.verdicts]
    invented = [entered for result in results for entered in result.invented]
    for kind in THROWS:
        true = [verdict for verdict in verdicts if verdict.throw.kind == kind]
        told = [e for v in verdicts for e in v.told if e.kind == kind and not e.asked]
        told += [entered for entered in invented if entered.kind == kind]
        right = sum(verdict.named for verdict in true)
        found[kind] = Hits(right, len(told) - right, len(true) - right)
    for kind in MATCHED:
        found[kind] = sum((result.hits[kind] for result in results), Hits())
    return found


def delays_s(results: Iterable[ClipResult]) -> list[float]:
    """From rest to the word about it, of every throw that was entered without asking."""
    verdicts: Iterable[Verdict] = (verdict for result in results for verdict in result.verdicts)
    return sorted(d for verdict in verdicts if (d := verdict.delay_s) is not None)


def load(results: Iterable[ClipResult]) -> dict[str, float]:
    """Processor time: share of one core, all of the time and while the mat is quiet."""
    loads: list[Load] = [result.load for result in results]
    length_s = sum(one.length_s for one in loads) or 1.0
    frames = sum(one.frames for one in loads) or 1
    looks, quiet = (sum(getattr(one, name) for one in loads) or 1 for name in ("looks", "quiet"))
    look_s = sum(one.looks_cpu_s for one in loads) / looks
    quiet_s = sum(one.quiet_cpu_s for one in loads) / quiet
    return {
        "core": sum(one.cpu_s for one in loads) / length_s,
        "core_quiet": quiet_s * frames / length_s,
        "quiet_per_look": quiet_s / look_s if look_s else 0.0,
    }


def grouped(results: Sequence[ClipResult]) -> list[tuple[str, dict[str, int]]]:
    """`counts` in all, and of the clips with each disturbance."""
    kinds = sorted({kind for result in results for kind in result.clip.disturbances})
    rows = [("all", counts(results))]
    if plain := [result for result in results if not result.clip.disturbances]:
        rows.append((NONE, counts(plain)))
    for kind in kinds:
        rows.append((kind, counts([r for r in results if kind in r.clip.disturbances])))
    return rows


def summary(results: Sequence[ClipResult]) -> dict[str, Any]:
    """All figures as one JSON object."""
    late = delays_s(results)
    row = counts(results)
    return {
        **row,
        "silently_wrong": silently_wrong(row),
        "delay_median_ms": round(1000 * statistics.median(late)) if late else None,
        "delay_p95_ms": round(1000 * late[int(0.95 * (len(late) - 1))]) if late else None,
        **{name: round(value, 3) for name, value in load(results).items()},
        "books": {
            book: sum(not r.difference for r in results if r.clip.book == book)
            for book in sorted({result.clip.book for result in results})
        },
        "seeds": sorted({r.clip.seed for r in results if r.clip.seed is not None}),
    }


HEAD = (
    "disturbance", "clips", "throws", "right", "asked", "silently wrong", "missed",
    "wrong seat", "faults noticed", "named", "games equal",
)  # fmt: skip
CLIP_HEAD = (
    "clip", "seed", "book", "players", "layout", "disturbances", "throws", "asked", "wrong",
    "missed", "game",
)  # fmt: skip


def markdown(results: Sequence[ClipResult]) -> str:
    """The tables: what is aimed at, per disturbance, per type of event, and every clip."""
    rows, all_ = grouped(results), summary(results)
    throws = all_["throws"] or 1
    lines = [
        "| figure | measured | aim |", "|---|---|---|",
        f"| throws with right seat, values, dice outside and number, of {all_['throws']} "
        f"| {all_['right']} ({all_['right'] / throws:.1%}), and {all_['asked']} after a question "
        "| 99 % |",
        f"| silently wrong | {all_['silently_wrong']} | 0 |",
        f"| asked | {all_['asked']} ({all_['asked'] / throws:.1%}), {all_['questions']} questions "
        "| 3 % |",
        f"| missed | {all_['missed']} | 0 |",
        f"| towers, cocked dice and dice off the mat noticed | {all_['faults_noticed']} of "
        f"{all_['faults']} | all |",
        f"| games equal to the true one, once the questions are answered | {all_['games_equal']} "
        f"of {all_['clips']} | all |",
        f"| from rest to *throw seen* | {all_['delay_median_ms']} ms in the median, 95 % within "
        f"{all_['delay_p95_ms']} ms | settle time + 120 ms |",
        f"| processor, of one core | {all_['core']:.0%}, on a quiet mat {all_['core_quiet']:.1%} "
        "| 10 % on a quiet mat |",
        f"| a frame of a quiet mat, against one that is looked at | {all_['quiet_per_look']:.2f} |"
        " |",
        "", "| " + " | ".join(HEAD) + " |", "|" + "---|" * len(HEAD),
    ]  # fmt: skip
    for name, row in rows:
        cells = (
            name, row["clips"], row["throws"], row["right"], row["asked"], silently_wrong(row),
            row["missed"], row["wrong_seat"], f"{row['faults_noticed']} of {row['faults']}",
            row["faults_named"], row["games_equal"],
        )  # fmt: skip
        lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    lines += ["", "| event | precision | recall | told rightly | falsely | not told |"]
    lines.append("|---|---|---|---|---|---|")
    for kind, hits in per_type(results).items():
        lines.append(
            f"| {kind} | {_share(hits.precision)} | {_share(hits.recall)} | {hits.right} "
            f"| {hits.false} | {hits.missed} |"
        )
    lines += ["", "| " + " | ".join(CLIP_HEAD) + " |", "|" + "---|" * len(CLIP_HEAD)]
    lines += [_clip_row(result) for result in results]
    return "\n".join(lines) + "\n"


def write_report(folder: Path, results: Sequence[ClipResult]) -> None:
    """Write the files of `FILES`.

    Raises:
        SchockaugeError: the disk does not take them.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / FILES[0]).write_text(markdown(results), encoding="utf-8")
        (folder / FILES[1]).write_text(delays_svg(delays_s(results)), encoding="utf-8")
    except OSError as error:
        raise SchockaugeError(f"The report cannot be written to {folder}: {error}.") from error


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"


def _clip_row(result: ClipResult) -> str:
    row, clip = counts([result]), result.clip
    game = "the true one" if not result.difference else result.difference.replace("|", "/")
    cells = (
        clip.name, "–" if clip.seed is None else clip.seed, clip.book, len(clip.players),
        clip.layout, ", ".join(clip.disturbances) or NONE, row["throws"], row["asked"],
        silently_wrong(row), row["missed"], game,
    )  # fmt: skip
    return "| " + " | ".join(str(cell) for cell in cells) + " |"
