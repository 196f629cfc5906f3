"""A painted game through a camera that misbehaves: faults are shown, nothing false is entered."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from device_table import PaintedTable, paint, stand_in

from device import bootstrap
from device.appliance import Appliance
from device.faults import FAULTS
from device.settings import Settings
from device.sources import Frame, HostileSource, Missing, Reopening, VideoSource, plan_from

TRUE = [[6, 5, 2], [6, 5, 1]]


@pytest.fixture
def appliance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    stand_in(monkeypatch)
    built = bootstrap.build(
        Settings({"store.path": str(tmp_path / "evening.sqlite3"), "store.evidence_dir": ""})
    )
    yield built
    built.close()


@pytest.fixture(scope="module")
def slow_clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A and B throw: cups at 1 and 9 s, lifted at 2 and 10, dice gone at 3.8 and 11.8 s."""
    table = PaintedTable()
    table.hold(1.0)
    table.throw(*TRUE[0])
    table.hold(4.2)
    table.throw(*TRUE[1])
    table.hold(2.2)
    return table.write(tmp_path_factory.mktemp("clip") / "slow.avi")


def data(appliance: Appliance, *types: str) -> list[dict[str, Any]]:
    return [entry.data for entry in appliance.log.read(limit=100_000) if entry.type in types]


def play(appliance: Appliance, plan: str, clip: Path) -> Iterable[Frame | Missing]:
    hostile = HostileSource(plan_from(plan), VideoSource(clip))
    with Reopening(lambda: hostile, sleep=lambda s: None) as source:
        appliance.play(source, live=True)
    return source


def faults(appliance: Appliance) -> list[tuple[str, str]]:
    entries = appliance.log.read(limit=100_000)
    return [
        (entry.type, entry.data["what"])
        for entry in entries
        if entry.type in ("fault", "fault_over")
    ]


def thrown(appliance: Appliance) -> list[list[int]]:
    return [throw["dice"] for throw in data(appliance, "thrown")]


def test_a_camera_with_grain_and_no_fault_plays_the_game(
    appliance: Appliance, slow_clip: Path
) -> None:
    play(appliance, "", slow_clip)
    assert thrown(appliance) == TRUE
    assert faults(appliance) == []


SHOWN = {
    "freeze": "frozen",
    "black": "black",
    "unplug": "camera",
    "swap": "order",
    "resize=482x362": "resized",
    "corrupt": "hidden",
}


@pytest.mark.usefixtures("small_as_an_appliance")
@pytest.mark.parametrize("kind", SHOWN)
def test_between_two_throws_every_fault_is_shown_and_mends_itself(
    appliance: Appliance, slow_clip: Path, kind: str
) -> None:
    """Not quite two seconds on a bare mat: nobody has to be asked."""
    play(appliance, f"{kind}@5+1.8", slow_clip)
    what = SHOWN[kind]
    # A picture that gets its old size back has changed its size twice.
    times = 2 if what == "resized" else 1
    assert faults(appliance) == [("fault", what), ("fault_over", what)] * times
    assert thrown(appliance) == TRUE
    assert data(appliance, "question.asked") == []
    fault = data(appliance, "fault")[0]
    assert 4.8 <= fault["t_s"] <= 6.5
    assert (fault["text_de"], fault["text_en"]) == FAULTS[what]
    assert appliance.app.test_client().get("/healthz").get_json()["status"] == "ok"


@pytest.mark.parametrize("kind", ["drop", "slow=3"])
def test_pictures_that_stay_away_are_noticed_by_their_times(
    appliance: Appliance, slow_clip: Path, kind: str
) -> None:
    """From before the second cup until its dice are gone: the throw is asked about."""
    play(appliance, f"{kind}@8+5", slow_clip)
    assert thrown(appliance) == TRUE[:1]
    asked = data(appliance, "question.asked")
    assert [question["player"] for question in asked] == ["B"]
    assert "nicht gesehen" in asked[0]["reason"]


