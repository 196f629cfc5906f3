"""Which version a name stands for, and systemd's file for it: what fails leaves a good one."""

from pathlib import Path

import pytest

from device.errors import SchockaugeError
from device.releases import fit_service
from device.settings import Settings
from device.update import Plan, _take_over

ONCE = "test ! -e {flag} && touch {flag}"


class Folder:
    """Version one runs, and zero did before it; each has a service file of its own."""

    def __init__(self, root: Path) -> None:
        self.root, self.unit = root, root / "schockauge.service"
        self.one, self.two = (self.make(name) for name in ("one", "two"))
        (root / "current").symlink_to(self.one)
        (root / "previous").symlink_to(self.make("zero"))
        self.unit.write_text("# of one")
        self.said: list[str] = []

    def make(self, name: str) -> Path:
        release = self.root / name
        (release / "install").mkdir(parents=True)
        (release / "install" / "schockauge.service").write_text(f"# of {name}")
        return release

    def plan(self, reload: str) -> Plan:
        settings = Settings({"web.port": 0})
        return Plan(
            self.root, settings, None, ("false",), say=self.said.append,
            unit=self.unit, reload=("sh", "-c", reload),
        )  # fmt: skip

    def names(self) -> tuple[str, str]:
        current, previous = self.root / "current", self.root / "previous"
        return current.resolve().name, previous.resolve().name


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def test_a_service_file_that_systemd_does_not_read_is_put_back(folder: Folder) -> None:
    with pytest.raises(SchockaugeError, match=r"cannot be renewed for two"):
        fit_service(folder.unit, ("false",), folder.two)
    assert folder.unit.read_text() == "# of one"


def test_a_service_file_that_cannot_be_renewed_changes_no_version(folder: Folder) -> None:
    with pytest.raises(SchockaugeError, match=r"cannot be renewed for two"):
        _take_over(folder.plan("false"), folder.two, 0)
    assert folder.names() == ("one", "zero"), "and --rollback still finds a good one"


def test_a_version_is_taken_back_although_its_service_file_cannot_be(folder: Folder) -> None:
    reload = ONCE.format(flag=folder.root / "flag")
    with pytest.raises(SchockaugeError, match=r"two does not get ready"):
        _take_over(folder.plan(reload), folder.two, 0)
    assert folder.names() == ("one", "zero")
    assert any("cannot be renewed for one" in said for said in folder.said)
