"""No page fails, whatever an entry of the log says: half characters, no numbers, no end."""

from collections.abc import Sequence
from itertools import islice
from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st
from test_web_ui_table import Entry, ListLog, Table
from web_ui_access import acting_client
from web_ui_pages import PAGES, asked, final, over, ruled
from web_ui_scenes import mid_round

from web_ui.legible import LegibleLog, legible
from web_ui.stream import frames

HALF, OTHER_HALF = "Ha\ud800lb", "Ha\udfffl"
FRAGMENTS = ("board", "tv/board", "overlay/board", "table/board", "referee/board")
NUMBERS = ("api/state", "api/log", "api/statistics", "api/statistics?span=evening")
PATHS = (
    *(path for paths in PAGES.values() for path in paths),
    "statistics?span=evening",
    "referee?item=case-claim-1",
    "referee?item=throw-4",
    *FRAGMENTS,
    *NUMBERS,
)


def client_of(log: ListLog) -> FlaskClient:
    """A referee's, who sees every page."""
    return acting_client(log, lambda action: {})


def failing(log: ListLog) -> list[str]:
    client = client_of(log)
    return [path for path in PATHS if client.get(f"/{path}").status_code >= 500]


@pytest.fixture(scope="module")
def halved() -> Table:
    """The second half of a game of players with half characters in their names."""
    table = Table([HALF, OTHER_HALF, "Anna", "Ben", "Cem"])
    mid_round(table)
    table.ask(reason="\udcff", reason_en="\udcff")
    table.log.append("fault", {"what": "camera", "text_de": "\ud800", "text_en": "\ud800"})
    table.log.append("weather.\ud800", {"\ud800": {"wind": [float("nan"), "\ud800"]}})
    return table


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("lang", ["de", "en"])
def test_half_a_character_fails_no_page_and_two_names_stay_two(
    halved: Table, path: str, lang: str
) -> None:
    client = client_of(halved.log)
    answer = client.get(f"/{path}{'&' if '?' in path else '?'}lang={lang}")
    assert answer.status_code in (200, 302), path
    shown = answer.get_data().decode("utf-8")
    if path in ("", "table", "tv", "statistics", "start"):
        assert r"Ha\ud800lb" in shown
        assert r"Ha\udfffl" in shown
    if path in NUMBERS:
        assert "NaN" not in shown
        assert answer.get_json()


def test_half_a_character_goes_through_the_live_stream(halved: Table) -> None:
    log = LegibleLog(halved.log)
    count = halved.last_seq()
    sent = islice(frames(log, 0, lang="de", retry_ms=1, heartbeat_s=0.01), count + 1)
    assert rb"Ha\\ud800lb" in b"".join(frame.encode("utf-8") for frame in sent)


def test_what_is_whole_stays_as_it_is() -> None:
    entry = Entry(1, 5.0, "thrown", {"player": "Zoë 🎲", "dice": [6, 5, 2]})
    assert legible(entry) is entry
    mended = legible(Entry(7, float("inf"), "a\ud800", {"\ud800": (float("-inf"), 1.5, None)}))
    assert (mended.seq, mended.at_s, mended.type) == (7, 0.0, r"a\ud800")
    assert mended.data == {r"\ud800": [None, 1.5, None]}


@pytest.mark.parametrize("at_s", [1e18, -1e18, 1e308, float("nan"), float("inf")])
def test_a_time_beyond_the_calendar_fails_no_page(at_s: float) -> None:
    table = Table()
    table.play_opening()
    table.log._entries.append(Entry(table.last_seq() + 1, at_s, "fault", {"what": "camera"}))
    assert failing(table.log) == []


@pytest.mark.parametrize(
    "data", [{}, {"player": "Anna"}, {"player": "Anna", "result": "x"}, {"result": {"name": "x"}}]
)
def test_a_stop_in_an_unknown_form_is_not_called_out(data: dict[str, object]) -> None:
    table = Table()
    table.play_opening()
    table.log.append("stopped", data)
    assert failing(table.log) == []


def test_where_the_log_ends_inside_a_decision_nothing_is_entered_by_hand() -> None:
    table = Table()
    table.play_opening()
    table.play_round()
    assert table.log._entries.pop().type == "turn_started"
    assert table.log._entries.pop().type == "round_started"
    assert failing(table.log) == []
    assert 'id="hand"' not in client_of(table.log).get("/table").text


@pytest.mark.parametrize("kind", ["claim", "burning", None, []])
@pytest.mark.parametrize("value", [None, [], "x", {}, [[]], 10**30])
def test_a_case_in_an_unknown_form_is_open_all_the_same(kind: object, value: object) -> None:
    table = Table()
    table.play_opening()
    names = ("part", "round", "throw_id", "seq", "topics", "player", "dice", "still")
    table.log.append("case.opened", {"case_id": "c", "kind": kind} | dict.fromkeys(names, value))
    table.log.append("case.opened", {"case_id": "d", "kind": kind})
    table.log.append("question.asked", {"question_id": 1, "doubt": value, "seq": value})
    assert failing(table.log) == []
    assert "case-d" in client_of(table.log).get("/referee").text


STRANGE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.sampled_from(["", "\ud800", "half1", "\0", [], {}, [1], ["\ud800"], [[]], {"a": 1}]),
)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Sequence[Entry], ...]:
    """The log of each moment: a question and a dispute, a correction, a final, after two games."""
    tables = (one(tmp_path_factory.mktemp("evening")) for one in (asked, ruled, final, over))
    return tuple(table.log.read(0, 100_000) for table in tables)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 3), st.integers(1, 40), st.data())
def test_no_page_fails_over_any_field(
    logs: tuple[Sequence[Entry], ...], moment: int, back: int, data: st.DataObject
) -> None:
    """One of the latest entries holds something strange, or lacks a field."""
    log = ListLog()
    log._entries = list(logs[moment])
    entry = log._entries[-min(back, len(log._entries))]
    name = data.draw(st.sampled_from(sorted(entry.data) or ["player"]))
    changed: dict[str, Any] = dict(entry.data)
    changed[name] = data.draw(STRANGE)
    if data.draw(st.booleans()):
        del changed[name]
    log._entries[entry.seq - 1] = Entry(entry.seq, entry.at_s, entry.type, changed)
    assert failing(log) == []
