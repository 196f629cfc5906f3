"""The mat to print: four markers, its frame, the put-aside strip; on one A2 page or A4 tiles."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product

from device.errors import SettingsError
from device.paper import A2_MM, A4_MM, Paper, Point, Rect, draw_advice, draw_ruler
from vision.lying import Zones
from vision.markers import (
    MARKER_SIDE_MM,
    QUIET_SIDE_MM,
    marker_cells,
    marker_centres_mm,
)

PAPERS = ("a4", "a2")
TITLE = "Schockauge: Matte / mat"
SMALLEST_MM, LARGEST_MM = (240.0, 160.0), (1500.0, 1500.0)
"""Below, a cup has no room beside the strip; above, no camera on a stand sees all of it."""

EDGE_MM = 12.0
"""White around what is printed, for the crop marks; office printers leave out up to 6 mm of it."""
FOOT_MM = 30.0
"""Height of ruler, words and overview at a page's lower edge."""
GLUE_MM = 10.0
FRAME_INSET_MM, FRAME_MM = 3.0, 1.0
LINE_MM = 1.3
CROP_MM = (1.5, 7.0)
"""Crop marks begin and end this far outside a corner."""
LABEL_PLACE = 0.3
"""How far down the strip its name stands: away from where pages meet."""
OVERVIEW_MM = (27.0, 20.0)
FAINT, PALE = 0.45, 0.8


@dataclass(frozen=True)
class Tile:
    """One page of a mat that is glued together.

    Attributes:
        name: row and column, `A1` at the top left.
        box_mm: its part of the mat: left, top, right, bottom, without the strips for the glue.
        right: name of the tile that is glued over its right strip; "": none.
        below: the same at its lower edge.
    """

    name: str
    box_mm: Rect
    right: str
    below: str

    @property
    def printed_mm(self) -> Rect:
        """Its part of the mat with the strips for the glue."""
        left, top, right, bottom = self.box_mm
        return left, top, right + GLUE_MM * bool(self.right), bottom + GLUE_MM * bool(self.below)


def mat_pdf(size_mm: Point, paper: str) -> bytes:
    """The mat as a PDF at true scale.

    Args:
        size_mm: width and height of the mat.
        paper: `a4` (tiles) or `a2` (one page).

    Raises:
        SettingsError: the mat is too small or too large.
    """
    if not all(
        low <= side <= high
        for side, low, high in zip(size_mm, SMALLEST_MM, LARGEST_MM, strict=True)
    ):
        raise SettingsError(
            f"A mat of {size_mm[0]:g} x {size_mm[1]:g} mm cannot be printed, expected "
            f"{SMALLEST_MM[0]:g} x {SMALLEST_MM[1]:g} to {LARGEST_MM[0]:g} x {LARGEST_MM[1]:g} mm."
        )
    sheet = Paper(TITLE)
    if paper == "a2":
        _draw_one_page(sheet, size_mm)
    else:
        page_mm, pages = tiles(size_mm)
        for tile in pages:
            _draw_tile(sheet, size_mm, page_mm, tile, pages)
    return sheet.pdf()


def tiles(size_mm: Point) -> tuple[Point, list[Tile]]:
    """How a mat is cut into A4 pages, landscape, all alike.

    Args:
        size_mm: width and height of the mat.

    Returns:
        Width and height of a page, and the tiles row by row.
    """
    page_mm = (A4_MM[1], A4_MM[0])
    room = page_mm[0] - 2 * EDGE_MM, page_mm[1] - EDGE_MM - FOOT_MM
    columns, rows = (_parts(side, space) for side, space in zip(size_mm, room, strict=True))
    wide, tall = size_mm[0] / columns, size_mm[1] / rows

    def name(row: int, column: int) -> str:
        return f"{chr(ord('A') + row)}{column + 1}" if row < rows and column < columns else ""

    return page_mm, [
        Tile(
            name(row, column),
            (column * wide, row * tall, (column + 1) * wide, (row + 1) * tall),
            name(row, column + 1),
            name(row + 1, column),
        )
        for row, column in product(range(rows), range(columns))
    ]


def _parts(side_mm: float, room_mm: float) -> int:
    """Into how many pages a side is cut: every one but the last also carries a strip for glue."""
    return 1 if side_mm <= room_mm else math.ceil(side_mm / (room_mm - GLUE_MM))


def _draw_one_page(sheet: Paper, size_mm: Point) -> None:
    page_mm = (A2_MM[1], A2_MM[0])
    room = page_mm[0] - 2 * EDGE_MM, page_mm[1] - EDGE_MM - FOOT_MM
    if size_mm[0] > room[0] or size_mm[1] > room[1]:
        raise SettingsError(
            f"A mat of {size_mm[0]:g} x {size_mm[1]:g} mm does not fit on A2, which has room for "
            f"{room[0]:g} x {room[1]:g} mm; print it on tiles: --paper a4."
        )
    sheet.begin_page(page_mm)
    sheet.origin = ((page_mm[0] - size_mm[0]) / 2, EDGE_MM + (room[1] - size_mm[1]) / 2)
    _draw_mat(sheet, size_mm)
    _draw_crop_marks(sheet, (0.0, 0.0, *size_mm))
    sheet.origin = (0.0, page_mm[1] - FOOT_MM)
    sheet.text((EDGE_MM, 9), f"{TITLE}, {size_mm[0]:g} × {size_mm[1]:g} mm", bold=True)
    draw_advice(sheet, (EDGE_MM, 14.5))
    draw_ruler(sheet, (page_mm[0] - EDGE_MM - 115, 13))


