"""The plug pulled while a settings file is changed: the old file or the new one, never half."""

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from test_device_settings_file import path

from device.settings import load_settings, settings_of
from device.settings_file import SettingsFile

__all__ = ["path"]


CHANGING = """
import sys, itertools
from pathlib import Path
from device.settings_file import SettingsFile
file = SettingsFile(Path(sys.argv[1]))
print("ready", flush=True)
for n in itertools.count(9000):
    file.change({"web.port": 9000 + n % 1000, "web.table_name": "x" * (n % 500)}, by=str(n), at_s=n)
"""


@pytest.mark.slow
def test_a_plug_that_is_pulled_at_any_moment_leaves_a_whole_file(path: Path) -> None:
    """What was written before is there, too: the version that is noted last, or the one before."""
    chance = random.Random(7)
    words = [sys.executable, "-c", CHANGING, str(path)]
    for _ in range(10):
        with subprocess.Popen(words, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            try:
                process.wait(chance.uniform(0.01, 0.3))
            except subprocess.TimeoutExpired:
                process.kill()
        settings = load_settings(path)
        assert path.read_text(encoding="utf-8").startswith("# Unser Tisch")
        file = SettingsFile(path)
        kept = [load(file.version(version.number), path) for version in file.versions()]
        assert dict(settings) in kept[:2] or not kept
        file.change({"web.language": "en"}, by="after", at_s=5.0)
        file.change({"web.language": "de"}, by="after", at_s=5.0)
    assert len(file.versions()) > 10


def load(content: bytes, path: Path) -> dict[str, object]:
    return dict(settings_of(content, path))


class Cut(BaseException):
    """The power is gone."""


@pytest.mark.parametrize("point", range(14))
def test_power_that_goes_at_any_step_leaves_the_old_file_or_the_new_one(
    path: Path, monkeypatch: pytest.MonkeyPatch, point: int
) -> None:
    SettingsFile(path).change({"web.port": 9000}, by="Wirt", at_s=5.0)
    before = path.read_bytes()
    steps = iter(range(1000))

    def cut(step: Callable[..., Any]) -> Callable[..., Any]:
        def carried_out(*args: Any) -> Any:
            if next(steps) == point:
                raise Cut
            return step(*args)

        return carried_out

    with monkeypatch.context() as cutting:
        cutting.setattr(os, "fsync", cut(os.fsync))
        cutting.setattr(Path, "replace", cut(Path.replace))
        try:
            SettingsFile(path).change({"web.port": 9001}, by="Wirt", at_s=6.0)
        except Cut:
            pass
        else:
            assert point >= 9, "there are nine steps: three files, each flushed, named, flushed"
    assert path.read_bytes() in (before, before.replace(b"9000", b"9001"))
    SettingsFile(path).change({"web.port": 9002}, by="Wirt", at_s=7.0)
    assert load_settings(path)["web.port"] == 9002
    assert before in [SettingsFile(path).version(v.number) for v in SettingsFile(path).versions()]
