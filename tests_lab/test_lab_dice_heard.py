"""What the table knew of single dice of the benchmark of throws."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from models.lab.dice_heard import DieHeard, as_markdown, heard, read_heard
from models.lab.physics import make_bank
from models.lab.stance_set import numbers
from models.lab.throw_scenes import MARGIN_MM, PX_PER_MM, compose_throw
from vision.table import DieReading, SceneState, TableDie


def lying_so(kind: str, looks: float, outline: float | None = 0.9) -> DieHeard:
    def word(flat: float | None) -> tuple[float, ...]:
        return () if flat is None else (flat, 0.0, 1 - flat)

    both = looks if outline is None else (looks + outline) / 2
    return DieHeard(kind, 0.0, 6, 6, 0.99, word(both), word(looks), word(outline))


def test_words_on_single_dice_are_compared_where_all_have_spoken(tmp_path: Path) -> None:
    flat = [lying_so("flat", 0.8 + 0.0001 * n, 0.9) for n in range(1000)]
    leaning = [lying_so("burning", 0.95, 0.2), lying_so("burning", 0.2, 0.95)]
    silent = [lying_so("burning", 0.99, None), lying_so("tower", 0.95)]
    looks, outline, both = as_markdown([*flat, *leaning, *silent]).splitlines()[2:]
    assert looks.split("|")[2].strip() == "1 + 1"
    assert outline.split("|")[2].strip() == "1 + 1"
    assert both.split("|")[2].strip() == "0 + 1"
    file = tmp_path / "throws.jsonl"
    line = {"index": 7, "dice": [asdict(die) for die in leaning]}
    file.write_text(json.dumps(line) + '\n{"index": 8, "di\n{"index": 9}\n')
    assert read_heard(file) == {7: leaning, 9: []}


def test_each_die_is_known_as_the_table_has_it(tmp_path: Path) -> None:
    index = next(numbers(("tower",)))
    throw = compose_throw(make_bank(tmp_path / "bank.npz", count=100, seed=4), 5, index)
    reading = DieReading((0.0, 0.0), 3, 0.8, False, (), (), (0.7, 0.2, 0.1), (0.6, 0.3, 0.1))
    dice = []
    for die in throw.composed.scene.dice:
        x, y = (np.array(throw.to_view(*die.position_mm[:2])) / PX_PER_MM - MARGIN_MM).tolist()
        here = replace(reading, position_mm=(x, y))
        dice.append(
            TableDie(
                1, "die", (x, y), (x - 8, y - 8, x + 8, y + 8), True, 0.0, True, True, True, True,
                here, (1 / 6,) * 6,
            )
        )  # fmt: skip
    known = heard(throw, SceneState(1.0, tuple(dice)))
    assert Counter(die.kind for die in known)["tower"] == 1, "the lower one is hidden"
    assert {(die.read, die.stands) for die in known} == {(3, (0.7, 0.2, 0.1))}
    assert all(die.outline == () for die in known)
    assert heard(throw, SceneState(1.0)) == []
