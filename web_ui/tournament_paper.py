"""Pages of PDF to be printed in a hall: millimetres from the top left corner, names that fit.

Letters are Bitstream Vera's, which comes with reportlab. What it lacks is written without its
accents (ř as r); a letter of another script is a question mark, to be seen and not left out.
"""

import io
import unicodedata
from collections.abc import Sequence
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path

import reportlab
import segno
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

Point = tuple[float, float]

A4_MM, A5_MM = (210.0, 297.0), (148.0, 210.0)
HAIRLINE_MM, LINE_MM = 0.15, 0.5
PLAIN, BOLD = "SchockaugeVera", "SchockaugeVeraBold"
SMALLEST = 0.55
"""How much smaller than wanted a text may become before it is cut off."""

_ELLIPSIS = "…"
_FILES = {PLAIN: "Vera.ttf", BOLD: "VeraBd.ttf"}


@cache
def letters() -> frozenset[int]:
    """Make the fonts known to reportlab; return the code points that both have."""
    folder = Path(reportlab.__file__).parent / "fonts"
    known: list[frozenset[int]] = []
    for name, file in _FILES.items():
        font = TTFont(name, str(folder / file))
        pdfmetrics.registerFont(font)
        known.append(frozenset(font.face.charToGlyph))
    return known[0] & known[1]


def printable(words: str) -> str:
    """Return a text in letters that the fonts have."""
    return "".join(_letter(one) for one in unicodedata.normalize("NFC", words))


def _letter(one: str) -> str:
    if ord(one) in letters():
        return one
    bare = "".join(c for c in unicodedata.normalize("NFKD", one) if not unicodedata.combining(c))
    return bare if bare and all(ord(c) in letters() for c in bare) else "?"


def width_mm(words: str, size_pt: float, *, bold: bool = False) -> float:
    """Return how wide a text is."""
    letters()
    return float(pdfmetrics.stringWidth(words, BOLD if bold else PLAIN, size_pt) / mm)


def fitted(words: str, room_mm: float, size_pt: float, *, bold: bool = False) -> tuple[str, float]:
    """Return a text and a size in which it fits into a width; cut off where it is far too long.

    Args:
        words: the text.
        room_mm: the width.
        size_pt: the size that is wanted.
        bold: whether it is bold.
    """
    words = printable(words)
    wide = width_mm(words, size_pt, bold=bold)
    if wide <= room_mm:
        return words, size_pt
    least = SMALLEST * size_pt
    if wide * SMALLEST <= room_mm:
        return words, size_pt * room_mm / wide
    while words and width_mm(words + _ELLIPSIS, least, bold=bold) > room_mm:
        words = words[:-1]
    return words.rstrip() + _ELLIPSIS, least


class Sheet:
    """A PDF being drawn; points are (x, y) in millimetres, y down.

    Args:
        title: what a viewer shows in its window.
        size_mm: width and height of its pages.
    """

    def __init__(self, title: str, size_mm: Point) -> None:
        letters()
        self._file = io.BytesIO()
        self._canvas = Canvas(self._file, pagesize=(size_mm[0] * mm, size_mm[1] * mm), invariant=1)
        self._canvas.setTitle(title)
        self._canvas.setCreator("Schockauge")
        self._begun = False
        self.size_mm = size_mm

    def begin_page(self) -> None:
        """Start a page."""
        if self._begun:
            self._canvas.showPage()
        self._begun = True

    def text(
        self, at: Point, words: str, room_mm: float, *, size_pt: float = 9.0, bold: bool = False,
        centred: bool = False, grey: float = 0.0,
    ) -> None:  # fmt: skip
        """Words on a base line, no wider than their room; `centred` in it."""
        shown, size = fitted(words, room_mm, size_pt, bold=bold)
        self._canvas.setFillGray(grey)
        self._canvas.setFont(BOLD if bold else PLAIN, size)
        x, y = self._at(at)
        if centred:
            self._canvas.drawCentredString(x + room_mm * mm / 2, y, shown)
        else:
            self._canvas.drawString(x, y, shown)

    def line(self, start: Point, end: Point, *, width: float = HAIRLINE_MM) -> None:
        """A straight line."""
        self._canvas.setStrokeGray(0.0)
        self._canvas.setLineWidth(width * mm)
        self._canvas.line(*self._at(start), *self._at(end))

    def box(self, at: Point, size: Point, *, width: float = HAIRLINE_MM) -> None:
        """The border of a rectangle."""
        (x, y), (wide, tall) = at, size
        corners = [(x, y), (x + wide, y), (x + wide, y + tall), (x, y + tall), (x, y)]
        for start, end in pairwise(corners):
            self.line(start, end, width=width)

    def shade(self, at: Point, size: Point, *, grey: float) -> None:
        """A filled rectangle."""
        x, y = self._at((at[0], at[1] + size[1]))
        self._canvas.setFillGray(grey)
        self._canvas.rect(x, y, size[0] * mm, size[1] * mm, stroke=0, fill=1)

    def code(self, at: Point, side_mm: float, url: str) -> None:
        """A QR code with its quiet zone."""
        rows: Sequence[bytearray] = segno.make(url, error="m", micro=False).matrix
        quiet = 4
        cell = side_mm / (len(rows) + 2 * quiet)
        path, side = self._canvas.beginPath(), cell * mm
        for row, cells in enumerate(rows):
            column = 0
            for dark, run in groupby(cells):
                count = len(list(run))
                if dark:
                    corner = at[0] + (column + quiet) * cell, at[1] + (row + quiet + 1) * cell
                    path.rect(*self._at(corner), count * side, side)
                column += count
        self._canvas.setFillGray(0.0)
        self._canvas.drawPath(path, stroke=0, fill=1)

    def pdf(self) -> bytes:
        """The file; nothing can be drawn any more."""
        self._canvas.save()
        return self._file.getvalue()

    def _at(self, point: Point) -> Point:
        return point[0] * mm, (self.size_mm[1] - point[1]) * mm
