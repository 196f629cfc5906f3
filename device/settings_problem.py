"""What is wrong with settings: all mistakes at once, each with its line, in both languages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from device.errors import SettingsError


@dataclass(frozen=True)
class Problem:
    """One mistake.

    Attributes:
        text_en: what was found, what was expected, what to do, in English.
        text_de: the same in German.
        name: of the setting; empty: of none.
        line: of the file, from 1 on; None: not one of its lines.
    """

    text_en: str
    text_de: str
    name: str = ""
    line: int | None = None

    def at(self, line: int | None) -> Problem:
        """The same, in a line."""
        return replace(self, line=line)


class BadSettingsError(SettingsError):
    """Settings that cannot be used.

    Args:
        problems: at least one; in the order of their lines.
        path: of the file; None: they come from somewhere else.
    """

    def __init__(self, problems: Iterable[Problem], path: Path | None = None) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(_told(problem, path) for problem in self.problems))


def _told(problem: Problem, path: Path | None) -> str:
    """One line as compilers write them."""
    if path is None:
        return problem.text_en
    where = f"{path}" if problem.line is None else f"{path}, line {problem.line}"
    return f"{where}: {problem.text_en}"
