"""The table's card to print, on A5: what a scribe fills in where no camera counts."""

from dataclasses import dataclass

from rules.tournament_format import MOST_AT_TABLE
from web_ui.i18n import text
from web_ui.tournament_paper import A5_MM, LINE_MM, Sheet

EDGE_MM = 8.0
WIDE_MM = A5_MM[0] - 2 * EDGE_MM
CODE_MM = 30.0
NAMES_TOP_MM, NAME_MM, NAMES_A_COLUMN = 44.0, 6.5, 3
GRID_TOP_MM, HEAD_MM = 66.0, 12.0
FOOT_MM = 28.0
TALLEST_ROW_MM = 11.0
NUMBER_MM, LOSER_MM = 9.0, 21.0
PARTS = 3
"""Places for each player in a game: first half, second half, Schock aus."""


@dataclass(frozen=True)
class Card:
    """What is printed on a card.

    Attributes:
        tournament: its name; "" on a blank one.
        where: the round; "" on a blank one.
        table: its number; 0 on a blank one.
        players: who sits there; () on a blank one.
        games: how many rows there are.
        url: where the card is entered; "" without a QR code.
    """

    tournament: str = ""
    where: str = ""
    table: int = 0
    players: tuple[str, ...] = ()
    games: int = 5
    url: str = ""


def cards_pdf(cards: tuple[Card, ...], lang: str) -> bytes:
    """Return a page for each card.

    Args:
        cards: at least one.
        lang: language of what is printed.
    """
    sheet = Sheet(text(lang, "hall.card.title"), A5_MM)
    for card in cards:
        sheet.begin_page()
        _draw_head(sheet, card, lang)
        _draw_names(sheet, card)
        bottom = _draw_grid(sheet, card, lang)
        _draw_foot(sheet, lang, bottom)
    return sheet.pdf()


def _draw_head(sheet: Sheet, card: Card, lang: str) -> None:
    room = WIDE_MM - (CODE_MM + 4 if card.url else 0)
    title = card.tournament or text(lang, "hall.card.title")
    sheet.text((EDGE_MM, 15), title, room, size_pt=13, bold=True)
    sheet.text((EDGE_MM, 21), card.where or text(lang, "hall.card.round"), room, size_pt=9)
    number = str(card.table) if card.table else "____"
    sheet.text((EDGE_MM, 36), text(lang, "hall.card.table", n=number), room, size_pt=30, bold=True)
    if card.url:
        corner = A5_MM[0] - EDGE_MM - CODE_MM
        sheet.code((corner, 6), CODE_MM, card.url)
        sheet.text((corner, 39), text(lang, "hall.card.code"), CODE_MM, size_pt=6, centred=True)


def _draw_names(sheet: Sheet, card: Card) -> None:
    column = WIDE_MM / 2
    for at in range(len(card.players) or MOST_AT_TABLE):
        x = EDGE_MM + column * (at // NAMES_A_COLUMN)
        y = NAMES_TOP_MM + NAME_MM * (at % NAMES_A_COLUMN) + 4.5
        sheet.text((x, y), f"{at + 1}", 6, size_pt=10, bold=True)
        if card.players:
            sheet.text((x + 6, y), card.players[at], column - 10, size_pt=10)
        else:
            sheet.line((x + 6, y + 0.5), (x + column - 4, y + 0.5))


def _draw_grid(sheet: Sheet, card: Card, lang: str) -> float:
    """Draw the games; returns where they end, in millimetres from the top."""
    count = len(card.players) or MOST_AT_TABLE
    wide = (WIDE_MM - NUMBER_MM - LOSER_MM) / count
    room = A5_MM[1] - GRID_TOP_MM - HEAD_MM - FOOT_MM
    tall = min(TALLEST_ROW_MM, room / max(1, card.games))
    top, bottom = GRID_TOP_MM + HEAD_MM, GRID_TOP_MM + HEAD_MM + tall * card.games
    sheet.shade((EDGE_MM, GRID_TOP_MM), (WIDE_MM, HEAD_MM), grey=0.92)
    for at in range(count):
        x = EDGE_MM + NUMBER_MM + wide * at
        name = card.players[at] if card.players else ""
        head = f"{at + 1} {name}".strip()
        sheet.text((x + 0.8, GRID_TOP_MM + 5), head, wide - 1.6, size_pt=8, bold=True, centred=True)
        for part in range(PARTS):
            left = x + wide * part / PARTS
            label = text(lang, f"hall.card.part{part + 1}")
            sheet.text((left, top - 1.6), label, wide / PARTS, size_pt=6, centred=True)
            if part:
                sheet.line((left, top - 4), (left, bottom))
        sheet.line((x, GRID_TOP_MM), (x, bottom), width=LINE_MM)
    end = EDGE_MM + WIDE_MM - LOSER_MM
    sheet.line((end, GRID_TOP_MM), (end, bottom), width=LINE_MM)
    head = text(lang, "hall.card.loser")
    sheet.text((end + 1, GRID_TOP_MM + 5), head, LOSER_MM - 2, size_pt=7, bold=True, centred=True)
    for game in range(card.games):
        y = top + tall * game
        sheet.line((EDGE_MM, y), (EDGE_MM + WIDE_MM, y))
        middle = y + tall / 2 + 1.3
        sheet.text((EDGE_MM, middle), str(game + 1), NUMBER_MM, size_pt=9, bold=True, centred=True)
    sheet.box((EDGE_MM, GRID_TOP_MM), (WIDE_MM, bottom - GRID_TOP_MM), width=LINE_MM)
    return bottom


def _draw_foot(sheet: Sheet, lang: str, bottom: float) -> None:
    for line in (1, 2, 3):
        y = bottom + 1.2 + 3.2 * line
        sheet.text((EDGE_MM, y), text(lang, f"hall.card.how{line}"), WIDE_MM, size_pt=6.5)
    y = A5_MM[1] - 9.0
    half = WIDE_MM / 2
    for at, key in enumerate(("hall.card.scribe", "hall.card.signed")):
        x = EDGE_MM + half * at
        sheet.line((x, y), (x + half - 4, y))
        sheet.text((x, y + 3.2), text(lang, key), half - 4, size_pt=6.5)
