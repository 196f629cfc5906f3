"""A table with the whole appliance's way of acting, whose throws have stills and clips."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from pipeline_table import Table as PlayedTable

from device.evidence import Evidence
from device.film import webm
from device.images import jpeg
from device.ring import Shot
from vision.events import TableEvent

Dice = Sequence[int]

MAT_PX = (60, 60, 900, 690)
SIZE_PX = (960, 750)
DIE_PX = 64
PLACES_PX = ((250, 250), (420, 400), (560, 220))
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


class DeskTable(PlayedTable):
    """Plays and acts as an appliance does; what is thrown is painted, kept and told of."""

    def __init__(self, *players: str, book: str = "turnier", folder: Path | None = None) -> None:
        super().__init__(*players, book=book)
        self.evidence = None if folder is None else Evidence(folder)

    def act(self, action: dict[str, Any]) -> dict[str, Any]:
        return self.pipeline.submit(action)

    def preview(self, action: dict[str, Any]) -> dict[str, Any]:
        return self.pipeline.preview(action)

    @property
    def served(self) -> "Served":
        """What the pages are given of it."""
        return Served(self)

    def see(
        self,
        type: str,
        dice: Dice,
        *,
        sure: bool = True,
        doubt: int = 0,
        clip: bool = False,
        **more: Any,
    ) -> int:
        """Tell of a throw with its pictures; `doubt`: what the last die is nearly taken for."""
        self.t_s += 1.0
        event = TableEvent(
            self.t_s, type, None, tuple(dice), (), sure, self.t_s - 0.5, self.t_s, **more
        )
        seen = self.pipeline.receive(event, self._pictures(dice, doubt))
        if clip and self.evidence is not None:
            shots = [Shot(n / 10, jpeg(paint(dice, shown=n >= 10, scale=0.5))) for n in range(30)]
            kept = self.evidence.keep_clip(webm(shots), t_s=self.t_s)
            self.game.note("evidence.kept", {"seq": seen.seq, "kind": "clip", **kept})
        return seen.seq

    def _pictures(self, dice: Dice, doubt: int) -> dict[str, Any]:
        if self.evidence is None:
            return {}
        kept = self.evidence.keep(paint(dice), t_s=self.t_s)
        half = DIE_PX / 2
        boxes = [
            {
                "box": [x - half, y - half, x + half, y + half],
                "probabilities": shares(value, doubt if at == len(dice) - 1 else 0),
                "aside": False,
            }
            for at, (value, (x, y)) in enumerate(zip(dice, PLACES_PX, strict=False))
        ]
        lying = {"mat": list(map(float, MAT_PX)), "dice": boxes}
        clip_s = [self.t_s - 3.5, self.t_s + 2.0]
        return {"model": "1.2.3", **kept, "lying": lying, "clip_s": clip_s}


class Served:
    """A table in the form in which the pages are given one."""

    def __init__(self, table: DeskTable) -> None:
        self.table = table
        self.log = table.log
        self.submit = table.act
        self.preview = table.preview


def shares(value: int, doubt: int) -> list[float]:
    """Probabilities of 1 to 6: sure of a value, or torn between two."""
    if not doubt:
        return [0.985 if n == value else 0.003 for n in range(1, 7)]
    return [0.56 if n == value else 0.4 if n == doubt else 0.01 for n in range(1, 7)]


def paint(dice: Dice, *, shown: bool = True, scale: float = 1.0) -> NDArray[np.uint8]:
    """A still: a green mat seen from above, with dice, or with a cup over them."""
    picture = np.full((SIZE_PX[1], SIZE_PX[0], 3), (38, 52, 66), np.uint8)
    left, top, right, bottom = MAT_PX
    picture[top:bottom, left:right] = (58, 96, 42)
    for value, centre in zip(dice, PLACES_PX, strict=False):
        _paint_die(picture, value, centre)
    if not shown:
        cv2.circle(picture, (420, 310), 210, (28, 34, 60), cv2.FILLED)
    if scale != 1.0:
        picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return picture


def _paint_die(picture: NDArray[np.uint8], value: int, centre: tuple[int, int]) -> None:
    half = DIE_PX // 2
    x, y = centre
    cv2.rectangle(picture, (x - half, y - half), (x + half, y + half), (225, 238, 245), cv2.FILLED)
    for dx, dy in PIPS[value]:
        cv2.circle(picture, (x + dx * 17, y + dy * 17), 6, (30, 25, 25), cv2.FILLED)


def opened(table: DeskTable) -> DeskTable:
    """The opening: the last of the players leads the first round."""
    names = table.players
    for at, _ in enumerate(names):
        dice = (2, 2, 1) if at == len(names) - 1 else (6, 5, at + 1)
        table.see("throw_seen", dice)
        table.say("cleared")
    assert table.game.player == names[-1]
    return table


def first_round(table: DeskTable, *, clips: bool = False) -> DeskTable:
    """Cem leads with 6-6-1, Anna loses with 5-4-2, Ben has 6-4-3; Anna leads round 2."""
    opened(table)
    for dice in ((6, 6, 1), (5, 4, 2), (6, 4, 3)):
        table.see("throw_seen", dice, clip=clips)
        table.say("cleared")
    assert table.game.player == "Anna"
    return table


def thrown_by(table: DeskTable, player: str) -> dict[str, Any]:
    return [throw for throw in table.state["throws"] if throw["player"] == player][-1]


def dispute(table: DeskTable, player: str = "Anna", by: str = "Ben") -> None:
    throw_id = thrown_by(table, player)["throw_id"]
    table.act({"type": "claim", "throw_id": throw_id, "by": by, "text": "Das war eine Drei"})
