"""What setting a table up needs from outside: pictures, facts about every step, and a way to act.

The pages never see a camera; pictures come as JPEG, what they show as plain facts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

PIN, CAMERA, MAT, SEATS, LIGHT, THROW, RULES = STEPS = (
    "pin",
    "camera",
    "mat",
    "seats",
    "light",
    "throw",
    "rules",
)
"""The steps in the order in which they are led through."""

OPEN, DONE, SKIPPED = "open", "done", "skipped"
"""What has become of a step."""

SHOWN_PX = 640
"""Width of the pictures that are shown, and in which corners are pointed at."""

Words = Mapping[str, str]
"""A text for people by language: de and en."""


@dataclass(frozen=True)
class Measured:
    """One number with its verdict.

    Attributes:
        name: what was measured, such as `die_px` or, of light, `glare`.
        title: what people call it.
        value: as shown, with its unit; "–" where it cannot be told.
        verdict: good, usable, bad, or "" where it cannot be told.
        advice: what to do; empty texts where nothing is to be done.
    """

    name: str
    title: Words
    value: str
    verdict: str
    advice: Words


@dataclass(frozen=True)
class CameraFacts:
    """The camera.

    Attributes:
        source: the one that is used, as settings name it.
        devices: those there are.
        fov_deg: how much it sees in width.
        size_px: of its pictures; None: there is none now.
        problem: why there is none, or what is wrong with them; None: nothing.
    """

    source: str
    devices: tuple[str, ...]
    fov_deg: float
    size_px: tuple[int, int] | None
    problem: Words | None


@dataclass(frozen=True)
class MatFacts:
    """The mat in the picture.

    Attributes:
        seen: numbers of the markers (0 to 3) that are to be seen.
        problem: why they tell nothing, where two mats lie there, say; "": nothing.
        size_mm: width and height of the mat.
        taps: corners that were pointed at, pixels of the shown picture.
        numbers: how well the mat is seen; none before it is known where it lies.
        upside_down: its upper edge is below.
        is_saved: a calibration is stored.
    """

    seen: tuple[int, ...]
    problem: str
    size_mm: tuple[float, float]
    taps: tuple[tuple[float, float], ...]
    numbers: tuple[Measured, ...]
    upside_down: bool
    is_saved: bool


@dataclass(frozen=True)
class SeatFacts:
    """Who sits around the mat: layout (`shared` or `seats`), names, and why it cannot be ("")."""

    layout: str
    names: tuple[str, ...]
    problem: str


@dataclass(frozen=True)
class LightFacts:
    """The light.

    Attributes:
        findings: each with its name as the end of a view (`light-NAME`); none without a mat.
        samples_missing: pictures that must still come before flicker can be told.
        can_look: the camera finds light and focus anew when it is asked to.
    """

    findings: tuple[Measured, ...]
    samples_missing: int
    can_look: bool = False


@dataclass(frozen=True)
class TestThrow:
    """What was seen of one test throw.

    Attributes:
        number: 1, 2, 3 ...; its picture is the view `throw-NUMBER`.
        kind: `throw_seen`, `unsure`, `tower`, `burning` or `off_mat`.
        dice: values, highest first.
        sure: the readers agree.
        reason: why it is in doubt; None where it is not.
        verdict: what the person says: right, wrong or "".
    """

    __test__ = False  # no test, whatever pytest thinks of its name

    number: int
    kind: str
    dice: tuple[int, ...]
    sure: bool
    reason: Words | None
    verdict: str


@dataclass(frozen=True)
class ThrowFacts:
    """The test throws: whether they are watched now, what was seen, and what prevents it."""

    is_watching: bool
    throws: tuple[TestThrow, ...]
    problem: Words | None


@dataclass(frozen=True)
class RuleFacts:
    """What is played: key of the rule book, weekday ("": by the calendar), language, table."""

    book: str
    weekday: str
    language: str
    table_name: str


@dataclass(frozen=True)
class State:
    """Where the set-up is.

    Attributes:
        is_on: the camera belongs to the set-up now.
        is_due: nobody has set this table up yet.
        steps: `OPEN`, `DONE` or `SKIPPED` by step.
        problem: why the appliance could not begin with what was set up; None: nothing.
    """

    is_on: bool
    is_due: bool
    steps: Mapping[str, str] = field(default_factory=lambda: dict.fromkeys(STEPS, OPEN))
    problem: str = ""


class SetUp(Protocol):
    """Sets one table up. All refusals are `web_ui.errors.ActionRefused`."""

    def state(self) -> State:
        """Where it is."""

    def begin(self, by: str) -> None:
        """Take the camera from the game."""

    def finish(self, by: str) -> None:
        """Give it back; the appliance begins anew with what was set up, whatever is left open."""

    def mark(self, step: str, state: str, by: str) -> None:
        """Note that a step is done or skipped."""

    def camera(self) -> CameraFacts:
        """About the camera."""

    def mat(self) -> MatFacts:
        """About the mat."""

    def seats(self) -> SeatFacts:
        """About the seats."""

    def light(self) -> LightFacts:
        """About the light."""

    def throw(self) -> ThrowFacts:
        """About the test throws."""

    def rules(self) -> RuleFacts:
        """About the game."""

    def look(self, view: str) -> bytes | None:
        """A picture as JPEG; None: there is none now.

        Args:
            view: `camera` or `mat` (all that the camera sees), `seats`, `throw`, `light-KIND`
                or `throw-NUMBER` (no more than the mat).
        """

    def choose_camera(self, source: str, fov_deg: float) -> None:
        """Use a camera, one of `CameraFacts.devices`, that sees so much in width."""

    def size_mat(self, width_mm: float, height_mm: float) -> None:
        """Say how large the mat is."""

    def tap(self, points: Sequence[tuple[float, float]]) -> None:
        """Point at corners of the mat, clockwise from its top left; none: begin anew."""

    def save_mat(self) -> None:
        """Store where the mat lies."""

    def save_seats(self, layout: str, names: Sequence[str]) -> None:
        """Say who sits around the mat."""

    def look_again(self) -> None:
        """Let the camera find light and focus anew."""

    def watch_throws(self, *, on: bool) -> None:
        """Watch the mat for test throws, or stop it."""

    def judge_throw(self, number: int, verdict: str) -> None:
        """Say whether a test throw was read right or wrong."""

    def save_rules(self, rules: RuleFacts) -> None:
        """Say what is played, and how the table is called."""

    def need_table_pin(self, *, needed: bool) -> None:
        """Say whether acting at the table needs its PIN."""

    def mat_pdf(self) -> bytes:
        """The mat to print, at its size."""
