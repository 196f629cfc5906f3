"""Another version takes over an evening under way, and goes back by itself when it fails.

The versions are this one, started by programs of their own; a few lines stand in for systemd.
"""

import os
import shlex
import signal
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import ROOT, Run
from fault_play import entries_of, until
from real_table import RealTable

from device.errors import SchockaugeError
from device.settings import load_settings
from device.update import Plan, roll_back, systemd_restart, update

pytestmark = pytest.mark.slow

GOOD = "from device.cli import main"
QUICK = """
import json, sys
if sys.argv[1] == "doctor":  # a real one takes seconds; one test has it
    print(json.dumps({"check": "packages", "state": "ok", "text": "all there"}))
    sys.exit()
from device.cli import main
"""
ENDS_AT_ONCE = f"""{QUICK}
if sys.argv[1] == "run":
    sys.exit("this version is no good")
from device.cli import main
"""
FAILS_ITS_CHECK = """
import json, sys
if sys.argv[1] == "doctor":
    print(json.dumps({"check": "packages", "state": "failed", "text": "numpy is missing"}))
    sys.exit(1)
from device.cli import main
"""
DOES_NOT_RUN = "import nothing_of_that_name"
KNOWS_ONLY_OLDER_LOGS = """
import device.store_file
device.store_file.LOG_FORM = 0
from device.cli import main
"""
SERVES_ANOTHER_LOG = f"""{QUICK}
if sys.argv[1] == "run":
    sys.argv += ["--log", "elsewhere.sqlite3"]
from device.cli import main
"""
SUPERVISOR = """
import contextlib, os, pathlib, signal, subprocess, sys, time
folder = pathlib.Path({folder!r})
pid = folder / "pid"
if pid.exists():
    with contextlib.suppress(ProcessLookupError):
        os.kill(int(pid.read_text()), signal.SIGTERM)
    while pathlib.Path("/proc", pid.read_text(), "cmdline").exists():
        if pathlib.Path("/proc", pid.read_text(), "cmdline").read_bytes() == b"":
            break
        time.sleep(0.05)
program = folder / "root" / "current" / ".venv" / "bin" / "schockauge"
with (folder / "console.txt").open("ab") as console:
    started = subprocess.Popen([program, "run", "--settings", folder / "table.toml"], cwd=folder,
                               stdout=console, stderr=console, start_new_session=True)
pid.write_text(str(started.pid))
"""


