"""What goes over the broker: topics, seals, and forms that nobody can bend."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.chain import chain
from device.errors import ForgedMessageError, SchockaugeError
from device.hub_wire import (
    MOST_ENTRIES,
    Batch,
    Cursor,
    Seating,
    check_table,
    parse_topic,
    seal,
    topic,
    unseal,
)

KEY, OTHER = b"k" * 32, b"o" * 32
LOG = "a" * 64
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
SEATING = Seating(
    tournament="Kirmes (1)", round=2, attempt=1, number=3, players=("Anna", "Ben"), book="turnier",
    games=5, lives=(3, 3), go_on=1, scharf=True,
)  # fmt: skip


@pytest.mark.parametrize("name", ["1", "table-7", "a" * 32])
def test_names_that_fit_into_topics(name: str) -> None:
    assert check_table(name) == name
    assert parse_topic(topic(name, "events")) == (name, "events", "")
    assert parse_topic(topic(name, "evidence", LOG)) == (name, "evidence", LOG)


@pytest.mark.parametrize("name", ["", "Tisch", "a b", "a/b", "+", "#", "-a", "a-", "ä", "a" * 33])
def test_names_that_do_not(name: str) -> None:
    with pytest.raises(SchockaugeError, match="expected 1 to 32"):
        check_table(name)
    found = parse_topic(f"schockauge/{name}/events")
    assert found is None or found[1] != "events"


@given(st.dictionaries(st.text(), JSON, max_size=4))
def test_what_is_sealed_comes_out_as_it_was(body: dict[str, Any]) -> None:
    where = topic("t", "events")
    try:
        sealed = seal(KEY, where, body)
    except UnicodeEncodeError:
        return  # half a character: such a body is not sent
    assert unseal(KEY, where, sealed) == body


@given(st.integers(0, 10_000), st.integers(1, 255))
def test_one_changed_byte_breaks_the_seal(at: int, flip: int) -> None:
    where, body = topic("t", "events"), {"log": LOG, "n": [1, 2, 3]}
    sealed = bytearray(seal(KEY, where, body))
    sealed[at % len(sealed)] ^= flip
    with suppress(ForgedMessageError):  # else it was white space, or another spelling
        assert unseal(KEY, where, bytes(sealed)) == body


def test_a_seal_is_for_one_key_and_one_topic() -> None:
    sealed = seal(KEY, topic("t", "events"), {"a": 1})
    for key, where in ((OTHER, topic("t", "events")), (KEY, topic("t", "set/cursor"))):
        with pytest.raises(ForgedMessageError):
            unseal(key, where, sealed)


@pytest.mark.parametrize(
    "payload",
    [b"", b"{", b"[]", b"null", b'"x"', b'{"body": 1, "seal": "x"}', b'{"seal": "x"}', b"\xff\xfe",
     b'{"body": "{}", "seal": "\xc3\xa4"}', b"[" * 100_000],
)  # fmt: skip
def test_garbage_is_no_message(payload: bytes) -> None:
    with pytest.raises(ForgedMessageError):
        unseal(KEY, topic("t", "events"), payload)


def test_forms_go_there_and_back() -> None:
    entries = tuple(chain(None, [("a", {"x": 1}), ("b", {})], at_s=5.0))
    batch = Batch(entries[0].hash, entries)
    for made in (batch, Cursor(LOG, 7, again=True), Cursor("", 0), SEATING):
        body = json.loads(json.dumps(made.to_body()))
        assert type(made).from_body(body) == made


@given(JSON, st.sampled_from(sorted(SEATING.to_body())))
def test_a_seating_with_anything_in_a_field_is_one_or_refused(value: Any, field: str) -> None:
    body = {**SEATING.to_body(), field: value}
    try:
        made = Seating.from_body(body)
    except ForgedMessageError:
        return
    assert made.to_body() == body


@pytest.mark.parametrize(
    "changed",
    [{"log": "x"}, {"log": None}, {"entries": []}, {"entries": None}, {"entries": [{}]},
     {"entries": [None] * (MOST_ENTRIES + 1)}, {"entries": [{"seq": 1}]}],
)  # fmt: skip
def test_what_is_no_batch(changed: dict[str, Any]) -> None:
    entries = tuple(chain(None, [("a", {})], at_s=5.0))
    body = {**Batch(entries[0].hash, entries).to_body(), **changed}
    with pytest.raises(ForgedMessageError):
        Batch.from_body(body)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"log": "", "seq": "1"},
        {"log": "", "seq": True},
        {"log": "x", "seq": 1},
        {"log": "", "seq": 1, "again": 1},
    ],
)
def test_what_is_no_cursor(body: dict[str, Any]) -> None:
    with pytest.raises(ForgedMessageError):
        Cursor.from_body(body)
