"""A camera that hangs for good ends the service once, to be started again; nothing is lost."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from test_device_restarting import AS_SYSTEMD

from device.restarting import STATUS
from device.store import SqliteLog
from web_ui.ports import LogEntry

PATIENCE_S = 90.0


def entries(folder: Path) -> list[LogEntry]:
    with SqliteLog(folder / "evening.sqlite3") as log:
        return list(log.read())


def run(folder: Path, source: str, *, service: bool, panel: str) -> subprocess.Popen[str]:
    SqliteLog(folder / "evening.sqlite3").close()  # of a table that is set up
    settings = folder / "table.toml"
    settings.write_text(
        f'[table]\nsource = "{source}"\n'
        "[camera]\nwidth_px = 640\nheight_px = 480\nrestart_s = 1.0\n"
        '[store]\npath = "evening.sqlite3"\nevidence_dir = ""\n'
        f'[web]\nport = 0\n[signals]\npanel = "{panel}"\n'
    )
    started = AS_SYSTEMD if service else ()
    return subprocess.Popen(
        [*started, sys.executable, "-m", "device", "run", "--settings", str(settings)],
        cwd=folder,
        env={
            **os.environ,
            "INVOCATION_ID": "of a desktop's terminal",
            "PYTHONPATH": str(Path(__file__).parent.parent),
        },
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for(folder: Path, process: subprocess.Popen[str], kind: str, what: str) -> None:
    """Until the log has an entry; it can be read while the table writes."""
    ends_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < ends_s and process.poll() is None:
        if (folder / "evening.sqlite3").exists() and any(
            e.type == kind and e.data.get("what") == what for e in entries(folder)
        ):
            return
        time.sleep(0.2)
    process.kill()
    pytest.fail(f"no {kind} of {what}: {process.communicate()[1]}")


@pytest.mark.slow
def test_a_stuck_camera_ends_the_service_once_and_the_evening_goes_on(
    tmp_path: Path, short_clip: Path
) -> None:
    broken = run(
        tmp_path, f"picamera-stub:hang@4,stuck@4:{short_clip}", service=True, panel="console"
    )
    _, told = broken.communicate(timeout=PATIENCE_S)
    assert broken.returncode == STATUS, told
    assert "only a new process can open it" in told
    lamp = [line.split("(")[0].strip() for line in told.splitlines() if "lamp:" in line]
    assert lamp[0] == "lamp: blue", "the mat is looked for"
    assert lamp[-1] == "lamp: red", "the camera is gone"
    faults = [e.data["what"] for e in entries(tmp_path) if e.type == "fault"]
    assert "camera" in faults, "the page said so meanwhile"

    again = run(tmp_path, f"picamera-stub:{short_clip}", service=True, panel="console")
    wait_for(tmp_path, again, "fault_over", "camera")
    again.terminate()
    assert again.communicate(timeout=PATIENCE_S)[1].count("Traceback") == 0
    started = [e for e in entries(tmp_path) if e.type == "match_started"]
    assert len(started) == 1, "it is the same evening"


@pytest.mark.slow
def test_nobody_starts_it_again_so_the_page_stays_and_a_usual_end_is_quick(
    tmp_path: Path, short_clip: Path
) -> None:
    table = run(tmp_path, f"picamera-stub:hang@4,stuck@4:{short_clip}", service=False, panel="gpio")
    wait_for(tmp_path, table, "fault", "camera")
    wait_for(tmp_path, table, "fault", "signals")  # this is no Pi
    time.sleep(4)  # longer than it would take to give up
    assert table.poll() is None
    table.terminate()
    _, told = table.communicate(timeout=PATIENCE_S)
    assert table.returncode == 0, told
