"""Whatever the camera tells and people say: nothing raises or is lost, a restart changes nothing.

Random streams of table events, sense and nonsense, against all five books.
"""

import dataclasses
import json
import random
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pipeline_table import Table

from device.desk import Desk
from device.game import Game
from device.pipeline import BURNS, THROWS, Pipeline
from device.store import MemoryLog
from rules import all_books
from rules.match import Match
from rules.view import snapshot
from vision.events import DOUBTS, EVENT_TYPES
from web_ui.errors import ActionRefused
from web_ui.projection import Projection

MOST_STEPS = 40


def dice(chance: random.Random, count: int) -> tuple[int, ...]:
    return tuple(sorted((chance.choice((1, 1, 2, 4, 6, 6)) for _ in range(count)), reverse=True))


def see(table: Table, chance: random.Random, *, seats: bool) -> None:
    """Something happens at the table: mostly what a player might do, now and then nonsense."""
    turn = table.game.match.turn
    outside = () if turn is None else turn.outside
    left = table.game.dice_in_play - len(outside)
    seat = {"seat": chance.choice((None, *table.players))} if seats else {}
    thrown = {**seat, "taken": chance.random() < 0.2}
    match chance.choice(("throw", "throw", "throw", "keep", "turn", "clear", "unsure", "any")):
        case "throw":
            table.say("cup_down", **seat)
            table.say("cup_up", **seat)
            table.say("throw_seen", dice(chance, max(left, 1)), outside, **thrown)
        case "keep" if turn is not None and turn.lying:
            kept = (chance.choice(turn.lying),)
            table.say("dice_kept", kept, tuple(sorted((*outside, *kept), reverse=True)), **seat)
        case "turn":
            table.say("turned", (1,), tuple(sorted((*outside, 1), reverse=True)), **seat)
        case "clear":
            table.say("cleared", **seat)
        case "unsure":
            reason = chance.choice(("values", *DOUBTS))
            table.say("unsure", dice(chance, max(left, 1)), outside, reason=reason, **thrown)
        case _:
            kind = chance.choice(EVENT_TYPES)
            anything = dice(chance, chance.randint(0, 4)), dice(chance, chance.randint(0, 2))
            table.say(kind, *anything, sure=chance.random() < 0.8, **thrown)


def say(table: Table, chance: random.Random) -> None:
    """Somebody answers, rules, takes back or pauses; the table may refuse."""
    desk, who = table.pipeline.desk, table.game.player or table.players[0]
    actions: list[dict[str, Any]] = [
        {"type": "take_back", "by": "R"},
        {"type": "pause", "by": "R"},
        *[{"type": "resume", "by": "R"}] * 3,
        {"type": "stop", "player": who},
        {"type": "cover", "player": who},
        {"type": "throw", "player": who, "dice": dice(chance, 3)},
    ]
    for question in desk.questions:
        told = {"type": "answer_question", "question_id": question.question_id, "by": "R"}
        said = [{"verdict": word} for word in question.asked["verdicts"]]
        numbers = [{"dice": dice(chance, count)} for count in (1, 2, 3, 3, 3)]
        actions += [told | more for more in (*said, *numbers, *numbers)]
    for case in desk.cases:
        ruling = {"type": "rule_case", "case_id": case.case_id, "by": "R"}
        actions += [ruling | {"verdict": word} for word in ("fault", "dismissed")]
    with suppress(ActionRefused):
        table.pipeline.submit(chance.choice(actions))


def comparable(desk: Desk) -> Any:
    return json.loads(json.dumps(dataclasses.asdict(desk), default=sorted))


def gone_on(table: Table, upto: int) -> tuple[Game, Pipeline]:
    """The table switched on again with the log as it was after that entry."""
    log = MemoryLog()
    for entry in table.entries()[:upto]:
        log.append(entry.type, entry.data, at_s=entry.at_s)
    game = Game(log, book=table.book, players=table.players, clock=lambda: 1000.0)
    return game, Pipeline(game)


