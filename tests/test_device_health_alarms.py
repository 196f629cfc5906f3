"""Alarms: told when they last, taken back when they are over, and never a storm of them."""

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from health_fakes import Machine, Time
from hypothesis import example, given
from hypothesis import strategies as st

from device.errors import StoreError
from device.health.alarms import AFTER_S, CALM_S, REST_S, Alarm
from device.health.checks import BY_KEY
from device.health.monitor import EVERY_S, Monitor
from device.health.state import Check, Group, Limits, Measured, State
from device.health.subject import Subject

STATES = st.sampled_from(list(State))


@given(st.lists(st.tuples(STATES, st.integers(1, 40)), max_size=40), st.booleans())
@example([(State.BAD, 3), (State.GOOD, 13), (State.BAD, 3)], False)
def test_there_is_never_more_than_one_word_a_minute(
    course: list[tuple[State, int]], raised: bool
) -> None:
    """A course of states, each for so many looks."""
    alarm, now_s, told_s, said = Alarm(raised=raised), 0.0, [], [raised]
    for state in itertools.chain.from_iterable([state] * looks for state, looks in course):
        now_s += EVERY_S
        if alarm.wants(state, now_s):
            alarm.told(now_s)
            told_s.append(now_s)
            said.append(alarm.raised)
            assert alarm.raised == (state is State.BAD)
            assert state is not State.UNKNOWN
    assert all(later - before >= REST_S for before, later in itertools.pairwise(told_s))
    assert all(one != next_ for one, next_ in itertools.pairwise(said))


@given(st.lists(st.floats(0.1, AFTER_S - 0.1), min_size=1, max_size=50))
def test_what_is_bad_for_a_moment_is_never_told(moments_s: list[float]) -> None:
    alarm, now_s = Alarm(), 0.0
    for moment_s in moments_s:
        assert not alarm.wants(State.BAD, now_s)
        now_s += moment_s
        assert not alarm.wants(State.GOOD, now_s)


@given(st.floats(EVERY_S, 30.0))
def test_what_stays_bad_is_told_once_and_what_stays_good_taken_back(every_s: float) -> None:
    alarm, now_s, words = Alarm(), 0.0, []
    for state in (State.BAD, State.WARN):
        for _ in range(40):
            if alarm.wants(state, now_s):
                alarm.told(now_s)
                words.append(state)
            now_s += every_s
    assert words == [State.BAD, State.WARN]


def test_what_cannot_be_measured_takes_nothing_back() -> None:
    alarm = Alarm(raised=True)
    for second in range(0, 1000, 5):
        assert not alarm.wants(State.UNKNOWN, second)
    assert not alarm.wants(State.GOOD, 1000.0)
    assert alarm.wants(State.GOOD, 1000.0 + CALM_S)


class Table:
    """Notes what it is told; may be unable to."""

    def __init__(self) -> None:
        self.told: list[tuple[str, str, dict[str, Any]]] = []
        self.full = False

    def _note(self, kind: str) -> Callable[..., None]:
        def note(what: str, **more: Any) -> None:
            if self.full:
                raise StoreError("no space left")
            self.told.append((kind, what, more))

        return note

    @property
    def report(self) -> Callable[..., None]:
        return self._note("fault")

    @property
    def fault_over(self) -> Callable[..., None]:
        return self._note("over")


HEAT = BY_KEY["temperature"]


def watched(
    tmp_path: Path, checks: tuple[Check, ...] = (HEAT,), raised: tuple[str, ...] = ()
) -> tuple[Monitor, Table, Time, Machine]:
    time, pi, table = Time(), Machine(tmp_path).zone("cpu", 50_000), Table()
    monitor = Monitor(pi.subject(time=time), checks, time)
    monitor.tell_by(table.report, table.fault_over, raised)
    return monitor, table, time, pi


def go_on(monitor: Monitor, time: Time, seconds: float) -> None:
    for _ in range(round(seconds / EVERY_S)):
        monitor.turn()
        time.pass_s(EVERY_S)


def heat(pi: Machine, celsius: float) -> None:
    pi.file("sys/class/thermal/thermal_zone0/temp", f"{round(celsius * 1000)}\n")


def test_a_machine_that_gets_hot_is_told_once_and_taken_back_when_it_has_cooled(
    tmp_path: Path,
) -> None:
    monitor, table, time, pi = watched(tmp_path)
    go_on(monitor, time, 30)
    assert table.told == []
    heat(pi, 83.4)
    go_on(monitor, time, 300)
    assert table.told == [("fault", "health_temperature", {"value": 83.4, "unit": "°C"})]
    heat(pi, 78.5)  # below the limit, but not far enough
    go_on(monitor, time, 300)
    assert len(table.told) == 1
    heat(pi, 70)
    go_on(monitor, time, 65)
    assert table.told[1:] == [("over", "health_temperature", {"value": 70.0, "unit": "°C"})]


def test_a_fault_that_an_evening_before_has_left_is_taken_back(tmp_path: Path) -> None:
    monitor, table, time, _ = watched(tmp_path, raised=("health_temperature", "camera"))
    go_on(monitor, time, 120)
    assert [(kind, what) for kind, what, _ in table.told] == [("over", "health_temperature")]


def test_what_the_log_did_not_take_is_told_again(tmp_path: Path) -> None:
    monitor, table, time, pi = watched(tmp_path)
    heat(pi, 90)
    table.full = True
    go_on(monitor, time, 60)
    table.full = False
    go_on(monitor, time, 60)
    assert [kind for kind, *_ in table.told] == ["fault"]


def test_a_check_without_an_alarm_is_on_the_page_alone(tmp_path: Path) -> None:
    def bad(subject: Subject) -> Measured:
        return Measured(9.0)

    quiet = Check("quiet", ("a", "b"), Group.NET, bad, ("", ""), limits=Limits(bad=1.0))
    monitor, table, time, _ = watched(tmp_path, checks=(quiet,))
    go_on(monitor, time, 300)
    assert table.told == []
    assert [row.state for row in monitor.rows()] == [State.BAD]
    assert monitor.failing() == []


def test_a_look_that_stumbles_is_not_the_last_one(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    import threading

    monkeypatch.setattr("device.health.monitor.EVERY_S", 0.01)
    monitor, _, _, _ = watched(tmp_path)
    turns, twice = [0], threading.Event()

    def stumble() -> None:
        turns[0] += 1
        if turns[0] == 3:
            twice.set()
        raise RuntimeError("oh")

    monkeypatch.setattr(monitor, "turn", stumble)
    with monitor:
        assert twice.wait(10.0)
    assert "stumbled" in caplog.text
