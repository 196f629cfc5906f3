"""Plays a simulated clip to the appliance; a referee who knows the truth answers its questions.

    NAME.mp4           the clip
    NAME.truth.jsonl   what truly happens in it
    NAME.game.jsonl    the game that is played in it

Everything between camera and log is what runs at a table: `device.appliance.Appliance`.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from device.appliance import Appliance
from device.errors import SourceError
from device.game_difference import first_difference
from device.json_lines import json_lines
from device.questions import NEXT
from device.simulate_game import play_script, read_script
from device.simulate_table import CAMERA_FOV_DEG, MAT_SIZE_MM
from device.sources import Frame, VideoSource
from device.watch_score import Entered, Hits, Line, Verdict, judge, matched, owner, true_throws
from rules.events import EVENT_TYPES
from vision.watcher import Watcher
from web_ui.errors import ActionRefused

REFEREE = "truth"
"""Who answers the questions of the bench, as the log has it."""
QUIET_S = 1.0
Wrap = Callable[[Iterator[Frame], int | None], Iterable[Frame]]
Build = Callable[[Path], Appliance]


@dataclass(frozen=True)
class Clip:
    """A simulated clip, what truly happens in it, and how it was made."""

    path: Path
    truth: tuple[Line, ...]
    book: str
    players: tuple[str, ...]
    game: tuple[dict[str, Any], ...]
    disturbances: tuple[str, ...] = ()
    seed: int | None = None
    camera_fov_deg: float = CAMERA_FOV_DEG
    layout: str = "shared"
    mat_size_mm: tuple[float, float] = MAT_SIZE_MM

    @property
    def name(self) -> str:
        """The name without ending."""
        return self.path.stem


@dataclass
class Load:
    """Processor time in seconds: of all frames, of those that were looked at, of the quiet ones.

    A frame is quiet when nothing has happened on the table for `QUIET_S`.
    """

    frames: int = 0
    cpu_s: float = 0.0
    looks: int = 0
    looks_cpu_s: float = 0.0
    quiet: int = 0
    quiet_cpu_s: float = 0.0
    length_s: float = 0.0

    def add(self, cpu_s: float, *, looked: bool, quiet: bool, until_s: float) -> None:
        """Add a frame."""
        self.frames += 1
        self.cpu_s += cpu_s
        self.looks += looked
        self.looks_cpu_s += cpu_s * looked
        self.quiet += quiet
        self.quiet_cpu_s += cpu_s * quiet
        self.length_s = until_s


@dataclass(frozen=True)
class ClipResult:
    """What became of a clip.

    Attributes:
        clip: it.
        verdicts: one per true throw.
        invented: entered without asking, though nothing was thrown.
        hits: per type of event.
        asked: questions.
        difference: the first entry in which the played game is not the true one; "": none is.
        load: processor time.
    """

    clip: Clip
    verdicts: tuple[Verdict, ...]
    invented: tuple[Entered, ...]
    hits: Mapping[str, Hits]
    asked: int
    difference: str
    load: Load


def clips_in(folder: Path) -> list[Clip]:
    """The clips of a folder, by name.

    Raises:
        SourceError: there is none, or one lacks its truth or its game.
    """
    paths = sorted(path for path in folder.glob("*.mp4") if not path.name.startswith("."))
    if not paths:
        raise SourceError(
            f"{folder} holds no clip (*.mp4); make some with `schockauge simulate --clips 40 "
            f"--out {folder}`."
        )
    return [read_clip(path) for path in paths]


def read_clip(path: Path) -> Clip:
    """A clip with its truth and its game, which lie beside it.

    Raises:
        SourceError: one of them is missing or holds something else; names it.
    """
    truth = [line for _, line in json_lines(path.with_suffix(".truth.jsonl"))]
    game_path = path.with_suffix(".game.jsonl")
    book, players, script = read_script(game_path)
    if book is None or players is None:
        raise SourceError(f"{game_path} must begin with its book and players.")
    events = [
        event.to_json() for move in play_script(book, players, script) for event in move.events
    ]
    about_path = path.with_suffix(".about.json")
    told = json_lines(about_path) if about_path.is_file() else iter(())
    about = next((line for _, line in told), {})
    return Clip(
        path, tuple(truth), book, players, tuple(events),
        tuple(about.get("disturbances", ())), about.get("seed"),
        about.get("camera_fov_deg", CAMERA_FOV_DEG), about.get("layout", "shared"),
        tuple(about.get("mat_size_mm", MAT_SIZE_MM)),
    )  # fmt: skip


def watch_clip(clip: Clip, build: Build, *, wrap: Wrap | None = None) -> ClipResult:
    """Play a clip to an appliance.

    Args:
        clip: with its truth.
        build: the clip's table, with a log at this path.
        wrap: wraps the iteration over the frames; gets it and their number.

    Raises:
        SourceError, CalibrationError: the clip breaks off, or shows no mat.
    """
    with (
        tempfile.TemporaryDirectory(prefix="schockauge-bench-") as folder,
        VideoSource(clip.path) as source,
    ):
        appliance = build(Path(folder) / "log.sqlite3")
        try:
            referee = _Referee(appliance, clip)
            frames = iter(source)
            shown = frames if wrap is None else wrap(frames, source.frame_count)
            appliance.play(referee.shown(shown))
            return referee.result()
        finally:
            appliance.close()


@dataclass
class _Referee:
    """Answers questions as the truth has it, and notes what is entered."""

    appliance: Appliance
    clip: Clip
    entered: list[Entered] = field(default_factory=list)
    asked: list[tuple[float, str]] = field(default_factory=list)
    told: list[dict[str, Any]] = field(default_factory=list)
    game: list[dict[str, Any]] = field(default_factory=list)
    load: Load = field(default_factory=Load)

    def __post_init__(self) -> None:
        self.throws = true_throws(self.clip.truth, self.clip.game)
        self._seq = 0
        self._at_s = 0.0
        self._watcher: Watcher | None = None
        self._quiet_since_s: float | None = None
        make = self.appliance.make_watcher

        def remembered(frame: Frame) -> Watcher:
            self._watcher = make(frame)
            return self._watcher

        self.appliance.make_watcher = remembered

    def shown(self, frames: Iterable[Frame]) -> Iterator[Frame]:
        """Hand the frames on; after each, see what came of it."""
        for frame in frames:
            looks = self._watcher.looks if self._watcher else 0
            began_s = time.process_time()
            yield frame
            self._note_load(time.process_time() - began_s, looks, frame.taken_at_s)
            self._read_log(asked=False)
            while (question := self.appliance.pipeline.open_question) is not None:
                self._answer(question)

    def result(self) -> ClipResult:
        """What became of the clip."""
        verdicts, invented = judge(self.throws, self.entered, self.asked)
        return ClipResult(
            self.clip, tuple(verdicts), tuple(invented), matched(self.clip.truth, self.told),
            len(self.asked), first_difference(self.clip.game, self.game), self.load,
        )  # fmt: skip

    def _note_load(self, cpu_s: float, looks: int, taken_at_s: float) -> None:
        watcher = self._watcher
        looked = watcher is not None and watcher.looks > looks
        if watcher is None or watcher.state.busy or not watcher.state.is_settled:
            self._quiet_since_s = None
        elif self._quiet_since_s is None:
            self._quiet_since_s = taken_at_s
        since_s = self._quiet_since_s
        quiet = since_s is not None and taken_at_s - since_s >= QUIET_S
        self.load.add(cpu_s, looked=looked, quiet=quiet, until_s=taken_at_s)

    def _read_log(self, *, asked: bool) -> None:
        while page := self.appliance.log.read(self._seq):
            for entry in page:
                self._seq = entry.seq
                asked = asked and entry.type != "question.answered"
                self._take(entry.type, dict(entry.data), asked=asked)

    def _take(self, kind: str, data: dict[str, Any], *, asked: bool) -> None:
        if kind.startswith("table."):
            self.told.append(data)
            if data["type"] in ("throw_seen", "unsure", "tower", "burning", "off_mat"):
                self._at_s = data["t_s"]
        elif kind == "question.asked":
            self.asked.append((data["t_s"], data["reason_en"]))
        elif kind in EVENT_TYPES and kind != "match_started":
            self.game.append({"type": kind, **data})
            if kind in ("thrown", "burnt"):
                self.entered.append(
                    Entered(
                        self._at_s, data["player"],
                        "throw_seen" if kind == "thrown" else data["burns"],
                        tuple(data["dice"]), tuple(data.get("outside", ())), asked,
                        data.get("throw_no", 0),
                    )
                )  # fmt: skip

    def _answer(self, question: Mapping[str, Any]) -> None:
        at = owner(self.throws, question["t_s"])
        told = [e for e in self.entered if owner(self.throws, e.at_s) == at]
        answer: dict[str, Any] = {"verdict": "no_throw"}
        if at is not None and not told:
            throw = self.throws[at]
            flat = throw.kind == "throw_seen"
            answer = {"dice": list(throw.dice)} if flat else {"verdict": "burning"}
            if NEXT in question["verdicts"] and throw.player != question["player"]:
                answer = {"verdict": NEXT}
        action = {
            "type": "answer_question",
            "question_id": question["question_id"],
            "by": REFEREE,
        }
        try:
            self.appliance.pipeline.submit({**action, **answer})
        except ActionRefused:
            self._read_log(asked=False)
            self.appliance.pipeline.submit({**action, "verdict": "no_throw"})
        self._read_log(asked=True)
