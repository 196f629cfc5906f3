"""The table of checks: limits, words, what a machine tells, and what it does not."""

from pathlib import Path

import pytest
from health_fakes import Machine, Time, found

from device.faults import FAULTS
from device.health import machine, measures
from device.health.checks import ALARMS, BY_KEY, CHECKS
from device.health.set_up import SET_UP_CHECKS, page_url
from device.health.state import Check, Group, Judge, Limits, Measured, State
from device.health.subject import Subject
from device.settings import Settings
from web_ui.ports import HEALTH_GROUPS


def test_every_check_has_both_languages_and_something_to_do() -> None:
    keys = [check.key for check in (*CHECKS, *SET_UP_CHECKS)]
    assert len(keys) == len(set(keys))
    for check in (*CHECKS, *SET_UP_CHECKS):
        assert all(check.title), check.key
        can_be_bad = check.limits != Limits() or check.group is Group.SET_UP
        assert all(check.todo) == can_be_bad, check.key
    assert {check.group for check in CHECKS} == set(HEALTH_GROUPS)


def test_alarms_are_faults_that_the_dashboard_knows() -> None:
    assert ALARMS
    for code, (de, en) in ALARMS.items():
        assert FAULTS[code] == (de, en)
        assert de.endswith(".")
        assert en.endswith(".")
        assert BY_KEY[code.removeprefix("health_")].limits.bad is not None


def test_names_of_metrics_end_with_their_unit() -> None:
    ends = {"s": "seconds", "ms": "seconds", "MB": "bytes", "°C": "celsius", "h": "seconds"}
    ends |= {"days": "seconds", "1/s": "per_second"}
    for check in CHECKS:
        if check.metric is not None and check.unit:
            assert check.metric.name.endswith(ends[check.unit]), check.key


def test_a_value_that_was_bad_has_to_come_further_back() -> None:
    heat, judge = BY_KEY["temperature"], Judge()
    states = [judge.find(heat, Measured(c)).state for c in (70, 78, 80, 78, 76.9, 78, 74)]
    assert states == ["good", "warn", "bad", "bad", "warn", "warn", "good"]
    free = [Judge().find(BY_KEY["disk"], Measured(mb)).state for mb in (5000, 1999, 1000)]
    assert free == ["good", "warn", "bad"]


def test_limits_in_a_wrong_order_are_refused() -> None:
    with pytest.raises(ValueError, match="from warn over back to bad"):
        Limits(warn=80.0, bad=75.0)
    with pytest.raises(ValueError, match="from warn over back to bad"):
        Limits(warn=5.0, bad=10.0, lower_is_worse=True)


def test_what_is_unknown_is_never_good(tmp_path: Path) -> None:
    """A machine that tells nothing, and no appliance that runs."""
    nobody = Machine(tmp_path).subject(kernel_clock=lambda: None)
    for key in ("temperature", "power", "throttling", "clock", "memory_free", "camera", "watch"):
        assert found(nobody, key).state is State.UNKNOWN, key
    assert found(nobody, "power").said == ("hier nicht zu messen", "unknown here")


def test_a_measure_that_breaks_has_found_nothing(caplog: pytest.LogCaptureFixture) -> None:
    from device.health.monitor import look

    def broken(subject: Subject) -> Measured:
        raise RuntimeError("oh")

    check = Check("odd", ("a", "b"), Group.TABLE, broken, ("", ""), limits=Limits(bad=1.0))
    (finding,) = look(Subject(Settings()), [check], Judge())
    assert finding.state is State.UNKNOWN
    assert "odd cannot be measured" in caplog.text


def test_the_hottest_part_of_the_processor_counts_and_no_battery(tmp_path: Path) -> None:
    pi = Machine(tmp_path).zone("cpu-thermal", 61234).zone("battery", 99000)
    pi.zone("soc_thermal", "error")
    assert machine.temperature_c(tmp_path) == pytest.approx(61.234)
    assert found(pi.subject(), "temperature").said == ("61 °C", "61 °C")


