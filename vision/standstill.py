"""How long thrown dice lie still, and whether it is time to give up on reading them.

A cup that hangs over the dice, or stands before them, hides a part of them: nothing is said against
a reading while it does, for a while. Once it is gone they get as long as dice in plain sight.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from vision.lying import Lying
from vision.memory import HAIR_S, Memory, ThrowSettings, Timers
from vision.table import SceneState, TableDie


@dataclass(frozen=True)
class Rest:
    """How dice lie that have been thrown.

    Attributes:
        rest_s: how long they lie still; 0: they do not.
        in_view_s: how long they do with nothing before them.
        is_restless: they have been in sight for long, a cup may have come between, and do not come
            to rest.
        trembles: though nothing moves: it is the findings that tremble.
        patience_s: how long dice are waited for that something hides in part.
    """

    rest_s: float
    in_view_s: float
    is_restless: bool
    trembles: bool
    patience_s: float

    def lasts(self, wait_s: float) -> bool:
        """Whether what has not become clear in so long will not become clear any more."""
        return self.in_view_s >= wait_s or self.rest_s >= max(wait_s, self.patience_s)


def rested(
    scene: SceneState,
    lying: Lying,
    odd: Sequence[TableDie],
    memory: Memory,
    timers: Timers,
    settings: ThrowSettings,
) -> Rest:
    """How the dice of a throw lie by now; called with every scene while they are waited for.

    Args:
        scene: the table, without cups that stay where they stand.
        lying: the same, sorted; something new is among it.
        odd: what is not flat or beside the mat.
        memory: of the turn; takes note of how long they have been in sight.
        timers: of the phase.
        settings: waiting times.
    """
    at_s, blink_s = scene.t_s, settings.blink_s
    # Counted here, for the timers begin anew with every cup that comes between.
    memory.waited_s += at_s - timers.held_at_s.get("there", at_s)
    there_s = timers.held_s("there", at_s, holds=True)
    unmoved_s = timers.held_s("unmoved", at_s, holds=not scene.busy)
    lies = lying.at_rest and all(die.at_rest for die in odd)
    so_many = f"rest of {len(lying.on_mat)}"  # another die begins another wait
    rest_s = timers.held_s(so_many, at_s, holds=lies, blink_s=blink_s)
    hidden = any(scene.is_hidden(die.box_mm) for die in lying.on_mat)
    in_view = lies and not hidden
    in_view_s = timers.held_s(f"{so_many} in view", at_s, holds=in_view, blink_s=blink_s)
    trembles = not rest_s and unmoved_s >= settings.trembles_s
    waited = there_s >= settings.blink_s and memory.waited_s + HAIR_S >= settings.restless_s
    restless = waited or trembles
    return Rest(rest_s, in_view_s, restless, trembles, settings.hidden_s)


def why_restless(lying: Lying, odd: Sequence[TableDie], *, trembles: bool) -> str:
    """What a doubt is called about dice that do not come to rest, in `vision.events.DOUBTS`.

    What one look sees as a tower and the next as a die, or not at all, trembles for what it is. So
    does a die of which each look sees another part while nothing moves: nobody could tell how it
    stands, and one that leans shows two faces.

    Args:
        lying: the dice.
        odd: those that are not flat or beside the mat.
        trembles: nothing moves but the findings.
    """
    if odd:
        return lying.why_unclear
    if not lying.complete:
        return lying.miscounted
    return "kind" if trembles and not lying.stands_sure else "restless"
