"""How a fact or a doubt about the table becomes an event."""

from vision.events import TableEvent
from vision.lying import Lying, candidates, values
from vision.table import SceneState


def fact(
    scene: SceneState,
    kind: str,
    *,
    seat: str | None,
    dice: tuple[int, ...] = (),
    outside: tuple[int, ...] = (),
    begun_s: float,
) -> TableEvent:
    """Something that is sure.

    Args:
        scene: the table when it was established.
        kind: one of `vision.events.EVENT_TYPES`.
        seat: who sits there, if known.
        dice: values that it is about, highest first.
        outside: values in the strip, highest first.
        begun_s: where its evidence begins, seconds.
    """
    return TableEvent(
        t_s=scene.t_s,
        type=kind,
        seat=seat,
        dice=dice,
        outside=outside,
        sure=True,
        started_at_s=begun_s,
        ended_at_s=scene.t_s,
    )


def doubt(
    scene: SceneState, lying: Lying, reason: str, *, seat: str | None, begun_s: float
) -> TableEvent:
    """A throw that a person has to settle.

    Args:
        scene: the table now.
        lying: the same, sorted.
        reason: a code of `vision.events.DOUBTS`.
        seat: who sits there, if known.
        begun_s: where the evidence begins, seconds.
    """
    return TableEvent(
        t_s=scene.t_s,
        type="unsure",
        seat=seat,
        dice=values(lying.zone),
        outside=values(lying.strip),
        sure=False,
        started_at_s=begun_s,
        ended_at_s=scene.t_s,
        readings=tuple(die.reading for die in (*lying.zone, *lying.towers, *lying.burning)),
        reason=reason,
        candidates=candidates(lying.zone),
    )
