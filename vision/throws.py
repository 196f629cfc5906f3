"""What happened on the mat: cups go down and up, dice are thrown, put aside, turned, cleared away.

Theory of operation
-------------------

The throwing zone is in one of four phases. Signals move it on by `TRANSITIONS`; a signal that the
table does not name for a phase cannot arise in it.

* EMPTY: nothing lies on the mat.
* COVERED: a cup is down in the throwing zone (`vision.covering` knows which). While it is, the
  strip at the side is compared with what was told of it: new dice there were *kept*, a six that
  became a one was *turned*.
* LIFTED: the cup is gone, the dice have not been read yet. They are, when all lie still, as many
  are to be seen as are in play, and all witnesses agree on each. A tower, a tilted die or one
  beside the mat makes it *burnt* instead, unless as many others lie flat as are in play. Where that
  does not come about in time there is a *doubt*: an `unsure` event, for a person to settle.
* OPEN: a throw lies open and has been told. Dice may be pushed about, put aside, turned or taken
  away; when they show what no known die can show, or become more than are in play, somebody
  threw without a cup: a doubt.

Dice that lay in the zone when the cup went down and lie there still when it is lifted were not
thrown; those that nobody has told of yet were. What lay under a lifted cup is never passed over:
dice that are gone before they could be read are a doubt, and so is a lifted cup under which nothing
is found while nobody knows how the bare mat looks, or it does not quite look like it.

The mat is cleared when the dice are gone (`vision.clearing`). What may have been thrown while
nobody saw it is asked about (`vision.outage`). All times are seconds; nothing here counts frames.
"""

from collections.abc import Callable
from dataclasses import replace

from vision.clearing import bare_for, has_vanished
from vision.covering import Covering
from vision.events import EVENT_TYPES, TableEvent
from vision.lying import DICE_IN_PLAY, Lying, Places, Zones, sort_scene, values
from vision.memory import Memory, ThrowSettings, Timers
from vision.outage import Outage
from vision.phases import SETTLING, THROWS, TRANSITIONS, Phase, Signal
from vision.standstill import rested, why_restless
from vision.table import SceneState
from vision.telling import doubt, fact

__all__ = [
    "EVENT_TYPES", "TRANSITIONS", "Phase", "Signal", "TableEvent", "ThrowSettings", "ThrowTracker",
    "Zones",
]  # fmt: skip

Step = tuple[Signal, list[TableEvent]] | None


