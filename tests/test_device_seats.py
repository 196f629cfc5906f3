"""Seats from the settings and the command line to the watcher, the log and the pictures."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import pytest
from conftest import Run
from device_help import lines
from device_table import share_no_networks
from test_vision_watcher_seats import FPS, MAT, SIZE_PX, TURN, SeatsFilm, later
from vision_fakes import ColourDetector, ColourReader
from vision_seats import MAT_MM

from device import bootstrap, bootstrap_readers, places
from device.appliance import Appliance
from device.errors import SettingsError
from device.seat_plan import seat_plan
from device.settings import Settings, load_settings
from device.sources import VideoSource
from vision.annotate import FAULT, SEAT, annotate_seats
from vision.calibration_file import to_toml
from vision.errors import SeatsError
from vision.table import SceneState
from web_ui.errors import ActionRefused

SEATS = {"table.layout": "seats", "table.mat_width_mm": MAT_MM[0], "table.mat_height_mm": MAT_MM[1]}


@pytest.fixture
def film(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, colours_as_they_are: None
) -> tuple[Path, Path]:
    """A clip of two who throw at once, and the calibration of its mat."""
    share_no_networks(monkeypatch)
    for name, fake in (("detector", ColourDetector), ("second_reader", ColourReader)):
        monkeypatch.setattr(bootstrap_readers, name, lambda settings, fake=fake: fake())
    monkeypatch.setattr(bootstrap_readers, "stance_reader", lambda settings: None)
    clip, mat = tmp_path / "seats.avi", tmp_path / "mat.toml"
    mat.write_text(to_toml(MAT))
    scenes = SeatsFilm(2)
    script = {"A": TURN[:2], "B": [TURN[0], *later(TURN[1:2], 1.5)]}
    writer = cv2.VideoWriter(str(clip), cv2.VideoWriter.fourcc(*"MJPG"), FPS, SIZE_PX)
    for number in range(6 * FPS):
        writer.write(scenes.frame(script, number / FPS, None))
    writer.release()
    return clip, mat


@pytest.fixture
def evening(film: tuple[Path, Path], tmp_path: Path) -> Iterator[Appliance]:
    """A table at whose mat Anna and Bert sit."""
    paths = {"store.path": str(tmp_path / "log.sqlite3"), "store.evidence_dir": str(tmp_path)}
    players = {"game.players": ["Anna", "Bert"], "table.mat_file": str(film[1])}
    appliance = bootstrap.build(Settings({"table.layout": "seats", **players, **paths}))
    yield appliance
    appliance.close()


def throws_told(appliance: Appliance) -> list[dict[str, Any]]:
    return [entry.data for entry in appliance.log.read() if entry.type == "table.throw_seen"]


def test_watch_tells_whose_throw_it_is(run: Run, film: tuple[Path, Path]) -> None:
    clip, mat = film
    status, out, err = run("watch", clip, "--mat", mat, "--seats", "Anna, Bert", "--json")
    assert status == 0, err
    throws = [line for line in lines(out) if line["type"] == "throw_seen"]
    assert [(line["seat"], line["dice"]) for line in throws] == [
        ("Anna", [6, 5, 2]),
        ("Bert", [6, 5, 2]),
    ]
    status, out, _ = run("watch", clip, "--mat", mat, "--seats", "Anna,Bert")
    assert "Bert       throw_seen 6 5 2" in out


@pytest.mark.parametrize(
    ("words", "status", "text"),
    [
        (["--seats", "A,B,C"], 1, "no room for a cup of 88 mm on a mat of 420 x 315 mm"),
        (["--seats", "A"], 1, "2 to 8 seats, but got 1: A"),
        (["--seats", "A,A", "--mat-size", "600x450"], 1, "expected different names"),
        (["--seats", "A,,B"], 2, "'A,,B' lacks a name"),
        (["--seats", "A,B", "--mat-size", "600"], 2, "'600' is no size"),
    ],
)
def test_seats_that_cannot_be_are_refused_before_the_source_is_opened(
    run: Run, words: list[str], status: int, text: str
) -> None:
    told, _, err = run("watch", "no-such-clip.mp4", *words)
    assert told == status
    assert text in err


def test_seats_of_an_evening_are_its_players_and_stills_tell_of_their_own_dice(
    film: tuple[Path, Path], evening: Appliance
) -> None:
    with VideoSource(film[0]) as source:
        evening.play(source)
    told = throws_told(evening)
    assert [throw["seat"] for throw in told] == ["Anna", "Bert"]
    assert [len(throw["lying"]["dice"]) for throw in told] == [3, 3]
    boxes = [throw["lying"]["dice"][0]["box"] for throw in told]
    assert boxes[0][1] > boxes[1][1], "Anna sits below, Bert above"


def test_seats_are_of_those_with_whom_a_game_is_begun_while_the_camera_watches(
    film: tuple[Path, Path], evening: Appliance
) -> None:
    start = {"type": "start_game", "book": "turnier", "by": "Ute"}

    def frames(source: VideoSource) -> Iterator[Any]:
        for number, frame in enumerate(source):
            if number == 3:
                evening.pipeline.submit(start | {"players": ["Dora", "Emil"]})
            yield frame

    with pytest.raises(ActionRefused, match="2 to 8 seats"):
        evening.pipeline.submit(start | {"players": list("ABCDEFGHI")})
    with VideoSource(film[0]) as source:
        evening.play(frames(source))
    assert [throw["seat"] for throw in throws_told(evening)] == ["Dora", "Emil"]


def test_seats_that_the_settings_name_stay_where_they_are() -> None:
    settings = Settings({**SEATS, "table.seats": ["Anna", "Bert", "Cem"]})

    def names(*players: str) -> list[str]:
        return [seat.name for seat in places.seats(settings, players=players)]

    assert names("Cem", "Anna") == ["Anna", "Bert", "Cem"]
    assert names("Cem", "Dora") == ["Cem", "Dora"]


def test_settings_say_who_sits_where(tmp_path: Path) -> None:
    assert places.seats(Settings()) == ()
    names = [seat.name for seat in places.seats(Settings({**SEATS, "table.seat_aside_mm": 70}))]
    assert names == ["A", "B", "C"]
    path = tmp_path / "table.toml"
    path.write_text(
        '[table]\nlayout = "seats"\nseats = ["Änne", "Bert"]\nseat_angles_deg = [90, 270.5]\n'
        "mat_width_mm = 600\nmat_height_mm = 450\n"
    )
    left, right = places.seats(load_settings(path))
    assert (left.name, right.name) == ("Änne", "Bert")
    assert left.towards == pytest.approx((-1, 0))
    assert right.towards[0] > 0.99
    with pytest.raises(SettingsError, match="a list of numbers"):
        Settings({"table.seat_angles_deg": ["left"]})
    with pytest.raises(SeatsError, match="no room for a cup"):
        bootstrap.build(Settings({"table.layout": "seats", "store.path": str(tmp_path / "log")}))
    assert not (tmp_path / "log").exists()


def test_the_preview_of_a_calibration_shows_the_seats() -> None:
    seats = places.seats(Settings(SEATS))
    film = SeatsFilm(3)
    film.play({}, until_s=0)
    view = film.eye.view
    assert view is not None
    states = [SceneState(0.0, busy=True), SceneState(0.0), SceneState(0.0)]
    known = {"scale_px_per_mm": MAT.scale_px_per_mm, "margin_mm": film.eye.settings.margin_mm}
    plain, drawn = (
        annotate_seats(view, seats, **known),
        annotate_seats(view, seats, states, **known),
    )
    assert not (plain == FAULT.colour).all(axis=2).any()
    red = (drawn == FAULT.colour).all(axis=2)
    height = red.shape[0]
    assert red[height // 2 + 20 :].any(), "a hand is at the first seat, at the lower edge"
    assert not red[: height // 4].any()
    assert (drawn[: height // 4] == SEAT.colour).all(axis=2).any()


def test_the_picture_of_the_seats_is_the_one_in_the_docs(root: Path) -> None:
    assert (root / "docs" / "seats.svg").read_text(encoding="utf-8") == seat_plan()
