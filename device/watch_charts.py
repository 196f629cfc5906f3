"""How soon a table is answered, as an SVG text."""

from __future__ import annotations

from collections.abc import Sequence

from device.svg import BLUE, FAINT, HEIGHT, RED, document, text

LEFT, TOP, RIGHT, BOTTOM = 64, 48, 500, 356
MOST_S = 2.0


def delays_svg(delays_s: Sequence[float], *, settle_s: float = 0.4) -> str:
    """The share of throws that have been told, over the time since their dice lay still.

    Args:
        delays_s: of every throw that was told without asking, seconds.
        settle_s: how long a die must lie still before it is read.

    Returns:
        A whole SVG document.
    """
    late = sorted(delays_s)
    title = f"{len(late)} throws told without asking"
    parts = [text(LEFT, 28, title, 14), *_axes()]
    x = _x(settle_s)
    parts.append(f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{BOTTOM}" stroke="{RED}"/>')
    parts.append(text(x + 4, TOP + 14, "a die counts as still", 11, colour=RED))
    points = [(0.0, 0.0)]
    for number, delay_s in enumerate(late, start=1):
        points += [(delay_s, (number - 1) / len(late)), (delay_s, number / len(late))]
    path = " ".join(f"{_x(at):.1f},{_y(share):.1f}" for at, share in points)
    parts.append(f'<polyline points="{path}" fill="none" stroke="{BLUE}" stroke-width="2"/>')
    return document(parts)


def _x(delay_s: float) -> float:
    return LEFT + min(max(delay_s, 0.0), MOST_S) / MOST_S * (RIGHT - LEFT)


def _y(share: float) -> float:
    return BOTTOM - share * (BOTTOM - TOP)


def _axes() -> list[str]:
    parts = [
        text((LEFT + RIGHT) / 2, HEIGHT - 20, "seconds since the dice lay still in sight", 12,
             anchor="middle"),
    ]  # fmt: skip
    for step in range(5):
        at, share = MOST_S * step / 4, step / 4
        x, y = _x(at), _y(share)
        parts.append(f'<line x1="{x}" y1="{TOP}" x2="{x}" y2="{BOTTOM}" stroke="{FAINT}"/>')
        parts.append(f'<line x1="{LEFT}" y1="{y}" x2="{RIGHT}" y2="{y}" stroke="{FAINT}"/>')
        parts.append(text(x, BOTTOM + 18, f"{at:.1f}", 11, anchor="middle"))
        parts.append(text(LEFT - 6, y + 4, f"{100 * share:.0f} %", 11, anchor="end"))
    return parts
