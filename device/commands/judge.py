"""`schockauge judge`: rule questions in, answers with their rule section out.

With spoken results instead of a file it is a referee's pocket calculator.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from device.commands.common import add_json, new_parser, print_json
from device.commands.judge_german import in_german
from device.commands.judge_said import rank_said
from device.errors import SourceError
from device.json_lines import parse_json

Question = dict[str, Any]


def add_parser(subparsers: Any) -> None:
    """Add the command."""
    parser = new_parser(
        subparsers,
        "judge",
        "Rank what players say they threw, or answer rule questions, one JSON object a line.",
        example='schockauge judge --book statuten "A: 6-5-5 im Dritten" "B: Schock 5" --stock 9 '
        "--holding A=4",
        epilog='a question: {"id": "1", "book": "turnier", "kind": "rank", "input": {...}}\n',
    )
    parser.add_argument(
        "said",
        nargs="*",
        metavar="RESULT",
        help='"NAME: DICE im Zweiten aus der Hand", in throwing order; or one FILE of questions, '
        "- (default): stdin",
    )
    parser.add_argument("--book", default="turnier", help="for results: the rule book (turnier)")
    parser.add_argument("--stock", type=int, metavar="N", help="for results: Deckel in the stock")
    parser.add_argument(
        "--holding", action="append", default=[], metavar="NAME=N", help="Deckel of a player"
    )
    parser.add_argument(
        "--first-round",
        action="store_true",
        help="for results: the first round of the game, in which some books count all throws",
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Rank spoken results; or answer line by line: what cannot be judged is reported."""
    if len(args.said) > 1 or any(":" in words and not Path(words).exists() for words in args.said):
        return rank_said(args)
    failed = 0
    for number, line in enumerate(_lines(args.said[0] if args.said else "-"), start=1):
        if not line.strip():
            continue
        answer = judge_line(line, number=number)
        failed += "error" in answer
        if args.json:
            print_json(answer)
        elif "error" in answer:
            print(f"{answer['id']}: nicht zu beurteilen: {answer['error']}")
        else:
            print(in_german(answer, asked=_asked(parse_json(line))))
    if failed:
        print(f"schockauge: error: {failed} questions could not be judged.", file=sys.stderr)
    return 1 if failed else 0


def judge_line(line: str, *, number: int) -> dict[str, Any]:
    """Answer one line; its number stands in for an id that cannot be read."""
    from rules.judge import answer

    try:
        question = parse_json(line)
    except ValueError as error:
        return {"id": f"line {number}", "error": f"line {number} is no JSON: {error}"}
    if not isinstance(question, dict):
        problem = f"a question must be a JSON object, but got {question!r}"
        return {"id": f"line {number}", "error": problem}
    judged = answer(question)
    return judged if judged["id"] is not None else {**judged, "id": f"line {number}"}


def _asked(question: Question) -> str:
    """What a question is about: its kind, or of a penalty or fee its event."""
    event = question["input"].get("event")
    return event if isinstance(event, str) else str(question["kind"])


def _lines(name: str) -> Iterator[str]:
    if name == "-":
        yield from _from(sys.stdin)
        return
    try:
        with Path(name).open(encoding="utf-8-sig") as file:
            yield from _from(file)
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"The questions {name} cannot be read: {error}.") from error


def _from(file: TextIO) -> Iterator[str]:
    yield from file
