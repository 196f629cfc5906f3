"""A picture whose holder is unknown: what reads otherwise upside down is asked about."""

from dataclasses import dataclass

import numpy as np
import pytest
from test_vision_reader import Torn, reader
from vision_fakes import ColourReader, draw, table_picture

from vision import testimony

UPPER, LOWER = slice(18, 23), slice(41, 46)
"""Rows of a crop (64 px) where the die's upper and lower edge are."""

pytestmark = pytest.mark.usefixtures("colours_as_they_are")


@dataclass
class TwoFaced(ColourReader):
    """Sees another value where what is dark on a die lies below."""

    upended: int = 4

    def probabilities(self, crops_bgr: np.ndarray) -> np.ndarray:
        words = super().probabilities(crops_bgr)
        for row, crop in zip(words, crops_bgr, strict=True):
            if crop[LOWER, 24:40].mean() < crop[UPPER, 24:40].mean() - 20:
                row[:] = (1 - self.certainty) / 6
                row[self.upended - 1] = self.certainty
        return words


@pytest.mark.parametrize(
    ("counter", "sure"),
    [(TwoFaced(upended=4), False), (TwoFaced(upended=5), True), (TwoFaced(upended=3), True)],
)
def test_a_value_that_both_readers_may_mean_upside_down_is_asked_about(counter, sure):
    image = table_picture(800, 600)
    draw(image, 5, 420, 300, 80)
    image[266:280, 390:450] = (0, 30, 190)  # darker above: that is how it was held
    torn = Torn(certainty=0.99, fives={3: 0.35, 4: 0.64})
    reading = reader(namer=torn, second=counter).read(image)
    assert [(die.value, die.sure) for die in reading.dice] == [(5, sure)]
    assert reading.sure == sure


@pytest.mark.parametrize(("counted", "doubt"), [(0.9, True), (0.2, False)])
def test_each_reader_has_to_give_the_other_value_its_part(counted, doubt):
    names, upended = np.zeros((1, 9), np.float32), np.zeros((1, 7), np.float32)
    names[0, [0, 3]] = 0.7, 0.2
    upended[0, [0, 3]] = 1 - counted, counted
    said = testimony.Testimony(names, np.array([True]), np.zeros((1, 7), np.float32), upended)
    assert (0.2 * counted >= testimony.OTHERWISE_READ) == doubt
    assert testimony.reads_otherwise(said, 0, value_id=0) == doubt
