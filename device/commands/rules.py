"""`schockauge rules`: the rule sheet of a book, to be read, printed and agreed on."""

from __future__ import annotations

import argparse
from html import escape
from typing import Any

from device.books import book_named
from device.commands.common import add_json, new_parser, print_json
from rules.library import all_books
from rules.sheet import LANGUAGES, RuleSheet, rule_sheet

WORDS = {
    "de": {
        "assumed": "Nicht im Regelwerk, vor dem Abend zu vereinbaren",
        "ladder": "Rangfolge der Figuren, die höchste zuerst",
        "deckel": "Deckel",
        "all": "alle",
        "to": "bis",
    },
    "en": {
        "assumed": "Not in the rule book, to be agreed on before the evening",
        "ladder": "Order of figures, the highest first",
        "deckel": "Deckel",
        "all": "all",
        "to": "to",
    },
}
STYLE = """
body { font: 11pt/1.45 Georgia, serif; max-width: 42rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin: 1.4rem 0 .4rem }
li { margin: .2rem 0 } small { color: #666 } .default { background: #fff3c4 }
table { border-collapse: collapse } td { padding: .1rem 1.2rem .1rem 0 }
@media print { body { margin: 0; max-width: none } h2 { break-after: avoid } }
"""


def add_parser(subparsers: Any) -> None:
    """Add the command."""
    parser = new_parser(
        subparsers,
        "rules",
        "Print the rule sheet of a book: every decision, and where it comes from.",
        example="schockauge rules turnier --html > regeln.html",
        epilog="books: " + ", ".join(book.key for book in all_books()) + "\n",
    )
    parser.add_argument(
        "book", nargs="?", default="turnier", metavar="BOOK", help="name, or FILE.toml of your own"
    )
    parser.add_argument("--lang", choices=LANGUAGES, default="de", help="de (default) or en")
    parser.add_argument("--html", action="store_true", help="a page to print instead of text")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print the sheet."""
    sheet = rule_sheet(book_named(args.book), args.lang)
    if args.json:
        print_json(_as_json(sheet))
    else:
        print(as_html(sheet) if args.html else as_text(sheet))
    return 0


def ladder(sheet: RuleSheet) -> list[tuple[str, str]]:
    """Name and worth of every figure, the best first; house numbers are one line."""
    words = WORDS[sheet.language]
    rows: list[tuple[str, str]] = []
    houses = [figure for figure in sheet.ladder if figure.category == "hausnummer"]
    for figure in sheet.ladder:
        worth = words["all"] if figure.deckel == "all" else str(figure.deckel)
        if figure.category != "hausnummer":
            rows.append((figure.name, worth))
        elif figure is houses[0]:
            rows.append((f"{figure.name} {words['to']} {houses[-1].number}", worth))
    return rows


def as_text(sheet: RuleSheet) -> str:
    """The sheet for a terminal or a plain printer."""
    words, lines = WORDS[sheet.language], [sheet.title, "=" * len(sheet.title)]
    for chapter in sheet.chapters:
        lines += ["", chapter.title, "-" * len(chapter.title)]
        lines += [
            f"{'!' if r.basis == 'default' else '·'} {r.text}  [{r.note}]" for r in chapter.rows
        ]
    lines += ["", words["ladder"], "-" * len(words["ladder"])]
    lines += [f"{name:<32} {worth:>5}" for name, worth in ladder(sheet)]
    lines += ["", words["assumed"], "-" * len(words["assumed"])]
    lines += [f"! {row.text}  [{row.note}]" for row in sheet.assumed]
    return "\n".join(lines)


def as_html(sheet: RuleSheet) -> str:
    """The sheet as a page of its own: no script, nothing loaded, made to be printed."""
    words = WORDS[sheet.language]
    parts = [f"<h1>{escape(sheet.title)}</h1>"]
    for chapter in sheet.chapters:
        items = "".join(
            f'<li class="{row.basis}">{escape(row.text)} <small>{escape(row.note)}</small></li>'
            for row in chapter.rows
        )
        parts.append(f"<h2>{escape(chapter.title)}</h2><ul>{items}</ul>")
    rows = "".join(
        f"<tr><td>{escape(name)}</td><td>{escape(worth)}</td></tr>" for name, worth in ladder(sheet)
    )
    parts.append(f"<h2>{escape(words['ladder'])}</h2><table>{rows}</table>")
    assumed = "".join(f"<li>{escape(row.text)}</li>" for row in sheet.assumed)
    parts.append(f"<h2>{escape(words['assumed'])}</h2><ul>{assumed}</ul>")
    return (
        f'<!doctype html><html lang="{sheet.language}"><head><meta charset="utf-8">'
        f"<title>{escape(sheet.title)}</title><style>{STYLE}</style></head>"
        f"<body>{''.join(parts)}</body></html>"
    )


def _as_json(sheet: RuleSheet) -> dict[str, Any]:
    return {
        "book": sheet.key,
        "title": sheet.title,
        "language": sheet.language,
        "decisions": [
            {"chapter": chapter.title, **vars(row)}
            for chapter in sheet.chapters
            for row in chapter.rows
        ],
        "ladder": [{"figure": name, "deckel": worth} for name, worth in ladder(sheet)],
    }
