"""The hall's live stream: the newest entry at once, and not too often after that."""

from types import SimpleNamespace
from typing import Any

import pytest

from web_ui import tournament_api
from web_ui.tournament_api import TOLD_EVERY_S, Newest


class Busy:
    """A log that has grown whenever somebody waits for it."""

    def wait(self, after_seq: int, timeout_s: float) -> bool:
        return timeout_s > 0


def test_the_first_entry_is_told_at_once_and_the_next_ones_with_a_pause(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now_s, pauses = 100.0, list[float]()

    def sleep(pause_s: float) -> None:
        nonlocal now_s
        now_s += pause_s
        pauses.append(round(pause_s, 6))

    clock = SimpleNamespace(sleep=sleep, monotonic=lambda: now_s)
    monkeypatch.setattr(tournament_api, "time", clock)
    hall: Any = SimpleNamespace(log=Busy())
    newest = Newest(hall)
    assert newest.wait(0, 1.0)
    now_s += 0.05
    assert newest.wait(40, 1.0)
    now_s += 60.0
    assert newest.wait(80, 1.0)
    assert not newest.wait(120, 0.0)
    assert pauses == [0.0, round(TOLD_EVERY_S - 0.05, 6), 0.0]
