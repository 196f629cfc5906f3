"""Clips against their truth: what counts as right, asked, silently wrong, missed, invented."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

from device.errors import SourceError
from device.watch_bench import Clip, ClipResult, Load, clips_in, first_difference, read_clip
from device.watch_charts import delays_svg
from device.watch_report import FILES, markdown, per_type, summary, write_report
from device.watch_score import Entered, Hits, TrueThrow, judge, matched, owner, true_throws

TRUTH: list[dict[str, Any]] = [
    {"t_s": 2.0, "type": "cup_down", "seat": "A", "dice": [], "outside": []},
    {"t_s": 4.0, "type": "cup_up", "seat": "A", "dice": [], "outside": []},
    {"t_s": 5.2, "type": "throw_seen", "seat": "A", "dice": [6, 5, 2], "outside": [],
     "rest_s": 4.6},
    {"t_s": 8.0, "type": "cleared", "seat": "A", "dice": [], "outside": []},
    {"t_s": 9.5, "type": "cup_down", "seat": "B", "dice": [], "outside": []},
    {"t_s": 11.0, "type": "cup_up", "seat": "B", "dice": [], "outside": []},
    {"t_s": 12.0, "type": "tower", "seat": "B", "dice": [3], "outside": [], "rest_s": 11.5},
    {"t_s": 13.0, "type": "dice_kept", "seat": "B", "dice": [6], "outside": [6]},
    {"t_s": 14.0, "type": "round"},
]  # fmt: skip
THROWS = true_throws(TRUTH)
FIRST = Entered(5.0, "A", "throw_seen", (6, 5, 2), (), asked=False)
SECOND = Entered(12.0, "B", "tower", (3,), (), asked=False)


def verdicts(*entered: Entered, asked: tuple[tuple[float, str], ...] = ()) -> list[str]:
    return [verdict.verdict for verdict in judge(THROWS, entered, asked)[0]]


def test_a_truth_tells_its_throws() -> None:
    assert [
        TrueThrow("A", "throw_seen", (6, 5, 2), (), 4.0, 4.6),
        TrueThrow("B", "tower", (3,), (), 11.0, 11.5),
    ] == THROWS


def test_the_true_game_numbers_the_throws() -> None:
    game = [{"type": "thrown", "throw_no": 3}, {"type": "stopped"}, {"type": "burnt"}]
    assert [throw.number for throw in true_throws(TRUTH, game)] == [3, 0]


def test_a_throw_owns_the_time_until_the_next_cup_is_lifted() -> None:
    assert [owner(THROWS, at_s) for at_s in (0.0, 3.9, 4.0, 10.9, 99.0)] == [None, None, 0, 0, 1]


def test_what_was_entered_as_it_is_is_right() -> None:
    assert verdicts(FIRST, SECOND) == ["right", "right"]
    other_fault = replace(SECOND, kind="burning", dice=())
    (_, second), _ = judge(THROWS, [FIRST, other_fault], [])
    assert second.verdict == "right", "a burnt throw is repeated, whatever was wrong with it"
    assert not second.named


@pytest.mark.parametrize(
    "wrong",
    [
        replace(FIRST, player="B"),
        replace(FIRST, dice=(6, 5, 1)),
        replace(FIRST, outside=(6,)),
        replace(FIRST, kind="tower"),
        replace(FIRST, number=2),
    ],
)
def test_what_is_entered_otherwise_is_silently_wrong(wrong: Entered) -> None:
    assert verdicts(wrong, SECOND) == ["wrong", "right"]
    told = verdicts(replace(wrong, asked=True), SECOND, asked=((5.0, "?"),))[0]
    assert told == ("wrong" if wrong.player == "B" else "asked"), "nobody is asked who threw"


def test_a_fault_that_is_entered_as_a_throw_is_silently_wrong() -> None:
    assert verdicts(FIRST, replace(SECOND, kind="throw_seen"))[1] == "wrong"


def test_nothing_told_is_missed_and_a_question_is_no_miss() -> None:
    assert verdicts(SECOND) == ["missed", "right"]
    assert verdicts(SECOND, asked=((6.1, "values"),)) == ["asked", "right"]


def test_what_nobody_threw_is_invented() -> None:
    again = replace(FIRST, at_s=8.0)
    early = replace(FIRST, at_s=1.0)
    assert judge(THROWS, [early, FIRST, again, SECOND], [])[1] == [early, again]


def test_the_delay_counts_from_rest_in_sight_to_the_word() -> None:
    (first, second), _ = judge(THROWS, [FIRST, replace(SECOND, asked=True)], [(12.0, "?")])
    assert first.delay_s == pytest.approx(0.4)
    assert second.delay_s is None, "a question waits for a person"


def test_other_events_must_come_at_about_the_right_time_with_the_right_dice() -> None:
    told = [
        {"t_s": 2.3, "type": "cup_down", "dice": []},
        {"t_s": 6.0, "type": "cup_down", "dice": []},
        {"t_s": 4.2, "type": "cup_up", "dice": []},
        {"t_s": 13.1, "type": "dice_kept", "dice": [5]},
    ]
    hits = matched(TRUTH, told)
    assert hits["cup_down"] == Hits(1, 1, 1)
    assert hits["cup_up"] == Hits(1, 0, 1)
    assert hits["dice_kept"] == Hits(0, 1, 1)
    assert (hits["cup_down"].precision, hits["cleared"].precision) == (0.5, None)


def test_games_differ_in_the_first_entry_that_is_not_the_same() -> None:
    one = {"type": "thrown", "throw_id": 1, "dice": [6, 5, 2]}
    burnt = {"type": "burnt", "throw_id": 2, "dice": [], "burns": "tower"}
    assert not first_difference([one, burnt], [{**one, "throw_id": 9}, {**burnt, "dice": [1]}])
    assert first_difference([one], [{**one, "dice": [6, 5, 1]}]).startswith("entry 1:")
    assert "is missing" in first_difference([one, burnt], [one])
    assert "is too many" in first_difference([one], [one, burnt])


def result(*entered: Entered, disturbances: tuple[str, ...] = ()) -> ClipResult:
    clip = Clip(Path("clip.mp4"), tuple(TRUTH), "turnier", ("A", "B"), (), disturbances, 7)
    told, invented = judge(THROWS, entered, [])
    load = Load(frames=100, cpu_s=2.0, looks=50, looks_cpu_s=1.5, quiet=50, quiet_cpu_s=0.3,
                length_s=10.0)  # fmt: skip
    hits = matched(TRUTH, [])
    return ClipResult(clip, tuple(told), tuple(invented), hits, 0, "", load)


def test_the_report_tells_the_figures_in_all_and_per_disturbance(tmp_path: Path) -> None:
    wrong = result(replace(FIRST, player="B"), SECOND, disturbances=("glass",))
    results = [result(FIRST, SECOND), wrong]
    figures = summary(results)
    assert (figures["throws"], figures["right"], figures["silently_wrong"]) == (4, 3, 1)
    assert (figures["faults_noticed"], figures["wrong_seat"], figures["seeds"]) == (2, 1, [7])
    assert figures["delay_median_ms"] == 450
    assert figures["core"] == pytest.approx(0.2)
    assert figures["core_quiet"] == pytest.approx(0.06)
    assert per_type(results)["tower"] == Hits(2, 0, 0)
    write_report(tmp_path / "report", results)
    page, chart = ((tmp_path / "report" / name).read_text() for name in FILES)
    assert page == markdown(results)
    assert "| glass | 1 | 2 | 1 |" in page
    rows = [line for line in page.splitlines() if line.startswith("| clip")]
    cells = [cell.strip() for cell in rows[-1].split("|")]
    assert (cells[2], cells[5], cells[6]) == ("7", "shared", "glass")
    assert chart.startswith("<svg")
    assert delays_svg([]).endswith("</svg>\n")


def test_a_clip_needs_its_truth_and_its_game(tmp_path: Path, run: Run) -> None:
    with pytest.raises(SourceError, match="holds no clip"):
        clips_in(tmp_path)
    clip = tmp_path / "one.mp4"
    clip.write_bytes(b"")
    (tmp_path / ".two.part.mp4").write_bytes(b"")
    with pytest.raises(SourceError, match=r"one\.truth\.jsonl cannot be read"):
        clips_in(tmp_path)
    clip.with_suffix(".truth.jsonl").write_text(json.dumps(TRUTH[0]))
    with pytest.raises(SourceError, match=r"one\.game\.jsonl cannot be read"):
        read_clip(clip)
    game = [
        {"book": "turnier", "players": ["A", "B"]},
        {"type": "throw", "player": "A", "dice": [6, 5, 2]},
    ]
    clip.with_suffix(".game.jsonl").write_text("\n".join(map(json.dumps, game)))
    read = read_clip(clip)
    assert (read.name, read.book, read.players) == ("one", "turnier", ("A", "B"))
    assert [event["type"] for event in read.game] == ["thrown"]
    status, _, err = run("bench", "watch", tmp_path)
    assert status == 1
    assert "one.mp4" in err