@pytest.mark.parametrize(
    ("kind", "start_s"),
    [("freeze", 8.2), ("black", 9.5), ("freeze", 10.2), ("corrupt", 10.2), ("unplug", 11.2)],
)
def test_a_throw_that_falls_into_a_fault_is_a_question_or_right(
    appliance: Appliance, slow_clip: Path, kind: str, start_s: float
) -> None:
    """Before the cup, while covered, after the lift, while open: three seconds of fault."""
    play(appliance, f"{kind}@{start_s}+3", slow_clip)
    entered = thrown(appliance)
    assert entered == TRUE[: len(entered)]
    if len(entered) < len(TRUE):
        assert data(appliance, "question.asked")[0]["player"] == "AB"[len(entered)]
    assert [kind for kind, _ in faults(appliance)].count("fault") >= 1
    assert faults(appliance)[-1][0] == "fault_over"


def test_the_answer_to_the_question_lets_the_game_go_on(
    appliance: Appliance, slow_clip: Path
) -> None:
    play(appliance, "unplug@8+5", slow_clip)
    question = appliance.pipeline.open_question
    assert question is not None
    appliance.pipeline.submit(
        {
            "type": "answer_question",
            "question_id": question["question_id"],
            "by": "B",
            "dice": [6, 5, 1],
        }
    )
    assert thrown(appliance) == TRUE


def test_the_same_watcher_and_game_go_on_across_an_outage(
    appliance: Appliance, slow_clip: Path
) -> None:
    made: list[Frame] = []
    make = appliance.make_watcher
    appliance.make_watcher = lambda frame: (made.append(frame), make(frame))[1]
    play(appliance, "unplug@1.5+1,unplug@5+1,unplug@9.5+1", slow_clip)
    assert len(made) == 1
    assert thrown(appliance) == TRUE
    assert [what for what, _ in faults(appliance)] == ["fault", "fault_over"] * 3


@pytest.mark.parametrize("start_s", [5.0, 2.9, 9.4])
def test_a_bumped_camera_goes_on_by_itself_in_every_phase(
    appliance: Appliance, slow_clip: Path, start_s: float
) -> None:
    """On a bare mat, beside open dice, over a cup: everything lies where it lay on the mat."""
    play(appliance, f"bump=20x-14x1@{start_s}", slow_clip)
    assert thrown(appliance) == TRUE
    assert data(appliance, "question.asked") == []
    fault, over = data(appliance, "fault", "fault_over")
    assert fault["what"] == over["what"] == "moved"
    assert fault["t_s"] == pytest.approx(start_s, abs=0.15)
    # 24 px at 2 px a millimetre, and a turn by one degree.
    assert over["shift_mm"] == pytest.approx(12.2, abs=2)
    page = appliance.app.test_client().get("/").get_data(as_text=True)
    assert "verrutschte Matte oder Kamera" in page


def test_a_bump_that_swings_back_is_no_fault(appliance: Appliance, slow_clip: Path) -> None:
    play(appliance, "bump=14x9@5+0.6", slow_clip)
    assert faults(appliance) == []
    assert thrown(appliance) == TRUE


def test_a_mat_that_nothing_shows_the_place_of_is_said_to_be_so(
    appliance: Appliance, slow_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.watching.DriftWatch.can_tell", property(lambda self: False))
    with VideoSource(slow_clip) as source:
        appliance.play(source)
    assert faults(appliance) == [("fault", "drift")]
    assert thrown(appliance) == TRUE


def test_a_mat_that_comes_late_is_waited_for(
    appliance: Appliance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A camera that shows no mat for long is a fault, not the end."""
    clip = tmp_path / "late.avi"
    size = (920, 710)
    writer = cv2.VideoWriter(str(clip), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, size)
    empty, mat = np.full((*size[::-1], 3), 120, np.uint8), paint([], cup=False)
    for number in range(80):
        writer.write(empty if number < 65 else mat)
    writer.release()
    monkeypatch.setattr("device.watching.CALIBRATION_TRIES", 50)
    play(appliance, "", clip)
    assert faults(appliance) == [("fault", "mat"), ("fault_over", "mat")]
