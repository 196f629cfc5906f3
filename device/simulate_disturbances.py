"""What disturbs the camera in a pub, by name: what a simulated clip is given, alone or together.

schockauge simulate --out clip.mp4 --disturb arms,flicker
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from device.simulate_dice import IVORY, PLAIN, TWO_TONE
from device.simulate_effects import Bumps, Effect, Exposure, Flicker, Shadow, Television
from device.simulate_look import camera_of
from device.simulate_play import DICE_EACH
from device.simulate_render import NOISE_LEVELS, CameraFaults
from device.simulate_stage import Act, Stage
from device.simulate_table import Floats, TableFrame, TablePlan, ThingShown
from device.simulate_things import EDGE_REACH_MM, KINDS
from models.lab.tracer import DieLook

PEEKS = 0.6
NOISY_LEVELS = 4 * NOISE_LEVELS
OPEN_SHARE = 0.6
ARM_EVERY_S, ARM_REACH_S, ARM_STAYS_S = (1.0, 6.0), (0.45, 0.9), (0.1, 0.9)
ARM_HEIGHT_MM = 45.0
OWN_SIDE = 0.7
"""Most arms stay on their own side; the others reach across."""
INTRUDES_MM = 16.0
"""A thing stands so far over the mat's edge: no die comes so near to it."""
APART_MM = 130.0
"""Things stand at least so far from each other: the longest is a telephone."""
THINGS = 2
BROUGHT = "brought"
LOST, LOST_BURST_S, LOST_EVERY_S = 0.04, (0.2, 0.8), (6.0, 20.0)
LATE_BURST_S, LATE_EVERY_S = (0.15, 0.4), (2.0, 9.0)
JITTER = 0.3
"""Share of a frame's time by which every one may be late."""


@dataclass(frozen=True)
class Disturbed:
    """A clip's disturbances at work; all chance comes from its seed.

    Attributes:
        names: some of `device.simulate_names.DISTURBANCES`.
        seed: of the clip.
    """

    names: tuple[str, ...]
    seed: int

    @property
    def own_dice(self) -> bool:
        """Whether every player throws his own."""
        return "own_dice" in self.names

    @property
    def peeks(self) -> float:
        """How often somebody looks under the rim first."""
        return PEEKS if "rim" in self.names else 0.0

    @property
    def warm(self) -> bool:
        """Whether only warm lamps are lit."""
        return "warm_light" in self.names

    def dice(self, plan: TablePlan) -> Sequence[DieLook]:
        """The makes of all dice."""
        rng = self._chance("dice")
        makes = TWO_TONE if "two_tone" in self.names else PLAIN if self.own_dice else (IVORY,)
        order = rng.permutation(len(makes))
        sets = [makes[order[number % len(makes)]] for number in range(len(plan.places))]
        return [make for make in sets for _ in range(DICE_EACH)]

    def camera(self, size_px: tuple[int, int], plan: TablePlan) -> CameraFaults:
        """What the camera does to its pictures."""
        kinds: dict[str, type[Shadow | Television | Flicker | Exposure]] = {
            "shadow": Shadow, "television": Television, "flicker": Flicker, "exposure": Exposure
        }  # fmt: skip
        effects: list[Effect] = [
            kind(self._chance(name)) for name, kind in kinds.items() if name in self.names
        ]
        camera = camera_of(plan)
        px_per_mm = camera.focal_px(size_px[0]) / camera.position_mm[2]
        return CameraFaults(
            effects,
            Bumps(self._chance("bump"), px_per_mm) if "bump" in self.names else None,
            NOISY_LEVELS if "noise" in self.names else NOISE_LEVELS,
            OPEN_SHARE if "motion_blur" in self.names else 0.0,
        )

    def begin(self, stage: Stage) -> None:
        """Put things on the table, and let others reach over it while the game goes on."""
        if "things" in self.names or "arms" in self.names:
            stage.besides = self._besides(stage)
        if "things" in self.names:
            rng = self._chance("things")
            for number in range(THINGS):
                stage.things[f"thing {number}"] = _thing(rng, stage)

    def stamps(self, count: int, fps: float) -> list[float | None]:
        """When every frame of a clip reaches the reader, seconds; None: never."""
        times = np.arange(count) / fps
        stamps: list[float | None] = list(times.tolist())
        if "late_frames" in self.names:
            rng = self._chance("late_frames")
            late = times + rng.uniform(0, JITTER / fps, count)
            for begin, end in _bursts(rng, times[-1], LATE_EVERY_S, LATE_BURST_S):
                held = (times >= begin) & (times < end)
                # What was held back comes in one go, a millisecond apart.
                late[held] = end + 0.001 * np.arange(held.sum())
            stamps = list(np.maximum.accumulate(late + 1e-6 * np.arange(count)).tolist())
        if "lost_frames" in self.names:
            rng = self._chance("lost_frames")
            lost = rng.random(count) < LOST
            for begin, end in _bursts(rng, times[-1], LOST_EVERY_S, LOST_BURST_S):
                lost |= (times >= begin) & (times < end)
            stamps = [None if gone else at for at, gone in zip(stamps, lost, strict=True)]
        return stamps

    def _besides(self, stage: Stage) -> Act:
        """Arms that come and go, and now and then bring a thing or take one away."""
        rng = self._chance("arms")
        while True:
            yield from _nothing(stage, float(rng.uniform(*ARM_EVERY_S)))
            player = str(rng.choice(list(stage.plan.places)))
            if "things" in self.names and ("arms" not in self.names or rng.random() < 0.5):
                yield from _carries(rng, stage, player)
            else:
                yield from _reaches(rng, stage, player, _spot(rng, stage.plan, player))

    def _chance(self, name: str) -> np.random.Generator:
        return np.random.default_rng([self.seed, 3, *name.encode()])


