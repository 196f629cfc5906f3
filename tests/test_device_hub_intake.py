"""What the hub makes of a burst of messages: pure, of tables that behave and of others."""

import hmac
import json
import random
from dataclasses import replace
from typing import Any

import pytest
from hub_tables import SendingTable, key_of, keys_of, message, raw_message, some_log
from hypothesis import given
from hypothesis import strategies as st

from device.chain import LogEntry, canonical, chain, seal_of
from device.hub.intake import AGAIN_S, MOST_DEPTH, End, Intake, Outcome
from device.hub_wire import EVENTS, MOST_BYTES, Cursor, seal, topic

NAMES = ("table-1", "table-2", "table-3")
NEW = Intake(keys_of(*NAMES))


def kinds(outcome: Outcome) -> list[tuple[str, str]]:
    return [(incident.kind, incident.table) for incident in outcome.incidents]


def written(outcome: Outcome) -> list[LogEntry]:
    return [entry for part in outcome.accepted for entry in part.entries]


def after(log: list[LogEntry], count: int) -> Intake:
    """The hub has so many entries of table-1."""
    return NEW.take([message("table-1", log[:count])], 0.0).after


def test_what_continues_a_log_is_taken_and_confirmed() -> None:
    log = some_log("table-1", 5)
    outcome = NEW.take(
        [message("table-1", log[:2]), message("table-1", log[2:], log=log[0].hash)], 0.0
    )
    assert written(outcome) == log
    assert outcome.cursors == (("table-1", Cursor(log[0].hash, 5)),)
    assert outcome.incidents == ()
    assert outcome.after.cursor("table-1") == Cursor(log[0].hash, 5)
    assert NEW.cursor("table-1") == Cursor("", 0), "what was before knows nothing of it"


def test_doubles_are_dropped_and_confirmed_and_an_overlap_leaves_its_new_tail() -> None:
    log = some_log("table-1", 6)
    known = after(log, 4)
    again = known.take([message("table-1", log[:4])], 0.0)
    assert written(again) == []
    assert again.cursors == (("table-1", Cursor(log[0].hash, 4)),)
    overlap = known.take([message("table-1", log[1:], log=log[0].hash)], 0.0)
    assert written(overlap) == log[4:]


def test_an_older_double_is_compared_with_the_database() -> None:
    log = some_log("table-1", 6)
    outcome = after(log, 6).take([message("table-1", log[:3])], 0.0)
    assert written(outcome) == []
    assert [(c.table, c.log, c.seq, c.hash) for c in outcome.checks] == [
        ("table-1", log[0].hash, 3, log[2].hash)
    ]


def test_a_gap_is_asked_for_once_and_not_by_everything_that_was_on_its_way() -> None:
    log = some_log("table-1", 9)
    lost = [message("table-1", log[n : n + 1], log=log[0].hash) for n in range(3, 9)]
    first = after(log, 2).take(lost[:2], 0.0)
    assert written(first) == []
    assert first.cursors == (("table-1", Cursor(log[0].hash, 2, again=True)),)
    second = first.after.take(lost[2:], 0.1)
    assert second.cursors == ()
    late = second.after.take(lost[2:], AGAIN_S + 0.1)
    assert late.cursors == (("table-1", Cursor(log[0].hash, 2, again=True)),)


def test_a_gap_that_closes_in_the_same_burst_leaves_only_what_came_too_early() -> None:
    log = some_log("table-1", 4)
    early, late = message("table-1", log[2:], log=log[0].hash), message("table-1", log[:2])
    outcome = NEW.take([early, late], 0.0)
    assert outcome.cursors == (("table-1", Cursor(log[0].hash, 2, again=True)),)
    outcome = NEW.take([early, late, early], 0.0)
    assert outcome.cursors == (("table-1", Cursor(log[0].hash, 4)),)


def test_a_log_that_the_hub_does_not_know_is_asked_for_from_its_beginning() -> None:
    log = some_log("table-1", 4)
    outcome = NEW.take([message("table-1", log[2:], log=log[0].hash)], 0.0)
    assert outcome.cursors == (("table-1", Cursor(log[0].hash, 0, again=True)),)


def test_a_new_evening_is_a_new_log_beside_the_old_one() -> None:
    old, new = some_log("table-1", 3), some_log("table-1", 2, at_s=2000.0)
    outcome = after(old, 2).take([message("table-1", new), message("table-1", old)], 0.0)
    assert written(outcome) == [*new, old[2]]
    assert outcome.cursors == (
        ("table-1", Cursor(new[0].hash, 2)),
        ("table-1", Cursor(old[0].hash, 3)),
    )


