"""Overlays: what was read and what lies on a watched mat, drawn into the picture."""

import numpy as np
import pytest
from vision_fakes import ColourFinder, ColourNamer, ColourReader, table_picture
from vision_filmed import THROW, frame, watcher

from vision.annotate import SURE, Annotator, annotate_reading, annotate_scene
from vision.reader import PhotoReader

pytestmark = pytest.mark.usefixtures("colours_as_they_are")


def test_drawing_chains_and_leaves_the_picture_alone():
    picture = table_picture(300, 200)
    before = picture.copy()
    annotator = Annotator(picture)
    drawn = annotator.mark((20, 60, 60, 100), "6", SURE).mark((100, 5, 150, 60), "cup", SURE)
    assert drawn is annotator
    assert (picture == before).all()
    assert (annotator.picture[60, 30] == SURE.colour).all()


def test_overlays_show_every_thing_that_was_read():
    picture = frame([*THROW, ("tower", 60, 250), ("burning", 250, 250)], cup=(330, 200))
    reading = PhotoReader(ColourFinder(), ColourNamer(), ColourReader(), clock=lambda: 0.0).read(
        picture
    )
    assert len(reading.dice) + len(reading.towers) + len(reading.burning) + len(reading.cups) == 6
    overlay = annotate_reading(picture, reading)
    assert overlay.shape == picture.shape
    for thing in (*reading.dice, *reading.towers, *reading.burning, *reading.cups):
        left, top, right, bottom = (round(side) for side in thing.box)
        part = np.s_[top - 3 : bottom + 3, left - 3 : right + 3]
        assert (overlay[part] != picture[part]).any()


def test_overlays_of_a_watched_mat():
    eye = watcher()
    eye.receive(frame(THROW), 0.0)
    moving = annotate_scene(eye.view, eye.state, scale_px_per_mm=2.2, margin_mm=12)
    for number in range(1, 12):
        eye.receive(frame(THROW), number / 10)
    sure = annotate_scene(eye.view, eye.state, scale_px_per_mm=2.2, margin_mm=12)
    corner = tuple(round((v + 12) * 2.2) for v in (100, 92))
    assert (moving != sure).any()
    assert (sure[corner[1] - 2 : corner[1] + 3, corner[0]] == SURE.colour).all(axis=1).any()
