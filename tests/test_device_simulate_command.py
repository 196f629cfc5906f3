"""`schockauge simulate`: what may be asked for, and how many clips are planned."""

import json

import pytest

from device import simulate as simulate_module
from device.cli import build_parser
from device.commands import simulate as command
from device.errors import UsageError
from device.simulate import ExtraMissingError, Request, require_extra
from device.simulate_series import planned
from device.simulate_table import CAMERA_FOV_DEG


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"rounds": -1}, "--rounds"),
        ({"fps": 1.0}, "--fps"),
        ({"size_px": (961, 720)}, "--size"),
        ({"size_px": (96, 72)}, "--size"),
    ],
)
def test_senseless_requests_are_refused(tmp_path, wrong, complaint):
    with pytest.raises(UsageError, match=complaint):
        Request(out=tmp_path / "clip.mp4", **wrong)


def test_a_missing_extra_is_named_with_the_way_to_get_it(monkeypatch):
    monkeypatch.setattr(simulate_module, "EXTRA_PACKAGES", ("no_such_package",))
    with pytest.raises(ExtraMissingError, match=r"no_such_package.*schockauge\[sim\]"):
        require_extra()


def test_the_help_has_an_example_and_the_form_of_a_script(capsys):
    with pytest.raises(SystemExit) as done:
        build_parser().parse_args(["simulate", "--help"])
    assert done.value.code == 0
    text = capsys.readouterr().out
    assert "example:" in text
    assert '"burns": "tower"' in text


def test_a_size_that_is_none_is_bad_usage(capsys):
    with pytest.raises(SystemExit) as done:
        build_parser().parse_args(["simulate", "--out", "x.mp4", "--size", "big"])
    assert done.value.code == 2
    assert "WIDTHxHEIGHT" in capsys.readouterr().err


def test_a_missing_folder_is_bad_usage(tmp_path):
    words = ["simulate", "--out", str(tmp_path / "none" / "clip.mp4")]
    with pytest.raises(UsageError, match="does not exist"):
        command.run(build_parser().parse_args(words))


# --- many clips ----------------------------------------------------------------------------------


def test_a_series_has_all_books_with_all_numbers_of_players(tmp_path):
    clips = list(planned(tmp_path, 25, Request(out=tmp_path, seed=100)))
    pairs = {(clip.request.book, clip.request.players) for clip in clips}
    assert len(pairs) == 25
    assert len({clip.request.seed for clip in clips}) == 25
    first = clips[0]
    assert not first.is_there
    first.request.out.write_bytes(b"")
    first.write_about()
    assert first.is_there
    assert json.loads(first.about.read_text())["camera_fov_deg"] == CAMERA_FOV_DEG
    assert list(planned(tmp_path, 3, Request(out=tmp_path, seed=100))) == clips[:3]
    with pytest.raises(UsageError, match="--clips must be 1 to 1000, but got 0"):
        list(planned(tmp_path, 0, Request(out=tmp_path)))


def test_many_clips_need_a_folder(tmp_path, capsys):
    file = tmp_path / "clips"
    file.write_text("")
    args = build_parser().parse_args(["simulate", "--clips", "1", "--out", str(file)])
    with pytest.raises(UsageError, match="is a file; --clips needs a folder"):
        command.run(args)
    args = build_parser().parse_args(
        ["simulate", "--clips", "1", "--out", str(tmp_path), "--truth", str(tmp_path / "t")]
    )
    with pytest.raises(UsageError, match="--truth is for one game"):
        command.run(args)
