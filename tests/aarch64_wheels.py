"""Which wheel a Raspberry Pi gets of each locked package; kept in requirements/aarch64.json.

A lock names hashes alone, of wheels for every system. This asks pip, without installing anything,
which of them it would take on a 64-bit Raspberry Pi OS, and writes that down, so that a test can
compare table and lock without a network:

    PYTHONPATH=tests .venv/bin/python tests/aarch64_wheels.py requirements/aarch64.json
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from packaging.markers import Marker
from packaging.tags import Tag, compatible_tags, cpython_tags

LOCKS = ("base", "pi", "hub")
"""What is installed on a table, on one with Raspberry Pi's camera, and at a hub."""
PYTHONS = {"3.11": 36, "3.13": 41}
"""Of Bookworm and Trixie: Python, and the minor version of the C library."""
OLDEST_GLIBC = 17
"""manylinux2014; there are no wheels for aarch64 before."""


@dataclass(frozen=True)
class Wheel:
    """What pip takes."""

    package: str
    version: str
    python: str
    file: str
    sha256: str


@dataclass(frozen=True)
class Locked:
    """A package of a lock file."""

    package: str
    version: str
    marker: str
    hashes: tuple[str, ...]

    def is_for(self, python: str) -> bool:
        """Whether it is wanted on a Pi with this Python."""
        surroundings = {
            "python_version": python,
            "python_full_version": f"{python}.2",
            "platform_machine": "aarch64",
            "platform_system": "Linux",
            "sys_platform": "linux",
            "os_name": "posix",
            "implementation_name": "cpython",
            "platform_python_implementation": "CPython",
        }
        return not self.marker or Marker(self.marker).evaluate(surroundings)


def locked(path: Path) -> Iterator[Locked]:
    """The packages of a lock file."""
    blocks = re.split(r"\n(?=[A-Za-z0-9])", path.read_text(encoding="utf-8"))
    for block in blocks:
        head = block.split("\\")[0]
        requirement, _, marker = head.partition(";")
        package, _, version = requirement.strip().partition("==")
        hashes = tuple(re.findall(r"--hash=sha256:([0-9a-f]{64})", block))
        yield Locked(package, version, marker.strip(), hashes)


def wanted(root: Path, python: str) -> dict[str, Locked]:
    """Everything that a Pi with this Python gets, by name."""
    return {
        entry.package: entry
        for lock in LOCKS
        for entry in locked(root / "requirements" / f"{lock}.lock")
        if entry.is_for(python)
    }


def platforms(glibc: int) -> list[str]:
    """Names of the platforms whose wheels run there, best first."""
    newest_first = [f"manylinux_2_{minor}_aarch64" for minor in range(glibc, OLDEST_GLIBC - 1, -1)]
    return [*newest_first, "manylinux2014_aarch64"]


def tags(python: str) -> frozenset[Tag]:
    """The tags of wheels that run on a Pi with this Python."""
    major, minor = (int(number) for number in python.split("."))
    names = platforms(PYTHONS[python])
    own = cpython_tags((major, minor), platforms=names)
    pure = compatible_tags((major, minor), interpreter=f"cp{major}{minor}", platforms=names)
    return frozenset(own) | frozenset(pure)


def ask_pip(root: Path, python: str) -> Iterator[Wheel]:
    """What pip would take; markers are judged here, as pip judges them for its own Python."""
    with tempfile.TemporaryDirectory(prefix="schockauge-aarch64-") as folder:
        requirements, report = Path(folder) / "lock", Path(folder) / "report.json"
        requirements.write_text(
            "\n".join(
                f"{e.package}=={e.version} " + " ".join(f"--hash=sha256:{h}" for h in e.hashes)
                for e in wanted(root, python).values()
            ),
            encoding="utf-8",
        )
        named = [word for name in platforms(PYTHONS[python]) for word in ("--platform", name)]
        subprocess.run(
            [
                *(sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--no-deps"),
                *("--ignore-installed", "--require-hashes", "--only-binary=:all:"),
                "--ignore-requires-python",  # of the one that asks; the version is locked
                *("--target", folder, "--implementation", "cp", "--python-version", python),
                *(*named, "--report", str(report), "-r", str(requirements)),
            ],
            check=True,
        )
        for item in json.loads(report.read_text(encoding="utf-8"))["install"]:
            told, info = item["metadata"], item["download_info"]
            yield Wheel(
                re.sub(r"[-_.]+", "-", told["name"]).lower(),
                told["version"],
                python,
                info["url"].rsplit("/", 1)[1].partition("#")[0],
                info["archive_info"]["hashes"]["sha256"],
            )


def read_table(path: Path) -> list[Wheel]:
    """The table as it was written down."""
    return [Wheel(**row) for row in json.loads(path.read_text(encoding="utf-8"))]


def main() -> None:
    """Write the table."""
    root = Path(__file__).parents[1]
    wheels = [wheel for python in PYTHONS for wheel in ask_pip(root, python)]
    rows = [json.dumps(asdict(w)) for w in sorted(wheels, key=lambda w: (w.package, w.python))]
    Path(sys.argv[1]).write_text("[\n" + ",\n".join(rows) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