def test_a_bad_seal_is_forged_and_gets_no_answer() -> None:
    log = some_log("table-1", 2)
    outcome = NEW.take([message("table-1", log, key=key_of("table-2"))], 0.0)
    assert (written(outcome), outcome.cursors) == ([], ())
    assert kinds(outcome) == [("forged", "table-1")]


def test_a_message_of_one_table_on_the_topic_of_another_is_forged() -> None:
    _, payload = message("table-1", some_log("table-1", 2))
    assert kinds(NEW.take([(topic("table-2", EVENTS), payload)], 0.0)) == [("forged", "table-2")]


def test_who_is_not_paired_is_a_stranger() -> None:
    outcome = NEW.take([message("table-9", some_log("table-9", 2))], 0.0)
    assert (written(outcome), outcome.cursors) == ([], ())
    assert kinds(outcome) == [("stranger", "table-9")]
    later = outcome.after.with_keys(keys_of("table-9"))
    assert len(written(later.take([message("table-9", some_log("table-9", 2))], 0.0))) == 2


def test_nobody_goes_on_with_the_log_of_another_table() -> None:
    log = some_log("table-1", 4)
    outcome = after(log, 2).take([message("table-2", log[2:], log=log[0].hash)], 0.0)
    assert (written(outcome), outcome.cursors) == ([], ())
    assert kinds(outcome) == [("foreign", "table-2")]


@pytest.mark.parametrize("start", [0, 1, 2, 3], ids=lambda n: f"from_{n + 1}")
def test_a_log_that_was_changed_is_a_conflict(start: int) -> None:
    log = some_log("table-1", 3)
    other = log[:2] + chain(log[1], [("thrown", {"n": "other"}), ("thrown", {"n": 4})], at_s=1.0)
    outcome = after(log, 3).take([message("table-1", other[start:], log=log[0].hash)], 0.0)
    assert written(outcome) == []
    assert kinds(outcome) == [("conflict", "table-1")]
    assert outcome.cursors == (("table-1", Cursor(log[0].hash, 3)),)


def test_a_chain_that_does_not_hold_is_taken_up_to_where_it_breaks() -> None:
    log = some_log("table-1", 4)
    changed = replace(log[2], data={"dice": [1, 1, 1]})
    outcome = NEW.take([message("table-1", [*log[:2], changed, log[3]])], 0.0)
    assert written(outcome) == log[:2]
    assert [(i.kind, i.seq) for i in outcome.incidents] == [("broken", 3)]
    assert outcome.cursors == (("table-1", Cursor(log[0].hash, 2)),)
    jump = NEW.take([message("table-1", [log[0], log[2]])], 0.0)
    assert written(jump) == log[:1]
    assert kinds(jump) == [("broken", "table-1")]


def test_a_log_has_the_name_of_its_first_entry() -> None:
    log = some_log("table-1", 2)
    outcome = NEW.take([message("table-1", log, log="ab" * 32)], 0.0)
    assert written(outcome) == []
    assert kinds(outcome) == [("broken", "table-1")]


def sealed(**changed: Any) -> dict[str, Any]:
    """The first row of a log with something else in it, sealed as if it were true."""
    (entry,) = chain(None, [("thrown", {"n": 1})], at_s=5.0)
    row = entry.to_json() | changed
    try:
        row["hash"] = seal_of(LogEntry(**row))
    except (ValueError, TypeError, RecursionError):
        row["hash"] = "ab" * 32
    return row


def nested(depth: int) -> Any:
    return [] if depth == 0 else [nested(depth - 1)]


@pytest.mark.parametrize(
    "row",
    [
        sealed(seq=True),
        sealed(seq=0),
        sealed(seq=-1),
        sealed(seq=10**400),
        sealed(seq=1.0),
        sealed(at_s=5),
        sealed(at_s=True),
        sealed(at_s="5"),
        sealed(type="a\0b"),
        sealed(type=""),
        sealed(type="x" * 101),
        sealed(previous="0"),
        sealed() | {"hash": "A" * 64},
        sealed(data=[1]),
        sealed(data={"deep": nested(MOST_DEPTH)}),
        sealed() | {"more": 1},
        {"seq": 1},
    ],
    ids=lambda row: str(row)[:60],
)
def test_an_absurd_entry_is_refused_and_disturbs_nobody(row: dict[str, Any]) -> None:
    other = some_log("table-2", 2)
    log_id = row.get("hash", "cd" * 32).lower()
    outcome = NEW.take([raw_message("table-1", log_id, [row]), message("table-2", other)], 0.0)
    assert written(outcome) == other
    assert kinds(outcome) == [("malformed", "table-1")]
    for incident in outcome.incidents:
        canonical(incident.to_data(1)).encode()


