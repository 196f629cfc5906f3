"""When the dice have been taken away.

A mat is bare when nothing lies on it and nobody is at work there. But on a pub's table somebody
always is: an arm reaches over it, a glass is put down. So dice are gone, too, when none is seen and
the places where they lay look bare for longer, whatever else lies there; and they were gone before
a cup came that does not stand where they lay. Dice that were gone before a cup came, but not for so
long, have vanished: nobody can tell whether they are thrown again.
"""

from vision.lying import Lying
from vision.memory import Memory, ThrowSettings, Timers
from vision.table import SceneState


def bare_for(
    scene: SceneState, lying: Lying, timers: Timers, settings: ThrowSettings
) -> tuple[float, float]:
    """For how long the mat is bare, and for how long the dice are gone from it.

    Args:
        scene: the table.
        lying: the same, sorted.
        timers: of the phase.
        settings: waiting times.

    Returns:
        Seconds; 0 for what does not hold, the second also while it has not for long enough.
    """
    quiet = scene.is_empty and not scene.busy
    bare_s = timers.held_s("bare", scene.t_s, holds=quiet)
    unseen = scene.gone and not (scene.dice or scene.unborn)
    gone_s = timers.held_s("gone", scene.t_s, holds=unseen)
    stands_s = scene.t_s - lying.cup.since_s if lying.cup is not None else None
    before_cup = stands_s is not None and gone_s - stands_s >= settings.clear_s
    return bare_s, gone_s if gone_s >= settings.gone_s or before_cup else 0.0


def has_vanished(
    scene: SceneState, lying: Lying, memory: Memory, timers: Timers, settings: ThrowSettings
) -> bool:
    """Whether dice that were told of have been taken, and the mat does not count as cleared yet.

    Args:
        scene: the table; no cup covers the dice.
        lying: the same, sorted.
        memory: of the turn; `vanished` says how it was until now.
        timers: of the phase.
        settings: waiting times.
    """
    bare = scene.gone and not (scene.dice or scene.unborn)
    gone_s = timers.held_s("vanished", scene.t_s, holds=bare)
    still = memory.vanished and not lying.zone
    return memory.thrown is not None and (still or gone_s >= settings.vanish_s)