def _draw_tile(sheet: Paper, size_mm: Point, page_mm: Point, tile: Tile, pages: list[Tile]) -> None:
    left, top, *_ = tile.box_mm
    sheet.begin_page(page_mm)
    sheet.origin = (EDGE_MM - left, EDGE_MM - top)
    with sheet.clipped(tile.printed_mm):
        _draw_mat(sheet, size_mm)
        _draw_glue(sheet, tile)
    _draw_crop_marks(sheet, tile.box_mm)
    sheet.outline(tile.box_mm, grey=FAINT)
    sheet.origin = (0.0, page_mm[1] - FOOT_MM)
    words = f"{tile.name}: Blatt {pages.index(tile) + 1} von {len(pages)} / page"
    sheet.text((EDGE_MM, 9), f"{words}, {size_mm[0]:g} × {size_mm[1]:g} mm", bold=True)
    draw_advice(sheet, (EDGE_MM, 15), size_pt=6.5)
    sheet.text((EDGE_MM, 22.2), _how_to_glue(tile, "de"), size_pt=6.5, bold=True)
    sheet.text((EDGE_MM, 25.4), _how_to_glue(tile, "en"), size_pt=6.5)
    draw_ruler(sheet, (EDGE_MM + 134, 7.5))
    _draw_overview(sheet, (page_mm[0] - EDGE_MM - OVERVIEW_MM[0], 6), size_mm, tile, pages)


def _how_to_glue(tile: Tile, language: str) -> str:
    others = [name for name in (tile.right, tile.below) if name]
    cut, keep, joint = {
        "de": (
            "Am Rand ausschneiden",
            ", graue Streifen stehen lassen; {} bis an die Linie darüberkleben",
            " und ",
        ),
        "en": (
            "Cut along the border",
            ", keep the grey strips; glue {} over them, up to the line",
            " and ",
        ),
    }[language]
    return cut + (keep.format(joint.join(others)) if others else "") + "."


def _draw_mat(sheet: Paper, size_mm: Point) -> None:
    width, height = size_mm
    low, line = FRAME_INSET_MM, Zones.of_mat(size_mm).line_mm
    sheet.outline((0.0, 0.0, width, height), grey=FAINT)
    sheet.outline((low, low, width - low, height - low), grey=FAINT, width_mm=FRAME_MM)
    sheet.line([(line, low), (line, height - low)], grey=FAINT, width_mm=LINE_MM)
    at = (line + 7, LABEL_PLACE * height)
    sheet.text(at, "Rausgelegt", size_pt=13, grey=FAINT, centred=True, turned_deg=90)
    centres = [(float(x), float(y)) for x, y in marker_centres_mm(size_mm)]
    for index, centre in enumerate(centres):
        sheet.fill([_square(centre, QUIET_SIDE_MM)], grey=1.0)
        sheet.fill([_square(centre, MARKER_SIDE_MM)])
        left, top, *_ = _square(centre, MARKER_SIDE_MM)
        cell = MARKER_SIDE_MM / 6
        sheet.fill(
            (
                (left + x * cell, top + y * cell, left + (x + 1) * cell, top + (y + 1) * cell)
                for y, row in enumerate(marker_cells(index))
                for x, white in enumerate(row)
                if white
            ),
            grey=1.0,
        )


def _square(centre: Point, side_mm: float) -> Rect:
    half = side_mm / 2
    return centre[0] - half, centre[1] - half, centre[0] + half, centre[1] + half


def _draw_crop_marks(sheet: Paper, box: Rect) -> None:
    left, top, right, bottom = box
    near, far = CROP_MM
    for x, out_x in ((left, -1), (right, 1)):
        for y, out_y in ((top, -1), (bottom, 1)):
            sheet.line([(x + out_x * near, y), (x + out_x * far, y)])
            sheet.line([(x, y + out_y * near), (x, y + out_y * far)])


def _draw_glue(sheet: Paper, tile: Tile) -> None:
    """The strips that a neighbour is glued onto, shaded, with its name."""
    left, top, right, bottom = tile.box_mm
    _, _, far_right, far_bottom = tile.printed_mm
    strips = (
        (tile.right, (right, top, far_right, far_bottom), (right + 6, (top + bottom) / 2), 90.0),
        (tile.below, (left, bottom, far_right, far_bottom), ((left + right) / 2, bottom + 6), 0.0),
    )
    for name, strip, middle, turned_deg in strips:
        if name:
            sheet.fill([strip], grey=PALE)
            words = f"Klebestreifen: hierüber kommt {name} / glue: {name} goes over this"
            sheet.text(middle, words, size_pt=8, centred=True, turned_deg=turned_deg)


def _draw_overview(sheet: Paper, at: Point, size_mm: Point, here: Tile, pages: list[Tile]) -> None:
    """Which tile goes where; this one is shaded."""
    scale = min(room / side for room, side in zip(OVERVIEW_MM, size_mm, strict=True))
    for tile in pages:
        x1, y1, x2, y2 = tile.box_mm
        box = (at[0] + x1 * scale, at[1] + y1 * scale, at[0] + x2 * scale, at[1] + y2 * scale)
        if tile is here:
            sheet.fill([box], grey=PALE)
        sheet.outline(box)
        middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2 + 1)
        sheet.text(middle, tile.name, size_pt=7, centred=True, bold=tile is here)
