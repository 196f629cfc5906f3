"""The simulated table with physics and pictures: the director's truth, and the clip."""

import json
from collections import Counter
from itertools import islice, pairwise
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from lab_director import FPS, SHARED, directed

from device.errors import SourceError, UsageError
from device.simulate import Request, simulate
from device.simulate_disturbances import Disturbed
from device.simulate_game import letters, play, play_script
from device.simulate_live import SimulatedTable
from device.simulate_play import Director
from device.simulate_table import MAT_SIZE_MM, TableFrame, plan_of
from models.lab.physics_world import tilt_and_up_axis
from rules.actions import ThrowDice
from vision.detections import CLASS_NAMES, Detections
from vision.scene import SceneSettings, TableScene
from vision.throws import ThrowTracker

PX_PER_MM = 2.2


def seen(frame: TableFrame, layouts) -> Detections:
    """What a perfect detector finds: hidden under cup, hand or another die is not seen."""
    boxes, classes = [], []

    def add(name, centre, half):
        middle = np.array([centre[0] + MAT_SIZE_MM[0] / 2, MAT_SIZE_MM[1] / 2 - centre[1]])
        boxes.append(np.concatenate([middle - half, middle + half]) * PX_PER_MM)
        classes.append(CLASS_NAMES.index(name))

    for die in frame.dice:
        place = die.position_mm
        above = [
            other
            for other in frame.dice
            if other.position_mm[2] > place[2] + 12
            and np.linalg.norm(other.position_mm[:2] - place[:2]) < 16
        ]
        hands = [hand for hand in frame.hands if not hand.holds_cup]
        if above or any(np.linalg.norm(hand.tips_mm[:2] - place[:2]) < 60 for hand in hands):
            continue
        if any(np.linalg.norm((cup.position_mm - place)[:2]) < 44 for cup in frame.cups):
            continue
        tilt, up_axis = tilt_and_up_axis(die.rotation)
        name = str(layouts[die.die][up_axis])
        add("burning" if tilt > 8 else "tower" if place[2] > 20 else name, place, 9)
    for cup in frame.cups:
        add("cup", cup.position_mm, 44)
    if not boxes:
        return Detections.empty()
    return Detections(
        np.array(boxes, np.float32), np.full(len(boxes), 0.95, np.float32), np.array(classes)
    )


@pytest.mark.parametrize("seed", [207, 79, 2])
def test_a_perfect_detector_finds_the_truth(seed):
    director = directed(seed)
    scene = TableScene(SceneSettings(second_reader=False))
    tracker = ThrowTracker()
    found = []
    for number, frame in enumerate(director.stage.frames):
        busy = bool(frame.hands)
        state = scene.update(seen(frame, director.layouts), number / FPS, busy=busy)
        found += [event.to_json() for event in tracker.receive(state)]
    truth = [line for line in director.stage.truth.lines if line["type"] != "round"]

    def told(line):
        return line["type"], line["dice"], line["outside"], line["sure"]

    assert [told(line) for line in found] == [told(line) for line in truth]
    late_s = [f["t_s"] - t["t_s"] for f, t in zip(found, truth, strict=True)]
    assert min(late_s) > -0.6
    assert max(late_s) < 1.2


def test_the_truth_knows_from_when_on_dice_lie_still_in_sight():
    lines = directed(207).stage.truth.lines
    up_s, waits_s = 0.0, []
    for line in lines:
        if line["type"] == "cup_up":
            up_s = line["t_s"]
        elif "rest_s" in line:
            waits_s.append(line["rest_s"] - up_s)
            assert up_s < line["rest_s"] < line["t_s"]
    assert len(waits_s) >= 6
    assert min(waits_s) > 0.1
    assert max(waits_s) < 1.5, "a cup is taken away in a second"


def test_directing_twice_gives_the_same_frames():
    first, second = (directed(3, 0) for _ in range(2))
    assert first.stage.truth.lines == second.stage.truth.lines
    assert len(first.stage.frames) == len(second.stage.frames)
    for a, b in zip(first.stage.frames, second.stage.frames, strict=True):
        assert [d.position_mm.tolist() for d in a.dice] == [d.position_mm.tolist() for d in b.dice]


