"""Scoring photographs: values as a whole, dice by their centres, both forms of labels."""

from pathlib import Path

import pytest
from PIL import Image

from device.errors import SourceError
from device.photo_labels import LabelledDie, describe, find_sources, load_photographs
from device.photo_score import (
    DieScore,
    PhotoScore,
    score,
    smallest_labelled_px,
    typical_read_px,
    unread,
)
from vision.reading import ReadDie

SIZE_PX = (1000, 500)


def die(value: int, x: float, y: float, side: float = 0.04) -> LabelledDie:
    return LabelledDie(value, (x, y), (side, side * 2))


def box(x: float, y: float, half: float = 20) -> tuple[float, float, float, float]:
    return (x - half, y - half, x + half, y + half)


def read(value: int, place: tuple[float, float, float, float], belief: float = 0.9) -> ReadDie:
    return ReadDie(value, belief, True, place)


def test_all_right_is_right() -> None:
    labelled = [die(6, 0.1, 0.2), die(2, 0.5, 0.5)]
    result = score(
        labelled, [read(2, box(500, 250)), read(6, box(100, 100))], size_px=SIZE_PX, sure=True
    )
    assert (result.labelled, result.dice_right) == (2, 2)
    assert (result.right, result.sure) == (True, True)
    assert not result.sure_but_wrong


def test_swapped_values_are_a_right_photograph_with_wrong_dice() -> None:
    labelled = [die(6, 0.1, 0.2), die(2, 0.5, 0.5)]
    result = score(
        labelled, [read(6, box(500, 250)), read(2, box(100, 100))], size_px=SIZE_PX, sure=False
    )
    assert (result.right, result.dice_right) == (True, 0)


def test_an_extra_die_spoils_the_photograph_but_not_the_dice() -> None:
    labelled = [die(6, 0.1, 0.2)]
    result = score(
        labelled, [read(6, box(100, 100)), read(1, box(900, 400))], size_px=SIZE_PX, sure=True
    )
    assert (result.right, result.dice_right, result.sure_but_wrong) == (False, 1, True)


def test_one_reading_counts_for_one_die_only() -> None:
    labelled = [die(3, 0.10, 0.2), die(3, 0.11, 0.2)]
    result = score(labelled, [read(3, box(105, 100))], size_px=SIZE_PX, sure=False)
    assert (result.right, result.dice_right) == (False, 1)


def test_a_label_of_the_pips_only_matches_by_distance() -> None:
    # The reading's box lies beside the labelled centre, but closer than half a labelled die.
    result = score(
        [die(4, 0.5, 0.5, side=0.1)], [read(4, box(540, 250, half=10))], size_px=SIZE_PX, sure=False
    )
    assert result.dice_right == 1


def test_without_places_values_are_compared() -> None:
    labelled = [LabelledDie(1), LabelledDie(1), LabelledDie(5)]
    result = score(labelled, [read(1, box(5, 5)), read(5, box(50, 5))], size_px=SIZE_PX, sure=False)
    assert (result.labelled, result.dice_right, result.right) == (3, 2, False)
    assert [d.found for d in result.dice] == ["matched", "missed", "matched"]


def test_each_die_is_told_with_its_side_and_place() -> None:
    labelled = [die(6, 0.1, 0.2), die(2, 0.5, 0.5, side=0.03)]
    dice = [read(5, box(100, 100), 0.8), read(1, box(900, 400, half=9), 0.4)]
    wrong, missed, false = score(labelled, dice, size_px=SIZE_PX, sure=False).dice
    assert wrong == DieScore(6, 5, 0.8, True, 40.0, box(100, 100))
    assert missed == DieScore(2, None, 0.0, False, 30.0, box(500, 250, half=15))
    assert false == DieScore(None, 1, 0.4, True, 18.0, box(900, 400, half=9))
    assert [d.found for d in (wrong, missed, false)] == ["matched", "missed", "false"]


def test_without_places_the_clearest_reading_of_a_value_counts() -> None:
    dice = [read(1, box(5, 5), 0.3), read(1, box(50, 5), 0.7)]
    one, false = score([LabelledDie(1)], dice, size_px=SIZE_PX, sure=False).dice
    assert (one.true, one.score, false.true, false.score) == (1, 0.7, None, 0.3)


