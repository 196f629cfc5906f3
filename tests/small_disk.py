"""A disk of some megabytes that somebody else fills."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

TMPFS_MB = 4


def need_root(what: str) -> None:
    """Mounting needs it; on a machine of our own it must be there."""
    done = subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False)
    if os.geteuid() == 0 and done.returncode == 0:
        return
    if "CI" in os.environ:
        pytest.fail(f"{what} needs root and mounting, which CI has to give")
    pytest.skip(f"{what} needs root and mounting")


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={TMPFS_MB}m", "tmpfs", str(folder)], check=True
    )
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder: Path) -> Path:
    """Leave not a byte."""
    path = folder / "others.bin"
    with path.open("ab", buffering=0) as file:
        for size in (65_536, 4096, 1):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                continue
    return path