def _bursts(
    rng: np.random.Generator, length_s: float, every_s: tuple[float, float],
    burst_s: tuple[float, float],
) -> Iterator[tuple[float, float]]:  # fmt: skip
    at = 0.0
    while (at := at + float(rng.uniform(*every_s))) < length_s:
        yield at, at + float(rng.uniform(*burst_s))


def _nothing(stage: Stage, seconds: float) -> Act:
    for _ in range(max(1, round(seconds * stage.fps))):
        yield TableFrame()


def _spot(rng: np.random.Generator, plan: TablePlan, player: str) -> Floats:
    """Where an arm reaches: before its own seat, or anywhere."""
    half = np.array(plan.mat_size_mm) / 2
    if rng.random() < OWN_SIDE:
        spot = plan.places[player].side * half * rng.uniform(0.75, 1.0)
        spot = spot + rng.normal(0, 25, 2)
    else:
        spot = rng.uniform(-0.8, 0.8, 2) * half
    return np.append(spot, ARM_HEIGHT_MM)


def _reaches(
    rng: np.random.Generator, stage: Stage, player: str, spot: Floats,
    brings: ThingShown | None = None, takes: ThingShown | None = None,
) -> Act:  # fmt: skip
    """An arm comes, stays for a moment and goes; a thing comes or goes with it."""
    outside, seconds = stage.outside(player), float(rng.uniform(*ARM_REACH_S))

    def shown(tips: Floats, thing: ThingShown | None) -> TableFrame:
        things = () if thing is None else (thing,)
        return TableFrame(hands=(stage.hand(player, tips),), things=things)

    for share in stage.shares(seconds):
        tips = outside + (spot - outside) * share
        yield shown(tips, _carried(brings, tips) if brings else takes)
    for _ in range(max(1, round(float(rng.uniform(*ARM_STAYS_S)) * stage.fps))):
        yield shown(spot, brings or takes)
    if brings is not None:
        stage.things[BROUGHT] = brings
    for share in stage.shares(seconds):
        tips = spot + (outside - spot) * share
        yield shown(tips, _carried(takes, tips) if takes else None)


def _carries(rng: np.random.Generator, stage: Stage, player: str) -> Act:
    """Somebody brings a thing, or takes away what was brought."""
    above = np.array([0, 0, ARM_HEIGHT_MM])
    there = stage.things.pop(BROUGHT, None)
    if there is not None:
        return _reaches(rng, stage, player, there.position_mm + above, takes=there)
    thing = _thing(rng, stage)
    return _reaches(rng, stage, player, thing.position_mm + above, brings=thing)


def _carried(thing: ThingShown, tips: Floats) -> ThingShown:
    """A thing in a hand, as low as if it were held at its middle."""
    return replace(thing, position_mm=tips - np.array([0, 0, ARM_HEIGHT_MM]))


def _thing(rng: np.random.Generator, stage: Stage) -> ThingShown:
    """A thing on the mat's edge, away from its corners (markers stay in sight) and from others."""
    width, height = stage.plan.mat_size_mm
    others = [thing.position_mm for thing in stage.things.values()]
    while True:
        kind = str(rng.choice(list(KINDS)))
        along, beside = float(rng.uniform(-0.25, 0.25)), EDGE_REACH_MM[kind] - INTRUDES_MM
        sides = [
            (along * width, height / 2 + beside, 0.0), (along * width, -height / 2 - beside, 0.0),
            (-width / 2 - beside, along * height, np.pi / 2),
        ]  # fmt: skip
        x, y, angle = sides[int(rng.integers(len(sides)))]
        at = np.array([x, y, 0.0])
        if all(np.linalg.norm(at - other) > APART_MM for other in others):
            return ThingShown(kind, at, angle)
