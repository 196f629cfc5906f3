"""A simulated table that is played at without end: a source of frames like a camera.

Frames are painted while they are asked for; one game follows the other. The time of the frames is
the table's: a machine that paints slowly shows a slow game, and loses none of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from device.errors import UsageError
from device.frames import Closing, Frame
from device.simulate import Request, staged
from device.simulate_game import letters, play
from device.simulate_names import OF_CLIPS


class SimulatedTable(Closing):
    """Games on a simulated table, each with the next seed.

    Args:
        request: how the table looks, who plays, and by which book; `out` is not written.

    Raises:
        UsageError: a disturbance that only a recording has.
        ExtraMissingError: the extra `sim` is not installed.
        UnknownBook: no such rule book (while iterating).
    """

    frame_count: int | None = None
    live = False

    def __init__(self, request: Request) -> None:
        for name in request.disturbances:
            if name in OF_CLIPS:
                raise UsageError(f"{name} is of recorded clips; a table played at live has none.")
        self._request = request
        self._players = letters(request.players)
        self._table = staged(request, self._players)

    def __iter__(self) -> Iterator[Frame]:
        """The frames, without end."""
        shown, seed = 0, self._request.seed
        renderer, stage = self._table.renderer, self._table.director.stage
        while True:
            moves = play(self._request.book, self._players, seed=seed, rounds=None, whole=True)
            for _ in self._table.director.acts(moves):
                for index, frame in enumerate(stage.frames):
                    at_s = stage.time_s(index)
                    yield Frame(renderer.picture(frame, at_s), at_s, shown)
                    shown += 1
                stage.forget()
            seed += 1
