"""Mats divided among two to eight players: `python -m device.seat_plan > docs/seats.svg`."""

from __future__ import annotations

from collections.abc import Iterator

from device.svg import BLUE, FAINT, INK, document, text
from vision.seats import FEWEST_SEATS, MOST_SEATS, Polygon, Seat, seats_around

MAT_SIZE_MM = (600.0, 450.0)
SCALE = 0.24
"""Pixels per millimetre of the drawing."""
ACROSS, STEP_X, STEP_Y, LEFT, TOP = 3, 170.0, 136.0, 13.0, 20.0


def seat_plan() -> str:
    """The default seats of a mat of 600 x 450 mm, as an SVG document."""
    parts: list[str] = []
    for place, count in enumerate(range(FEWEST_SEATS, MOST_SEATS + 1)):
        down, right = divmod(place, ACROSS)
        at = (LEFT + right * STEP_X, TOP + down * STEP_Y)
        seats = seats_around("ABCDEFGH"[:count], MAT_SIZE_MM)
        parts += (part for seat in seats for part in _drawn(seat, at))
    return document(parts)


def _drawn(seat: Seat, at: tuple[float, float]) -> Iterator[str]:
    yield _outline(seat.throwing, at, "#fff")
    yield _outline(seat.aside, at, FAINT)
    along = [seat.outwards_mm(corner) for corner in seat.throwing]
    out_mm = 0.5 * (seat.aside_mm + min(max(along), 225.0))
    x, y = (m + out_mm * t for m, t in zip(seat.middle, seat.towards, strict=True))
    yield text(at[0] + x * SCALE, at[1] + y * SCALE + 4, seat.name, 12, anchor="middle", colour=INK)


def _outline(area: Polygon, at: tuple[float, float], fill: str) -> str:
    points = " ".join(f"{at[0] + x * SCALE:.1f},{at[1] + y * SCALE:.1f}" for x, y in area)
    return f'<polygon points="{points}" fill="{fill}" stroke="{BLUE}" stroke-width="1"/>'


if __name__ == "__main__":
    print(seat_plan(), end="")
