"""A simulated table that is played at without end: a source of frames like a camera.

Frames are painted while they are asked for; one game follows the other. The time of the frames is
the table's: a machine that paints slowly shows a slow game, and loses none of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from device.frames import Closing, Frame
from device.simulate import Request, staged
from device.simulate_game import letters, play


class SimulatedTable(Closing):
    """Games on a simulated table, each with the next seed.

    Args:
        request: how the table looks, who plays, and by which book; `out` is not written.

    Raises:
        ExtraMissingError: the extra `sim` is not installed.
        UnknownBook: no such rule book (while iterating).
    """

    frame_count: int | None = None
    live = False

    def __init__(self, request: Request) -> None:
        self._request = request
        self._players = letters(request.players)
        self._table = staged(request, self._players)

    def __iter__(self) -> Iterator[Frame]:
        """The frames, without end."""
        fps, shown, seed = self._request.fps, 0, self._request.seed
        renderer, stage = self._table.renderer, self._table.director.stage
        while True:
            moves = play(self._request.book, self._players, seed=seed, rounds=None, whole=True)
            for _ in self._table.director.acts(moves):
                for frame in stage.frames[shown:]:
                    yield Frame(renderer.picture(frame, shown / fps), shown / fps, shown)
                    shown += 1
            seed += 1
