"""The draw of a round to hang up, on A4: table by table, then everybody by name."""

from collections.abc import Callable, Sequence
from typing import Any

from rules.tournament_state import Round
from web_ui.i18n import text
from web_ui.tournament_paper import A4_MM, LINE_MM, Sheet

EDGE_MM = 14.0
WIDE_MM = A4_MM[0] - 2 * EDGE_MM
TOP_MM, BOTTOM_MM = 40.0, A4_MM[1] - 14.0
COLUMNS = 3
GAP_MM = 5.0
COLUMN_MM = (WIDE_MM - GAP_MM * (COLUMNS - 1)) / COLUMNS
BOX_MM, BOX_GAP_MM = 50.0, 4.0
ROW_MM = 7.2


def poster_pdf(name: str, where: str, one: Round, lang: str) -> bytes:
    """Return the draw of a round as a PDF.

    Args:
        name: of the tournament.
        where: what the round is called.
        one: the round.
        lang: language of what is printed.
    """
    sheet = Sheet(f"{name}, {where}", A4_MM)
    tables = [(n, seats) for n, seats in enumerate(one.tables, start=1) if seats]
    rows = int((BOTTOM_MM - TOP_MM + BOX_GAP_MM) / (BOX_MM + BOX_GAP_MM))
    head = (name, where)
    _columns(
        sheet, head, tables, rows, BOX_MM + BOX_GAP_MM,
        lambda at, table: _draw_table(sheet, at, table, lang),
    )  # fmt: skip
    places = sorted(
        [(player, str(number)) for number, seats in tables for player in seats]
        + [(player, "–") for player in one.sitting_out],
        key=lambda place: place[0].casefold(),
    )
    by_name = (name, f"{where}: {text(lang, 'hall.poster.by_name')}")
    lines = int((BOTTOM_MM - TOP_MM) / ROW_MM)
    _columns(sheet, by_name, places, lines, ROW_MM, lambda at, row: _draw_name(sheet, at, row))
    if one.sitting_out:
        said = text(lang, "hall.sitting_out", names=", ".join(one.sitting_out))
        sheet.text((EDGE_MM, BOTTOM_MM + 6), said, WIDE_MM, size_pt=9)
    return sheet.pdf()


def _columns(
    sheet: Sheet,
    head: tuple[str, str],
    items: Sequence[Any],
    rows: int,
    step_mm: float,
    draw: Callable[[tuple[float, float], Any], None],
) -> None:
    """Fill pages column by column."""
    for at, item in enumerate(items):
        place = at % (rows * COLUMNS)
        if place == 0:
            sheet.begin_page()
            sheet.text((EDGE_MM, 20), head[0], WIDE_MM, size_pt=20, bold=True)
            sheet.text((EDGE_MM, 31), head[1], WIDE_MM, size_pt=20)
        column, row = divmod(place, rows)
        draw((EDGE_MM + column * (COLUMN_MM + GAP_MM), TOP_MM + row * step_mm), item)


def _draw_table(
    sheet: Sheet, at: tuple[float, float], table: tuple[int, tuple[str, ...]], lang: str
) -> None:
    number, seats = table
    x, y = at
    sheet.shade(at, (COLUMN_MM, 12), grey=0.9)
    sheet.box(at, (COLUMN_MM, BOX_MM), width=LINE_MM)
    title = text(lang, "hall.table", n=number)
    sheet.text((x + 3, y + 8.5), title, COLUMN_MM - 6, size_pt=18, bold=True)
    step = (BOX_MM - 14) / 6
    for seat, player in enumerate(seats):
        sheet.text((x + 3, y + 17.5 + step * seat), player, COLUMN_MM - 6, size_pt=13)


def _draw_name(sheet: Sheet, at: tuple[float, float], row: tuple[str, str]) -> None:
    x, y = at
    sheet.text((x, y + 4.5), row[0], COLUMN_MM - 14, size_pt=11)
    sheet.text((x + COLUMN_MM - 12, y + 4.5), row[1], 12, size_pt=12, bold=True, centred=True)
    sheet.line((x, y + 6.4), (x + COLUMN_MM, y + 6.4))
