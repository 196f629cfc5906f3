"""Labels put right: what a table of errata may say, and what it does to a photograph."""

from pathlib import Path

import pytest

from device.errors import SourceError
from device.photo_errata import Erratum, load_errata, put_right
from device.photo_labels import LabelledDie, Photograph

HEAD = "source,file,x,y,labelled,shows\n"
TWO = LabelledDie(2, (0.3, 0.4), (0.1, 0.1))
OTHER_TWO = LabelledDie(2, (0.7, 0.4), (0.1, 0.2))
PHOTO = Photograph(Path("photos/pub/images/a.jpg"), (TWO, OTHER_TWO))


def errata(tmp_path: Path, *rows: str) -> Path:
    file = tmp_path / "errata.csv"
    file.write_text(HEAD + "".join(row + "\n" for row in rows), encoding="utf-8")
    return file


def test_the_label_at_that_place_is_put_right_and_no_other(tmp_path: Path) -> None:
    table = load_errata(errata(tmp_path, "pub,a.jpg,0.701,0.399,2,3"))
    assert table == {("pub", "a.jpg"): [Erratum((0.701, 0.399), 2, 3)]}
    assert [die.value for die in put_right("pub", PHOTO, table).dice] == [2, 3]
    assert PHOTO.dice == (TWO, OTHER_TWO), "the labels themselves stay"


def test_a_die_without_a_label_gets_one_as_large_as_the_others(tmp_path: Path) -> None:
    table = load_errata(errata(tmp_path, "pub,a.jpg,0.5,0.6,,6"))
    added = put_right("pub", PHOTO, table).dice[2]
    assert (added.value, added.centre) == (6, (0.5, 0.6))
    assert added.side == pytest.approx((0.1, 0.15))


def test_other_photographs_stay_as_they_are(tmp_path: Path) -> None:
    table = load_errata(errata(tmp_path, "pub,b.jpg,0.5,0.6,,6", "home,a.jpg,0.3,0.4,2,3"))
    assert put_right("pub", PHOTO, table) == PHOTO


@pytest.mark.parametrize("row", ["0.3,0.4,5,6", "0.5,0.4,2,3"], ids=["value", "place"])
def test_errata_of_other_labels_are_refused(tmp_path: Path, row: str) -> None:
    table = load_errata(errata(tmp_path, f"pub,a.jpg,{row}"))
    with pytest.raises(SourceError, match=r"a\.jpg: the errata speak of a label .* there is none"):
        put_right("pub", PHOTO, table)


@pytest.mark.parametrize(
    "row",
    ["pub,a.jpg,0.3,0.4,2,7", "pub,a.jpg,0.3,0.4,2,", "pub,a.jpg,left,0.4,2,3", "pub,a.jpg,0.3"],
)
def test_a_row_that_says_nothing_is_named_with_its_line(tmp_path: Path, row: str) -> None:
    with pytest.raises(SourceError, match=r"errata\.csv, line 3 is no row of source,file,x,y"):
        load_errata(errata(tmp_path, "pub,b.jpg,0.5,0.6,,6", row))


def test_a_table_that_is_missing_or_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot be read as a table of errata"):
        load_errata(tmp_path / "nowhere.csv")
    (tmp_path / "picture.csv").write_bytes(b"\xff\xd8\xff\xe0" * 9)
    with pytest.raises(SourceError, match="cannot be read as a table of errata"):
        load_errata(tmp_path / "picture.csv")


def test_the_shipped_table_is_readable() -> None:
    shipped = load_errata(Path(__file__).parents[1] / "docs" / "eye" / "label_errata.csv")
    assert sum(map(len, shipped.values())) == 12