def test_dice_never_jump_and_the_mat_is_bare_between_turns():
    director = directed(79)
    last = {}
    for frame in director.stage.frames:
        if not frame.dice:
            last = {}
        for die in frame.dice:
            if die.die in last:
                assert np.linalg.norm(die.position_mm - last[die.die]) < 90, "mm in a frame"
            last[die.die] = die.position_mm
    for line in director.stage.truth.lines:
        if line["type"] == "cleared":
            frame = director.stage.frames[round(line["t_s"] * FPS) - 1]
            assert (frame.dice, frame.cups, frame.hands) == ((), (), ())


def test_a_small_clip_plays_from_beginning_to_end(tmp_path):
    script = tmp_path / "game.jsonl"
    script.write_text(
        '{"book": "turnier", "players": ["A", "B"]}\n'
        '{"type": "throw", "player": "A", "dice": [6, 5, 2]}\n',
        encoding="utf-8",
    )
    out, truth = tmp_path / "clip.mp4", tmp_path / "truth.jsonl"
    counted = []

    def progress(frames, total):
        counted.append(total)
        return frames

    request = Request(out=out, truth=truth, script=script, fps=5.0, size_px=(160, 120))
    summary = simulate(request, progress=progress)
    with av.open(str(out)) as container:
        stream = container.streams.video[0]
        assert (stream.codec_context.name, stream.codec_context.pix_fmt) == ("h264", "yuv420p")
        assert (stream.width, stream.height, stream.average_rate) == (160, 120, 5)
        frames = sum(1 for _ in container.decode(stream))
    assert counted == [frames] == [summary.frames]
    lines = [json.loads(line) for line in truth.read_text(encoding="utf-8").splitlines()]
    assert [line["type"] for line in lines] == ["cup_down", "cup_up", "throw_seen", "cleared"]
    assert lines[2]["dice"] == [6, 5, 2]
    assert {line["seat"] for line in lines} == {"A"}
    assert not list(tmp_path.glob(".*")), "nothing unfinished is left"


# --- seats and disturbances ----------------------------------------------------------------------


