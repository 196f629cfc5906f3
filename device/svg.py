"""What our diagrams are drawn with: SVG texts, so that no plotting library is needed."""

from __future__ import annotations

from collections.abc import Iterable

WIDTH, HEIGHT = 520, 420
INK, FAINT, BLUE, RED = "#222", "#ccc", "#1f6fb2", "#c0392b"


def text(
    x: float,
    y: float,
    words: str,
    size_px: int,
    *,
    anchor: str = "start",
    colour: str = INK,
    more: str = "",
) -> str:
    """Words at a place; they are ours and hold nothing that XML would have to escape."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size_px}" text-anchor="{anchor}" '
        f'fill="{colour}" {more}>{words}</text>'
    )


def document(parts: Iterable[str]) -> str:
    """A whole SVG document of `WIDTH` x `HEIGHT` with a ground of its own."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif">'
    )
    ground = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
    return "\n".join([head, ground, *parts, "</svg>", ""])
