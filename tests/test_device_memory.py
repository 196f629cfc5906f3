"""Large pieces of memory go back to the system as soon as they are done with."""

import subprocess
import sys

import pytest

SCRIPT = """
from pathlib import Path
from device.memory import keep_small
import numpy as np

print(keep_small())

def resident_mb():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6

for _ in range(20):  # glibc would raise its threshold at the first of them
    np.ones((1080, 1920, 3), np.uint8)
before = resident_mb()
pictures, small = [], []
for _ in range(30):
    pictures.append(np.ones((1080, 1920, 3), np.uint8))
    small.append(bytearray(1000))
del pictures
print(resident_mb() - before < 20)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks Linux about its memory")
def test_pictures_leave_no_gaps_in_the_heap() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["True", "True"], done.stdout + done.stderr
