"""Whatever tables and their logs say, and even when the hall is away: the hub's pages answer."""

import logging
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hall_client import organiser, send, words
from hall_scenes import CLIP, STILL, asked, between, drawn, opened, over, playing
from hypothesis import given, settings
from hypothesis import strategies as st
from tournament_hall import MemoryHall

from web_ui.errors import HallAway
from web_ui.i18n import LANGUAGES, messages
from web_ui.stream import frames
from web_ui.tournament_api import Newest, entry_told
from web_ui.tournament_ports import LastThrow, Pending, RoundClock, TableStatus
from web_ui.tournament_seam import LONGEST_SHOWN, LegibleHall

HALF, LONG = "Ha\ud800lb", "x" * 100_000
PATHS = (
    "/tournament", "/tournament?name=a", "/tournament/board", "/tournament/wall",
    "/tournament/wall/board?show=tables", "/tournament/wall/board?show=standings",
    "/tournament/sheet", "/tournament/desk", "/tournament/desk?at=players",
    "/tournament/desk?at=round", "/tournament/desk?at=cards", "/tournament/desk/board?at=end",
    "/tournament/referee", "/tournament/referee/board", "/tournament/card/1/2",
    "/tournament/results.html", "/tournament/results.csv", "/api/tournament", "/healthz",
)  # fmt: skip


def in_language(path: str, lang: str) -> str:
    return f"{path}{'&' if '?' in path else '?'}lang={lang}"


def failing(hall: MemoryHall) -> list[tuple[str, int]]:
    client = organiser(hall)
    paths = [in_language(path, lang) for path in PATHS for lang in LANGUAGES]
    answers = [(path, client.get(path).status_code) for path in paths]
    return [(path, status) for path, status in answers if status >= 500]


def hostile_status(word: Any, number: float) -> TableStatus:
    return TableStatus(
        name="tisch-1",
        online=False,
        players=(word, word),
        turn=word,
        last_throw=LastThrow(player=word, dice=(0, 9, 6), text_de=word, text_en=word),
        behind=10**30,
        last_seen_s=number,
        url=f"javascript:{word}",
        faults=((word, word),) * 3,
        source="log",
    )


def hostile_pending(word: Any, number: float) -> Pending:
    return Pending(
        table="tisch-1", id=word, kind="question", player=word, dice=(9, 9), candidates=((7,),),
        verdicts=(word,), at_s=number, still=word, clip=word, text_de=word, text_en=word,
    )  # fmt: skip


def hostile(word: Any, number: float) -> MemoryHall:
    """A hall whose tables say such a thing wherever they can say anything."""
    hall = playing()
    for n in (1, 2, 3):
        hall.statuses = {**hall.statuses, n: hostile_status(word, number)}
    hall.others = [hostile_status(word, number)]
    hall.pending = [hostile_pending(word, number)]
    hall.told = [
        {"at_s": number, "what": word, "table": word, "text_de": word, "text_en": word},
        {"kind": word, "text_de": number, "text_en": [word], "at_s": word, "count": number},
        {},
    ]  # fmt: skip
    hall.log.append(f"weather.{HALF}", {HALF: [float("nan"), word]}, at_s=number)
    return hall


ODD_WORDS = (
    HALF,
    LONG,
    "",
    "\x00\x1b[31m",
    "{player} %s {{ 7 }}",
    "<script>alert(1)</script>",
    "../..",
)
ODD_NUMBERS = (float("nan"), float("inf"), -float("inf"), -1e300, 1e17, 0.0)


@pytest.mark.parametrize("number", ODD_NUMBERS)
def test_no_page_fails_over_a_number_that_is_none(number: float):
    assert failing(hostile("Anna", number)) == []


@pytest.mark.parametrize("word", ODD_WORDS, ids=range(len(ODD_WORDS)))
def test_no_page_fails_over_a_word_and_none_is_carried_out(word: str):
    hall = hostile(word, 1.0)
    assert failing(hall) == []
    answers = [organiser(hall).get(path) for path in PATHS]
    pages = "".join(answer.text for answer in answers if not answer.is_json)
    assert "<script>alert" not in pages
    assert 'href="javascript:' not in pages
    assert "x" * (LONGEST_SHOWN + 200) not in pages


@settings(max_examples=15, deadline=None)
@given(
    st.one_of(st.text(max_size=30), st.text(st.characters(categories=["Cs"]), max_size=3)),
    st.floats(),
)
def test_no_page_fails_over_anything(word: str, number: float):
    assert failing(hostile(word, number)) == []


EVENTS = ("round_drawn", "table_handed_in", "stechen_recorded", "scharf_called", "player_left")
DATA: tuple[dict[str, Any], ...] = (
    {}, {"tables": 5}, {"result": "none"}, {"order": [[1], 2]}, {"order": 7},
    {"reason": {"a": [HALF]}}, {"result": {"by": HALF}}, {"player": HALF, "tables": [HALF]},
)  # fmt: skip


@pytest.mark.parametrize("data", DATA, ids=range(len(DATA)))
def test_the_desk_tells_of_an_entry_whatever_is_in_it(data: dict[str, Any]):
    hall = opened(("Anna",))
    for kind in EVENTS:
        hall.log.append(kind, data, at_s=float("nan"))
    assert failing(hall) == []


