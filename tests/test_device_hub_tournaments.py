"""Two whole tournaments over Mosquitto and PostgreSQL, with what goes wrong in a hall."""

from pathlib import Path
from typing import Any

from hub_tournament import (
    chains_agree,
    games_of,
    is_played,
    paper_card,
    play_round,
    running,
    told,
    tournament_of,
    until,
)
from tournament_recount import recount

from device.hub.assembly import Hub
from device.rehearsal import BY, Organiser, names

ONE_GAME = """
key = "werl_kurz"
version = "1"
title_de = "Punkte + K.-o., ein Spiel je Runde"
title_en = "Points + knockout, one game a round"
based_on = "werl"

[fields]
games_per_round = { value = 1, text = "so that the test is over soon" }
"""


def final_ranking_is_right(hub: Hub, made: str) -> None:
    """The recount knows the formats that ship; how many games a round has is all the same to it."""
    started, *rest = told(hub)
    counted = recount([{**started, "format": made}, *rest])
    assert counted == [(one.place, one.player) for one in tournament_of(hub).standings]


def results_are_those_of_the_logs(hub: Hub, tables: Any, cards: set[tuple[int, int]]) -> None:
    """Every result is what the table's own log says; only paper cards may differ."""
    for one in tournament_of(hub).state.rounds:
        for number, handed in one.handed.items():
            if (one.number, number) in cards:
                assert handed.result.source == "card"
                continue
            device = hub.hall.state.devices(one)[number]
            own = games_of(tables.tables[device].log, one.number)
            own = own[: len(handed.result.games)]  # it may have played on until it was told
            assert list(handed.result.games) == own, (one.number, number)


def test_points_and_knockout_with_48_players(
    hall: Any, hub_postgresql: str, tmp_path: Path
) -> None:
    """A late arrival, two leavers, a Pi that dies, and a ruling in a round that was scored."""
    players = names(48)
    with running(hall, hub_postgresql, tmp_path, 12, seed=3) as (hub, tables):
        organiser = Organiser(hub.front, format=ONE_GAME, players=players, seed="48")
        organiser.open()
        organiser.step()
        # Table 12's Pi dies in the middle of the round; its players go on by paper card.
        until(lambda: has_begun(tables.tables["table-12"]), "table 12 has begun its game")
        tables.uplinks["table-12"].close()
        tables.tables["table-12"].close()
        seats = tournament_of(hub).state.rounds[0].tables[11]
        hub.front.do({"type": "assign_table", "table": 12, "device": ""}, BY)
        hub.front.do({"type": "hand_in", "table": 12, "result": paper_card(seats)}, BY)
        cards = {(1, 12)}
        # A leaver in the middle of the round, and one after it.
        gone = tournament_of(hub).state.rounds[0].tables[0][0]
        until(lambda: is_played(hub), "round 1", 240.0)
        hub.front.do({"type": "leave", "player": gone, "reason": "der letzte Bus"}, BY)
        other = tournament_of(hub).state.rounds[0].tables[1][0]
        hub.front.do({"type": "leave", "player": other, "reason": "müde"}, BY)
        organiser.register("Zoe", 10)  # late: from round 2 on
        # Round 2 is drawn; only then a ruling changes a game of round 1, at a table's own page.
        before = tournament_of(hub).state.rounds[0].handed[3].result
        rule_otherwise(tables.tables["table-3"])
        until(
            lambda: tournament_of(hub).state.rounds[0].handed[3].result.games != before.games,
            "the ruling has come to the hub",
        )
        for _ in range(10):
            if organiser.is_over:
                break
            cards |= play_round(hub, organiser)
        until(lambda: organiser.is_over, "the end")
        assert {event["type"] for event in told(hub)} >= {"result_corrected", "player_left"}
        assert not [one for one in hub.front.incidents() if one["what"] != "card_differs"]
        results_are_those_of_the_logs(hub, tables, cards)
        chains_agree(hub, tables, dead={"table-12"})
        final_ranking_is_right(hub, "punkte_ko")
        places = {one.player: one.place for one in tournament_of(hub).standings}
        assert len(places) == 49
        assert places["Zoe"] > 0


def test_lives_with_23_players(hall: Any, hub_postgresql: str, tmp_path: Path) -> None:
    with running(hall, hub_postgresql, tmp_path, 6, seed=4) as (hub, tables):
        organiser = Organiser(hub.front, format="leben", players=names(23), seed="23")
        organiser.open()
        play_round(hub, organiser, games=1, scharf=True)
        # Before the next draw two go home: one who is still in, one who is out already.
        state = tournament_of(hub).state
        staying = [name for name in state.here if name in next_players(hub)]
        hub.front.do({"type": "leave", "player": staying[0], "reason": "Kinder"}, BY)
        for _ in range(10):
            if organiser.is_over:
                break
            play_round(hub, organiser, games=1, scharf=True)
        until(lambda: organiser.is_over, "the end")
        results_are_those_of_the_logs(hub, tables, set())
        chains_agree(hub, tables)
        final_ranking_is_right(hub, "leben")
        assert not hub.front.incidents()


def next_players(hub: Hub) -> set[str]:
    """Who has a life left after the last round."""
    from rules.tournament_knockout import next_pool

    return set(next_pool(tournament_of(hub).state).players)


def has_begun(table: Any) -> bool:
    """Whether a first throw of the round was made."""
    return any(entry.type == "round_started" for entry in table.log.read(0, 100_000))


def rule_otherwise(table: Any) -> None:
    """The referee rules the last round of a table's last game: the winner has lost it."""
    entries = table.log.read(0, 1_000_000)
    started = max(entry.seq for entry in entries if entry.type == "match_started")
    last = [e.data for e in entries if e.type == "round_settled" and e.seq > started][-1]
    ruling = {"part": last["part"], "round": last["round"], "verdict": "loser", "deckel": "all"}
    who = {"loser": last["ranking"][0]["player"], "winner": last["loser"]}
    words = {"by": "R", "reason": "Würfel vertauscht", "drop_later": True}
    table.pipeline.submit({"type": "rule_round", **ruling, **who, **words})
