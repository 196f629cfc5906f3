"""Many simulated clips at once, each with its truth and its game: what `bench watch` is fed with.

    schockauge simulate --clips 40 --out clips --seed 5000

The clips take turns in rule books, numbers of players, layouts and disturbances, unless the command
names some. A clip whose files are all there is left as it is, so that the same command goes on
where it stopped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from device.errors import UsageError
from device.simulate import Request
from device.simulate_names import DISTURBANCES
from device.simulate_table import CAMERA_FOV_DEG, mat_size_of
from rules import all_books

PLAYERS = (2, 3, 4, 5, 6)
TURNS_OF_LAYOUTS = ("shared", "shared", "seats")
MOST_CLIPS = 1000


@dataclass(frozen=True)
class Planned:
    """A clip of a series: how to make it, and where what is known of it goes."""

    request: Request
    about: Path

    @property
    def is_there(self) -> bool:
        """Whether all of its files are; what is known of it is written last."""
        return self.about.is_file() and self.request.out.is_file()

    def write_about(self) -> None:
        """Write down how it was made."""
        about = {
            "seed": self.request.seed,
            "book": self.request.book,
            "players": self.request.players,
            "fps": self.request.fps,
            "layout": self.request.layout,
            "mat_size_mm": list(mat_size_of(self.request.layout)),
            "camera_fov_deg": CAMERA_FOV_DEG,
            "disturbances": list(self.request.disturbances),
        }
        self.about.write_text(json.dumps(about) + "\n", encoding="utf-8")


def planned(
    folder: Path,
    count: int,
    model: Request,
    *,
    layouts: Sequence[str] = TURNS_OF_LAYOUTS,
    disturbances: Sequence[str] | None = None,
) -> Iterator[Planned]:
    """The clips of a series.

    Args:
        folder: where they go.
        count: how many.
        model: what they have in common; its seed is the first one's.
        layouts: they take turns in these.
        disturbances: every clip has these; None: two of all, which take turns.

    Raises:
        UsageError: not 1 to `MOST_CLIPS`.
    """
    if not 1 <= count <= MOST_CLIPS:
        raise UsageError(f"--clips must be 1 to {MOST_CLIPS}, but got {count}.")
    books = [book.key for book in all_books()]
    for number in range(count):
        seed = model.seed + number
        stem = folder / f"clip_{seed:06d}"
        # Five books and five numbers of players: shifted, so that all pairs come in 25 clips.
        players = PLAYERS[(number + number // len(books)) % len(PLAYERS)]
        shifted = number + number // len(DISTURBANCES)
        request = replace(
            model,
            out=stem.with_suffix(".mp4"),
            truth=stem.with_suffix(".truth.jsonl"),
            game=stem.with_suffix(".game.jsonl"),
            players=players,
            seed=seed,
            book=books[number % len(books)],
            layout=layouts[shifted % len(layouts)],
            disturbances=_two(number) if disturbances is None else tuple(disturbances),
        )
        yield Planned(request, stem.with_suffix(".about.json"))


def _two(number: int) -> tuple[str, ...]:
    """Two disturbances for a clip: all take turns, and meet others the next time around."""
    names = list(DISTURBANCES)
    turn, first = divmod(number, len(names))
    apart = 1 + (3 + 3 * turn) % (len(names) - 1)
    return names[first], names[(first + apart) % len(names)]
