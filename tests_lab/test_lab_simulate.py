"""The simulated table with physics and pictures: the director's truth, and the clip."""

import json

import av
import numpy as np
import pytest

from device.simulate import Request, simulate
from device.simulate_game import letters, play
from device.simulate_play import Director
from device.simulate_render import TableRenderer, merged
from device.simulate_table import MAT_SIZE_MM, TableFrame, to_table
from models.lab.physics_world import tilt_and_up_axis
from vision.calibration import calibrate_from_markers
from vision.detections import CLASS_NAMES, Detections
from vision.scene import SceneSettings, TableScene
from vision.throws import ThrowTracker

FPS = 15.0
PX_PER_MM = 2.2


def directed(seed=207, rounds=None, fps=FPS):
    director = Director(letters(3), fps, np.random.default_rng([seed, 1]))
    for move in play("turnier", letters(3), seed=seed, rounds=rounds):
        director.show(move)
    return director


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
        hand = frame.hand is not None and not frame.hand.holds_cup
        if above or (hand and np.linalg.norm(frame.hand.tips_mm[:2] - place[:2]) < 60):
            continue
        if frame.cup is not None and np.linalg.norm((frame.cup.position_mm - place)[:2]) < 44:
            continue
        tilt, up_axis = tilt_and_up_axis(die.rotation)
        name = str(layouts[die.die][up_axis])
        add("burning" if tilt > 8 else "tower" if place[2] > 20 else name, place, 9)
    if frame.cup is not None:
        add("cup", frame.cup.position_mm, 44)
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
    for number, frame in enumerate(director.frames):
        busy = frame.hand is not None
        state = scene.update(seen(frame, director.layouts), number / FPS, busy=busy)
        found += [event.to_json() for event in tracker.receive(state)]
    truth = [line for line in director.truth.lines if line["type"] != "round"]

    def told(line):
        return line["type"], line["dice"], line["outside"], line["sure"]

    assert [told(line) for line in found] == [told(line) for line in truth]
    late_s = [f["t_s"] - t["t_s"] for f, t in zip(found, truth, strict=True)]
    assert min(late_s) > -0.6
    assert max(late_s) < 1.2


def test_the_truth_knows_from_when_on_dice_lie_still_in_sight():
    lines = directed(207).truth.lines
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
    assert first.truth.lines == second.truth.lines
    assert len(first.frames) == len(second.frames)
    for a, b in zip(first.frames, second.frames, strict=True):
        assert [d.position_mm.tolist() for d in a.dice] == [d.position_mm.tolist() for d in b.dice]


def test_dice_never_jump_and_the_mat_is_bare_between_turns():
    director = directed(79)
    last = {}
    for frame in director.frames:
        if not frame.dice:
            last = {}
        for die in frame.dice:
            if die.die in last:
                assert np.linalg.norm(die.position_mm - last[die.die]) < 90, "mm in a frame"
            last[die.die] = die.position_mm
    for line in director.truth.lines:
        if line["type"] == "cleared":
            frame = director.frames[round(line["t_s"] * FPS) - 1]
            assert frame == TableFrame() or not (frame.dice or frame.cup or frame.hand)


def test_only_what_changed_is_rendered_and_nothing_is_forgotten():
    director = directed(3, 0)
    frames = director.frames[:: round(FPS / 3)][3:12]
    size = (240, 180)
    stepwise = TableRenderer(size, seed=1, layouts=director.layouts)
    for frame in frames:
        picture = stepwise.picture(frame)
    at_once = TableRenderer(size, seed=1, layouts=director.layouts).picture(frames[-1])
    difference = np.abs(picture.astype(int) - at_once.astype(int)).max(axis=2)
    assert (difference > 40).mean() < 0.002, "grain differs, things do not"


def test_the_rendered_mat_can_be_calibrated_by_its_markers():
    picture = TableRenderer((960, 720), seed=1, layouts=[]).picture(TableFrame())
    mat = calibrate_from_markers(picture)
    from device.simulate_look import CAMERA

    for point in ((0, 0), (420, 0), (420, 315), (0, 315), (210, 157.5)):
        expected = CAMERA.project(to_table(point)[None], (960, 720))[0]
        assert np.linalg.norm(mat.to_px([point])[0] - expected) < 1.5, "pixels"


def test_rectangles_that_overlap_become_one():
    assert merged([(0, 0, 4, 4), (10, 10, 12, 12), (3, 3, 11, 11)]) == [(0, 0, 12, 12)]
    assert len(merged([(0, 0, 4, 4), (4, 0, 8, 4)])) == 2


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