@pytest.mark.parametrize("spelling", ["NaN", "Infinity", "1e999", '"\\ud800"'])
def test_what_cannot_be_written_down_is_refused(spelling: str) -> None:
    """Python's own JSON reads all of these; no store can keep them."""
    content = canonical(raw_row := sealed(data={"x": "HERE"})).replace('"HERE"', spelling)
    where = topic("table-1", EVENTS)
    body = f'{{"entries":[{content}],"log":"{raw_row["hash"]}"}}'
    good = json.loads(seal(key_of("table-1"), where, {}))
    good["body"] = body
    good["seal"] = hmac.new(key_of("table-1"), f"{where}\n{body}".encode(), "sha256").hexdigest()
    outcome = NEW.take([(where, json.dumps(good).encode())], 0.0)
    assert kinds(outcome) == [("malformed", "table-1")]


def test_too_large_a_message_is_not_even_read() -> None:
    outcome = NEW.take([(topic("table-1", EVENTS), b"x" * (MOST_BYTES + 1))], 0.0)
    assert kinds(outcome) == [("too_large", "table-1")]


def test_other_topics_are_passed_over() -> None:
    outcome = NEW.take([(topic("table-1", "state"), b"{}"), ("nonsense", b""), ("", b"")], 0.0)
    assert (outcome.incidents, outcome.cursors, outcome.accepted) == ((), (), ())


@given(payload=st.binary(max_size=200) | st.text(max_size=50).map(str.encode))
def test_no_payload_whatever_raises(payload: bytes) -> None:
    assert kinds(NEW.take([(topic("table-1", EVENTS), payload)], 0.0)) == [("forged", "table-1")]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)


@given(body=st.fixed_dictionaries({"log": JSON, "entries": JSON | st.lists(JSON)}))
def test_no_sealed_content_whatever_raises(body: dict[str, Any]) -> None:
    where = topic("table-1", EVENTS)
    try:
        payload = seal(key_of("table-1"), where, body)
    except ValueError:
        return  # not even Python can spell it
    assert kinds(NEW.take([(where, payload)], 0.0)) == [("malformed", "table-1")]


@given(lengths=st.lists(st.integers(1, 20), min_size=1, max_size=3), seed=st.integers(0, 2**32))
def test_whatever_the_way_does_every_log_arrives_whole_in_order_and_once(
    lengths: list[int], seed: int
) -> None:
    """Lost, doubled, out of order, forged; commits that fail, and that succeed without a word."""
    chance = random.Random(seed)
    tables = [
        SendingTable(name, some_log(name, n)) for name, n in zip(NAMES, lengths, strict=False)
    ]
    database: dict[str, list[LogEntry]] = {}
    intake = NEW
    for step in range(200):
        if all(table.done for table in tables):
            break
        fair = step > 100  # by then the way is mended
        sent = [m for t in tables for m in t.messages(chance.randint(1, 5), chance.randint(1, 4))]
        if not fair:
            sent += [message(t.name, t.log[:1], key=b"?") for t in tables]
            sent = [m for m in sent for _ in range(chance.choice([0, 1, 1, 2]))]
            chance.shuffle(sent)
        outcome = intake.take(sent, float(step * 10))
        fate = "kept" if fair else chance.choice(["kept", "kept", "lost", "kept unheard"])
        if fate != "lost":
            for part in outcome.accepted:
                database.setdefault(part.log, []).extend(part.entries)
        if fate != "kept":  # the hub reads its database anew
            intake = Intake(NEW.keys, {log: end_of(kept) for log, kept in database.items()})
            continue
        intake = outcome.after
        for name, cursor in outcome.cursors:
            for table in tables:
                if table.name == name:
                    table.cursor = cursor.seq
    assert database == {table.log[0].hash: table.log for table in tables}


def end_of(kept: list[LogEntry]) -> End:
    return End(kept[0].data["table"], kept[-1].seq, kept[-1].hash)
