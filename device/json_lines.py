"""JSON as people and programs hand it in: one object a line, and every mistake named."""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import isfinite
from pathlib import Path
from typing import Any

from device.errors import SourceError


def parse_json(text: str) -> Any:
    """Read JSON strictly: no name twice in an object, no number that is none, whole characters.

    Raises:
        ValueError: it is not such a text; the message says why.
    """
    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_float=_float, parse_constant=_no_number
        )
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except UnicodeEncodeError:
        raise ValueError("it holds half a character (a lone surrogate)") from None
    return value


def json_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a file with the numbers of their lines; empty lines are passed over.

    Raises:
        SourceError: the file cannot be read, or a line is no JSON object; names the line.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"{path} cannot be read: {error}.") from error
    # Not `splitlines`: a line separator (U+2028) may stand within a text.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = parse_json(line)
        except ValueError as error:
            raise SourceError(f"{path}, line {number} is no JSON: {error}.") from error
        if not isinstance(record, dict):
            raise SourceError(f"{path}, line {number} is {record!r}, expected a JSON object.")
        yield number, record


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice!r} is there twice in one object")
    return found


def _float(text: str) -> float:
    value = float(text)
    if not isfinite(value):
        raise ValueError(f"{text} is too large for a number")
    return value


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number")
