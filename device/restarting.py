"""Starting a table anew from its page: the process ends tidily, and systemd starts it again."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Mapping

STATUS = 75
"""Exit status of a program that is to be started again (EX_TEMPFAIL of sysexits.h): systemd does so
with `Restart=always` and with `Restart=on-failure`."""

ANSWER_S = 1.0
"""The page that says so is on its way for so long before the server goes."""


def is_service(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether systemd itself has started this process, and not somebody in a terminal that it has.

    It names the process that it has started, systemd.exec(5); Debian 12 and later have that.
    """
    return environment.get("SYSTEMD_EXEC_PID") == str(os.getpid())


def _end() -> None:
    """End the command as `systemctl stop` does; `device.cli` makes a tidy end of it."""
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)


class Restart:
    """The way to start this process anew.

    Args:
        can: somebody starts it again when it ends; None: as `is_service` says.
        end: ends it.
        answer_s: how long the answer to whoever asks is waited for.

    Attributes:
        wanted: somebody has asked for it.
    """

    def __init__(
        self,
        *,
        can: bool | None = None,
        end: Callable[[], None] = _end,
        answer_s: float = ANSWER_S,
    ) -> None:
        self.can = is_service() if can is None else can
        self.wanted = False
        self._end, self._answer_s = end, answer_s
        self._lock = threading.Lock()

    @property
    def command(self) -> str:
        """What a person types where nobody starts it again."""
        return shlex.join(["schockauge", *sys.argv[1:]])

    def begin(self) -> None:
        """End the process in a moment; may be asked for twice."""
        with self._lock:
            if self.wanted:
                return
            self.wanted = True
        timer = threading.Timer(self._answer_s, self._end)
        timer.daemon = True
        timer.start()