class ThrowTracker:
    """Turns scenes into events; sans I/O, the time is in the scene.

    Args:
        places: areas of the mat; None: those of a mat for all.
        settings: waiting times.
        seat: written into every event.

    Attributes:
        dice_in_play: how many dice a throw has, with those put aside; a game that is begun with
            single dice has one until it is known who begins.
    """

    def __init__(
        self,
        places: Places | None = None,
        settings: ThrowSettings | None = None,
        *,
        seat: str | None = None,
    ) -> None:
        self.places: Places = places or Zones()
        self.settings = settings or ThrowSettings()
        self.seat = seat
        self.dice_in_play = DICE_IN_PLAY
        # What lies there when watching begins is no throw: nobody saw it being thrown.
        self.phase = Phase.OPEN
        self._memory = Memory()
        self._timers = Timers()
        self._covering = Covering(self.settings)
        self._outage = Outage(self.settings)
        self._steps: dict[Phase, Callable[[SceneState, Lying], Step]] = {
            Phase.EMPTY: self._in_empty,
            Phase.COVERED: self._in_covered,
            Phase.LIFTED: self._in_lifted,
            Phase.OPEN: self._in_open,
        }

    @property
    def lifted_s(self) -> float:
        """When the cup was last seen down."""
        return self._memory.lifted_s

    @property
    def has_told(self) -> bool:
        """Whether a throw lies open that was read for sure and told."""
        return self.phase is Phase.OPEN and self._memory.known is not None

    def receive(self, scene: SceneState) -> tuple[TableEvent, ...]:
        """Take in the table at one moment.

        Args:
            scene: later than the one before.

        Returns:
            What happened, in order.
        """
        self._covering.watch(scene)
        lying = sort_scene(scene, self.places, in_play=self.dice_in_play)
        was_open = self.phase is Phase.OPEN
        if unseen_s := self._outage.ended_s(scene.t_s, lying, was_open=was_open):
            self._memory.unseen_s += unseen_s
            self._begin_waiting_anew(told=False)
        events: list[TableEvent] = []
        if self.phase in (Phase.COVERED, Phase.LIFTED):
            events += self._look_at_strip(scene, lying)
        while (step := self._steps[self.phase](scene, lying)) is not None:
            signal, told = step
            taken = self.phase is Phase.LIFTED and self._memory.taken and signal in THROWS
            events += [replace(event, taken=taken) for event in told]
            self.phase = TRANSITIONS[self.phase][signal]
            self._begin_waiting_anew(told=signal in SETTLING)
            if signal is Signal.CUP_DOWN:
                events += self._look_at_strip(scene, lying)
        return tuple(events)

    def _begin_waiting_anew(self, *, told: bool) -> None:
        self._timers = Timers()
        self._covering.begin_waiting_anew(told=told)

    # --- phases -------------------------------------------------------------------------------

    def _in_empty(self, scene: SceneState, lying: Lying) -> Step:
        if (step := self._cup_down(scene, lying)) is not None:
            return step
        if self._memory.unseen_s:
            return self._after_outage(scene, lying)
        all_there = len(lying.flat) >= lying.in_play and bool(lying.zone)
        appeared = lying.at_rest and bool(all_there or lying.towers or lying.burning)
        if self._held("appeared", scene, holds=appeared) >= self.settings.count_s:
            return self._doubt(scene, lying, lying.why_uncovered)
        some_s = self._held("some", scene, holds=lying.at_rest and bool(lying.zone))
        return self._doubt(scene, lying, "fewer") if some_s >= self.settings.some_s else None

    def _in_covered(self, scene: SceneState, lying: Lying) -> Step:
        memory = self._memory
        if self._covering.stays(scene, lying, memory):
            return None
        memory.strange_mat = scene.looks_bare is None and not self._covering.has_always_stood
        return Signal.CUP_UP, [self._event(scene, "cup_up", (), memory.lifted_s)]

    def _in_lifted(self, scene: SceneState, lying: Lying) -> Step:
        settings, in_sight, timers, memory = self.settings, lying, self._timers, self._memory
        lying = memory.without_old_faults(lying, settings)
        new = memory.new_in_zone(lying, settings)
        odd = [*lying.towers, *lying.burning, *lying.missing_off]
        memory.unread |= bool(new or odd)
        step = self._cleared(scene, in_sight) or self._cup_down(scene, in_sight)
        if step is not None:
            return step
        if not (new or odd):
            return self._nothing_new(scene, lying)
        rest = rested(self._covering.without_parked(scene), lying, odd, memory, timers, settings)
        if rest.is_restless:
            return self._doubt(scene, lying, why_restless(lying, odd, trembles=rest.trembles))
        if not rest.rest_s:
            return None
        if odd:
            if all(die.sure for die in odd) and len(lying.flat) < lying.in_play:
                return self._burnt(scene, lying)
            reason = lying.why_unclear
            return self._doubt(scene, lying, reason) if rest.lasts(settings.decide_s) else None
        if not lying.complete:
            reason = lying.miscounted if lying.stands_sure else lying.why_unclear
            return self._doubt(scene, lying, reason) if rest.lasts(settings.count_s) else None
        objection = memory.objection(lying, new, settings)
        if objection is None:
            memory.remember_throw(lying, read=True)
            thrown = self._event(scene, "throw_seen", values(lying.zone), memory.lifted_s)
            return Signal.THROWN, [thrown]
        return self._doubt(scene, lying, objection) if rest.lasts(settings.decide_s) else None

    def _in_open(self, scene: SceneState, lying: Lying) -> Step:
        memory, settings = self._memory, self.settings
        if memory.unseen_s:
            return self._cup_down(scene, lying) or self._after_outage(scene, lying)
        self._covering.park(scene, lying, memory)
        step = self._cleared(scene, lying) or self._cup_down(scene, lying)
        if step is not None:
            return step
        if self._covering.unseen(scene, lying, memory):
            return self._doubt(scene, lying, lying.why_uncovered)
        memory.note_aside(lying, scene.t_s, settings)
        memory.vanished = has_vanished(scene, lying, memory, self._timers, settings)
        if lying.at_rest and memory.crowd is None:
            memory.crowd = len(lying.flat)
        if lying.at_rest and memory.passing_s is None:
            memory.places = tuple((*die.position_mm, die.value) for die in lying.zone)
        if self._held("changed", scene, holds=memory.is_contradicted(lying)) >= settings.count_s:
            return self._doubt(scene, lying, "changed")
        most = max(lying.in_play, memory.crowd or 0)
        more = lying.at_rest and len(lying.flat) > most
        more_s = self._held("more", scene, holds=more, blink_s=settings.blink_s)
        return self._doubt(scene, lying, lying.miscounted) if more_s >= settings.count_s else None

    # --- what the phases ask ------------------------------------------------------------------

    def _cup_down(self, scene: SceneState, lying: Lying) -> Step:
        lifted = self.phase is Phase.LIFTED
        comes = self._covering.comes(scene, lying, self._memory, lifted=lifted)
        if lying.cup is None or not comes:
            return None
        told = self._outage.covered(scene, lying, self._memory, seat=self.seat)
        told.append(self._event(scene, "cup_down", (), lying.cup.since_s))
        if self.phase is Phase.OPEN:  # at a seat of its own nobody else throws
            self._memory.taken = self._memory.vanished and self.seat is None
        return Signal.CUP_DOWN, told

    def _after_outage(self, scene: SceneState, lying: Lying) -> Step:
        asks = self._outage.asks(scene, lying, self._memory)
        return self._doubt(scene, lying, "outage") if asks else None

    def _cleared(self, scene: SceneState, lying: Lying) -> Step:
        bare_s, gone_s = bare_for(scene, lying, self._timers, self.settings)
        if max(bare_s, gone_s) < self.settings.clear_s:
            return None
        if self.phase is Phase.LIFTED and self._memory.unread:
            return self._doubt(scene, lying, "gone")
        if self.phase is Phase.LIFTED and self._memory.may_have_missed(self.settings):
            return self._doubt(scene, lying, "outage")
        strange = self._memory.strange_mat or (scene.traces and not gone_s)
        if self.phase is Phase.LIFTED and strange:
            return None  # see `_nothing_new`
        begun_s, memory = scene.t_s - max(bare_s, gone_s), self._memory
        events = self._put_aside(scene, memory.aside, begun_s) if memory.aside else []
        if memory != Memory() or self.phase is not Phase.OPEN:
            memory.outside = ()
            events.append(self._event(scene, "cleared", (), begun_s))
        self._memory = Memory()
        return Signal.CLEARED, events

    def _nothing_new(self, scene: SceneState, lying: Lying) -> Step:
        """The cup is lifted and no new die is in the zone."""
        if lying.complete and lying.at_rest:
            self._memory.waited_s = 0.0
            return Signal.SAME, []
        alone_s = self._held("nothing", scene, holds=lying.at_rest)
        strange = scene.looks_bare is False or scene.traces or self._memory.strange_mat
        unseen = strange and not scene.busy and not lying.on_mat
        unseen_s = self._held("unseen", scene, holds=unseen)
        if alone_s >= self.settings.nothing_s or unseen_s >= self.settings.unseen_s:
            return self._doubt(scene, lying, lying.miscounted)
        return None

    def _look_at_strip(self, scene: SceneState, lying: Lying) -> list[TableEvent]:
        """Tell of dice put aside, once they lie still and are read for sure."""
        if not lying.strip or not all(die.sure for die in lying.strip):
            return []
        if lying.complete and any(die.still_since_s > self._memory.lifted_s for die in lying.strip):
            return []  # it may have rolled there when the cup was lifted
        begun_s = min(die.still_since_s for die in lying.strip)
        return self._put_aside(scene, values(lying.strip), begun_s)

    # --- events -------------------------------------------------------------------------------

    def _put_aside(
        self, scene: SceneState, strip: tuple[int, ...], begun_s: float
    ) -> list[TableEvent]:
        kept, turned = self._memory.put_aside(strip)
        events = []
        if turned:
            events.append(self._event(scene, "turned", (1,) * turned, begun_s))
        if kept:
            events.append(self._event(scene, "dice_kept", kept, begun_s))
        return events

    def _burnt(self, scene: SceneState, lying: Lying) -> Step:
        """A tower, a tilted die or one beside the mat; the dice that can be read come along."""
        if self._memory.may_have_missed(self.settings):
            return self._doubt(scene, lying, "outage")
        self._memory.remember_burnt()
        dice, begun_s, kinds = values(lying.zone), self._memory.lifted_s, lying.fault_types
        return Signal.BURNT, [self._event(scene, kind, dice, begun_s) for kind in kinds]

    def _doubt(self, scene: SceneState, lying: Lying, reason: str) -> Step:
        """Three dice that nobody can be sure of: a person has to say what was thrown."""
        begun_s = self._memory.lifted_s
        if self.phase is not Phase.LIFTED:
            begun_s = min((die.still_since_s for die in lying.on_mat), default=scene.t_s)
        self._memory.remember_throw(lying, read=False)
        return Signal.DOUBT, [doubt(scene, lying, reason, seat=self.seat, begun_s=begun_s)]

    def _event(
        self, scene: SceneState, kind: str, dice: tuple[int, ...], begun_s: float
    ) -> TableEvent:
        outside = self._memory.outside
        return fact(scene, kind, seat=self.seat, dice=dice, outside=outside, begun_s=begun_s)

    def _held(self, name: str, scene: SceneState, *, holds: bool, blink_s: float = 0.0) -> float:
        return self._timers.held_s(name, scene.t_s, holds=holds, blink_s=blink_s)