def test_at_seats_everybody_shakes_at_once_and_dice_lie_until_the_round_is_over():
    director = directed(3, 1, layout="seats")
    lines = director.stage.truth.lines
    rounds = [number for number, line in enumerate(lines) if line["type"] == "round"]
    first = lines[: rounds[0]]
    assert {(line["type"], line["seat"]) for line in first[:3]} == {
        ("cup_down", "A"), ("cup_down", "B"), ("cup_down", "C")
    }  # fmt: skip
    assert first[3]["type"] == "cup_up", "nobody lifts before all have shaken"
    together = [frame for frame in director.stage.frames if len(frame.cups) == 3]
    assert together
    lying = [{die.die // 3 for die in frame.dice} for frame in director.stage.frames]
    assert {0, 1, 2} in lying, "all dice lie there at the end of a round"
    cleared = [line for line in lines if line["type"] == "cleared"]
    assert Counter(line["seat"] for line in cleared) == {"A": 2, "B": 2, "C": 2}
    assert all(len({die.die for die in frame.dice}) == len(frame.dice) for frame in together)


def test_a_die_falls_off_the_mat_and_all_are_thrown_anew():
    script = [ThrowDice("A", (), "off_mat"), ThrowDice("A", (6, 5, 2))]
    for layout in ("shared", "seats"):
        director = Director(plan_of(letters(2), layout), FPS, np.random.default_rng(4))
        director.play(play_script("turnier", letters(2), script))
        told = [line["type"] for line in director.stage.truth.lines]
        assert told[:4] == ["cup_down", "cup_up", "off_mat", "cleared"]
        assert told[4:] == ["cup_down", "cup_up", "throw_seen", "cleared"]
        fell = director.stage.truth.lines[2]
        frame = director.stage.frames[round(fell["t_s"] * FPS)]
        half = np.array(director.plan.mat_size_mm) / 2
        off = [(np.abs(die.position_mm[:2]) > half).any() for die in frame.dice]
        assert sum(off) == 1


def test_no_script_lets_dice_fall_off_that_the_cup_is_put_over():
    script = [ThrowDice("A", (), "tower"), ThrowDice("A", (), "off_mat")]
    director = Director(plan_of(letters(2), "shared"), FPS, np.random.default_rng(4))
    with pytest.raises(SourceError, match=r"A's dice lie on the mat"):
        director.play(play_script("turnier", letters(2), script))


def test_arms_and_things_have_no_part_in_the_game():
    calm = directed(3, 0)
    busy = directed(3, 0, disturbed=Disturbed(("arms", "things"), 9))
    without = [{**line, "t_s": 0, "rest_s": 0} for line in calm.stage.truth.lines]
    assert [{**line, "t_s": 0, "rest_s": 0} for line in busy.stage.truth.lines] == without
    assert max(len(frame.hands) for frame in calm.stage.frames) == 1
    assert max(len(frame.hands) for frame in busy.stage.frames) == 2
    assert {len(frame.things) for frame in busy.stage.frames} == {2, 3}


def test_who_peeks_half_hides_a_die_before_the_dice_are_in_sight():
    first = directed(3, 0).stage.truth.lines
    peeking = Director(SHARED, FPS, np.random.default_rng([3, 1]), peeks=1.0)
    peeking.play(play("turnier", letters(3), seed=3, rounds=0))
    waits = [
        [line["rest_s"] - up["t_s"] for up, line in pairwise(lines) if "rest_s" in line]
        for lines in (first, peeking.stage.truth.lines)
    ]
    assert np.median(waits[1]) > np.median(waits[0]) + 0.7


def test_lost_frames_are_gone_and_late_ones_come_in_order():
    lost = Disturbed(("lost_frames",), 3).stamps(600, FPS)
    assert 10 < lost.count(None) < 200
    late = Disturbed(("late_frames",), 3).stamps(600, FPS)
    assert None not in late
    behind = np.array(late) - np.arange(600) / FPS
    assert (np.diff(late) > 0).all()
    assert behind.min() >= 0
    assert behind.max() > 0.1
    assert Disturbed((), 3).stamps(3, FPS) == [0.0, 1 / FPS, 2 / FPS]


def test_a_table_played_at_without_end_forgets_what_was_shown_and_time_goes_on():
    request = Request(out=Path(), players=2, seed=3, rounds=None, fps=5.0, size_px=(160, 120))
    with SimulatedTable(request) as table:
        stage = table._table.director.stage
        times, most = [], 0
        for frame in islice(table, 120):
            times.append(frame.taken_at_s)
            most = max(most, len(stage.frames))
    np.testing.assert_allclose(np.diff(times), 0.2)
    assert most < 80, "frames of one move at a time"
    assert len(stage.truth.lines) < 20


def test_a_still_is_the_picture_of_the_clip_at_this_time(tmp_path):
    small = {"size_px": (320, 240), "rounds": 0, "players": 2, "seed": 3}
    simulate(Request(out=tmp_path / "clip.mp4", **small))
    with av.open(str(tmp_path / "clip.mp4")) as clip:
        frames = [frame.to_ndarray(format="bgr24") for frame in clip.decode(video=0)]
    simulate(Request(out=tmp_path / "still.png", still_s=4.0, **small))
    still = cv2.imread(str(tmp_path / "still.png"))
    away = [cv2.norm(still, frame, cv2.NORM_L1) / still.size for frame in frames]
    assert away[60] < 4, "grain and compression"
    assert min(away) == pytest.approx(away[60], abs=0.3)
    with pytest.raises(UsageError, match=r"--still must be 0 to .* but got 999"):
        simulate(Request(out=tmp_path / "late.png", still_s=999.0, **small))
    with pytest.raises(UsageError, match="--out must end with"):
        Request(out=tmp_path / "x.mp4", still_s=1.0)
