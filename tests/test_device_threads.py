"""The appliance starts no threads by loading its libraries: they have crashed it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TOLD = "import device, numpy, cv2, os; print(len(os.listdir('/proc/self/task')))"


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="no Linux: threads are not listed")
def test_loading_the_libraries_starts_no_threads():
    free = {name: value for name, value in os.environ.items() if not name.endswith("NUM_THREADS")}
    done = subprocess.run(
        [sys.executable, "-c", TOLD], env=free, capture_output=True, text=True, check=True
    )
    assert int(done.stdout) == 1


def test_a_number_of_threads_that_somebody_named_is_kept():
    code = "import device, os; print(os.environ['OPENBLAS_NUM_THREADS'])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "OPENBLAS_NUM_THREADS": "3"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "3"