def test_a_photograph_is_as_certain_as_its_weakest_die() -> None:
    dice = [read(1, box(5, 5), 0.3), read(1, box(50, 5), 0.7)]
    assert score([], dice, size_px=SIZE_PX, sure=False, chance=0.3).confidence == 0.3
    assert unread([LabelledDie(1)]).confidence == 0.0
    assert unread([LabelledDie(1)]) == PhotoScore((DieScore(1, None),))


def test_sides_of_boxes_around_dice_and_around_pips() -> None:
    wide = LabelledDie(4, (0.5, 0.5), (0.04, 0.02))
    assert wide.side_px(SIZE_PX) == pytest.approx(20.0)  # 40 x 10: the square of the same area
    assert LabelledDie(4, (0.5, 0.5), (0.04, 0.02), pips_only=True).side_px(SIZE_PX) == 48.0
    assert LabelledDie(1, (0.5, 0.5), (0.02, 0.04), pips_only=True).side_px(SIZE_PX) == 48.0
    assert LabelledDie(4).side_px(SIZE_PX) is None
    assert smallest_labelled_px([die(1, 0, 0, 0.05), wide, LabelledDie(2)], SIZE_PX) == 20.0
    assert smallest_labelled_px([LabelledDie(2)], SIZE_PX) is None
    sides = [read(1, box(50, 50, half=half)) for half in (2, 15, 16)]
    assert typical_read_px(sides) == 30.0
    assert typical_read_px([]) is None


def test_both_forms_of_labels_are_found(tmp_path: Path) -> None:
    for source in ("boxes", "lists"):
        (tmp_path / source / "images").mkdir(parents=True)
        for name in ("b.jpg", "a.jpg"):
            Image.new("RGB", (8, 8)).save(tmp_path / source / "images" / name)
    (tmp_path / "boxes" / "labels").mkdir()
    (tmp_path / "boxes" / "labels" / "a.txt").write_text(
        "5 0.5 0.25 0.1 0.2\n\n0 0.1 0.1 0.1 0.1\n"
    )
    (tmp_path / "lists" / "values.csv").write_text("file,values,note\nb.jpg,1 6,\n")
    (tmp_path / "boxes" / "meta.json").write_text('{"box": "only the PIPS", "images": 2}')
    (tmp_path / "other").mkdir()
    assert [s.name for s in find_sources(tmp_path)] == ["boxes", "lists"]
    assert find_sources(tmp_path / "lists") == [tmp_path / "lists"]
    (boxes,) = load_photographs(tmp_path / "boxes")
    assert boxes.dice == (
        LabelledDie(6, (0.5, 0.25), (0.1, 0.2), pips_only=True),
        LabelledDie(1, (0.1, 0.1), (0.1, 0.1), pips_only=True),
    )
    assert describe(tmp_path / "boxes")["images"] == "2"
    assert describe(tmp_path / "lists") == {}
    (lists,) = load_photographs(tmp_path / "lists")
    assert (lists.path.name, [d.value for d in lists.dice]) == ("b.jpg", [1, 6])


def test_bad_labels_name_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    (tmp_path / "labels").mkdir()
    Image.new("RGB", (8, 8)).save(tmp_path / "images" / "a.jpg")
    (tmp_path / "labels" / "a.txt").write_text("0 0.5 0.5 0.1 0.1\n6 0.5 0.5 0.1 0.1\n")
    with pytest.raises(SourceError, match=r"a\.txt, line 2 is no YOLO label: .*got 7"):
        load_photographs(tmp_path)


def test_a_damaged_description_is_named(tmp_path: Path) -> None:
    (tmp_path / "meta.json").write_text("[1")
    with pytest.raises(SourceError, match=r"meta\.json is no JSON object"):
        describe(tmp_path)


def test_a_folder_without_sources_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="holds no labelled photographs"):
        find_sources(tmp_path)
    with pytest.raises(SourceError, match="holds no labelled photographs"):
        find_sources(tmp_path / "none")


def test_the_shared_photographs_are_all_found(shared: Path) -> None:
    sources = {s.name: load_photographs(s) for s in find_sources(shared / "photos")}
    assert sum(len(photographs) for photographs in sources.values()) == 852
    assert sum(len(p.dice) for photographs in sources.values() for p in photographs) == 3824
