"""What counts as right, found, named and a false alarm, and how it is added up."""

import json
from typing import Any

import pytest

from device.throw_score import FAULTS, ThrowResult, as_markdown, counts, grouped, wilson


def throw(**changed: Any) -> ThrowResult:
    """A flat throw of 5 4 1 that was read right."""
    facts: dict[str, Any] = {
        "index": 0, "surface": "wood", "light": "dim", "heap": "plain", "faults": (),
        "values": (5, 4, 1), "die_mm": 16.0, "die_px": 35.2, "tilt_deg": 3.0,
        "told": ("throw_seen",), "read": (5, 4, 1),
    }  # fmt: skip
    return ThrowResult(**{**facts, **changed})


TOWER = {"heap": "tower", "faults": ("tower",), "values": (4,), "read": (4,)}
COCKED = {"heap": "cocked", "faults": ("burning",), "values": (4, 2), "read": (4, 2)}


def test_a_flat_throw_is_right_with_exactly_its_values() -> None:
    assert throw().right
    for read in ((5, 4, 2), (5, 4), (5, 4, 1, 1)):
        wrong = throw(read=read)
        assert wrong.sure_but_wrong
        assert not wrong.right
    unsure = throw(told=("unsure",), reason="values")
    assert [unsure.sure, unsure.right, unsure.sure_but_wrong, unsure.alarm] == [False] * 4


@pytest.mark.parametrize("lying", [TOWER, COCKED])
def test_a_throw_seen_where_a_die_does_not_lie_flat_is_wrong_whatever_it_says(
    lying: dict[str, Any],
) -> None:
    assert throw(**lying).sure_but_wrong


def test_a_fault_is_found_by_any_word_of_it_and_named_by_its_own() -> None:
    named = throw(**TOWER, told=("tower",))
    misnamed = throw(**TOWER, told=("burning",))
    asked = throw(**TOWER, told=("unsure",), reason="kind")
    missed = throw(**TOWER, told=("unsure",), reason="fewer")
    elsewhere = throw(**TOWER, told=("unsure",), reason="more")
    silent = throw(**TOWER, told=())
    said = (named, misnamed, asked, missed, elsewhere, silent)
    assert [r.alarm for r in said] == [1, 1, 1, 1, 0, 0]
    assert [r.named for r in said] == [1, 0, 0, 0, 0, 0]
    both = throw(**{**COCKED, "faults": FAULTS}, told=("tower", "burning"))
    assert both.named
    assert not throw(**{**COCKED, "faults": FAULTS}, told=("burning",)).named


def test_the_worst_answers_come_first() -> None:
    worst_first = [
        throw(read=(6, 6, 6)),
        throw(told=("burning",)),
        throw(**TOWER, told=()),
        throw(told=()),
        throw(told=("unsure",), reason="values"),
        throw(),
    ]
    assert [r.badness for r in worst_first] == [5, 4, 3, 2, 1, 0]
    assert [throw(**COCKED, told=(kind,)).badness for kind in FAULTS] == [1, 0]


def test_counts_are_kept_apart_for_flat_throws_and_faults() -> None:
    results = [
        throw(),
        throw(read=(5, 4, 2)),
        throw(told=("unsure",), reason="kind"),
        throw(told=("tower",)),
        throw(told=()),
        throw(**TOWER, told=("tower",)),
        throw(**COCKED, told=("unsure",), reason="kind"),
        throw(**COCKED, answer_s=3.0),
        throw(told=("unsure",), reason="values", answer_s=3.1),
        throw(told=(), answer_s=0.0, early=("burning",)),
    ]
    assert counts(results) == {
        "throws": 10, "flat": 7, "flat_sure": 2, "right": 1, "sure": 3, "sure_but_wrong": 2,
        "faulty": 3, "faulty_found": 2, "towers": 1, "towers_found": 1, "towers_named": 1,
        "burning": 2, "burning_found": 1, "burning_named": 0, "false_alarms": 2,
        "false_alarms_named": 1, "asked": 3, "early": 1, "late": 1, "unanswered": 2,
    }  # fmt: skip


def test_every_group_adds_up_to_all() -> None:
    results = [
        throw(index=i, surface=("wood", "felt")[i % 2], die_px=26.4 + 2 * i, tilt_deg=2.0 * i)
        for i in range(11)
    ]
    rows = grouped(results)
    for by in ("heap", "surface", "light", "die", "tilt"):
        assert sum(row["throws"] for row in rows if row["by"] == by) == 11
    assert [row["group"] for row in rows if row["by"] == "tilt"] == [
        "00–05 °", "05–10 °", "10–15 °", "15–20 °",
    ]  # fmt: skip


def test_the_table_names_every_group_and_survives_nothing() -> None:
    table = as_markdown([throw(), throw(light="glare")])
    assert "| light | glare | 1 |" in table
    assert "| values right, of the flat throws taken as sure | 2 of 2 | 100.00% |" in table
    assert "0 of 0" in as_markdown([])


def test_a_result_survives_json() -> None:
    result = throw(**COCKED, leaning_on=("tall",), cpu_s=0.5, early=("tower",))
    line = {**json.loads(json.dumps(result.to_json())), "later": 1}
    assert ThrowResult.from_json(line) == result


@pytest.mark.parametrize(
    ("part", "whole", "low", "high"),
    [(0, 0, 0.0, 1.0), (0, 100, 0.0, 0.0370), (100, 100, 0.9630, 1.0), (50, 100, 0.4038, 0.5962)],
)
def test_wilson_intervals(part: int, whole: int, low: float, high: float) -> None:
    assert wilson(part, whole) == pytest.approx((low, high), abs=1e-4)
