"""The live stream: the log as Server-Sent Events, each entry once and in order.

There is no queue between the log and a viewer: each one reads on from the number it has seen.
A viewer that stalls waits in its own thread and holds up nobody; one that comes back says what
it saw last (`Last-Event-ID`) and misses nothing. A number the log has not reached yet comes
from an earlier log (a new evening, another table): the viewer is told to start afresh.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from flask import Blueprint, Response, current_app, request

from web_ui.api import entry_json
from web_ui.context import Seats, context
from web_ui.errors import RequestError
from web_ui.parsing import language, whole_number
from web_ui.ports import Alarms, EventLog, LogEntry

blueprint = Blueprint("stream", __name__)

Told = Callable[[LogEntry, str], dict[str, Any]]
"""What is told of an entry, in a language."""

ALARM_S = 1.0
"""How often a viewer's thread looks whether something alarming has come up beside the log."""

_READ_ENTRIES = 200
"""Entries fetched at a time: a viewer far behind gets them in portions."""


def frames(
    log: EventLog,
    after_seq: int,
    *,
    lang: str,
    retry_ms: int,
    heartbeat_s: float,
    told: Told = entry_json,
    alarms: Alarms = tuple,
) -> Iterator[str]:
    """Yield the stream's frames without end.

    Args:
        log: what to read.
        after_seq: the last entry the viewer has seen.
        lang: language of the sentences.
        retry_ms: pause before the browser reconnects, milliseconds.
        heartbeat_s: longest silence, seconds; then a comment follows, which also finds out
            that a viewer has gone.
        told: what the stream says of an entry in a language.
        alarms: what lasts and is not in the log; when it changes, `renew` is said.
    """
    alarmed: tuple[Mapping[str, Any], ...] = ()  # the page may have been drawn before there was one
    silent_s = 0.0
    yield f"retry: {retry_ms}\n\n"
    # A log that cannot be read any more (the appliance is switched off, the disk is gone) ends the
    # stream; the browser comes back and goes on.
    with suppress(OSError):
        while True:
            for entry in log.read(after_seq, _READ_ENTRIES):
                after_seq = entry.seq
                data = json.dumps(told(entry, lang), ensure_ascii=False)
                yield f"id: {entry.seq}\ndata: {data}\n\n"
            look_s = min(ALARM_S, heartbeat_s)
            silent_s = 0.0 if log.wait(after_seq, look_s) else silent_s + look_s
            if (now := tuple(alarms())) != alarmed:
                alarmed = now
                yield "event: renew\ndata: 0\n\n"
            elif silent_s >= heartbeat_s:
                silent_s = 0.0
                yield ": heartbeat\n\n"


@blueprint.get("/api/stream")
def stream() -> Response:
    """Send entries after Last-Event-ID (or ?after=) as they come."""
    at = context()
    return live(at.log, at.projection.board().seq, at.seats, alarms=at.alarms)


def live(
    log: EventLog,
    newest: int,
    seats: Seats,
    told: Told = entry_json,
    *,
    alarms: Alarms = tuple,
) -> Response:
    """Answer the request under way with the entries of a log.

    Args:
        log: what to send.
        newest: the number that it has reached.
        seats: of the viewers.
        told: as of `frames`.
        alarms: as of `frames`.

    Raises:
        RequestError: 400 a number that is none, 503 there is no seat.
    """
    config = current_app.config
    after = whole_number("after", request.args.get("after"), default=0)
    after = whole_number("Last-Event-ID", request.headers.get("Last-Event-ID"), default=after)
    prologue = ""
    if after > newest:
        after = newest
        prologue = f"id: {newest}\nevent: reset\ndata: {newest}\n\n"
    if not seats.take(config["STREAM_LIMIT"]):
        raise RequestError(503, "too_many_viewers", limit=config["STREAM_LIMIT"])
    body = frames(
        log,
        after,
        lang=language(),
        retry_ms=config["STREAM_RETRY_MS"],
        heartbeat_s=config["STREAM_HEARTBEAT_S"],
        told=told,
        alarms=alarms,
    )
    response = Response(_with_prologue(prologue, body), mimetype="text/event-stream")
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    response.call_on_close(seats.leave)
    return response


def _with_prologue(prologue: str, body: Iterator[str]) -> Iterator[str]:
    if prologue:
        yield prologue
    yield from body
