"""The live stream: every entry once and in order, whatever happens to the connection."""

import itertools
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from test_web_ui_table import ListLog, Table

from web_ui import create_app
from web_ui.stream import frames


def app_of(table: Table, **settings: object) -> Flask:
    return create_app(table.log, table.submit, {"STREAM_HEARTBEAT_S": 0.05} | settings)


def read_entries(body: Iterator[Any], count: int) -> list[int]:
    """Read so many entries of a stream and return their ids."""
    ids: list[int] = []
    for frame in body:
        text = frame.decode() if isinstance(frame, bytes) else frame
        if text.startswith("id: ") and "event:" not in text:
            ids.append(int(text.split("\n")[0].removeprefix("id: ")))
        if len(ids) == count:
            break
    return ids


def test_a_frame_is_retry_then_entries_then_a_heartbeat():
    table = Table()
    stream = frames(table.log, 0, lang="de", retry_ms=700, heartbeat_s=0.01)
    assert next(stream) == "retry: 700\n\n"
    number, data, empty, end = next(stream).split("\n")
    assert (number, empty, end) == ("id: 1", "", "")
    entry = json.loads(data.removeprefix("data: "))
    assert entry["type"] == "match_started"
    assert entry["text"] == "Das Spiel beginnt: Anna, Ben und Cem."
    assert next(stream) == ": heartbeat\n\n"


def test_line_breaks_in_a_name_do_not_break_the_frame():
    log = ListLog()
    log.append("thrown", {"player": "A\n\nid: 99\ndata: x"})
    stream = frames(log, 0, lang="de", retry_ms=1, heartbeat_s=0.01)
    _, frame = itertools.islice(stream, 2)
    assert frame.count("\n") == 3
    assert json.loads(frame.split("\n")[1].removeprefix("data: "))["data"]["player"].count("\n")


def test_a_viewer_that_comes_back_misses_nothing():
    table = Table()
    table.play_opening()
    total = len(table.log.read(0, 10_000))
    client = app_of(table).test_client()
    with client.get("/api/stream") as response:
        assert response.mimetype == "text/event-stream"
        assert response.headers["Cache-Control"] == "no-store"
        seen = read_entries(response.response, 4)
    table.play_round()
    grown = len(table.log.read(0, 10_000))
    headers = {"Last-Event-ID": str(seen[-1])}
    with client.get("/api/stream?after=1", headers=headers) as response:
        seen += read_entries(response.response, grown - 4)
    assert seen == list(range(1, grown + 1))
    assert grown > total


def test_a_new_viewer_starts_where_its_page_was_made():
    table = Table()
    table.play_opening()
    total = len(table.log.read(0, 10_000))
    with app_of(table).test_client().get(f"/api/stream?after={total - 2}") as response:
        assert read_entries(response.response, 2) == [total - 1, total]


def test_entries_arrive_while_the_viewer_waits():
    table = Table()
    client = app_of(table, STREAM_HEARTBEAT_S=10.0).test_client()
    with client.get("/api/stream?after=1") as response:
        threading.Timer(0.1, table.log.append, ("fault", {"what": "camera"})).start()
        assert read_entries(response.response, 1) == [2]


def test_a_number_from_another_log_resets_the_viewer():
    table = Table()
    headers = {"Last-Event-ID": "5000"}
    with app_of(table).test_client().get("/api/stream", headers=headers) as response:
        first = next(iter(response.response))
        assert first == b"id: 1\nevent: reset\ndata: 1\n\n"


@pytest.mark.parametrize("number", ["-1", "abc", "1 OR 1=1", "9" * 400, "1.0"])
def test_a_forged_last_event_id_is_refused(number: str):
    response = app_of(Table()).test_client().get("/api/stream", headers={"Last-Event-ID": number})
    assert response.status_code == 400
    assert response.get_json()["error"]["code"] == "bad_number"


def test_there_are_only_so_many_seats_and_a_seat_is_given_back():
    client = app_of(Table(), STREAM_LIMIT=2).test_client()
    first, second = client.get("/api/stream"), client.get("/api/stream")
    full = client.get("/api/stream")
    assert full.status_code == 503
    assert "2 Bildschirme" in full.get_json()["error"]["text_de"]
    first.close()
    third = client.get("/api/stream")
    assert third.status_code == 200
    second.close()
    third.close()


def test_a_viewer_that_stalls_holds_up_nobody():
    table = Table()
    client = app_of(table).test_client()
    with client.get("/api/stream") as stalled, client.get("/api/stream") as lively:
        next(iter(stalled.response))  # reads one frame and never again
        table.play_opening()
        total = len(table.log.read(0, 10_000))
        assert read_entries(lively.response, total) == list(range(1, total + 1))


def test_many_viewers_read_the_same_in_order():
    table = Table()
    app = app_of(table)
    seen: dict[int, list[int]] = {}

    def view(number: int) -> None:
        with app.test_client().get("/api/stream") as response:
            seen[number] = read_entries(response.response, 60)

    viewers = [threading.Thread(target=view, args=(number,)) for number in range(8)]
    for viewer in viewers:
        viewer.start()
    for number in range(59):
        table.log.append("fault_over", {"what": str(number)})
    for viewer in viewers:
        viewer.join(timeout=20)
    assert seen == {number: list(range(1, 61)) for number in range(8)}


def test_a_log_that_cannot_be_read_any_more_ends_the_stream():
    class Closing(ListLog):
        def wait(self, after_seq: int, timeout_s: float) -> bool:
            raise OSError("the log is closed")

    log = Closing()
    log.append("fault_over", {"what": "camera"})
    assert len(list(frames(log, 0, lang="de", retry_ms=1, heartbeat_s=0.01))) == 2
