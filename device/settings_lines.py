"""A TOML file taken apart line by line, so that every mistake in it is found, each with its line.

A sound file is a row of statements, `[section]` or `key = value`, each of which is sound TOML by
itself. So each is read by itself; one that is broken is told and the next one read all the same.
Only a list or a text in triple quotes goes over several lines.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from device.settings_problem import Problem

MOST_LOOKED_AT = 20_000
"""Lines that are looked at for the end of what goes over several; reading must not take minutes."""

TRY_COSTS = 50
"""As many lines as trying to read a longer statement counts."""

LONGEST_LINE = 2_000
"""Characters of a line that is read; of a key of thousands of parts the parser takes minutes."""

_NEXT = re.compile(r"\s*(\[[^\[\]\"',]*\]\s*(#.*)?$|[\w\"'.-]+\s*=)")
"""A line with which another statement begins: whatever is open before it was never closed."""

_WHERE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")

GERMAN: Mapping[str, str] = {
    "Invalid value": "hier fehlt ein Wert: Text in Anführungszeichen, Zahl, true, false oder Liste",
    "Expected '=' after": "nach dem Namen fehlt ein =",
    "Expected newline": "hinter dem Wert steht noch etwas",
    "Invalid statement": "das ist weder [Abschnitt] noch Name = Wert",
    "Unclosed array": "die Liste hat kein ] am Ende",
    "Unclosed inline table": "es fehlt ein } am Ende",
    'Expected "': "der Text hat keine Anführungszeichen am Ende",
    'Expected "\'"': "der Text hat keine Anführungszeichen am Ende",
    "Unterminated string": "der Text hat keine Anführungszeichen am Ende",
    "Expected ']'": "der Abschnitt hat kein ] am Ende",
    "Illegal character": "ein Zeichen, das hier nicht stehen darf",
    "Unescaped '\\'": "vor einem \\ im Text muss noch ein \\ stehen",
    "Invalid initial character": "so kann kein Name beginnen",
    "Invalid date": "kein Datum",
}
"""What the parser says, by its first words."""


@dataclass(frozen=True)
class Given:
    """A value in a file.

    Attributes:
        name: with its section, such as `web.port`.
        value: as TOML has it.
        line: where its statement begins, from 1 on.
    """

    name: str
    value: Any
    line: int


def take_apart(text: str) -> tuple[list[Given], list[Problem]]:
    """Return the values of a file and what is no TOML in it, each by its lines."""
    lines = text.replace("\r\n", "\n").split("\n")
    if too_long := [_too_long(at + 1) for at, one in enumerate(lines) if len(one) > LONGEST_LINE]:
        return [], too_long
    given: list[Given] = []
    problems: list[Problem] = []
    heads: dict[str, int] = {}
    section: str | None = ""
    for line, chunk, content in _statements(lines):
        if isinstance(content, Problem):
            problems.append(content)
            if chunk.lstrip().startswith("["):
                section = None  # nobody knows where the next values belong
        elif chunk.lstrip().startswith("["):
            section = _section(content)
            if section in heads:
                problems.append(_twice(f"[{section}]", heads[section], line))
            heads.setdefault(section, line)
        elif section is not None:
            given += [Given(n, v, line) for n, v in flat(content, section)]
    whole = _parsed(text, 0)
    if not isinstance(whole, Problem):  # sound, however unusual its lines
        at = {one.name: one.line for one in given}
        return [Given(n, v, at.get(n, 1)) for n, v in flat(whole)], []
    problems += _given_twice(given)
    return given, problems or [whole]


def flat(content: Mapping[str, Any], section: str = "") -> Iterator[tuple[str, Any]]:
    """Values of nested tables by their names with points, without recursion."""
    left = [(f"{section}.{key}" if section else key, value) for key, value in content.items()]
    left.reverse()
    while left:
        name, value = left.pop()
        if isinstance(value, dict):
            left += reversed([(f"{name}.{key}", inside) for key, inside in value.items()])
        else:
            yield name, value


def _statements(lines: list[str]) -> Iterator[tuple[int, str, dict[str, Any] | Problem]]:
    """Line, text and content of each statement; blank lines and comments are none."""
    left = MOST_LOOKED_AT
    at = 0
    while at < len(lines):
        chunk, used = lines[at], 1
        content = _parsed(chunk, at)
        if isinstance(content, Problem) and (closing := _left_open(chunk)):
            for more in range(at + 1, len(lines)):
                left -= 1
                if left <= 0 or (closing == "]" and _NEXT.match(lines[more])):
                    break
                if closing not in lines[more]:
                    continue
                left -= TRY_COSTS
                longer = "\n".join(lines[at : more + 1])
                if not isinstance(found := _parsed(longer, at), Problem):
                    content, used = found, more + 1 - at
                    break
        if content:
            yield at + 1, chunk, content
        at += used


def _left_open(chunk: str) -> str | None:
    """What may close a statement that is not whole in its line."""
    for quotes in ('"""', "'''"):
        if quotes in chunk:
            return quotes
    return "]" if "[" in chunk.partition("=")[2] else None


def _parsed(chunk: str, at: int) -> dict[str, Any] | Problem:
    try:
        return tomllib.loads(chunk)
    except ValueError as error:
        return _no_toml(str(error), at)
    except RecursionError:
        return Problem(
            "This is no TOML that can be read: nested too deeply.",
            "Das ist kein lesbares TOML: zu tief verschachtelt.",
            line=at + 1,
        )


def _no_toml(said: str, at: int) -> Problem:
    """What the parser says of a chunk that begins in line `at` (from 0 on)."""
    found = _WHERE.search(said)
    what = said[: found.start()] if found else said
    line, column = at + 1, ""
    if found and found[1]:
        line, column = at + int(found[1]), f", column {found[2]}"
    german = next((de for en, de in GERMAN.items() if what.startswith(en)), "nicht zu verstehen")
    return Problem(
        f"This is no TOML: {what} (line {line}{column}).",
        f"Das ist kein TOML: {german} (Zeile {line}{column.replace('column', 'Spalte')}).",
        line=line,
    )


def _too_long(line: int) -> Problem:
    return Problem(
        f"This line has more than {LONGEST_LINE} characters; a list may stand in several lines.",
        f"Diese Zeile hat mehr als {LONGEST_LINE} Zeichen; eine Liste darf in mehreren stehen.",
        line=line,
    )


def _section(content: Mapping[str, Any]) -> str:
    """The name in `[name]`, with points where it has parts."""
    parts: list[str] = []
    inside: Any = content
    while isinstance(inside, dict) and inside:
        key, inside = next(iter(inside.items()))
        parts.append(key)
        inside = inside[0] if isinstance(inside, list) else inside
    return ".".join(parts)


def _given_twice(given: list[Given]) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for one in given:
        if one.name in first:
            yield _twice(one.name, first[one.name], one.line)
        first.setdefault(one.name, one.line)


def _twice(name: str, first: int, line: int) -> Problem:
    return Problem(
        f"{name} stands here once more, it is in line {first} already; leave one of them.",
        f"{name} steht hier noch einmal, es steht schon in Zeile {first}; nur eines stehen lassen.",
        name.strip("[]"),
        line,
    )
