"""Versions side by side: another one is looked at, takes over, and is taken back when it fails.

    /opt/schockauge/releases/NAME/.venv/bin/schockauge   a version with all it needs
    /opt/schockauge/current                              the one that runs
    /opt/schockauge/previous                             the one before

The evening lies elsewhere (settings, log) and is backed up first. `current` points to the old
version or to the new one at every moment; whoever pulls the plug in between finds one of them.
"""

from __future__ import annotations

import json
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from device.backup import back_up
from device.errors import SchockaugeError
from device.health.set_up import page_url
from device.releases import fit_service, point, points_to
from device.settings import Settings

ROOT = Path("/opt/schockauge")
PROGRAM = Path(".venv/bin/schockauge")
INSTALLER = Path("device/install/install.sh")
READY_LINE = "Ready, not switched to: "
"""What the installer says last, with the folder of the version that it has made."""
READY_S = 90.0
"""Patience with a version; at least so much with the one that is put back and worked before."""
CHECK_S, RESTART_S, LOOK_S = 300.0, 240.0, 0.25
BAD = frozenset({"failed", "bad"})
"""States of `schockauge doctor` that an evening cannot have."""

Say = Callable[[str], None]
Command = Sequence[str]


@dataclass(frozen=True)
class Plan:
    """How a version takes over.

    Attributes:
        root: of the versions.
        settings: of the table.
        settings_file: theirs; None: they have none.
        restart: ends the running version and starts what `current` points to; returns when that is
            done. Empty: somebody does it by hand.
        ready_s: so long it may take to serve the page, seconds.
        say: tells what is being done.
        unit: systemd's service file, which is as the version that runs has it; None: there is none.
        reload: has systemd read it anew.
    """

    root: Path
    settings: Settings
    settings_file: Path | None
    restart: Command = ()
    ready_s: float = READY_S
    say: Say = print
    unit: Path | None = None
    reload: Command = ("systemctl", "daemon-reload")

    @property
    def current(self) -> Path:
        """The name of the version that runs."""
        return self.root / "current"

    @property
    def previous(self) -> Path:
        """The name of the version before."""
        return self.root / "previous"


def systemd_restart(unit: str = "schockauge") -> Command:
    """What restarts the service where systemd runs and knows it; empty where not."""
    if not Path("/run/systemd/system").is_dir():
        return ()
    known = subprocess.run(["systemctl", "cat", unit], capture_output=True, check=False)
    return ("systemctl", "restart", unit) if known.returncode == 0 else ()


def update(plan: Plan, source: Path, backups: Path) -> Path:
    """Let another version take over; the folder in which it lies.

    Args:
        plan: how.
        source: a checkout, which is made ready first, or a version made ready already.
        backups: folder for the backup that is made first.

    Raises:
        SchockaugeError: it cannot be made ready, or has failed and the version before runs again.
    """
    release = _prepared(plan, source)
    if points_to(plan.current) == release:
        raise SchockaugeError(f"{release.name} is the version that runs; nothing was changed.")
    entries = _back_up(plan, backups, release.name)
    _look_at(plan, release, entries)
    _take_over(plan, release, entries)
    return release


def roll_back(plan: Plan, backups: Path) -> Path:
    """Let the version before take over again; the folder in which it lies.

    Raises:
        SchockaugeError: there is none, it does not know the log, or it has failed and the version
            that ran before runs again.
    """
    release = points_to(plan.previous)
    # A power cut while versions change may leave both names with the one that runs.
    if release is None or release == points_to(plan.current) or not (release / PROGRAM).exists():
        raise SchockaugeError(f"{plan.previous} names no version to go back to.")
    entries = _back_up(plan, backups, release.name)
    _look_at(plan, release, entries)
    _take_over(plan, release, entries)
    return release


def _prepared(plan: Plan, source: Path) -> Path:
    source = source.resolve()
    if (source / PROGRAM).exists():
        return source
    installer = source / INSTALLER
    if not installer.is_file():
        raise SchockaugeError(
            f"{source} is neither a version made ready (no {PROGRAM}) nor a checkout (no "
            f"{INSTALLER})."
        )
    plan.say("Making the new version ready beside the running one (a few minutes) ...")
    done = subprocess.run(
        ["bash", str(installer), "--prepare", "--no-apt"],
        capture_output=True,
        text=True,
        check=False,
    )
    ready = [line for line in done.stdout.splitlines() if line.startswith(READY_LINE)]
    if done.returncode != 0 or not ready:
        said = "\n".join((done.stderr.strip() or done.stdout.strip()).splitlines()[-5:])
        raise SchockaugeError(f"The new version could not be made ready, nothing changed: {said}")
    return Path(ready[-1].removeprefix(READY_LINE)).resolve()


