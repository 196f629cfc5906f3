"""How well throws are read: values right, sure, towers and burning dice found, false alarms.

A throw is *flat* when all its dice lie flat; then the only right answer is `throw_seen` with their
values. In any other throw the fault is *found* when the table is told of a tower or a burning die,
or asked because one may be there (how a die stands is unclear, or fewer are to be seen than were
thrown); it is *named* when it is told and called what it is. The same words about a flat throw are
a *false alarm*. Anything else that is unsure asks the table without a claim.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

FAULTS = ("tower", "burning")
DIE_BANDS_PX = (25, 32, 40, 48, 56)
TILT_BANDS_DEG = (0, 5, 10, 15, 20)
LATE_S = 3.0
"""An answer later than this after the cup was lifted counts, but is told of as late."""
Z_95 = 1.959964
"""Two-sided 95 % quantile of the normal distribution."""


@dataclass(frozen=True)
class ThrowResult:
    """One throw: how it lay, and what the table was told.

    Attributes:
        index: number of the throw.
        surface: kind of table top.
        light: kind of light.
        heap: how its dice came to lie: plain, near, tower or cocked.
        faults: what is wrong with it, out of `FAULTS`.
        values: of its flat dice, highest first.
        die_mm: edge of its dice.
        die_px: edge of its dice in the picture of the mat.
        tilt_deg: of the camera, away from straight above.
        told: types of the events that answered it; empty: none did in time.
        read: values of the answer, highest first.
        reason: why an unsure answer is unsure, a code of `vision.events.DOUBTS`.
        answer_s: seconds from the lifting of the cup to the answer; 0 without one.
        leaning_on: what its dice lean on beside dice: "flat" things, a "tall" one.
        cpu_s: seconds of one core that it took.
        early: types of the events that told or asked of a throw before the cup was lifted.
    """

    index: int
    surface: str
    light: str
    heap: str
    faults: tuple[str, ...]
    values: tuple[int, ...]
    die_mm: float
    die_px: float
    tilt_deg: float
    told: tuple[str, ...]
    read: tuple[int, ...]
    reason: str = ""
    answer_s: float = 0.0
    leaning_on: tuple[str, ...] = ()
    cpu_s: float = 0.0
    early: tuple[str, ...] = ()

    @property
    def flat(self) -> bool:
        """All its dice lie flat."""
        return not self.faults

    @property
    def sure(self) -> bool:
        """It was taken as a throw without asking."""
        return "throw_seen" in self.told

    @property
    def right(self) -> bool:
        """A flat throw, taken with its true values."""
        return self.flat and self.sure and self.read == self.values

    @property
    def sure_but_wrong(self) -> bool:
        """The worst case: wrong, and nobody would be asked."""
        return self.sure and not self.right

    @property
    def alarm(self) -> bool:
        """A tower or a burning die was told of or asked about."""
        return bool(set(FAULTS) & set(self.told)) or self.reason in ("kind", "fewer")

    @property
    def named(self) -> bool:
        """What is wrong with it was told, each fault by its name."""
        return bool(self.faults) and set(self.faults) <= set(self.told)

    @property
    def late(self) -> bool:
        """The answer came, but players waited for it."""
        return bool(self.told) and self.answer_s > LATE_S

    @property
    def badness(self) -> int:
        """0 is a good answer; the higher, the worse."""
        if self.sure_but_wrong:
            return 5
        if self.flat:
            return 4 if self.alarm else 0 if self.sure else 1 if self.told else 2
        return 0 if self.named else 1 if self.alarm else 2 if self.told else 3

    def to_json(self) -> dict[str, Any]:
        """A JSON object with the attributes' names."""
        return asdict(self)

    @classmethod
    def from_json(cls, line: dict[str, Any]) -> ThrowResult:
        """Read `to_json` back; other keys are left aside.

        Raises:
            KeyError, TypeError: it is not such an object.
        """
        known = {name: line[name] for name in cls.__dataclass_fields__ if name in line}
        listed = ("faults", "values", "told", "read", "leaning_on", "early")
        facts: dict[str, Any] = {n: tuple(v) if n in listed else v for n, v in known.items()}
        return cls(**facts)


def wilson(part: int, whole: int) -> tuple[float, float]:
    """The 95 % interval of a share.

    Args:
        part: how often it was so.
        whole: of how many.

    Returns:
        Lower and upper bound, 0..1; (0, 1) of nothing.

    Source: Wilson, Probable inference, J. Am. Stat. Assoc. 22 (1927).
    """
    if not whole:
        return 0.0, 1.0
    share, z2 = part / whole, Z_95**2
    middle = (share + z2 / (2 * whole)) / (1 + z2 / whole)
    half = Z_95 / (1 + z2 / whole) * math.sqrt(share * (1 - share) / whole + z2 / (4 * whole**2))
    low = 0.0 if part == 0 else max(0.0, middle - half)
    return low, 1.0 if part == whole else min(1.0, middle + half)


