"""The simulated table: a game of Schocken as a video clip, and the truth about it.

    schockauge simulate --out clip.mp4 --truth truth.jsonl --players 3 --seed 7 --rounds 2

`device.simulate_game` decides what is played (by the real rules), `device.simulate_play` directs it
on the table (physically thrown dice, hands, cups), `device.simulate_render` makes pictures of it.
The same request gives the same game, the same table and the same truth.

Needs the extra `sim`; without it `simulate` says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from device.errors import SchockaugeError, SourceError, UsageError
from device.simulate_game import Move, letters, play, play_script, read_script, write_game
from device.simulate_names import check

if TYPE_CHECKING:
    from device.simulate_disturbances import Disturbed
    from device.simulate_play import Director
    from device.simulate_render import TableRenderer

EXTRA_PACKAGES = ("mujoco", "numba", "av")
FPS_RANGE = (5.0, 60.0)
MOST_PAUSE_S = 600.0
SIDE_RANGE_PX = (120, 1920)
SIZES_PX = {"shared": (960, 720), "seats": (1440, 1080)}
"""By layout: where everybody has a seat the mat is larger, and dice still need 30 pixels."""
FAST_RAYS, BEAUTIFUL_RAYS = 2, 24
"""Rays per pixel: enough for a reader of dice, and for people (soft shadows without grain)."""
STILL_SUFFIXES = (".png", ".jpg", ".webp")

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
        size_px: width and height; None: what the layout needs (`SIZES_PX`).
        layout: one of `device.simulate_names.LAYOUT_NAMES`.
        pause_s: nothing happens for so long when the game is over.
        disturbances: names of `device.simulate_names.DISTURBANCES`.
        rays: per pixel.
        still_s: only the picture at this time is rendered, and `out` is a picture; None: a clip.
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
    size_px: tuple[int, int] | None = None
    layout: str = "shared"
    pause_s: float = 0.0
    disturbances: tuple[str, ...] = ()
    rays: int = FAST_RAYS
    still_s: float | None = None

    def __post_init__(self) -> None:
        if self.rounds is not None and self.rounds < 0:
            raise UsageError(f"--rounds must be 0 or more, but got {self.rounds}.")
        if not FPS_RANGE[0] <= self.fps <= FPS_RANGE[1]:
            raise UsageError(f"--fps must be 5 to 60, but got {self.fps:g}.")
        if not 0 <= self.pause_s <= MOST_PAUSE_S:
            raise UsageError(f"--pause must be 0 to {MOST_PAUSE_S:g}, but got {self.pause_s:g}.")
        if self.layout not in SIZES_PX:
            raise UsageError(f"--layout knows {', '.join(SIZES_PX)}, but got {self.layout!r}.")
        check(self.disturbances)
        if self.still_s is not None and self.out.suffix.lower() not in STILL_SUFFIXES:
            raise UsageError(
                f"--still writes a picture: --out must end with {', '.join(STILL_SUFFIXES)}, "
                f"but got {self.out.name}."
            )
        width, height = self.picture_px
        low, high = SIDE_RANGE_PX
        if not (low <= width <= high and low <= height <= high) or width % 2 or height % 2:
            raise UsageError(
                f"--size must be even numbers of {low} to {high} pixels such as 960x720, "
                f"but got {width}x{height}."
            )

    @property
    def picture_px(self) -> tuple[int, int]:
        """Width and height of the clip."""
        return self.size_px or SIZES_PX[self.layout]


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
    book, players, moves = _moves(request)
    table = staged(request, players)
    for _ in table.director.acts(moves):
        pass
    table.director.leave_alone(request.pause_s)
    stage = table.director.stage
    count = len(stage.frames)
    if request.still_s is None:
        _film(table, request, progress)
    else:
        _photograph(table, request, request.still_s)
    if request.truth is not None:
        stage.truth.write(request.truth)
    if request.game is not None:
        write_game(request.game, book, players, moves)
    kinds = [line["type"] for line in stage.truth.lines]
    return Summary(count, count / request.fps, kinds.count("cup_up"), kinds.count("round"))


def _film(table: Staged, request: Request, progress: Progress | None) -> None:
    from device.simulate_video import ClipWriter

    stage, stamps = table.director.stage, table.stamps()
    with ClipWriter(request.out, size_px=request.picture_px, fps=request.fps) as writer:

        def frames() -> Iterator[None]:
            for number, frame in enumerate(stage.frames):
                picture = table.renderer.picture(frame, number / request.fps)
                at_s = stamps[number]
                if at_s is not None:
                    writer.add(picture, at_s)
                yield None

        for _ in frames() if progress is None else progress(frames(), len(stage.frames)):
            pass


def _photograph(table: Staged, request: Request, at_s: float) -> None:
    """Write the one picture; what happened before it need not be rendered for that."""
    import cv2

    frames = table.director.stage.frames
    number = round(at_s * request.fps)
    if not 0 <= number < len(frames):
        raise UsageError(
            f"--still must be 0 to {(len(frames) - 1) / request.fps:.1f} (the game's length in "
            f"seconds), but got {at_s:g}."
        )
    picture = table.renderer.picture(frames[number], at_s)
    if not cv2.imwrite(str(request.out), picture):
        raise SourceError(
            f"{request.out} cannot be written; is there room, and may we write there?"
        )


@dataclass(frozen=True)
class Staged:
    """A table that is ready to be played at: who directs it, who paints it, what disturbs it."""

    director: Director
    renderer: TableRenderer
    disturbed: Disturbed

    def stamps(self) -> list[float | None]:
        """When every frame so far reaches the reader, seconds; None: never."""
        stage = self.director.stage
        return self.disturbed.stamps(len(stage.frames), stage.fps)


def staged(request: Request, players: Sequence[str]) -> Staged:
    """Set up a table.

    Args:
        request: layout, disturbances, size, seed.
        players: names, clockwise.

    Raises:
        ExtraMissingError: the extra `sim` is not installed.
    """
    require_extra()
    import numpy as np

    from device.simulate_disturbances import Disturbed
    from device.simulate_look import Look
    from device.simulate_play import Director
    from device.simulate_render import TableRenderer
    from device.simulate_table import plan_of

    plan = plan_of(players, request.layout)
    disturbed = Disturbed(request.disturbances, request.seed)
    director = Director(
        plan,
        request.fps,
        np.random.default_rng([request.seed, 1]),
        own_dice=disturbed.own_dice,
        peeks=disturbed.peeks,
    )
    disturbed.begin(director.stage)
    size_px = request.picture_px
    renderer = TableRenderer(
        size_px,
        seed=request.seed,
        look=Look(plan, director.layouts, disturbed.dice(plan), warm=disturbed.warm),
        faults=disturbed.camera(size_px, plan),
        samples=request.rays,
    )
    return Staged(director, renderer, disturbed)


def _moves(request: Request) -> tuple[str, Sequence[str], list[Move]]:
    """The book, the players and what is played."""
    if request.script is None:
        players: Sequence[str] = letters(request.players)
        moves = play(request.book, players, seed=request.seed, rounds=request.rounds)
        return request.book, players, list(moves)
    book, names, script = read_script(request.script)
    players, book = names or letters(request.players), book or request.book
    return book, players, list(play_script(book, players, script))


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