@pytest.mark.parametrize(
    ("flags", "power", "throttling"),
    [
        (0x0, (0, "good"), (0, "good")),
        (0x50000, (1, "warn"), (1, "warn")),  # too little since boot, and slowed down for it
        (0x50005, (2, "bad"), (2, "bad")),
        (0x80008, (0, "good"), (2, "bad")),  # the soft limit of the temperature
        (0x20002, (0, "good"), (2, "bad")),  # the frequency is capped
        (0xE0000, (0, "good"), (1, "warn")),
    ],
)
def test_flags_of_the_firmware_tell_now_from_earlier(
    tmp_path: Path, flags: int, power: tuple[int, str], throttling: tuple[int, str]
) -> None:
    subject = Machine(tmp_path).says("vcgencmd", f"throttled={flags:#x}\n").subject()
    for key, wanted in (("power", power), ("throttling", throttling)):
        finding = found(subject, key)
        assert (finding.value, finding.state) == wanted, key


def test_without_the_program_the_kernel_s_file_tells(tmp_path: Path) -> None:
    pi = Machine(tmp_path).file("sys/devices/platform/soc/soc:firmware/get_throttled", "50005\n")
    assert machine.throttled(tmp_path, pi.run) == 0x50005
    pi.says("vcgencmd", "throttled=0x0\n")
    assert machine.throttled(tmp_path, pi.run) == 0
    assert machine.throttled(tmp_path / "else", lambda words: "VCHI failed\n") is None


def test_without_either_the_kernel_s_sensor_tells_of_the_voltage_alone(tmp_path: Path) -> None:
    pi = Machine(tmp_path).file("sys/class/hwmon/hwmon0/name", "nvme\n")
    subject = pi.subject()
    assert found(subject, "power").state is State.UNKNOWN
    pi.file("sys/class/hwmon/hwmon1/name", "rpi_volt\n")
    alarm = "sys/class/hwmon/hwmon1/in0_lcrit_alarm"
    for said, state in (("0\n", State.GOOD), ("1\n", State.BAD), ("0\n", State.WARN)):
        pi.file(alarm, said)
        assert found(subject, "power").state is state
    assert found(subject, "throttling").state is State.UNKNOWN


def test_what_was_is_remembered_though_the_firmware_forgets(tmp_path: Path) -> None:
    pi, time = Machine(tmp_path), Time()
    subject = pi.subject(time=time)
    for flags, power, throttling in (
        ("0x0", "good", "good"),
        ("0x50005", "bad", "bad"),
        ("0x0", "warn", "warn"),
    ):
        pi.says("vcgencmd", f"throttled={flags}\n")
        time.pass_s(10.0)
        states = found(subject, "power").state, found(subject, "throttling").state
        assert states == (power, throttling)


def test_a_program_is_asked_once_in_a_while(tmp_path: Path) -> None:
    pi, time = Machine(tmp_path).says("vcgencmd", "throttled=0x0\n"), Time()
    subject = pi.subject(time=time)
    for _ in range(4):
        measures.power(subject)
        measures.throttling(subject)
        time.pass_s(3.0)
    assert pi.asked == 2


def test_a_real_program_that_is_missing_fails_or_hangs_says_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(machine, "RUN_S", 0.2)
    assert machine.ask(["echo", "yes"]) == "yes\n"
    assert machine.ask(["no-such-program-here"]) is None
    assert machine.ask(["false"]) is None
    assert machine.ask(["sleep", "5"]) is None


def test_memory_is_that_of_this_process(tmp_path: Path) -> None:
    taken = machine.memory_mb()
    assert taken is not None
    assert 10 < taken < 20_000
    assert machine.memory_mb(tmp_path) is None
    pi = Machine(tmp_path).file("proc/meminfo", "MemTotal: 8000000 kB\nMemAvailable:   97656 kB\n")
    assert found(pi.subject(), "memory_free").state is State.BAD


@pytest.mark.parametrize(
    ("host", "port", "url"),
    [
        ("127.0.0.1", 8080, "http://127.0.0.1:8080/"),
        ("0.0.0.0", 81, "http://127.0.0.1:81/"),
        ("::", 81, "http://127.0.0.1:81/"),
        ("192.168.1.7", 81, "http://192.168.1.7:81/"),
        ("fd00::7", 81, "http://[fd00::7]:81/"),
        ("127.0.0.1", 0, None),
    ],
)
def test_the_page_is_looked_for_where_the_settings_put_it(
    host: str, port: int, url: str | None
) -> None:
    assert page_url(Settings({"web.host": host, "web.port": port})) == url
