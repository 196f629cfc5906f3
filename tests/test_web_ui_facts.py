"""Which fact a throw came from, and what pictures there are of it, told from the log alone."""

from typing import Any

import pytest
from pipeline_table import Table

from web_ui.facts import MOST_FACTS, Fact, Facts


@pytest.fixture
def table() -> Table:
    table = Table()
    table.opening()
    return table


def folded(table: Table) -> Facts:
    facts = Facts()
    for entry in table.entries():
        facts.take(entry)
    return facts


def fact_of(table: Table, at: int = -1) -> Fact | None:
    """The fact of the last throw, or of another one."""
    facts = folded(table)
    throw_id = table.state["throws"][at]["throw_id"]
    return facts.known.get(facts.of_throw[throw_id])


def seq_of_last(table: Table, type: str) -> int:
    return [entry.seq for entry in table.entries() if entry.type == type][-1]


def test_a_sure_throw_comes_from_what_was_seen_last(table: Table):
    table.throw(6, 6, 1)
    fact = fact_of(table)
    assert fact is not None
    assert fact.seq == seq_of_last(table, "table.throw_seen")
    assert fact.dice == (6, 6, 1)


def test_every_throw_of_a_game_comes_from_a_fact_of_its_own(table: Table):
    for dice in ((6, 6, 1), (6, 6, 1), (6, 4, 3)):
        table.throw(*dice, clear=True)
    facts = folded(table)
    numbers = [facts.of_throw[t["throw_id"]] for t in table.state["throws"]]
    assert len(set(numbers)) == len(numbers) == 6
    assert numbers == sorted(numbers)


def test_an_answered_throw_comes_from_the_fact_that_was_asked_about(table: Table):
    table.say("unsure", (6, 5, 4), reason="kind")
    table.say("cleared")
    table.throw(6, 6, 5, clear=True)
    table.answer(dice=[6, 5, 3])
    first, second = fact_of(table, -2), fact_of(table, -1)
    assert first is not None
    assert second is not None
    assert first.dice == (6, 5, 4)
    assert second.dice == (6, 6, 5)


def test_an_answer_given_later_belongs_to_the_throw_under_its_cup():
    table = Table("A", "B")
    table.lead()
    table.say("unsure", (6, 5, 4), reason="values")
    seq = seq_of_last(table, "table.unsure")
    table.say("cleared")
    table.throw(6, 6, 5, clear=True)
    assert table.types("question.unread")
    table.answer(dice=[6, 5, 3])
    facts = folded(table)
    (unread,) = [t for t in table.state["throws"] if t["dice"] == [6, 5, 3]]
    assert facts.of_throw[unread["throw_id"]] == seq


def test_a_burnt_throw_and_one_by_hand(table: Table):
    table.say("tower", (6, 5))
    fact = fact_of(table)
    assert fact is not None
    assert fact.seq == seq_of_last(table, "table.tower")
    table.by_hand("throw", player="C", dice=[4, 3, 2])
    assert fact_of(table) is None


def test_a_throw_entered_by_hand_settles_the_open_question(table: Table):
    table.say("unsure", (6, 5, 4), reason="kind")
    table.by_hand("throw", player="C", dice=[6, 5, 1])
    fact = fact_of(table)
    assert fact is not None
    assert fact.seq == seq_of_last(table, "table.unsure")


def test_what_takes_the_place_of_a_throw_has_its_pictures(table: Table):
    table.throw(6, 6, 1)
    seq = seq_of_last(table, "table.throw_seen")
    table.submit("take_back")
    table.by_hand("throw", player="C", dice=[6, 5, 1])
    fact = fact_of(table)
    assert fact is not None
    assert fact.seq == seq
    table.submit("take_back")
    table.throw(4, 4, 1)
    table.by_hand("stop", player="C")
    table.by_hand("throw", player="A", dice=[6, 5, 3])
    assert fact_of(table) is None, "nothing was taken back before this one"


def kept(table: Table, **more: Any) -> int:
    table.throw(6, 6, 1)
    seq = seq_of_last(table, "table.throw_seen")
    table.game.note("evidence.kept", {"seq": seq, "kind": "clip", "file": "c.webm"} | more)
    return seq


def test_pictures_are_found_until_they_are_deleted(table: Table):
    seq = kept(table)
    table.game.note("evidence.kept", {"seq": seq, "kind": "still", "file": "s.jpg", "clip_s": [0]})
    fact = folded(table).known[seq]
    assert (fact.still, fact.clip, fact.clip_awaited) == ("s.jpg", "c.webm", True)
    table.game.note("evidence.dropped", {"files": ["s.jpg", "c.webm"], "rule": "days"})
    fact = folded(table).known[seq]
    assert (fact.still, fact.clip, fact.clip_missing) == ("", "", "dropped")


def test_a_clip_that_could_not_be_made_says_why(table: Table):
    table.throw(6, 6, 1)
    seq = seq_of_last(table, "table.throw_seen")
    table.game.note("evidence.missing", {"seq": seq, "kind": "clip", "code": "slow"})
    assert folded(table).known[seq].clip_missing == "slow"


def test_entries_in_a_strange_form_are_passed_over(table: Table):
    for data in ({}, {"seq": "x"}, {"files": 7}, {"seq": 10**9}, {"seq": None}, {"seq": []}):
        for kind in ("evidence.kept", "evidence.dropped", "question.asked", "question.answered"):
            table.log.append(kind, data, at_s=0.0)
    table.throw(6, 6, 1)
    assert fact_of(table) is not None


def test_a_long_evening_needs_little_memory():
    facts, table = Facts(), Table()
    (entry,) = table.log.append_all([("table.cup_down", {"t_s": 0.0})], at_s=0.0)[-1:]
    for number in range(MOST_FACTS + 10):
        facts.take(type(entry)(**{**vars(entry), "seq": number + 100}))
    assert len(facts.known) == MOST_FACTS
    assert min(facts.known) == 110
