"""The simulated table: a game of Schocken as a video clip, and the truth about it.

    schockauge simulate --out clip.mp4 --truth truth.jsonl --players 3 --seed 7 --rounds 2

`device.simulate_game` decides what is played (by the real rules), `device.simulate_play` directs it
on the table (physically thrown dice, hands, cups), `device.simulate_render` makes pictures of it.
The same request gives the same game, the same table and the same truth.

Needs the extra `sim`; without it `simulate` says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from device.errors import SchockaugeError, UsageError
from device.simulate_game import letters, play, play_script, read_script, write_game

EXTRA_PACKAGES = ("mujoco", "numba", "av")
FPS_RANGE = (5.0, 60.0)
SIDE_RANGE_PX = (120, 1920)

Progress = Callable[[Iterator[None], int], Iterable[None]]


class ExtraMissingError(SchockaugeError, ImportError):
    """The simulated table's packages are not installed."""


@dataclass(frozen=True)
class Request:
    """What to simulate.

    Attributes:
        out: the clip.
        truth: the truth, JSON lines; None: not written.
        game: what was played, as `schockauge replay` reads it; None: not written.
        players: number of players.
        seed: of all chance.
        rounds: rounds after the opening; None: until a half is over.
        script: a written game to play instead.
        book: name of the rule book.
        fps: frames per second.
        size_px: width and height.
    """

    out: Path
    truth: Path | None = None
    game: Path | None = None
    players: int = 3
    seed: int = 7
    rounds: int | None = 1
    script: Path | None = None
    book: str = "turnier"
    fps: float = 15.0
    size_px: tuple[int, int] = (960, 720)

    def __post_init__(self) -> None:
        if self.rounds is not None and self.rounds < 0:
            raise UsageError(f"--rounds must be 0 or more, but got {self.rounds}.")
        if not FPS_RANGE[0] <= self.fps <= FPS_RANGE[1]:
            raise UsageError(f"--fps must be 5 to 60, but got {self.fps:g}.")
        width, height = self.size_px
        low, high = SIDE_RANGE_PX
        if not (low <= width <= high and low <= height <= high) or width % 2 or height % 2:
            raise UsageError(
                f"--size must be even numbers of {low} to {high} pixels such as 960x720, "
                f"but got {width}x{height}."
            )


@dataclass(frozen=True)
class Summary:
    """What was made: frames, seconds, throws and settled rounds."""

    frames: int
    seconds: float
    throws: int
    rounds: int


def simulate(request: Request, *, progress: Progress | None = None) -> Summary:
    """Play, direct, render and write a game.

    Args:
        request: what to simulate.
        progress: wraps the iteration over the frames; gets it and the number of frames.

    Raises:
        ExtraMissingError: the extra `sim` is not installed.
        SourceError: the script is no game, or the clip cannot be written.
        UnknownBook: no such rule book.
    """
    require_extra()
    import numpy as np

    from device.simulate_play import Director
    from device.simulate_render import TableRenderer
    from device.simulate_video import ClipWriter

    if request.script is not None:
        book, names, script = read_script(request.script)
        players = names or letters(request.players)
        book = book or request.book
        moves = list(play_script(book, players, script))
    else:
        book, players = request.book, letters(request.players)
        moves = list(play(book, players, seed=request.seed, rounds=request.rounds))
    director = Director(players, request.fps, np.random.default_rng([request.seed, 1]))
    for move in moves:
        director.show(move)
    renderer = TableRenderer(request.size_px, seed=request.seed, layouts=director.layouts)
    with ClipWriter(request.out, size_px=request.size_px, fps=request.fps) as writer:

        def frames() -> Iterator[None]:
            for frame in director.frames:
                writer.add(renderer.picture(frame))
                yield None

        count = len(director.frames)
        for _ in frames() if progress is None else progress(frames(), count):
            pass
    if request.truth is not None:
        director.truth.write(request.truth)
    if request.game is not None:
        write_game(request.game, book, players, moves)
    kinds = [line["type"] for line in director.truth.lines]
    return Summary(count, count / request.fps, kinds.count("cup_up"), kinds.count("round"))


def require_extra() -> None:
    """Check that the simulated table's packages are there.

    Raises:
        ExtraMissingError: names those that are missing and how to get them.
    """
    missing = [name for name in EXTRA_PACKAGES if find_spec(name) is None]
    if missing:
        raise ExtraMissingError(
            f"the simulated table needs {', '.join(missing)}; install the extra: "
            "pip install 'schockauge[sim]' (in a checkout: make sim)"
        )
