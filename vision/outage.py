"""What can have been thrown while nobody saw the table.

The camera was gone, the picture stood still, or the mat was out of place: the tracker learns of it
by the times of the scenes. It cannot know how many throws it has missed. By the phase in which the
sight was lost:

* EMPTY, and still bare: within `unseen_turn_s` nobody throws and takes the dice away again. After
  a longer while the table is asked.
* EMPTY, and dice lie there: after `unseen_cup_s` the table is asked what was thrown.
* OPEN, and the dice lie untouched (some may be put aside): nothing was thrown. Otherwise, or when
  they are gone, the table is asked.
* COVERED or LIFTED, or a cup stands there when the sight returns: the next throw is read as usual
  and told as unsure: it may be the second one. In less than `unseen_throw_s` nobody throws twice.
  Dice that are seen under a lifted cup and covered again before they are read are asked about at
  once, after `unseen_cup_s` too.

Each outage is asked about once; who threw more than once meanwhile enters that by hand.
"""

from vision.events import TableEvent
from vision.lying import Lying
from vision.memory import Memory, ThrowSettings, Timers
from vision.table import SceneState
from vision.telling import doubt


class Outage:
    """Notices outages of one throwing zone and tells what they have left behind.

    Args:
        settings: waiting times.
    """

    def __init__(self, settings: ThrowSettings) -> None:
        self._settings = settings
        self._newest_s: float | None = None
        self._timers = Timers()
        self._lay = False  # dice lay in sight in the zone, in the newest scene
        self._lay_before = False  # the last outage
        self._dice_seen = False  # since the last outage, and nothing was told of them

    def ended_s(self, now_s: float, lying: Lying, *, was_open: bool) -> float:
        """Seconds of the outage that ends with the scene of `now_s`.

        Args:
            now_s: the time.
            lying: what lies there now.
            was_open: what lay there before had been told.

        Returns:
            0 where there was none, or none in which anything could be thrown: dice that lay there
            before must be gathered first, those that did not may be in a cup that is in the air.
        """
        settings, lay = self._settings, self._lay and was_open
        unseen_s = 0.0 if self._newest_s is None else now_s - self._newest_s
        self._newest_s, self._lay = now_s, _in_sight(lying)
        if unseen_s < (settings.unseen_throw_s if lay else settings.unseen_cup_s):
            return 0.0
        self._timers, self._dice_seen = Timers(), False
        self._lay_before = lay
        return unseen_s

    def asks(self, scene: SceneState, lying: Lying, memory: Memory) -> bool:
        """Whether the table is to be asked about an outage that has ended.

        Args:
            scene: the table now; no cup covers anything.
            lying: the same, sorted.
            memory: what was known before. Its `unseen_s` says how long nobody saw the table; it is
                set to 0 when all lies as it lay.

        Returns:
            True when something was or may have been thrown; False when not, or not to be told yet.
        """
        settings, bare = self._settings, scene.is_empty and not scene.busy
        same = lying.at_rest and _in_sight(lying) and memory.is_untouched(lying)
        other = lying.at_rest and _in_sight(lying) and not same
        self._dice_seen |= _in_sight(lying)
        bare_s = self._timers.held_s("bare", scene.t_s, holds=bare)
        other_s = self._timers.held_s("other", scene.t_s, holds=other)
        cleared = bare_s >= settings.clear_s
        gone = self._lay_before or self._dice_seen
        if cleared and (gone or memory.unseen_s >= settings.unseen_turn_s):
            return True
        if same or cleared:
            memory.unseen_s = 0.0
        return other_s >= settings.count_s

    def covered(
        self, scene: SceneState, lying: Lying, memory: Memory, *, seat: str | None
    ) -> list[TableEvent]:
        """A cup has come down: what it means for an outage before it.

        Returns:
            The question about dice that have been seen without being read and are covered now.
        """
        missed = bool(memory.unseen_s) and (memory.unread or self._dice_seen)
        if missed or not memory.may_have_missed(self._settings):
            memory.unseen_s = 0.0
        if not missed:
            return []
        memory.unread = self._dice_seen = False
        return [doubt(scene, lying, "outage", seat=seat, begun_s=memory.lifted_s)]


def _in_sight(lying: Lying) -> bool:
    """Whether dice lie in the zone, flat or not."""
    return bool(lying.zone or lying.towers or lying.burning)
