"""What Prometheus reads: its own parser understands it, and no player is in it."""

import re
from pathlib import Path

from health_fakes import Machine, Time
from prometheus_client.parser import text_string_to_metric_families
from test_device_health_vitals import Play

from device.health.checks import CHECKS
from device.health.monitor import Monitor
from device.health.state import State
from device.health.vitals import Vitals

BASE_UNITS = ("seconds", "bytes", "celsius", "entries", "per_second")
WITHOUT_UNIT = {
    "weights_intact", "under_voltage", "throttled", "log_writable", "clock_synchronised",
    "hub_connected", "file_system_errors",
}  # fmt: skip


def read(monitor: Monitor) -> dict[str, dict[tuple[tuple[str, str], ...], float]]:
    """Samples by name and labels, as Prometheus reads them."""
    text, kind = monitor.metrics()
    assert kind.startswith("text/plain; version=0.0.4")
    samples: dict[str, dict[tuple[tuple[str, str], ...], float]] = {}
    for family in text_string_to_metric_families(text.decode()):
        assert family.documentation, family.name
        for sample in family.samples:
            labels = tuple(sorted(sample.labels.items()))
            assert labels not in samples.setdefault(sample.name, {}), "told twice"
            samples[sample.name][labels] = sample.value
    return samples


def test_values_are_in_base_units(tmp_path: Path) -> None:
    pi = Machine(tmp_path).zone("cpu-thermal", 61_500)
    pi.file("proc/meminfo", "MemAvailable: 1000 kB\n").says("vcgencmd", "throttled=0x50000")
    samples = read(Monitor(pi.running(time=Time())))
    assert samples["schockauge_cpu_temperature_celsius"] == {(): 61.5}
    assert samples["schockauge_memory_available_bytes"] == {(): 1_024_000}
    assert samples["schockauge_under_voltage"] == {(): 1}
    assert samples["schockauge_log_writable"] == {(): 1}
    assert "schockauge_resident_memory_bytes" not in samples, "nothing is told of the unknown"


def test_every_check_has_one_state_and_only_one(tmp_path: Path) -> None:
    samples = read(Monitor(Machine(tmp_path).running(time=Time())))
    states = samples["schockauge_check_state"]
    for check in CHECKS:
        told = {state: states[(("check", check.key), ("state", state))] for state in State}
        assert sum(told.values()) == 1.0, check.key
    assert states[(("check", "power"), ("state", "unknown"))] == 1.0


def test_names_follow_the_conventions() -> None:
    names = [check.metric.name for check in CHECKS if check.metric is not None]
    assert len(names) == len(set(names))
    for name in names:
        assert re.fullmatch(r"[a-z][a-z_]*", name), name
        assert name.endswith(BASE_UNITS) or name in WITHOUT_UNIT, name


def test_readings_are_a_histogram_and_pictures_a_counter(tmp_path: Path) -> None:
    play = Play()
    monitor = Monitor(Machine(tmp_path).subject(time=play.time, vitals=play.vitals))
    play.run(play.frames(30), takes_s=0.12)
    samples = read(monitor)
    assert samples["schockauge_camera_frames_total"] == {(): 30}
    assert samples["schockauge_read_seconds_count"] == {(): 30}
    below = samples["schockauge_read_seconds_bucket"]
    assert (below[(("le", "0.1"),)], below[(("le", "0.15"),)]) == (0, 30)


def test_two_tables_in_one_process_do_not_mix(tmp_path: Path) -> None:
    time = Time()
    first, second = (
        Monitor(Machine(tmp_path).subject(time=time, vitals=Vitals(time))) for _ in range(2)
    )
    assert first.vitals is not second.vitals
    list(first.vitals.frames(iter([])))
    assert read(first).keys() == read(second).keys()
