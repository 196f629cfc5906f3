"""The ranking to print, on A4: every place with its reason, the rounds, who was honoured."""

import io
from collections.abc import Sequence
from typing import Any
from xml.sax.saxutils import escape

from reportlab.lib import colors
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table

from web_ui.i18n import text
from web_ui.tournament_paper import A4_MM, BOLD, PLAIN, letters, printable

EDGE_MM = 14.0
WIDE_MM = A4_MM[0] - 2 * EDGE_MM
PLACE_MM, PLAYER_MM, POINTS_MM, ROUND_MM = 12.0, 40.0, 16.0, 13.0
MOST_ROUNDS = 5
"""Columns of rounds that leave the reasons room."""


def results_pdf(
    name: str, when: str, found: dict[str, Any], teams: Sequence[dict[str, Any]], lang: str
) -> bytes:
    """Return a ranking as a PDF.

    Args:
        name: of the tournament.
        when: where it stands, such as "final ranking".
        found: as `web_ui.tournament_results.results_of` gives it.
        teams: as `web_ui.tournament_view.team_view` gives it.
        lang: language of what is printed.
    """
    letters()
    kept = io.BytesIO()
    document = SimpleDocTemplate(
        kept,
        pagesize=(A4_MM[0] * mm, A4_MM[1] * mm),
        leftMargin=EDGE_MM * mm, rightMargin=EDGE_MM * mm,
        topMargin=EDGE_MM * mm, bottomMargin=EDGE_MM * mm,
        title=name, creator="Schockauge", invariant=1,
    )  # fmt: skip
    story: list[Any] = [_said(name, 18, bold=True), Spacer(1, 2 * mm), _said(when, 12)]
    story += [Spacer(1, 4 * mm), _ranking(found, lang)]
    if found["struck"]:
        story += [Spacer(1, 2 * mm), _said(text(lang, "hall.struck"), 8)]
    if teams:
        story += [Spacer(1, 6 * mm), _said(text(lang, "hall.teams"), 12, bold=True)]
        story += [_said(_team_text(team), 9) for team in teams]
    if found["kings"]:
        story += [Spacer(1, 6 * mm), _said(text(lang, "hall.kings"), 12, bold=True)]
        story += [_said(king_text(king, lang), 9) for king in found["kings"]]
    document.build(story, onFirstPage=_numbered, onLaterPages=_numbered)
    return kept.getvalue()


def king_text(king: dict[str, Any], lang: str) -> str:
    """Say how many Schock aus somebody has thrown, and whether they count."""
    key = "hall.king" if king["place"] else "hall.king.open"
    said = text(lang, key, **{name: king[name] for name in ("place", "player", "count", "open")})
    return f"{said} {king['prize']}".strip()


def _team_text(team: dict[str, Any]) -> str:
    return f"{team['place']}. {team['team']} ({team['players']}): {team['why']}"


def _ranking(found: dict[str, Any], lang: str) -> Table:
    rounds: Sequence[int] = found["rounds"][-MOST_ROUNDS:]
    heads = [text(lang, f"hall.column.{name}") for name in ("place", "player", "points")]
    heads += [f"R{number}" for number in rounds]
    heads += [text(lang, "hall.column.why")]
    rows = [[_said(head, 8, bold=True) for head in heads]]
    for row in found["rows"]:
        player = f"{row['player']} ({row['team']})" if row["team"] else row["player"]
        why = f"{row['why']}. {row['prize']}" if row["prize"] else row["why"]
        own = row["rounds"][len(row["rounds"]) - len(rounds) :]
        cells = [_said(str(row["place"]), 11, bold=True), _said(player, 10, bold=True)]
        cells += [_said(str(row["points"]), 10), *(_said(cell, 9) for cell in own), _said(why, 8)]
        rows.append(cells)
    widths = [PLACE_MM, PLAYER_MM, POINTS_MM, *(ROUND_MM for _ in rounds)]
    widths.append(WIDE_MM - sum(widths))
    return Table(
        rows,
        colWidths=[width * mm for width in widths],
        repeatRows=1,
        style=[
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("LINEBELOW", (0, 0), (-1, 0), 1, colors.black),
            ("LINEBELOW", (0, 1), (-1, -1), 0.3, colors.grey),
            ("LEFTPADDING", (0, 0), (-1, -1), 2),
            ("RIGHTPADDING", (0, 0), (-1, -1), 2),
        ],
    )


def _said(words: str, size_pt: float, *, bold: bool = False) -> Paragraph:
    """Words that break where they must; a name without a gap breaks, too."""
    style = ParagraphStyle(
        "said", fontName=BOLD if bold else PLAIN, fontSize=size_pt, leading=1.25 * size_pt,
        splitLongWords=1,
    )  # fmt: skip
    return Paragraph(escape(printable(words)), style)


def _numbered(canvas: Canvas, document: Any) -> None:
    canvas.setFont(PLAIN, 8)
    canvas.drawRightString((A4_MM[0] - EDGE_MM) * mm, 8 * mm, str(document.page))
