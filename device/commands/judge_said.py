"""The pocket calculator of `schockauge judge`: who is highest, who gets Deckel, and why."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping
from typing import Any

from device.books import book_named
from device.commands.common import print_json
from device.errors import UsageError
from rules.book import RuleBook
from rules.errors import MalformedRecord
from rules.heard import heard
from rules.judge import KINDS
from rules.judge_input import read_fields
from rules.judge_settle import emptied_meanwhile
from rules.ranking import Result, over_limit, rank
from rules.results import Deckel
from rules.settlement import hardcore_value
from rules.valuation import describe_all

_NOTE = (
    "Achtung: Ist das die erste Runde {part}, zählen alle Würfe [{rule}]; frag dann noch einmal "
    "mit --first-round. {loser} bekäme {wanted}."
)
_FIRST_OF: Mapping[str, str] = {"game": "des Spiels", "half": "der Hälfte"}


def rank_said(args: argparse.Namespace) -> int:
    """Rank the results that were said and settle the round."""
    book = book_named(args.book)
    results = tuple(heard(words, book) for words in args.said)
    _check_round(book, results)
    ranking = rank(book, results)
    ranked = describe_all(book, ranking.order)
    hardcore = args.first_round and book.hardcore_first_round != "off"
    together = hardcore_value(book, ranking.order[:-1])
    topics = ("settlement", *(["hardcore_first_round"] if hardcore else []), *ranking.topics)
    report: dict[str, Any] = {
        "book": book.key,
        "order": [
            {"player": row.player, "name": row.name, "spoken": row.spoken, "deckel": row.deckel}
            for row in ranked
        ],
        "winner": ranking.winner,
        "loser": ranking.loser,
        "deckel": together if hardcore else ranking.deckel,
        "rule": book.cite(*topics),
    }
    if args.stock is not None or args.holding:
        report["settlement"] = _settled(args, book, results, report)
    if not args.first_round and together != ranking.deckel and _may_be_first(book, report):
        report["note"] = _NOTE.format(
            part=_FIRST_OF[book.hardcore_first_round],
            rule=book.cite("hardcore_first_round"),
            loser=ranking.loser,
            wanted=_wanted(together),
        )
    print_json(report) if args.json else _print(report)
    return 0


def _may_be_first(book: RuleBook, report: dict[str, Any]) -> bool:
    """Whether the round may be one in which all results count: the stock is full, or not told."""
    if book.hardcore_first_round == "off":
        return False
    settled = report.get("settlement")
    return settled is None or bool(settled["before"]["stock"] == book.deckel_total)


def _wanted(deckel: Deckel) -> str:
    return "alle Deckel" if deckel == "all" else f"{deckel} Deckel"


def _check_round(book: RuleBook, results: tuple[Result, ...]) -> None:
    """Refuse what is no round: one result only, a player twice, more throws than the first set."""
    names = [result.player for result in results]
    if len(set(names)) < len(names):
        raise UsageError(f"A player is named twice: {', '.join(names)}; one result each.")
    if len(names) < 2:
        raise UsageError(f"A round has at least two results, but only {names[0]} is named.")
    for name in over_limit(results):
        raise UsageError(
            f"{name} has more throws than {names[0]}, who threw first and set {results[0].throws} "
            f"({book.cite('limit')}). That is a fault, not a ranking: ask with the kind "
            '"penalty", event "too_many_throws"; or name the results in throwing order.'
        )


def _settled(
    args: argparse.Namespace, book: RuleBook, results: tuple[Result, ...], report: dict[str, Any]
) -> dict[str, Any]:
    """What the round does to stock and holdings."""
    stock, holdings = _table(args, book, results, report["deckel"])
    asked = {
        "total": book.deckel_total,
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


def _table(
    args: argparse.Namespace, book: RuleBook, results: tuple[Result, ...], value: Deckel
) -> tuple[int, dict[str, int]]:
    """Stock and holdings as they were said; a player who is not named holds none.

    Raises:
        UsageError: they cannot be.
    """
    holdings = {result.player: 0 for result in results}
    named: set[str] = set()
    for words in args.holding:
        name, equals, count = words.partition("=")
        if not equals or not re.fullmatch(r"[0-9]{1,4}", count.strip()):
            raise UsageError(f"--holding is {words!r}, expected NAME=N, for example A=3.")
        if name.strip() not in holdings:
            known = ", ".join(holdings)
            raise UsageError(f"--holding names {name.strip()!r}; there are results of {known}.")
        if name.strip() in named:
            raise UsageError(f"--holding names {name.strip()!r} twice.")
        named.add(name.strip())
        holdings[name.strip()] = int(count)
    total, held = book.deckel_total, sum(holdings.values())
    stock = args.stock if args.stock is not None else total - held
    if stock < 0 or stock + held != total:
        raise UsageError(
            f"There are {total} Deckel, but {max(0, stock)} in the stock and {held} with the "
            "players are named. Name all of them: --stock N, and --holding NAME=N for everybody "
            "who holds some."
        )
    if total in holdings.values():
        raise UsageError(
            f"The half is over: somebody holds all {total} Deckel ({book.cite('part_lost')})."
        )
    out = [name for name, count in holdings.items() if not stock and not count]
    if out and not emptied_meanwhile(book, value):
        raise UsageError(
            f"With an empty stock {', '.join(out)} without Deckel cannot have thrown "
            f"({book.cite('stays_in')})."
        )
    return stock, holdings


def _print(report: dict[str, Any]) -> None:
    for place, row in enumerate(report["order"], start=1):
        print(f"{place}. {row['player']}: {row['spoken']}")
    wanted = _wanted(report["deckel"])
    print(f"{report['loser']} bekommt {wanted}, {report['winner']} war am höchsten.")
    if settled := report.get("settlement"):
        before = settled["before"]
        given = {name: before[name] - now for name, now in settled["holdings"].items()}
        moved = [f"Aus dem Stock {before['stock'] - settled['stock']}"]
        moved += [f"von {name} {count}" for name, count in given.items() if count > 0]
        print(f"{', '.join(moved)}; im Stock bleiben {settled['stock']}.")
        print("Danach: " + ", ".join(f"{name} {n}" for name, n in settled["holdings"].items()))
        if settled.get("half_over"):
            print(f"Die Hälfte ist zu Ende, verloren hat {settled['half_loser']}.")
        if settled["out"]:
            print(f"Ausgeschieden: {', '.join(settled['out'])}.")
    if "note" in report:
        print(report["note"])
    rules = [part for told in (report, report.get("settlement", {})) for part in _rules(told)]
    print(f"[{'; '.join(dict.fromkeys(rules))}]")


def _rules(told: Mapping[str, Any]) -> list[str]:
    rule: str = told.get("rule", "")
    return rule.split("; ") if rule else []
