"""The landlord's first PIN, as it stands on the console of a process."""

import re
import time
from pathlib import Path

PATIENCE_S = 60.0


def first_pin(console: Path) -> str:
    """Wait for it: it is told just after the page has begun to answer."""
    end_s = time.monotonic() + PATIENCE_S
    while True:
        said = console.read_text(encoding="utf-8")
        if found := re.search(r"Erste PIN des Wirts: (\d{6})\b.*\n", said):
            return found[1]
        assert time.monotonic() < end_s, said
        time.sleep(0.05)