def _back_up(plan: Plan, folder: Path, name: str) -> int:
    """Back the table up; how many entries its log has (0: there is none yet)."""
    if not Path(plan.settings["store.path"]).exists():
        return 0
    folder.mkdir(parents=True, exist_ok=True)
    out = folder / f"before-{name}-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}.zip"
    made = back_up(plan.settings, plan.settings_file, out)
    plan.say(f"Backed up: {made.path} ({made.entries} entries)")
    return made.entries


def _look_at(plan: Plan, release: Path, entries: int) -> None:
    """Let a version look at itself and at the log, unless nothing has been written there yet.

    Raises:
        SchockaugeError: something fails that does not fail with the version that runs.
    """
    plan.say(f"Letting {release.name} look at itself ...")
    if entries:
        read = _run(release, plan, "replay", plan.settings["store.path"], "--last")
        if read.returncode != 0:
            raise SchockaugeError(
                f"{release.name} cannot go on with the log, nothing was changed: "
                f"{read.stderr.strip()}"
            )
    found = _findings(release, plan)
    if not found:
        raise SchockaugeError(f"{release.name} does not run here; nothing was changed.")
    running = points_to(plan.current)
    known = _findings(running, plan) if running is not None else {}
    # The port is taken by the version that runs, and the camera is its own, too.
    worse = {name: text for name, text in found.items() if text and not known.get(name)}
    if worse:
        told = "; ".join(f"{name}: {text}" for name, text in worse.items())
        raise SchockaugeError(f"{release.name} does not work here, nothing was changed: {told}")


def _findings(release: Path, plan: Plan) -> dict[str, str]:
    """What `doctor` of a version says: each check with what fails, "" where nothing does."""
    words = ["doctor", "--json"]
    if plan.settings_file is not None:
        words += ["--settings", str(plan.settings_file)]
    found = {}
    for line in _run(release, plan, *words).stdout.splitlines():
        with suppress(ValueError, AttributeError, KeyError):
            told: dict[str, Any] = json.loads(line)
            bad = told["state"] in BAD
            found[str(told["check"])] = str(told.get("text", "fails")) if bad else ""
    return found


def _run(release: Path, plan: Plan, *words: str) -> subprocess.CompletedProcess[str]:
    program = release / PROGRAM
    try:
        return subprocess.run(
            [str(program), *words], capture_output=True, text=True, timeout=CHECK_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SchockaugeError(f"{program} cannot be run: {error}. Nothing was changed.") from error


def _take_over(plan: Plan, release: Path, entries: int) -> None:
    """Switch, start, and go back where it does not get ready."""
    before, good = points_to(plan.current), points_to(plan.previous)
    fit_service(plan.unit, plan.reload, release)  # may be refused, and then no name has changed
    if before is not None:
        point(plan.previous, before)
    point(plan.current, release)
    if not plan.restart:
        plan.say(f"{release.name} is in place; start the appliance anew to let it take over.")
        return
    plan.say(f"Starting {release.name} ...")
    problem = _started(plan, entries)
    if problem is None:
        return
    if before is None:
        raise SchockaugeError(f"{release.name} does not get ready: {problem}.")
    point(plan.current, before)
    # Who goes back later shall not get the one that has just failed.
    point(plan.previous, release if good in (None, release) else good)
    try:
        fit_service(plan.unit, plan.reload, before)
    except SchockaugeError as error:  # what plays the evening is not kept from it by that
        plan.say(str(error))
    again = _started(replace(plan, ready_s=max(plan.ready_s, READY_S)), entries)
    if again is not None:
        raise SchockaugeError(
            f"{release.name} does not get ready ({problem}), and neither does {before.name}, which "
            f"is in place again ({again}). Look at `journalctl -u schockauge`."
        )
    raise SchockaugeError(
        f"{release.name} does not get ready: {problem}. {before.name} runs again; nothing is lost."
    )


def _started(plan: Plan, entries: int) -> str | None:
    """Start what `current` points to; None when it serves the evening, else why not."""
    try:
        done = subprocess.run(
            list(plan.restart), capture_output=True, text=True, timeout=RESTART_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode != 0:
        return done.stderr.strip() or f"{plan.restart[0]} ends with status {done.returncode}"
    url = page_url(plan.settings)
    if url is None:
        return None  # any free port: nobody knows where to look
    end_s, seen = time.monotonic() + plan.ready_s, "nobody answers"
    while time.monotonic() < end_s:
        with suppress(OSError, ValueError, KeyError, TypeError):
            seq = _asked(f"{url}healthz")["seq"]
            if int(seq) >= entries:
                return None
            seen = f"its log has {seq} entries, expected {entries}"
        time.sleep(LOOK_S)
    return f"after {plan.ready_s:g} s {seen} at {url}"


def _asked(url: str) -> dict[str, Any]:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=5.0) as answer:
            told: dict[str, Any] = json.load(answer)
    except urllib.error.HTTPError as error:  # 503: it serves, and says what fails
        told = json.load(error)
    return told
