"""The dashboard's server: it answers, streams, and says when its port is taken."""

import socket
import threading
import time
import urllib.request
from collections.abc import Iterator

import pytest
from flask import Flask, Response

from device.errors import PortInUseError, SchockaugeError
from device.server import MOST_UNSENT_BYTES, DashboardServer


def make_app(go_on: threading.Event) -> Flask:
    app = Flask(__name__)

    @app.get("/")
    def page() -> str:
        return "Deckel"

    @app.get("/stream")
    def stream() -> Response:
        def lines() -> Iterator[str]:
            yield "first\n"
            go_on.wait(10)
            yield "second\n"

        return Response(lines(), mimetype="text/event-stream")

    return app


def test_pages_are_answered_while_a_stream_is_open() -> None:
    go_on = threading.Event()
    with (
        DashboardServer(make_app(go_on), host="127.0.0.1", port=0, threads=4) as server,
        urllib.request.urlopen(server.url + "stream", timeout=10) as stream,
    ):
        assert stream.readline() == b"first\n"  # arrives before the stream ends
        with urllib.request.urlopen(server.url, timeout=10) as page:
            assert page.read() == b"Deckel"
        go_on.set()
        assert stream.readline() == b"second\n"


def test_an_answer_that_was_begun_goes_out_before_it_is_closed() -> None:
    begun, go_on = threading.Event(), threading.Event()
    app = Flask(__name__)
    said: list[bytes] = []

    @app.get("/")
    def page() -> str:
        begun.set()
        go_on.wait(10)
        return "Deckel" * 10_000

    def ask() -> None:
        with urllib.request.urlopen(server.url, timeout=10) as answer:
            said.append(answer.read())

    with DashboardServer(app, host="127.0.0.1", port=0, threads=2) as server:
        assert server.settle(), "nobody has asked"
        asking = threading.Thread(target=ask)
        asking.start()
        assert begun.wait(10)
        assert not server.settle(limit_s=0.1)
        threading.Timer(0.2, go_on.set).start()
        assert server.settle()
    asking.join(10)
    assert said == [b"Deckel" * 10_000]


def test_it_can_be_closed_twice_and_lets_the_port_go() -> None:
    server = DashboardServer(make_app(threading.Event()), host="127.0.0.1", port=0, threads=2)
    server.start()
    server.close()
    server.close()
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", server.port))


def test_it_closes_when_an_answer_wakes_its_loop_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop, awake already, closes what was to wake it before it is woken."""
    app = make_app(threading.Event())
    server = DashboardServer(app, host="127.0.0.1", port=0, threads=2).start()
    trigger = server._server.trigger
    woken = trigger._physical_pull

    def late() -> None:
        woken()
        until = time.monotonic() + 10
        while server._thread.is_alive() and time.monotonic() < until:
            if trigger.lock.locked():  # the loop does what it was told to
                break
            time.sleep(0.001)
        woken()

    monkeypatch.setattr(trigger, "_physical_pull", late)
    server.close()
    assert not server._thread.is_alive()


def test_a_port_in_use_is_named_with_the_way_out() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(PortInUseError, match=rf"port {port} is in use .*--port"):
            DashboardServer(make_app(threading.Event()), host="127.0.0.1", port=port, threads=2)


@pytest.mark.parametrize(("host", "port"), [("192.0.2.1", 0), ("127.0.0.1", 99999)])
def test_an_address_that_cannot_be_is_named(host: str, port: int) -> None:
    with pytest.raises(SchockaugeError, match=r"cannot listen|There is no port"):
        DashboardServer(make_app(threading.Event()), host=host, port=port, threads=2)


def test_whoever_reads_nothing_is_cut_off_and_holds_up_nobody() -> None:
    """His thread first waits, then is free again; what he was to get is not made meanwhile."""
    made, closed = [0], threading.Event()
    app = make_app(threading.Event())

    @app.get("/flood")
    def flood() -> Response:
        def chunks() -> Iterator[bytes]:
            try:
                while True:
                    made[0] += 1
                    yield b"x" * 65_536
            finally:
                closed.set()

        return Response(chunks(), mimetype="text/event-stream")

    with (
        DashboardServer(app, host="127.0.0.1", port=0, threads=2, stalled_s=1.0) as server,
        socket.socket() as stalled,
    ):
        stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stalled.connect(("127.0.0.1", server.port))
        stalled.sendall(b"GET /flood HTTP/1.0\r\nHost: localhost\r\n\r\n")
        with urllib.request.urlopen(server.url, timeout=10) as page:
            assert page.read() == b"Deckel"
        assert closed.wait(60), "the system cuts him off"
        assert 65_536 * made[0] < 32 * MOST_UNSENT_BYTES


def test_a_body_larger_than_any_request_is_not_even_read() -> None:
    server = DashboardServer(make_app(threading.Event()), host="127.0.0.1", port=0, threads=2)
    with server, socket.create_connection(("127.0.0.1", server.port), timeout=10) as sender:
        sender.sendall(
            b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n"
            + b"x" * 1000
        )
        answer = sender.recv(4096)
        assert answer.startswith(b"HTTP/1.1 413 ")
        assert b"waitress" not in answer.split(b"\r\n\r\n")[0]
        with urllib.request.urlopen(server.url, timeout=10) as page:
            assert page.read() == b"Deckel"
