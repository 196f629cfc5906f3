"""What stays while a table is set up and plays in turns: the camera, and what the server serves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from device.frames import Frame, Missing, Source
from device.reopening import Reopening
from device.sources import at_real_speed, is_live

_STARTING = b"""<!doctype html>
<html lang="de"><head><meta charset="utf-8"><meta http-equiv="refresh" content="2">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Schockauge</title></head>
<body><h1>Schockauge</h1><p>Der Tisch startet mit den neuen Einstellungen &hellip;</p>
<p lang="en">The table starts with the new settings &hellip;</p></body></html>
"""


class Stage:
    """What the server serves: an application, or for the moments between two that it starts."""

    def __init__(self, app: Any) -> None:
        self.app: Any = app

    def __call__(self, environ: Any, start_response: Any) -> Iterable[bytes]:
        """Answer one request (WSGI)."""
        if self.app is not None:
            return self.app(environ, start_response)  # type: ignore[no-any-return]
        headers = [
            ("Content-Type", "text/html; charset=utf-8"),
            ("Cache-Control", "no-store"),
            ("Retry-After", "2"),
            ("Content-Length", str(len(_STARTING))),
        ]
        start_response("503 Service Unavailable", headers)
        return [_STARTING]


class Camera:
    """The one opening of the camera: the same frames go on, whoever takes them.

    Args:
        patient: wait for a camera that is not there yet.
        wait: waits so many seconds, or less where somebody has chosen another camera.
        open_spec: opens what settings name.
    """

    def __init__(
        self,
        *,
        patient: bool,
        wait: Callable[[float], object],
        open_spec: Callable[[str], Source],
    ) -> None:
        self._patient, self._wait, self._open = patient, wait, open_spec
        self._spec: str | None = None
        self._source: Reopening | None = None
        self._frames: Iterator[Frame | Missing] = iter(())

    def frames(self, spec: str, *, slowly: bool = False) -> Iterator[Frame | Missing]:
        """The frames of a source, from now on where it is the one before.

        Args:
            spec: as `device.sources.open_source` takes it.
            slowly: a recording is handed out as fast as it was taken, not as fast as it is read.
        """
        if spec != self._spec:
            self.close()
            live = is_live(spec)
            self._spec = spec
            self._source = Reopening(
                lambda: self._open(spec), patient=self._patient and live, sleep=self._wait
            )
            frames = iter(self._source)
            self._frames = frames if live or not slowly else _real(frames)
        return self._frames

    def look_again(self) -> bool:
        """Let it find light and focus anew; False: it does not do such a thing, or is not there."""
        source = self._source  # a page asks while the frames' thread may close it
        return source is not None and source.look_again()

    def close(self) -> None:
        """Let the camera go; may be called twice."""
        if self._source is not None:
            self._source.close()
        self._spec = self._source = None


def _real(frames: Iterator[Frame | Missing]) -> Iterator[Frame | Missing]:
    """A recording at the speed at which it was taken."""
    return at_real_speed(frame for frame in frames if isinstance(frame, Frame))
