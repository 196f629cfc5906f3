"""Two diagrams about the reader as SVG texts: drawn by hand, so that no plotting library is needed.

Both fit a light and a dark page: they bring their own ground.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from device.photo_statistics import Bin, Point, calibration_error, wilson
from device.svg import BLUE, FAINT, HEIGHT, RED, document, text

LEFT, TOP, RIGHT, BOTTOM = 64, 48, 500, 356


def reliability_svg(bins: Sequence[Bin]) -> str:
    """The share of dice right over their score: on the diagonal where scores can be believed.

    Args:
        bins: from `device.photo_statistics.reliability`.

    Returns:
        A whole SVG document; per bin its 95 % interval and its number of dice.
    """
    total = sum(one.share.total for one in bins)
    title = f"{total} dice read; calibration error {100 * calibration_error(bins):.1f} %"
    parts = [*_frame(title, "score of the die", "share right", 1.0)]
    parts.append(_line((0, 0), (1, 1), FAINT, 1.0, dashed=True))
    for one in bins:
        if not one.share.total:
            continue
        low, high = wilson(one.share)
        x, y = _at((one.mean_score, one.share.value), 1.0)
        parts.append(_line((one.mean_score, low), (one.mean_score, high), BLUE, 1.0))
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{BLUE}"/>')
        middle = _at(((one.low + one.high) / 2, 0), 1.0)[0]
        parts.append(text(middle, BOTTOM - 6, str(one.share.total), 9, anchor="middle"))
    return document(parts)


def risk_coverage_svg(points: Sequence[Point], sure: tuple[float, float]) -> str:
    """The share of wrong photographs among those that are trusted, over how many are.

    Args:
        points: from `device.photo_statistics.risk_coverage`.
        sure: coverage and risk of what the reader calls sure.

    Returns:
        A whole SVG document; the vertical axis ends at the highest risk.
    """
    top = max([0.05, sure[1], *(point.risk for point in points)])
    top = -(-top // 0.05) * 0.05  # up to the next 5 %
    title = f"sure: {100 * sure[0]:.1f} % of the photographs, {100 * sure[1]:.1f} % of them wrong"
    parts = [*_frame(title, "share of photographs trusted", "share of them wrong", top)]
    if points:
        path = " ".join(
            "{:.1f},{:.1f}".format(*_at((point.coverage, point.risk), top)) for point in points
        )
        parts.append(f'<polyline points="{path}" fill="none" stroke="{BLUE}" stroke-width="2"/>')
    x, y = _at(sure, top)
    parts.append(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6" fill="none" stroke="{RED}" stroke-width="2"/>'
    )
    parts.append(text(x + 10, y - 8, "sure", 12, colour=RED))
    return document(parts)


def _at(point: tuple[float, float], top: float) -> tuple[float, float]:
    """Pixels of a point; x runs from 0 to 1, y from 0 to `top`."""
    x, y = point
    return LEFT + x * (RIGHT - LEFT), BOTTOM - y / top * (BOTTOM - TOP)


def _frame(title: str, below: str, beside: str, top: float) -> Iterable[str]:
    """Title, axes with five steps in percent, and what they mean."""
    yield text(LEFT, 28, title, 14)
    yield text((LEFT + RIGHT) / 2, HEIGHT - 20, below, 12, anchor="middle")
    y = (TOP + BOTTOM) / 2
    turned = f'transform="rotate(-90 16 {y})"'
    yield text(16, y, beside, 12, anchor="middle", more=turned)
    for step in range(6):
        part = step / 5
        x, y = _at((part, part * top), top)
        yield _line((part, 0), (part, top), FAINT, top)
        yield _line((0, part * top), (1, part * top), FAINT, top)
        yield text(x, BOTTOM + 18, f"{100 * part:.0f} %", 11, anchor="middle")
        yield text(LEFT - 6, y + 4, f"{100 * part * top:.3g} %", 11, anchor="end")


def _line(
    start: tuple[float, float],
    stop: tuple[float, float],
    colour: str,
    top: float,
    *,
    dashed: bool = False,
) -> str:
    (x1, y1), (x2, y2) = _at(start, top), _at(stop, top)
    dash = ' stroke-dasharray="5 4"' if dashed else ""
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"{dash}/>'
    )