def check(table: Table) -> None:
    """All Deckel are there, and everything that is open follows from the log."""
    match = table.game.match
    assert match.stock + sum(match.holdings.values()) == match.book.deckel_total
    desk = table.pipeline.desk
    if not match.is_over:
        again, pipeline = gone_on(table, len(table.entries()))
        assert comparable(pipeline.desk) == comparable(desk)
        assert again.match == match
        told = [entry.type for entry in again.log.read(len(table.entries()), 100)]
        assert set(told) <= {"caught_up"}, "a restart decides nothing anew"
    board = Projection(table.log, log_lines=5).board()
    assert board.broken is None
    assert board.match == snapshot(match)
    assert {q["question_id"] for q in board.questions} == {q.question_id for q in desk.questions}
    assert {c["case_id"] for c in board.cases} == {c.case_id for c in desk.cases}
    throws = [seen.seq for seen in desk.waiting if seen.event.type in THROWS | BURNS]
    assert list(board.waiting) == throws


@pytest.mark.parametrize("seats", [False, True])
@settings(max_examples=25, deadline=None)
@given(
    book=st.sampled_from([book.key for book in all_books()]),
    seed=st.integers(0, 10**6),
    answers=st.sampled_from((0.05, 0.3, 0.6)),
)
def test_nothing_raises_and_nothing_is_lost(
    seats: bool, book: str, seed: int, answers: float
) -> None:
    chance, table = random.Random(seed), Table(book=book)
    for _ in range(MOST_STEPS):
        if chance.random() < answers:
            say(table, chance)
        else:
            see(table, chance, seats=seats)
        if chance.random() < 0.1:
            check(table)
    check(table)
    every_fact_has_its_fate(table)


def every_fact_has_its_fate(table: Table) -> None:
    """Once all is answered and nobody pauses, nothing waits any more."""
    if table.game.match.state.paused:
        table.submit("resume")
    for _ in range(len(table.entries())):
        if (question := table.pipeline.open_question) is None:
            break
        turn = table.game.match.state.covered_turn(question["player"])
        unread = question["question_id"] in {q.question_id for q in table.pipeline.desk.unread}
        told: dict[str, Any] = {"verdict": "no_throw"}
        if unread and turn is not None:
            told = {"dice": [1] * turn.dice_to_throw}
        table.answer(**told)
    assert table.pipeline.open_question is None
    assert table.pipeline.desk.waiting == ()


@settings(max_examples=15, deadline=None)
@given(book=st.sampled_from([book.key for book in all_books()]), seed=st.integers(0, 10**6))
@example(book="statuten", seed=93978)  # dice are thrown after the game is over
def test_a_fact_written_before_the_power_failed_is_acted_on_after_it(book: str, seed: int) -> None:
    """Cut the log right behind any fact: going on from there leads to the same match and desk."""
    chance, table = random.Random(seed), Table(book=book)
    for _ in range(MOST_STEPS):
        if chance.random() < 0.3:
            say(table, chance)
            continue
        begun = len(table.entries())
        see(table, chance, seats=False)
        news = table.entries()[begun:]
        cuts = [entry.seq for entry in news if entry.type.startswith("table.")]
        game, pipeline = gone_on(table, cuts[-1])
        if table.game.match.is_over:  # by this fact, or long before: then another one is begun
            assert game.match.is_over or game.match.state.next_throw_id == 1
        else:
            assert game.match == table.game.match
            assert comparable(pipeline.desk) == comparable(table.pipeline.desk)


def test_a_match_replayed_from_such_a_log_is_the_same() -> None:
    chance, table = random.Random(7), Table(book="jule")
    for _ in range(200):
        see(table, chance, seats=False)
        say(table, chance)
    from rules.events import EVENT_TYPES as RULE_EVENTS

    log = [{"type": e.type, **e.data} for e in table.entries() if e.type in RULE_EVENTS]
    assert snapshot(Match.replay(log)) == table.state
