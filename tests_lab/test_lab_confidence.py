"""Fitting without a source: what its own labels say has no say in how it is judged."""

import pickle
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from device.photo_faults import AS_IT_IS, FAULTS
from device.photo_labels import LabelledDie, Photograph
from models.lab import confidence
from models.lab.seen import Seen, shown_as
from models.lab.seen import seen as look
from vision import reader
from vision.votes import Cluster

SIZE_PX = (200, 100)


def seen(source: str, number: int, *, labelled: int, side_px: float = 40) -> Seen:
    """One die that everybody calls a three, the clearer the higher its number (0..9)."""
    clear = 0.6 + 0.04 * number
    names = np.full((1, 9), (1 - clear) / 8, np.float32)
    opinions = np.full((1, 7), (1 - clear) / 6, np.float32)
    names[0, 2] = opinions[0, 2] = clear
    box = np.array([50, 30, 50 + side_px, 30 + side_px], np.float32)
    cluster = Cluster([box] * 4, [0.9] * 4, [0] * 4, [0, 1, 2, 3])
    centre = ((50 + side_px / 2) / SIZE_PX[0], (30 + side_px / 2) / SIZE_PX[1])
    label = LabelledDie(labelled, centre, (side_px / SIZE_PX[0], side_px / SIZE_PX[1]))
    photo = Photograph(Path(f"{source}_{number}.jpg"), (label,))
    said = reader.Testimony(names, np.array([True]), opinions, opinions)
    return Seen(source, photo, [cluster], said, True, SIZE_PX)


def source(name: str, wrong_below: int) -> list[Seen]:
    return [seen(name, number, labelled=2 if number < wrong_below else 3) for number in range(10)]


def chances(pictures: list[Seen], name: str) -> list[float]:
    return [row[1] for row in confidence.left_out(pictures, 0.0) if row[0] == name]


def test_a_source_is_judged_by_what_the_others_teach() -> None:
    others = source("inn", 3) + source("pub", 4)
    honest, lying = source("bar", 3), source("bar", 9)
    assert chances(others + honest, "bar") == chances(others + lying, "bar")
    assert chances(others + honest, "inn") != chances(others + lying, "inn")


def test_small_dice_are_left_out_of_the_figures_and_not_of_the_fit() -> None:
    small = [seen("bar", number, labelled=3, side_px=20) for number in range(10)]
    pictures = source("inn", 3) + source("pub", 4) + small
    assert [row[0] for row in confidence.left_out(pictures, 24)].count("bar") == 0
    assert confidence.left_out(pictures, 24) == [
        row for row in confidence.left_out(pictures, 0) if row[0] != "bar"
    ]


def test_spoilt_photographs_move_the_bound_and_nothing_else() -> None:
    pictures = source("inn", 3) + source("pub", 4)
    spoilt = [replace(seen("inn", 9, labelled=2), fault="dark")]
    plain, with_spoilt = confidence.chosen(pictures), confidence.chosen(pictures + spoilt)
    assert (plain.die, plain.value) == (with_spoilt.die, with_spoilt.value)
    assert with_spoilt.sure > plain.sure
    left_out = confidence.left_out(pictures + spoilt, 0.0)
    assert len(left_out) == len(pictures), "the figures are of photographs as they are"


def test_faults_go_round() -> None:
    shown = [shown_as(number, 2) for number in range(len(FAULTS))]
    assert all(kinds[0] == AS_IT_IS and len(set(kinds)) == 3 for kinds in shown)
    assert Counter(kind for _, *kinds in shown for kind in kinds) == dict.fromkeys(FAULTS, 2)
    assert shown_as(5, 0) == [AS_IT_IS]


def test_words_that_were_kept_for_another_question_are_refused(tmp_path: Path) -> None:
    cache = tmp_path / "words.pkl"
    bare = source("inn", 3)
    cache.write_bytes(pickle.dumps(bare))
    assert len(look(tmp_path, cache=cache)) == len(bare)
    with pytest.raises(ValueError, match="spoilt in 0 ways, but 1 are asked for"):
        look(tmp_path, ways=1, cache=cache)
    cache.write_bytes(pickle.dumps(bare + [replace(one, fault="dark") for one in bare]))
    assert len(look(tmp_path, ways=1, cache=cache)) == 2 * len(bare)
    with pytest.raises(ValueError, match="spoilt in 1 ways, but 0 are asked for"):
        look(tmp_path, cache=cache)


def test_sure_keeps_a_margin_from_the_riskiest_wrong_photograph() -> None:
    row = ("inn", 0.9, False, True, 1, 0)
    assert confidence.sure_from([row]) == pytest.approx(0.925)
    assert confidence.sure_from([("inn", 0.99, True, True, 1, 1)]) == confidence.LEAST_SURE
    unsure = replace(confidence.fitted(source("inn", 3) + source("pub", 4)), sure=1.0)
    assert not any(row[3] for row in confidence.judged(source("bar", 3), unsure))