class Versions:
    """Versions in a folder, and the table that one of them is."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.root = folder, folder / "root"
        (self.root / "releases").mkdir(parents=True)
        self.table = RealTable(folder)
        supervisor = folder / "supervisor.py"
        supervisor.write_text(SUPERVISOR.format(folder=str(folder)))
        self.restart = (sys.executable, str(supervisor))
        self.said: list[str] = []
        self.backups = folder / "backups"

    def make(self, name: str, code: str = GOOD) -> Path:
        release = self.root / "releases" / name
        program = release / ".venv" / "bin" / "schockauge"
        program.parent.mkdir(parents=True)
        text = f"{code}\nimport sys\nsys.exit(main())\n"
        program.write_text(
            f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -c {shlex.quote(text)} "$@"\n'
        )
        program.chmod(0o755)
        return release

    def plan(self, ready_s: float = 60.0) -> Plan:
        settings = load_settings(self.table.settings)
        return Plan(
            self.root, settings, self.table.settings, self.restart, ready_s, self.said.append
        )

    def runs(self) -> str:
        return (self.root / "current").resolve().name

    def serves(self) -> None:
        until(lambda: self.table.said("state"), "it answers")

    def thrown(self) -> list[list[int]]:
        return [e.data["dice"] for e in entries_of(self.table.log) if e.type == "thrown"]

    def stop(self) -> None:
        pid = self.folder / "pid"
        if pid.exists():
            try:
                os.kill(int(pid.read_text()), signal.SIGKILL)
                os.waitpid(int(pid.read_text()), 0)
            except (ProcessLookupError, ChildProcessError):
                pass


@pytest.fixture
def versions(tmp_path: Path) -> Iterator[Versions]:
    made = Versions(tmp_path)
    yield made
    made.stop()


@pytest.fixture
def evening(versions: Versions) -> Versions:
    """Version one runs, and A has thrown."""
    begin(versions, QUICK)
    return versions


def begin(versions: Versions, code: str) -> None:
    update(versions.plan(), versions.make("one", code), versions.backups)
    versions.serves()
    assert versions.runs() == "one"
    assert versions.table.throw("A", "652")["status"] == 200


def test_another_version_takes_over_in_the_middle_of_a_round_and_back(versions: Versions) -> None:
    evening = versions
    begin(evening, GOOD)
    two = evening.make("two")
    assert update(evening.plan(), two, evening.backups) == two
    assert evening.runs() == "two"
    assert (evening.root / "previous").resolve().name == "one"
    (backup,) = evening.backups.glob("before-two-*.zip")
    assert backup.stat().st_mode & 0o777 == 0o600
    assert evening.table.throw("B", "651")["status"] == 200
    assert roll_back(evening.plan(), evening.backups).name == "one"
    assert evening.runs() == "one"
    assert (evening.root / "previous").resolve().name == "two"
    assert evening.table.throw("C", "322")["status"] == 200
    evening.stop()
    assert evening.thrown() == [[6, 5, 2], [6, 5, 1], [3, 2, 2]]


@pytest.mark.parametrize("code", [ENDS_AT_ONCE, SERVES_ANOTHER_LOG])
def test_a_version_that_does_not_get_ready_is_taken_back(evening: Versions, code: str) -> None:
    bad = evening.make("bad", code)
    (evening.root / "previous").symlink_to(evening.make("zero"))
    with pytest.raises(SchockaugeError, match=r"bad does not get ready: .* one runs again; no"):
        update(evening.plan(ready_s=8.0), bad, evening.backups)
    assert evening.runs() == "one"
    assert (evening.root / "previous").resolve().name == "zero", "who goes back gets a good one"
    assert evening.table.throw("B", "651")["status"] == 200
    evening.stop()
    assert evening.thrown() == [[6, 5, 2], [6, 5, 1]]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (FAILS_ITS_CHECK, "does not work here, nothing was changed: packages: numpy is missing"),
        (DOES_NOT_RUN, "nothing was changed"),
        (KNOWS_ONLY_OLDER_LOGS, r"cannot go on with the log, .* was written by a later version"),
    ],
)
def test_a_version_that_fails_its_check_never_runs(evening: Versions, code: str, said: str) -> None:
    pid = (evening.folder / "pid").read_text()
    bad = evening.make("bad", code)
    with pytest.raises(SchockaugeError, match=said):
        update(evening.plan(), bad, evening.backups)
    assert (evening.folder / "pid").read_text() == pid, "it was not even started anew"
    assert evening.runs() == "one"
    assert evening.table.throw("B", "651")["status"] == 200


def test_without_a_supervisor_the_version_is_only_put_in_place(
    versions: Versions, run: Run
) -> None:
    one = versions.make("one", QUICK)
    words = ("--root", versions.root, "--settings", versions.table.settings, "--restart", "")
    status, out, err = run("update", one, *words)
    assert (status, out) == (0, f"{versions.root}/current -> {one}\n")
    assert "start the appliance anew" in err
    status, _, err = run("update", one, *words)
    assert status == 1
    assert "one is the version that runs" in err
    status, _, err = run("update", "--rollback", *words)
    assert status == 1
    assert "names no version to go back to" in err
    (versions.root / "previous").symlink_to(one)  # a power cut between the two names
    status, _, err = run("update", "--rollback", *words)
    assert status == 1
    assert "names no version to go back to" in err
    status, _, err = run("update", versions.folder, *words)
    assert status == 1
    assert "neither a version made ready" in err


def test_a_checkout_is_made_ready_by_its_own_installer(versions: Versions) -> None:
    release = versions.make("made", QUICK)
    installer = versions.folder / "checkout" / "device" / "install" / "install.sh"
    installer.parent.mkdir(parents=True)
    installer.write_text(
        f'[ "$*" = "--prepare --no-apt" ] && echo "Ready, not switched to: {release}"'
    )
    plan = versions.plan()
    assert update(plan, versions.folder / "checkout", versions.backups) == release
    installer.write_text("echo no network >&2; exit 1")
    with pytest.raises(SchockaugeError, match="could not be made ready, nothing changed: no netw"):
        update(plan, versions.folder / "checkout", versions.backups)


def test_a_version_is_started_by_its_own_service_file(evening: Versions) -> None:
    unit, reloads = evening.folder / "schockauge.service", evening.folder / "reloads"
    unit.write_text("[Service]\n# of one\n")
    reload = ("sh", "-c", f"cat {unit} >>{reloads}")
    plan = replace(evening.plan(), unit=unit, reload=reload)
    for name, code in (("one", ""), ("two", QUICK), ("bad", ENDS_AT_ONCE)):
        release = evening.root / "releases" / name if not code else evening.make(name, code)
        (release / "install").mkdir()
        (release / "install" / "schockauge.service").write_text(f"[Service]\n# of {name}\n")
    releases = evening.root / "releases"
    update(plan, releases / "two", evening.backups)
    assert unit.read_text() == "[Service]\n# of two\n"
    with pytest.raises(SchockaugeError, match="two runs again"):
        update(replace(plan, ready_s=8.0), releases / "bad", evening.backups)
    assert unit.read_text() == "[Service]\n# of two\n"
    roll_back(plan, evening.backups)
    assert unit.read_text() == "[Service]\n# of one\n"
    told = reloads.read_text().replace("[Service]\n# of ", "").split()
    assert told == ["two", "bad", "two", "one"]


def test_where_systemd_does_not_run_nothing_is_restarted() -> None:
    if not Path("/run/systemd/system").is_dir():
        assert systemd_restart() == ()
    assert systemd_restart("no-unit-of-that-name") == ()
