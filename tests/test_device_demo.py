"""The shipped demo: what the camera referee makes of the clip is what truly happens in it."""

from typing import Any

import cv2
import pytest
from selenium import webdriver
from shipped_demo import ShippedDemo

from device import demo_material
from device.game import Game
from device.pipeline import Pipeline
from device.store import MemoryLog
from vision.events import TableEvent

Entry = dict[str, Any]

EXPECTING_A_PLAYER = frozenset({"throw_seen", "tower", "burning", "off_mat"})

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (demo_material.FOLDER / "clip.mp4").exists(),
        reason="no clip is shipped with the demo yet",
    ),
]


@pytest.fixture
def log(shipped_demo: ShippedDemo) -> list[Entry]:
    return shipped_demo.log


@pytest.fixture(scope="module")
def truth() -> list[Entry]:
    return demo_material.truth()


def data(log: list[Entry], *types: str) -> list[Entry]:
    return [entry["data"] | {"type": entry["type"]} for entry in log if entry["type"] in types]


def test_the_clip_is_h264_and_complete() -> None:
    capture = cv2.VideoCapture(str(demo_material.clip()))
    codec = int(capture.get(cv2.CAP_PROP_FOURCC)).to_bytes(4, "little").decode()
    announced = int(capture.get(cv2.CAP_PROP_FRAME_COUNT))
    read = 0
    while capture.grab():
        read += 1
    capture.release()
    assert codec.lower() in ("h264", "avc1")
    assert read == announced > 100


def test_every_throw_has_the_true_seat_and_values(log: list[Entry], truth: list[Entry]) -> None:
    burns = ("tower", "burning", "off_mat")
    true = [
        (line["seat"], line["dice"], line["outside"])
        if line["type"] == "throw_seen"
        else (line["seat"], line["type"])
        for line in truth
        if line["type"] in ("throw_seen", *burns)
    ]
    played = [
        (event["player"], event["dice"], event["outside"])
        if event["type"] == "thrown"
        else (event["player"], event["burns"])
        for event in data(log, "thrown", "burnt")
    ]
    assert len(true) >= 6
    assert played == true


def test_what_was_put_aside_and_turned_is_true(log: list[Entry], truth: list[Entry]) -> None:
    def told(kind: str) -> list[tuple[str, list[int]]]:
        return [(line["seat"], line["dice"]) for line in truth if line["type"] == kind]

    kept = [(event["player"], event["dice"]) for event in data(log, "kept")]
    turned = [(event["player"], [1] * event["count"]) for event in data(log, "turned")]
    # After a last throw the rules end the turn; what is swept aside then is no move any more.
    assert turned == told("turned")
    assert [move for move in told("dice_kept") if move in kept] == kept


def check_rounds(log: list[Entry], truth: list[Entry]) -> None:
    """Every settlement of the log is the true one: ranking, winner, loser, Deckel, stock."""
    true = [line for line in truth if line["type"] == "round"]
    settled: list[Entry] = []
    for event in data(log, "opening_settled", "round_settled", "deckel_moved"):
        if event["type"] == "deckel_moved":
            settled[-1] |= {"stock": event["stock"], "holdings": event["holdings"]}
        else:
            settled.append(dict(event))
    assert len(true) >= 2, "the demo shows the opening and at least one round"
    assert [r["ranking"] for r in settled] == [r["ranking"] for r in true]
    assert [(r["winner"], r["loser"]) for r in settled] == [(r["winner"], r["loser"]) for r in true]
    assert [(r["stock"], r["holdings"]) for r in settled] == [
        (r["deckel"]["stock"], r["deckel"]["holdings"]) for r in true
    ]


def test_every_round_has_the_true_ranking_and_deckel(log: list[Entry], truth: list[Entry]) -> None:
    check_rounds(log, truth)


def test_the_true_table_events_lead_to_the_true_deckel(truth: list[Entry]) -> None:
    """Without clip and model: what the camera should say, through pipeline and rules."""
    told = MemoryLog()
    game = Game(told, book="turnier", players=["A", "B", "C"], clock=lambda: 0.0)
    pipeline = Pipeline(game)
    for line in truth:
        if line["type"] == "round":
            continue
        t_s = line["t_s"]
        dice, outside = tuple(line["dice"]), tuple(line["outside"])
        assert line["type"] not in EXPECTING_A_PLAYER or line["seat"] == game.player, line
        pipeline.receive(TableEvent(t_s, line["type"], None, dice, outside, True, t_s, t_s))
    entries = [entry.to_json() for entry in told.read(limit=100_000)]
    check_rounds(entries, truth)
    test_nothing_was_refused_and_nobody_had_to_be_asked(entries)


def test_nothing_was_refused_and_nobody_had_to_be_asked(log: list[Entry]) -> None:
    assert not data(log, "refused")
    assert not data(log, "question.asked")


def test_the_deckel_move_on_the_page(
    chromium: webdriver.Chrome, shipped_demo: ShippedDemo, truth: list[Entry]
) -> None:
    begun, *moved = shipped_demo.shown
    assert sum(begun.values()) == 0, f"loaded too late to see anything change: {begun}"
    rounds = [line["deckel"] for line in truth if line["type"] == "round"]
    assert rounds[0]["holdings"] in moved
