"""What others are shown of a die that has not changed is what it would be if it were made anew."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from vision_table import look

from vision.detections import BURNING, CUP
from vision.scene import SceneSettings, TableScene

PLACES = st.sampled_from([(100.0, 100.0), (101.0, 100.5), (180.0, 90.0), (240.0, 160.0)])
THINGS = st.lists(st.tuples(st.sampled_from([0, 4, BURNING, CUP]), PLACES), max_size=4)
STEPS = st.one_of(
    st.tuples(st.just("look"), THINGS),
    st.tuples(st.just("look"), st.just([(4, (100.0, 100.0)), (0, (180.0, 90.0))])),
    st.tuples(st.just("hold"), st.just(())),
    st.tuples(st.sampled_from(["counted", "stance", "outline"]), st.integers(0, 2)),
    st.tuples(st.just("resized"), st.sampled_from([14.0, 16.0, 18.0])),
)


def take(scene: TableScene, step: str, what: object, now_s: float) -> None:
    """One step of what happens to a scene; words go to all dice."""
    dice = [track.track_id for track in scene._dice]
    if step == "look":
        scene.update(look(*((class_id, *at) for class_id, at in what)), now_s)
    elif step == "hold":
        scene.hold(now_s)
    elif step == "resized":
        scene.resize_dice(what)
    elif step == "counted":
        scene.hear_second(dict.fromkeys(dice, np.eye(7, dtype=np.float32)[what]))
    else:
        hear = scene.hear_stance if step == "stance" else scene.hear_outline
        hear(dict.fromkeys(dice, np.eye(3, dtype=np.float32)[what] * 0.9 + 0.03))


@given(st.lists(STEPS, min_size=4, max_size=30))
def test_a_scene_shows_what_it_would_show_anew(steps):
    scene = TableScene(SceneSettings(born_looks=1, stance_reader=True))
    for number, (step, what) in enumerate(steps):
        take(scene, step, what, number / 10)
        shown = scene.state()
        for track in scene._dice:
            track.shown = None
        assert scene.state() == shown


def test_a_die_of_which_nothing_has_changed_is_not_made_again():
    scene = TableScene(SceneSettings(born_looks=1, stance_reader=True))
    for number in range(8):
        scene.update(look((4, 100, 100)), number / 10)
    (die,) = scene.hold(0.8).dice
    assert scene.hold(0.9).dice[0] is die
    scene.hear_outline({die.track_id: np.array([0.5, 0.25, 0.25], np.float32)})
    assert scene.hold(1.0).dice[0] is not die