def test_the_live_stream_tells_of_an_entry_that_is_none():
    hall = opened(("Anna",))
    hall.log.append(HALF, {"x": float("nan")}, at_s=float("inf"))
    sent = frames(
        Newest(LegibleHall(hall)), 0, lang="de", retry_ms=1, heartbeat_s=0.01, told=entry_told
    )
    told = "".join(islice(sent, 2)).encode()
    assert b"\\ud800lb" in told
    assert b"Infinity" not in told


def test_what_is_right_is_shown_as_it_was(tmp_path: Path):
    hall = asked(tmp_path)
    seam = LegibleHall(hall)
    assert list(seam.tables()) == list(hall.tables())
    assert list(seam.queue()) == list(hall.queue())
    assert list(seam.incidents()) == hall.told
    assert seam.clock() == hall.clock()
    assert (seam.queue()[0].still, seam.queue()[1].clip) == (STILL, CLIP)


# --- the hall is away ------------------------------------------------------------------------


READING = {"tournament", "tables", "queue", "history", "clock", "refusal", "incidents", "seq"}
WRITING = {"do", "rule"}


class AwayHall(MemoryHall):
    """A hall whose database can go away while pages are open."""

    reads = writes = True

    def __getattribute__(self, name: str) -> Any:
        get: Callable[[str], Any] = super().__getattribute__
        if (name in READING and not get("reads")) or (name in WRITING and not get("writes")):
            raise ConnectionError("the database does not answer")
        return get(name)


def away(scene: Callable[[], MemoryHall], *, reads: bool, writes: bool = False) -> AwayHall:
    hall = AwayHall()
    hall.__dict__.update(scene().__dict__)
    hall.reads, hall.writes = reads, writes
    return hall


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    with caplog.at_level(logging.CRITICAL):
        yield


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("path", [path for path in PATHS if path != "/healthz"])
def test_every_page_says_that_the_hall_is_away(path: str, lang: str):
    hall = away(playing, reads=True)
    client = organiser(hall)
    hall.reads = False
    answer = client.get(in_language(path, lang))
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 0
    said = messages(lang)["error.hall_away"].format(wait_s=answer.headers["Retry-After"])
    if path.startswith("/api/"):
        assert (
            answer.get_json()["error"] | {"code": "hall_away", "text": said}
            == (answer.get_json()["error"])
        )
    else:
        assert said in words(answer)


def test_a_probe_is_told_that_the_hall_is_away():
    hall = away(drawn, reads=True)
    client = organiser(hall)
    hall.reads = False
    told = client.get("/healthz")
    assert told.status_code == 503
    assert told.get_json() == {"status": "failed", "seq": None, "faults": ["hall"]}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_the_desk_asks_for_while_nothing_can_be_written_is_kept_on_the_page(lang: str):
    hall = away(lambda: opened(("Anna",)), reads=True)
    names = "Ben\nCem; Würfler\nDora"
    answer = send(organiser(hall), "register", f"/tournament/desk?lang={lang}", names=names)
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 0
    assert "Ben\nCem; Würfler\nDora</textarea>" in answer.text
    assert words(answer).count(messages(lang)["error.hall_away"][:60]) == 1


def test_a_ruling_a_program_and_a_draw_are_told_too(tmp_path: Path):
    hall = away(lambda: asked(tmp_path), reads=True)
    client = organiser(hall)
    ruled = client.post(
        "/tournament/referee?lang=en",
        data={"table": "tisch-1", "id": "c1", "way": "fault", "reason": "x"},
    )
    action = {"type": "start_clock"}
    told = client.post("/api/tournament/actions", json={"by": "R", "action": action})
    for answer in (ruled, told):
        assert answer.status_code == 503
        assert int(answer.headers["Retry-After"]) > 0
    assert "cannot read or write its database" in words(ruled)
    assert told.get_json()["error"]["code"] == "hall_away"
    hall = away(between, reads=True)
    client = organiser(hall)
    page = send(client, "draw", "/tournament/desk?lang=en", by="Ute")
    assert page.status_code == 503
    assert 'value="Ute"' in page.text


def test_a_stream_ends_when_the_hall_goes_away():
    hall = away(drawn, reads=True)
    seam = LegibleHall(hall)
    sent = frames(Newest(seam), 0, lang="de", retry_ms=1, heartbeat_s=0.01, told=entry_told)
    next(sent)
    hall.reads = False
    assert list(sent) == []


def test_an_absence_is_an_answer_and_an_oserror():
    with pytest.raises(OSError, match="hall_away") as caught:
        raise HallAway
    assert isinstance(caught.value, HallAway)
    assert caught.value.headers == {"Retry-After": "5"}


def test_a_clock_without_a_date_is_no_clock_of_another_year():
    hall = over()
    hall._clock = RoundClock(round=1, drawn_at_s=float("nan"), started_at_s=1e18)
    assert LegibleHall(hall).clock() == RoundClock(round=1, drawn_at_s=0.0, started_at_s=0.0)
