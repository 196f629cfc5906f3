"""docs/health.md tells of the checks what the program does."""

import re
from pathlib import Path

import pytest
from conftest import Run

from device.health.checks import ALARMS, CHECKS, HUNG_S
from device.health.monitor import UNSERVED


def test_the_table_of_the_page_is_what_the_command_prints(run: Run, root: Path) -> None:
    status, printed, _ = run("doctor", "--markdown")
    assert status == 0
    text = (root / "docs" / "health.md").read_text(encoding="utf-8")
    between = re.search(r"<!-- checks: .*? -->\n(.*?)<!-- /checks -->", text, re.S)
    assert between is not None
    assert between[1] == printed
    for check in CHECKS:
        assert f"| `{check.key}` |" in printed
    for code in ALARMS:
        assert f"`{code}`" in printed


@pytest.mark.parametrize("told", [*UNSERVED, f"{HUNG_S:.0f} s"])
def test_what_makes_it_fail_is_named(root: Path, told: str) -> None:
    text = (root / "docs" / "health.md").read_text(encoding="utf-8")
    assert told in text.split("## `/healthz`")[1].split("##")[0]
