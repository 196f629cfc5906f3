"""A set-up with a script: what its pages show without a camera."""

import base64
from collections.abc import Sequence
from dataclasses import replace

from web_ui.errors import ActionRefused
from web_ui.setup_ports import (
    DONE,
    SKIPPED,
    STEPS,
    CameraFacts,
    LightFacts,
    MatFacts,
    Measured,
    RuleFacts,
    SeatFacts,
    State,
    TestThrow,
    ThrowFacts,
)

NOTHING = {"de": "", "en": ""}
PIXEL = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8QEB"
    "EQCgwSExIQEw8QEBD/yQALCAABAAEBAREA/8wABgAQEAX/2gAIAQEAAD8A0s8g/9k="
)
"""A grey pixel as a JPEG."""


def number(name: str, value: str, verdict: str, title: str, advice: str = "") -> Measured:
    words = {"de": advice, "en": advice}
    return Measured(name, {"de": title, "en": title}, value, verdict, words)


class ScriptedSetup:
    """Says what it was told to say, and remembers what was done.

    Attributes:
        on: the camera belongs to it.
        due: nobody has set the table up yet.
        steps: what has become of them.
        done: names of the deeds, with what they were given.
        picture: of every view.
        refusal: raised by every deed; None: they work.
    """

    def __init__(self, *, on: bool = True, due: bool = False) -> None:
        self.on, self.due = on, due
        self.steps = dict.fromkeys(STEPS, "open") | {"pin": DONE, "camera": SKIPPED}
        self.done: list[tuple[object, ...]] = []
        self.picture: bytes | None = PIXEL
        self.refusal: ActionRefused | None = None
        self.problem = ""
        self.seen: tuple[int, ...] = (0, 1, 2)
        self.taps: tuple[tuple[float, float], ...] = ((10.0, 20.0),)
        self.size_px: tuple[int, int] | None = (1280, 720)
        self.kept_rules = RuleFacts("turnier", "", "de", "Stammtisch")
        self.kept_seats = SeatFacts("seats", ("Anna", "Ben", "Cem"), "")
        self.can_look = False
        self.throws = (
            TestThrow(1, "throw_seen", (6, 5, 2), True, None, "right"),
            TestThrow(2, "unsure", (6, 5), False, {"de": "Zu wenige.", "en": "Too few."}, "wrong"),
        )

    def _do(self, *deed: object) -> None:
        if self.refusal is not None:
            raise self.refusal
        self.done.append(deed)

    def state(self) -> State:
        return State(self.on, self.due, self.steps, self.problem)

    def begin(self, by: str) -> None:
        self._do("begin", by)
        self.on = True

    def finish(self, by: str) -> None:
        self._do("finish", by)
        self.on = False

    def mark(self, step: str, state: str, by: str) -> None:
        self._do("mark", step, state)
        self.steps[step] = state

    def camera(self) -> CameraFacts:
        problem = {"de": "Kein Bild.", "en": "No picture."} if self.size_px is None else None
        return CameraFacts("camera:0", ("camera:0", "camera:2"), 66.0, self.size_px, problem)

    def mat(self) -> MatFacts:
        numbers = (
            number("die_px", "30 px", "usable", "Würfelkante im Bild", "Kamera näher heran"),
            number("sharpness_mm", "–", "", "Breite der Kanten"),
        )
        return MatFacts(self.seen, "", (420.0, 315.0), self.taps, numbers, True, True)

    def seats(self) -> SeatFacts:
        return self.kept_seats

    def light(self) -> LightFacts:
        found = (
            number("dark", "12", "bad", "Helligkeit der Matte", "Mehr Licht"),
            number("glare", "1.2 %", "usable", "Überbelichteter Anteil", "Licht von der Seite"),
            number("uneven", "80 %", "good", "Gleichmäßigkeit"),
        )
        return LightFacts(found, 3, self.can_look)

    def throw(self) -> ThrowFacts:
        return ThrowFacts(True, self.throws, {"de": "Die Matte fehlt.", "en": "No mat."})

    def rules(self) -> RuleFacts:
        return self.kept_rules

    def look(self, view: str) -> bytes | None:
        self.done.append(("look", view))
        return self.picture if self.on else None

    def choose_camera(self, source: str, fov_deg: float) -> None:
        self._do("choose_camera", source, fov_deg)

    def size_mat(self, width_mm: float, height_mm: float) -> None:
        self._do("size_mat", width_mm, height_mm)

    def tap(self, points: Sequence[tuple[float, float]]) -> None:
        self._do("tap", *points)

    def save_mat(self) -> None:
        self._do("save_mat")

    def save_seats(self, layout: str, names: Sequence[str]) -> None:
        self._do("save_seats", layout, *names)
        self.kept_seats = replace(self.kept_seats, layout=layout, names=tuple(names))

    def look_again(self) -> None:
        self._do("look_again")

    def watch_throws(self, *, on: bool) -> None:
        self._do("watch_throws", on)

    def judge_throw(self, number: int, verdict: str) -> None:
        self._do("judge_throw", number, verdict)

    def save_rules(self, rules: RuleFacts) -> None:
        self._do("save_rules", rules)
        self.kept_rules = rules

    def need_table_pin(self, *, needed: bool) -> None:
        self._do("need_table_pin", needed)

    def mat_pdf(self) -> bytes:
        self._do("mat_pdf")
        return b"%PDF-1.7"
