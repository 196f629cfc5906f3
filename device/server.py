"""The dashboard's web server: waitress in a thread of its own."""

from __future__ import annotations

import errno
import logging
import socket
import threading
import time
from typing import TYPE_CHECKING, Any, Self

from waitress import wasyncore
from waitress.server import create_server

from device.errors import AddressError, PortInUseError, SchockaugeError

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication

SPARE_THREADS = 4
"""Threads that live views never take, so that the page and its actions always get one."""

SHUTDOWN_S = 5.0
POLL_S = 0.01

MOST_BODY_BYTES = 65_536
"""The server itself stops reading there, before a body fills the disk; the page allows less."""

MOST_UNSENT_BYTES = 1_048_576
"""Kept for one viewer that does not read; then its thread waits, and what it asks is not made."""

STALLED_S = 60.0
"""Whoever has not taken what was sent for so long is cut off, and his thread is free again. A live
viewer comes back by itself and goes on where it was (`Last-Event-ID`)."""

MOST_CONNECTIONS = 500
"""Open at a time; a hundred idle ones must not keep the table's own screen out."""


class DashboardServer:
    """Serves the dashboard until closed.

    Args:
        app: from `web_ui.create_app`, or whatever else answers by WSGI.
        host: address to listen on.
        port: 0: any free one; see `url`.
        threads: answers at the same time; every live view holds one.
        stalled_s: whoever takes nothing for so long is cut off, seconds.

    Raises:
        PortInUseError: another program listens there.
        AddressError: no such address on this machine, or not allowed.
        SchockaugeError: there is no such port.
    """

    def __init__(
        self,
        app: WSGIApplication,
        *,
        host: str,
        port: int,
        threads: int,
        stalled_s: float = STALLED_S,
    ) -> None:
        # That a request waits a moment, or a viewer still looks on at the end, is no news.
        logging.getLogger("waitress").setLevel(logging.ERROR)
        self._socket = _listen(host, port)
        _cut_off_after(self._socket, stalled_s)
        self.port = int(self._socket.getsockname()[1])
        shown = "127.0.0.1" if host in ("0.0.0.0", "", "::") else host
        self.url = f"http://{f'[{shown}]' if ':' in shown else shown}:{self.port}/"
        self._server: Any = create_server(
            app,
            sockets=[self._socket],
            threads=threads,
            outbuf_high_watermark=MOST_UNSENT_BYTES,
            log_socket_errors=False,  # that somebody was cut off or has gone is no news
            max_request_body_size=MOST_BODY_BYTES,
            connection_limit=MOST_CONNECTIONS,
            asyncore_use_poll=True,  # select() ends at 1024 open files
            ident=None,  # which server this is, is nobody's business
        )
        self._thread = threading.Thread(target=self._run, name="dashboard", daemon=True)
        self._closed = False
        self._woken = threading.Event()

    def start(self) -> Self:
        """Begin to answer."""
        self._thread.start()
        return self

    def settle(self, limit_s: float = SHUTDOWN_S) -> bool:
        """Wait until every answer that was begun has gone out; live views never have.

        Args:
            limit_s: at most so long, seconds.

        Returns:
            Whether all have.
        """
        until_s = time.monotonic() + limit_s
        while any(_is_answering(one) for one in list(self._server.active_channels.values())):
            if time.monotonic() >= until_s:
                return False
            time.sleep(POLL_S)
        return True

    def close(self) -> None:
        """Stop answering, in the middle of an answer, too (`settle`); may be called twice."""
        if self._closed:
            return
        self._closed = True
        # The threads of viewers who still look on end after the sockets: no news either.
        logging.getLogger("waitress").setLevel(logging.CRITICAL)
        if self._thread.is_alive():
            # The loop itself must close its sockets: it may be waiting on them just now.
            self._server.trigger.pull_trigger(self._close_channels)
            self._woken.set()
            self._thread.join(SHUTDOWN_S)
        self._server.task_dispatcher.shutdown(timeout=0.1)
        self._server.close()
        self._socket.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _close_channels(self) -> None:
        # What wakes the loop is closed, too: not before it has been pulled, for an answer that goes
        # out may have woken the loop already.
        self._woken.wait(SHUTDOWN_S)
        wasyncore.close_all(self._server._map, ignore_all=True)

    def _run(self) -> None:
        try:
            self._server.run()
        except OSError:
            if not self._closed:
                raise


def _is_answering(channel: Any) -> bool:
    # In this order: an answer is in the buffer before its request is done with.
    return bool(channel.requests) or channel.total_outbufs_len > 0


def _cut_off_after(listening: socket.socket, stalled_s: float) -> None:
    """Have the system close connections whose other end takes nothing; they inherit it."""
    option = getattr(socket, "TCP_USER_TIMEOUT", None)  # Linux has it, others keep them longer
    if option is not None:
        listening.setsockopt(socket.IPPROTO_TCP, option, round(1000 * stalled_s))


def _listen(host: str, port: int) -> socket.socket:
    if not 0 <= port <= 65535:
        raise SchockaugeError(f"There is no port {port}; expected 0 to 65535.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        host.encode("idna")  # else a socket would be left behind
        return socket.create_server((host, port), family=family, backlog=128)
    except (OSError, UnicodeError) as error:  # the latter of what can be no name of a machine
        if getattr(error, "errno", None) == errno.EADDRINUSE:
            raise PortInUseError(
                f"The port {port} is in use by another program. Close that one, or choose another "
                "port with --port (0: any free one)."
            ) from error
        reason = getattr(error, "strerror", None) or "that is no name of a machine"
        raise AddressError(
            f"The dashboard cannot listen on {host}, port {port}: {reason}. Choose another "
            "address with --host or another port with --port."
        ) from error
