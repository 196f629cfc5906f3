"""The table of faults in docs/faults.md names tests that are there, and nothing is listed twice."""

import ast
import re
from pathlib import Path

ROWS = re.compile(r"^\| (?P<cells>[^|]+(?: \| [^|]+){3}) \| `(?P<test>[^`|]+)` \|$", re.MULTILINE)
OF_THE_ISSUE = (
    "Power cut", "Disk full", "Clock jumps", "Camera", "Model damaged", "Settings broken",
    "Database locked", "Port taken", "Broker gone", "Memory",
)  # fmt: skip


def rows(root: Path) -> list[tuple[list[str], str]]:
    text = (root / "docs" / "faults.md").read_text(encoding="utf-8")
    found = [(m["cells"].split(" | "), m["test"]) for m in ROWS.finditer(text)]
    lines = [line for line in text.splitlines() if line.startswith("|")]
    assert len(found) == len(lines) - 2, "every line of the table but its head is a row"
    return found


def test_every_row_names_a_test_that_is_there(root: Path) -> None:
    for (fault, *_), test in rows(root):
        file, _, name = test.partition("::")
        tree = ast.parse((root / file).read_text(encoding="utf-8"))
        names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        assert name in names, f"{fault}: there is no test {test}"


def test_every_row_says_what_is_shown_lost_and_done(root: Path) -> None:
    for cells, _ in rows(root):
        assert len(cells) == 4
        assert all(cell.strip() for cell in cells)


def test_the_table_has_every_fault_once(root: Path) -> None:
    faults = [cells[0] for cells, _ in rows(root)]
    assert len(set(faults)) == len(faults)
    for wanted in OF_THE_ISSUE:
        assert any(fault.startswith(wanted) for fault in faults), wanted
