"""Pages of PDF at true scale: vector drawing in millimetres from a page's top left corner."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

Point = tuple[float, float]
Rect = tuple[float, float, float, float]

A4_MM = (210.0, 297.0)
A2_MM = (420.0, 594.0)
HAIRLINE_MM = 0.15
RULER_MM = 100
"""Long enough that a page scaled to fit, 3 % too small, is off by what anybody can see."""

PRINT_DE = (
    "In Originalgröße drucken: 100 % („Tatsächliche Größe“), nicht „An Seite anpassen“. "
    "Dann nachmessen: Das Lineal muss genau 100 mm lang sein."
)
PRINT_EN = (
    "Print at 100 % (“actual size”), not “fit to page”. "
    "Then measure: the ruler must be exactly 100 mm long."
)


class Paper:
    """A PDF being drawn. Points are (x, y) in millimetres, y down, from `origin` of the page.

    Args:
        title: what a viewer shows in its window.
    """

    def __init__(self, title: str) -> None:
        self._file = io.BytesIO()
        self._canvas = Canvas(self._file, invariant=1)  # the same drawing is the same file
        self._canvas.setTitle(title)
        self._canvas.setCreator("Schockauge")
        self._height = 0.0
        self.origin: Point = (0.0, 0.0)

    def begin_page(self, size_mm: Point) -> None:
        """Start a page of this width and height; its origin is its top left corner."""
        if self._height:
            self._canvas.showPage()
        self._canvas.setPageSize((size_mm[0] * mm, size_mm[1] * mm))
        self._height, self.origin = size_mm[1], (0.0, 0.0)

    def line(
        self, points: Sequence[Point], *, grey: float = 0.0, width_mm: float = HAIRLINE_MM,
        dashed: bool = False,
    ) -> None:  # fmt: skip
        """A line through points; `grey`: 0 black to 1 white."""
        self._canvas.setStrokeGray(grey)
        self._canvas.setLineWidth(width_mm * mm)
        self._canvas.setDash([2 * mm, 1.5 * mm] if dashed else [])
        path = self._canvas.beginPath()
        path.moveTo(*self._at(points[0]))
        for point in points[1:]:
            path.lineTo(*self._at(point))
        self._canvas.drawPath(path)

    def outline(self, rect: Rect, *, grey: float = 0.0, width_mm: float = HAIRLINE_MM) -> None:
        """The border of a rectangle (left, top, right, bottom)."""
        x1, y1, x2, y2 = rect
        corners = [(x1, y1), (x2, y1), (x2, y2), (x1, y2), (x1, y1), (x2, y1)]
        self.line(corners, grey=grey, width_mm=width_mm)

    def fill(self, rects: Iterable[Rect], *, grey: float = 0.0) -> None:
        """Rectangles (left, top, right, bottom) as one shape, without seams between them."""
        self._canvas.setFillGray(grey)
        path = self._canvas.beginPath()
        for left, top, right, bottom in rects:
            path.rect(*self._at((left, bottom)), (right - left) * mm, (bottom - top) * mm)
        self._canvas.drawPath(path, stroke=0, fill=1)

    def text(
        self, at: Point, words: str, *, size_pt: float = 9.0, grey: float = 0.0,
        bold: bool = False, centred: bool = False, turned_deg: float = 0.0,
    ) -> None:  # fmt: skip
        """Words that begin (or are centred) at a point on their base line."""
        self._canvas.saveState()
        self._canvas.translate(*self._at(at))
        self._canvas.rotate(turned_deg)
        self._canvas.setFillGray(grey)
        self._canvas.setFont("Helvetica-Bold" if bold else "Helvetica", size_pt)
        draw = self._canvas.drawCentredString if centred else self._canvas.drawString
        draw(0, 0, words)
        self._canvas.restoreState()

    @contextmanager
    def clipped(self, rect: Rect) -> Iterator[None]:
        """What is drawn inside is seen within a rectangle only."""
        left, top, right, bottom = rect
        path = self._canvas.beginPath()
        path.rect(*self._at((left, bottom)), (right - left) * mm, (bottom - top) * mm)
        self._canvas.saveState()
        self._canvas.clipPath(path, stroke=0)
        yield
        self._canvas.restoreState()

    def pdf(self) -> bytes:
        """The file; nothing can be drawn any more."""
        self._canvas.save()
        return self._file.getvalue()

    def _at(self, point: Point) -> Point:
        x, y = point[0] + self.origin[0], point[1] + self.origin[1]
        return x * mm, (self._height - y) * mm


def draw_ruler(paper: Paper, at: Point) -> None:
    """A ruler of 100 mm whose left end stands at a point."""
    x, y = at
    paper.line([(x, y), (x + RULER_MM, y)], width_mm=0.3)
    for step in range(0, RULER_MM + 1, 5):
        tall = 4.0 if step % 50 == 0 else 2.5 if step % 10 == 0 else 1.5
        paper.line([(x + step, y), (x + step, y - tall)], width_mm=0.2)
    for step in (0, 50, 100):
        paper.text((x + step, y + 3.6), str(step), size_pt=8, centred=True)
    paper.text((x + RULER_MM + 4, y + 3.6), "mm", size_pt=8)


def draw_advice(paper: Paper, at: Point, *, size_pt: float = 7.5) -> None:
    """How to print, in both languages, one line each."""
    x, y = at
    paper.text((x, y), PRINT_DE, size_pt=size_pt, bold=True)
    paper.text((x, y + 0.5 * size_pt), PRINT_EN, size_pt=size_pt)
