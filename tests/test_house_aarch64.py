"""A Raspberry Pi compiles nothing: of every locked package there is a wheel that it runs."""

from pathlib import Path

import pytest
from aarch64_wheels import PYTHONS, Wheel, read_table, tags, wanted
from packaging.utils import parse_wheel_filename


@pytest.fixture(params=PYTHONS)
def python(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def table(root: Path, python: str) -> dict[str, Wheel]:
    wheels = read_table(root / "requirements" / "aarch64.json")
    return {wheel.package: wheel for wheel in wheels if wheel.python == python}


def test_every_locked_package_has_a_wheel_for_a_pi(
    root: Path, python: str, table: dict[str, Wheel]
) -> None:
    """Where this fails after `make lock`: make the table anew (tests/aarch64_wheels.py)."""
    packages = wanted(root, python)
    assert {"openvino", "opencv-python-headless", "numpy", "simplejpeg", "psycopg"} <= set(packages)
    assert set(table) == set(packages)
    for name, locked in packages.items():
        assert table[name].version == locked.version, name
        assert table[name].sha256 in locked.hashes, f"{table[name].file} is not in the lock"


def test_the_wheels_run_there(python: str, table: dict[str, Wheel]) -> None:
    fitting = tags(python)
    for wheel in table.values():
        name, version, _, marked = parse_wheel_filename(wheel.file)
        assert (str(name), str(version)) == (wheel.package, wheel.version)
        assert marked & fitting, f"{wheel.file} does not run on Python {python} on aarch64"


def test_a_wheel_of_another_machine_would_be_noticed(python: str) -> None:
    short = python.replace(".", "")
    for file in (
        f"numpy-2.5.5-cp{short}-cp{short}-manylinux_2_28_x86_64.whl",
        "numpy-2.5.5-cp312-cp312-manylinux_2_28_aarch64.whl",
        f"numpy-2.5.5-cp{short}-cp{short}-manylinux_2_42_aarch64.whl",
        f"numpy-2.5.5-cp{short}-cp{short}-linux_armv7l.whl",
    ):
        assert not parse_wheel_filename(file)[3] & tags(python)