def counts(results: Sequence[ThrowResult]) -> dict[str, int]:
    """What the figures are made of."""
    flat = [r for r in results if r.flat]
    faulty = [r for r in results if not r.flat]
    towers = [r for r in faulty if "tower" in r.faults]
    burning = [r for r in faulty if "burning" in r.faults]
    return {
        "throws": len(results),
        "flat": len(flat),
        "flat_sure": sum(r.sure for r in flat),
        "right": sum(r.right for r in flat),
        "sure": sum(r.sure for r in results),
        "sure_but_wrong": sum(r.sure_but_wrong for r in results),
        "faulty": len(faulty),
        "faulty_found": sum(r.alarm for r in faulty),
        "towers": len(towers),
        "towers_found": sum(r.alarm for r in towers),
        "towers_named": sum("tower" in r.told for r in towers),
        "burning": len(burning),
        "burning_found": sum(r.alarm for r in burning),
        "burning_named": sum("burning" in r.told for r in burning),
        "false_alarms": sum(r.alarm for r in flat),
        "false_alarms_named": sum(bool(set(FAULTS) & set(r.told)) for r in flat),
        "asked": sum("unsure" in r.told for r in results),
        "early": sum(bool(r.early) for r in results),
        "late": sum(r.late for r in results),
        "unanswered": sum(not r.told for r in results),
    }


GOALS = (
    ("values right, of the flat throws taken as sure", "right", "flat_sure", "≥ 99.9 %"),
    ("values right, of all flat throws", "right", "flat", "–"),
    ("sure but wrong, of all throws", "sure_but_wrong", "throws", "0"),
    ("towers and cocked dice found", "faulty_found", "faulty", "≥ 99.5 %"),
    ("towers found", "towers_found", "towers", "–"),
    ("towers named", "towers_named", "towers", "–"),
    ("burning dice found", "burning_found", "burning", "–"),
    ("burning dice named", "burning_named", "burning", "–"),
    ("false alarms, of all flat throws", "false_alarms", "flat", "≤ 0.3 %"),
    ("false alarms told as a fact", "false_alarms_named", "flat", "–"),
    ("unsure: the table is asked", "asked", "throws", "–"),
    ("told or asked before the cup was lifted", "early", "throws", "0"),
    (f"answered later than {LATE_S:g} s", "late", "throws", "–"),
    ("no answer", "unanswered", "throws", "–"),
)
"""What is aimed at: text, part and whole in `counts`, goal."""


def _banded(number: float, bands: Sequence[int], unit: str) -> str:
    low = max((edge for edge in bands[:-1] if edge <= number), default=bands[0])
    return f"{low:02d}–{bands[bands.index(low) + 1]:02d} {unit}"


GROUPS: dict[str, Callable[[ThrowResult], str]] = {
    "heap": lambda r: r.heap,
    "surface": lambda r: r.surface,
    "light": lambda r: r.light,
    "die": lambda r: _banded(r.die_px, DIE_BANDS_PX, "px"),
    "tilt": lambda r: _banded(r.tilt_deg, TILT_BANDS_DEG, "°"),
}


def grouped(results: Iterable[ThrowResult]) -> list[dict[str, Any]]:
    """`counts` of all throws, then by heap, surface, light, size of the dice and tilt."""
    throws = list(results)
    rows: list[dict[str, Any]] = [{"by": "all", "group": "all", **counts(throws)}]
    for by, name_of in GROUPS.items():
        for name in sorted({name_of(r) for r in throws}):
            rows.append(
                {"by": by, "group": name, **counts([r for r in throws if name_of(r) == name])}
            )
    return rows


HEAD = (
    "by", "group", "throws", "right of sure", "right of flat", "sure but wrong", "towers found",
    "named", "burning found", "named", "false alarms", "asked", "late", "unanswered",
)  # fmt: skip


def as_markdown(results: Iterable[ThrowResult]) -> str:
    """The figures as two Markdown tables: the goals with intervals, and all groups."""
    rows = grouped(results)
    lines = ["| figure | count | share | 95 % interval | goal |", "|---|---|---|---|---|"]
    for text, part, whole, goal in GOALS:
        low, high = wilson(rows[0][part], rows[0][whole])
        share = f"{rows[0][part] / rows[0][whole]:.2%}" if rows[0][whole] else "–"
        count = f"{rows[0][part]} of {rows[0][whole]}"
        lines.append(f"| {text} | {count} | {share} | {low:.2%} to {high:.2%} | {goal} |")
    lines += ["", "| " + " | ".join(HEAD) + " |", "|" + "---|" * len(HEAD)]
    for row in rows:
        cells = (
            row["by"], row["group"], row["throws"],
            f"{row['right']} / {row['flat_sure']}", f"{row['right']} / {row['flat']}",
            row["sure_but_wrong"],
            f"{row['towers_found']} / {row['towers']}", row["towers_named"],
            f"{row['burning_found']} / {row['burning']}", row["burning_named"],
            row["false_alarms"], row["asked"], row["late"], row["unanswered"],
        )  # fmt: skip
        lines.append("| " + " | ".join(str(cell) for cell in cells) + " |")
    return "\n".join(lines)
