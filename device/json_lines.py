"""JSON lines as people and programs hand them in: one object a line, and every mistake named."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from device.errors import SourceError


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
            record = json.loads(line)
        except ValueError as error:
            raise SourceError(f"{path}, line {number} is no JSON: {error}.") from error
        except RecursionError:
            raise SourceError(f"{path}, line {number} is nested too deeply.") from None
        if not isinstance(record, dict):
            raise SourceError(f"{path}, line {number} is {record!r}, expected a JSON object.")
        yield number, record
