"""Looks at the installed table as a browser would, while systemd runs it; ends it by force, too."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

from device import demo_material

SETTINGS = Path("/var/lib/schockauge/table.toml")
WAIT_S = 240.0
TOLD = ("User", "NRestarts", "WatchdogUSec", "StatusText")


def systemctl(*words: str) -> str:
    """What systemctl says."""
    return subprocess.run(
        ["systemctl", *words], capture_output=True, text=True, check=True
    ).stdout.strip()


def service(name: str) -> str:
    """A property of the running service."""
    return systemctl("show", "schockauge", "--property", name, "--value")


def fetch(path: str, *, port: int = 8080) -> str:
    """What the table's page, or the hub's, answers."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
        return str(answer.read().decode())


def throws() -> list[object]:
    """The throws that count, as the page is told them."""
    state = json.loads(fetch("/api/state"))
    return list((state.get("match") or state).get("throws") or [])


def until(what: str, look: Callable[[], object]) -> None:
    """Look until something is there; tell how long that took."""
    began_s = time.monotonic()
    while True:
        try:
            found, why = look(), "nothing"
        except OSError as error:
            found, why = None, str(error)
        if found:
            print(f"    {what} after {time.monotonic() - began_s:.1f} s")
            return
        if time.monotonic() - began_s > WAIT_S:
            subprocess.run(
                ["journalctl", "-u", "schockauge", "-n", "40", "--no-pager"], check=False
            )
            sys.exit(f"no {what} within {WAIT_S:.0f} s: {why}")
        time.sleep(0.2)


def put_simulated_camera() -> None:
    """In the settings file, as somebody with a shell names his camera."""
    wanted = {
        "table.source": f"hostile::{demo_material.clip()}",
        "table.camera_fov_deg": demo_material.FOV_DEG,
    }
    changes = [word for name, value in wanted.items() for word in ("--set", f"{name}={value}")]
    subprocess.run(["schockauge", "settings", "--settings", SETTINGS, *changes], check=True)


def end_setup() -> None:
    """Leave the set-up of a fresh table at its page, with the first PIN of the console."""
    said = subprocess.run(
        ["journalctl", "-u", "schockauge", "--no-pager"], capture_output=True, text=True, check=True
    )
    pin = re.findall(r"Erste PIN des Wirts: (\d+)", said.stdout)[-1]
    ask = urllib.request.build_opener(urllib.request.HTTPCookieProcessor()).open
    url = "http://127.0.0.1:8080"

    def send(path: str, body: bytes, kind: str, token: str) -> str:
        headers = {"Content-Type": kind, "X-CSRF-Token": token}
        with ask(urllib.request.Request(url + path, body, headers), timeout=30) as answer:
            return str(answer.read().decode())

    with ask(f"{url}/api/session", timeout=10) as answer:
        token = json.load(answer)["csrf"]
    who = json.dumps({"role": "admin", "pin": pin}).encode()
    token = json.loads(send("/api/session", who, "application/json", token))["csrf"]
    send("/setup", b"do=finish", "application/x-www-form-urlencoded", token)
    print("    the set-up is left at its page")


def memory_mb(pid: str) -> int:
    """What a process has in memory, libraries included."""
    status = Path(f"/proc/{pid}/status").read_text()
    row = next(row for row in status.splitlines() if row.startswith("VmRSS"))
    return int(row.split()[1]) // 1024


def main() -> None:
    """Page, first throw, what systemd says, and the way back after an end by force."""
    put_simulated_camera()
    systemctl("restart", "schockauge")
    until("the page", lambda: "Schockauge" in fetch("/"))
    end_setup()
    until("a counted throw", throws)
    before = throws()
    print("    the first:", before[0])
    for name in TOLD:
        print(f"    {name}: {service(name)}")
    killed = service("MainPID")
    print(f"    memory: {memory_mb(killed)} MB")
    systemctl("kill", "--signal=SIGKILL", "schockauge")
    until("another process", lambda: service("MainPID") not in ("0", killed))
    until("the page again", lambda: fetch("/"))
    kept = throws()[: len(before)]
    assert kept == before, f"before: {before}, after the kill: {kept}"
    if Path("/etc/systemd/system/schockauge-hub.service").exists():
        # In here there is no network whose address the hub could take.
        file = "/var/lib/schockauge-hub/hub.toml"
        words = ["schockauge", "settings", "--settings", file, "--set", "hub.host=127.0.0.1"]
        subprocess.run(words, check=True)
        systemctl("restart", "schockauge-hub")
        until("the hub's page", lambda: fetch("/tournament", port=8090))
    print(f"    {len(before)} throws of before the kill are there")


main()
