"""What the pages of the tournament are given: tables, what they ask for, evidence, incidents."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hall_play import NAMES, HallInMemory

from device.faults import FAULTS
from device.hub.files import Files
from device.hub.front import Front
from device.rehearsal import Organiser
from device.store import EventLog
from vision.events import TableEvent
from web_ui.errors import ActionRefused
from web_ui.tournament_ports import LastThrow

PICTURE = b"a picture of dice"
DIGEST = hashlib.sha256(PICTURE).hexdigest()


class Hubbed:
    """A hall in memory with its front, and what it has sent."""

    def __init__(self, folder: Path, tables: int = 2) -> None:
        self.hall = HallInMemory(tables)
        self.now_s = 0.0
        self.wanted: list[tuple[str, str]] = []
        self.asked: list[tuple[str, Mapping[str, Any], str]] = []
        self.states: dict[str, Mapping[str, Any]] = {}
        self.faults: list[Mapping[str, Any]] = []
        want = lambda table, digest: self.wanted.append((table, digest))  # noqa: E731
        self.files = Files(folder, want, lambda: self.now_s)
        self.front = Front(
            self.hall.hall,
            self.hall.feed,  # type: ignore[arg-type]
            self,
            lambda name: self.states.get(name, {}),
            lambda table, action, by: self.asked.append((table, action, by)),
            self.files,
            lambda: self.faults,
            self.hall.clock,
        )

    def log(self, log_id: str) -> EventLog:
        logs = [table.log for table in self.hall.tables.values()]
        return next(log for log in logs if log.read(0, 1)[0].hash == log_id)

    def begin(self) -> None:
        self.hall.open("werl", NAMES[:8])
        self.hall.do("draw_round")
        self.hall.bring()


@pytest.fixture
def hubbed(tmp_path: Path) -> Hubbed:
    return Hubbed(tmp_path)


def unsure(table: Any) -> None:
    """The camera is not sure of the throw that is due, and keeps a picture of it."""
    count = table.game.dice_in_play
    event = TableEvent(
        type="unsure", seat=None, outside=(), sure=False, dice=(6,) * count,
        t_s=12.0, started_at_s=10.0, ended_at_s=12.0, reason="values",
        candidates=((6,) * count, (5,) * count),
    )  # fmt: skip
    table.pipeline.receive(event, {"still": "throw.jpg", "sha256": DIGEST})


def test_before_anything_was_drawn_every_table_is_listed_by_its_name(hubbed: Hubbed) -> None:
    assert [(one.name, one.number) for one in hubbed.front.tables()] == [
        ("table-1", 0),
        ("table-2", 0),
    ]
    assert hubbed.front.tournament() is None
    assert hubbed.front.clock() is None


def test_a_table_that_plays_shows_its_players_turn_and_last_throw(hubbed: Hubbed) -> None:
    hubbed.begin()
    hubbed.hall.tables["table-1"].move()
    hubbed.hall.bring()
    first, second = hubbed.front.tables()
    tournament = hubbed.front.tournament()
    assert tournament is not None
    assert tournament.round is not None
    assert (first.name, first.number, first.online, first.source) == ("table-1", 1, True, "log")
    assert first.players == tournament.round.tables[0]
    assert first.turn == first.players[1]
    assert first.last_throw is not None
    assert first.last_throw.player == first.players[0]
    assert first.last_throw.dice
    assert first.last_throw.text_de
    assert second.last_throw is None


def test_a_table_without_a_device_plays_by_card(hubbed: Hubbed) -> None:
    hubbed.begin()
    hubbed.hall.do("assign_table", table=2, device="")
    by_number = {one.number: one for one in hubbed.front.tables() if one.number}
    assert (by_number[2].name, by_number[2].source) == ("", "card")
    assert [one.name for one in hubbed.front.tables() if not one.number] == ["table-2"]


def test_how_much_is_missing_follows_from_what_the_table_says(hubbed: Hubbed) -> None:
    hubbed.begin()
    seq = hubbed.hall.tables["table-1"].log.read(0, 10_000)[-1].seq
    hubbed.states["table-1"] = {"seq": seq + 7, "faults": ["hub"]}
    (first, _) = hubbed.front.tables()
    assert first.behind == 7
    assert len(first.faults) == 1
    assert all(first.faults[0])


def test_the_referee_reads_in_words_that_a_table_writes_nothing_down(hubbed: Hubbed) -> None:
    hubbed.begin()
    hubbed.states["table-1"] = {"seq": 1, "faults": ["log"]}
    (first, _) = hubbed.front.tables()
    ((german, english),) = first.faults
    assert "Das Protokoll kann nicht geschrieben werden" in german
    assert "The log cannot be written" in english


def test_whatever_a_table_reports_the_referee_reads_in_words(hubbed: Hubbed) -> None:
    hubbed.begin()
    hubbed.states["table-1"] = {"seq": 1, "faults": [*FAULTS]}
    (first, _) = hubbed.front.tables()
    assert first.faults == tuple(FAULTS.values())


def test_a_doubtful_throw_waits_in_the_queue_with_its_picture(hubbed: Hubbed) -> None:
    hubbed.begin()
    table = hubbed.hall.tables["table-2"]
    unsure(table)
    hubbed.hall.bring()
    (asked,) = hubbed.front.queue()
    assert (asked.table, asked.kind, asked.still) == ("table-2", "question", DIGEST)
    assert len(asked.candidates) == 2
    assert asked.text_de
    assert asked.text_en
    table.pipeline.submit(
        {"type": "answer_question", "question_id": asked.id, "dice": asked.dice, "by": "R"}
    )
    hubbed.hall.bring()
    assert not hubbed.front.queue()


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("question.asked", {"question_id": "1", "player": 3}),
        ("case.seen", {}),
        ("table.throw_seen", {"dice": "three"}),
        ("taken_back", {"undone": {}}),
    ],
)
def test_an_entry_that_nobody_understands_costs_its_table_alone(
    hubbed: Hubbed, kind: str, data: dict[str, Any]
) -> None:
    hubbed.begin()
    hubbed.hall.tables["table-2"].log.append(kind, data, at_s=5.0)
    unsure(hubbed.hall.tables["table-1"])
    hubbed.hall.bring()
    assert [one.table for one in hubbed.front.queue()] == ["table-1"]
    (told,) = [one for one in hubbed.front.incidents() if one["what"] == "queue_not_followed"]
    assert told["table"] == "table-2"
    assert told["text_de"]
    assert told["text_en"]


def test_a_disputed_throw_waits_as_a_claim(hubbed: Hubbed) -> None:
    hubbed.begin()
    table = hubbed.hall.tables["table-1"]
    table.move()
    throw = [e for e in table.log.read(0, 10_000) if e.type == "thrown"][-1].data
    table.pipeline.submit(
        {"type": "claim", "throw_id": throw["throw_id"], "by": "Ben", "text": "Das war eine Fünf"}
    )
    hubbed.hall.bring()
    (asked,) = hubbed.front.queue()
    assert (asked.kind, asked.player) == ("claim", throw["player"])
    assert "Fünf" in asked.text_de


def test_evidence_is_asked_for_once_and_kept_when_it_is_what_it_says(hubbed: Hubbed) -> None:
    hubbed.begin()
    unsure(hubbed.hall.tables["table-1"])
    hubbed.hall.bring()
    assert hubbed.front.evidence("table-1", DIGEST) is None
    assert hubbed.front.evidence("table-1", DIGEST) is None
    assert hubbed.wanted == [("table-1", DIGEST)]
    assert not hubbed.files.take("table-1", DIGEST, b"something else")
    assert not hubbed.files.take("table-2", DIGEST, PICTURE), "nobody asked that table"
    assert hubbed.files.take("table-1", DIGEST, PICTURE)
    kept = hubbed.front.evidence("table-1", DIGEST)
    assert kept is not None
    assert kept.read_bytes() == PICTURE


def test_what_no_log_names_is_never_asked_for(hubbed: Hubbed) -> None:
    hubbed.begin()
    for digest in ("0" * 64, "../../etc/passwd", ""):
        assert hubbed.front.evidence("table-1", digest) is None
    assert not hubbed.wanted


def test_a_file_that_did_not_come_is_asked_for_again_later(hubbed: Hubbed) -> None:
    hubbed.files.want("table-1", DIGEST)
    hubbed.now_s = 5.0
    hubbed.files.want("table-1", DIGEST)
    assert len(hubbed.wanted) == 1
    hubbed.now_s = 11.0
    hubbed.files.want("table-1", DIGEST)
    assert len(hubbed.wanted) == 2


def test_a_ruling_goes_to_the_table(hubbed: Hubbed) -> None:
    hubbed.front.rule("table-1", {"type": "pause", "reason": "Essen"}, "Schiedsrichterin")
    assert hubbed.asked == [("table-1", {"type": "pause", "reason": "Essen"}, "Schiedsrichterin")]


def test_faults_of_the_hub_stand_before_what_the_log_tells(hubbed: Hubbed) -> None:
    hubbed.hall.hall.report(
        {"kind": "forged", "table": "table-1", "text_de": "gefälscht", "text_en": "forged"}
    )
    hubbed.faults.append({"kind": "database", "table": "", "text_de": "weg", "text_en": "gone"})
    assert [one["what"] for one in hubbed.front.incidents()] == ["database", "forged"]


def test_the_clock_counts_from_the_draw_until_it_is_started(hubbed: Hubbed) -> None:
    hubbed.begin()
    clock = hubbed.front.clock()
    assert clock is not None
    assert clock.drawn_at_s > 0
    assert clock.started_at_s == 0
    hubbed.front.do({"type": "start_clock"}, "R")
    started = hubbed.front.clock()
    assert started is not None
    assert started.started_at_s > started.drawn_at_s
    hubbed.hall.play()
    with pytest.raises(ActionRefused):
        hubbed.front.do({"type": "start_clock"}, "R")


def test_history_tells_the_latest_first_without_prefix(hubbed: Hubbed) -> None:
    hubbed.begin()
    told = hubbed.front.history(3)
    assert [one.type for one in told] == ["round_drawn", "fee_paid", "registered"]
    assert told[0].seq > told[1].seq


def test_the_last_throw_shows_all_dice_and_is_named_as_players_do(hubbed: Hubbed) -> None:
    hubbed.begin()
    table = hubbed.hall.tables["table-1"]
    few: list[LastThrow] = []
    for _ in range(300):
        table.move()
        hubbed.hall.bring()
        thrown = [e for e in table.log.read(0, 100_000) if e.type in ("thrown", "match_started")]
        shown = hubbed.front.tables()[0].last_throw
        if shown is not None and 0 < len(thrown[-1].data.get("dice", ())) < 3:
            few.append(shown)
    playing = [one for one in few if "Schock" not in one.text_de]
    assert len(few) > 3
    assert any(len(one.dice) == 3 for one in few)
    assert not [one for one in few if "100er" in one.text_de + one.text_en]
    assert all(one.text_de for one in playing)


def test_games_of_the_round_before_are_not_those_of_a_table_that_has_not_heard(
    hubbed: Hubbed,
) -> None:
    hubbed.begin()
    hubbed.hall.play()
    hubbed.hall.cut_off.update(hubbed.hall.names)  # nobody hears of the new round
    hubbed.hall.do("draw_round")
    hubbed.hall.bring()
    assert [one.games_done for one in hubbed.front.tables()] == [0, 0]


def test_an_organiser_fills_one_team_after_the_other(hubbed: Hubbed) -> None:
    organiser = Organiser(hubbed.front, format="schockfreunde", players=NAMES[:7], seed="1")
    organiser.open()
    organiser.register("Zoe", 0)  # late
    tournament = hubbed.front.tournament()
    assert tournament is not None
    teams = [entrant.team for entrant in tournament.state.entrants.values()]
    assert teams == ["Team 1"] * 3 + ["Team 2"] * 3 + ["Team 3"] * 2
