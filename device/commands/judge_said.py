"""The pocket calculator of `schockauge judge`: who is highest, who gets Deckel, and why."""

from __future__ import annotations

import argparse
from typing import Any

from device.books import book_named
from device.commands.common import print_json
from device.errors import UsageError
from rules.book import RuleBook
from rules.errors import MalformedRecord
from rules.heard import heard
from rules.judge import KINDS
from rules.judge_input import read_fields
from rules.ranking import Result, rank
from rules.valuation import describe_all


def rank_said(args: argparse.Namespace) -> int:
    """Rank the results that were said and settle the round."""
    book, results = book_named(args.book), tuple(heard(words) for words in args.said)
    names = [result.player for result in results]
    if len(set(names)) < len(names):
        raise UsageError(f"A player is named twice: {', '.join(names)}; one result each.")
    ranking = rank(book, results)
    ranked = describe_all(book, ranking.order)
    report: dict[str, Any] = {
        "book": book.key,
        "order": [
            {"player": row.player, "name": row.name, "spoken": row.spoken, "deckel": row.deckel}
            for row in ranked
        ],
        "winner": ranking.winner,
        "loser": ranking.loser,
        "deckel": ranking.deckel,
        "rule": book.cite("settlement", *ranking.topics),
    }
    if args.stock is not None or args.holding:
        report["settlement"] = _settled(args, book, results, report)
    print_json(report) if args.json else _print(report)
    return 0


def _settled(
    args: argparse.Namespace, book: RuleBook, results: tuple[Result, ...], report: dict[str, Any]
) -> dict[str, Any]:
    """What the round does to stock and holdings; a player who is not named holds none."""
    holdings = {result.player: 0 for result in results}
    for words in args.holding:
        name, equals, count = words.partition("=")
        if not equals or not count.strip().isdigit():
            raise UsageError(f"--holding is {words!r}, expected NAME=N, for example A=3.")
        holdings[name.strip()] = int(count)
    total = book.deckel_total
    stock = args.stock if args.stock is not None else total - sum(holdings.values())
    if stock < 0:
        raise UsageError(
            f"The players hold {sum(holdings.values())} Deckel, but there are {total}."
        )
    asked = {
        "total": stock + sum(holdings.values()),
        "stock": stock,
        "holdings": holdings,
        "winner": report["winner"],
        "loser": report["loser"],
        "value": report["deckel"],
    }
    try:
        settled = KINDS["settle"](book, read_fields(asked, "the table"))
    except MalformedRecord as error:
        raise UsageError(str(error)) from error
    return {**settled, "before": {**holdings, "stock": stock}}


def _print(report: dict[str, Any]) -> None:
    for place, row in enumerate(report["order"], start=1):
        print(f"{place}. {row['player']}: {row['spoken']}")
    count = report["deckel"]
    wanted = "alle Deckel" if count == "all" else f"{count} Deckel"
    print(f"{report['loser']} bekommt {wanted}, {report['winner']} war am höchsten.")
    if settled := report.get("settlement"):
        before = settled["before"]
        moved = before["stock"] - settled["stock"]
        given = before[report["winner"]] - settled["holdings"].get(report["winner"], 0)
        print(f"Aus dem Stock {moved}, von {report['winner']} {max(0, given)}; im Stock bleiben "
              f"{settled['stock']}.")  # fmt: skip
        print("Danach: " + ", ".join(f"{name} {n}" for name, n in settled["holdings"].items()))
        if settled.get("half_over"):
            print(f"Die Hälfte ist zu Ende, verloren hat {settled['half_loser']}.")
    print(f"[{report['rule']}]")
