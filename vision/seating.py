"""The throws of everybody at one mat: one tracker for each seat, or one for a mat that all share.

One scene tells what lies where; every seat follows its own dice and cups in it, and what the
pictures say of its own part: an arm at one seat keeps no other one's throw from being read.
"""

from collections.abc import Sequence

from vision.errors import SeatsError
from vision.events import TableEvent
from vision.lying import Lying, Places, Zones, sort_scene
from vision.memory import ThrowSettings
from vision.motion import Thumb
from vision.parts import WHOLE, Parts, parts_of
from vision.phases import Phase
from vision.placing import Placing, Signs, things_of
from vision.seats import Seat
from vision.table import SceneState
from vision.throws import ThrowTracker
from vision.visitors import Throwing, Visitors

MISSING = frozenset({"unsure", "tower", "burning", "off_mat"})
"""What is told of a throw of which a die may lie elsewhere."""


class Seating:
    """Follows the throws of all seats.

    Args:
        seats: who sits around the mat; none: everybody throws into `zones`.
        zones: areas of a mat that all share.
        settings: waiting times.
        seat: written into the events of a mat that all share.
        margin_mm: what pictures show around the mat.

    Attributes:
        places: of every seat where dice are put aside and cups cover.
        placed: what lies at every seat, with dice that rolled there from others.
        own: the same with the seat's own dice alone.
    """

    def __init__(
        self,
        seats: Sequence[Seat],
        zones: Zones,
        settings: ThrowSettings,
        *,
        seat: str | None,
        margin_mm: float,
    ) -> None:
        self._seats, self._margin_mm = tuple(seats), margin_mm
        self.places: Sequence[Places] = self._seats or (zones,)
        self._trackers = [ThrowTracker(one, settings, seat=one.name) for one in self._seats] or [
            ThrowTracker(zones, settings, seat=seat)
        ]
        self._placing = Placing(self._seats)
        self._visitors = Visitors(self.count, same_place_mm=settings.same_place_mm)
        self._parts = WHOLE
        self._shape: tuple[int, ...] = ()
        self.placed: tuple[SceneState, ...] = (SceneState(0.0),) * self.count
        self.own = self.placed
        self._visiting = (0,) * self.count
        self.signs = Signs.unknown(self.count)

    @property
    def count(self) -> int:
        """How many throwing zones there are."""
        return len(self._trackers)

    @property
    def in_play(self) -> tuple[int, ...]:
        """How many dice may lie at every seat: those in play there and visitors from others."""
        return tuple(self.dice_in_play + visiting for visiting in self._visiting)

    @property
    def cleared(self) -> tuple[int, ...]:
        """The seats from which everything has been taken away and nothing has come since."""
        return tuple(n for n, one in enumerate(self._trackers) if one.phase is Phase.EMPTY)

    @property
    def told(self) -> tuple[bool, ...]:
        """At which seats a throw lies open that was read for sure and told."""
        return tuple(tracker.has_told for tracker in self._trackers)

    @property
    def waiting_s(self) -> tuple[float, ...]:
        """For how long the throw of every seat has lain open without having been read; 0: none."""
        return tuple(
            state.t_s - tracker.lifted_s if tracker.phase is Phase.LIFTED else 0.0
            for tracker, state in zip(self._trackers, self.placed, strict=True)
        )

    @property
    def settled(self) -> list[bool]:
        """At which seats another look at an unchanged picture would teach nothing.

        One at which dice of an open throw are still missing is looked at until it is asked about.
        """
        return [
            state.is_settled and not (waited_s > 0 and len(state.dice) < count)
            for state, waited_s, count in zip(
                self.placed, self.waiting_s, self.in_play, strict=True
            )
        ]

    @property
    def dice_in_play(self) -> int:
        """How many dice a throw has at every seat, with those put aside."""
        return self._trackers[0].dice_in_play

    @dice_in_play.setter
    def dice_in_play(self, count: int) -> None:
        for tracker in self._trackers:
            tracker.dice_in_play = count

    def parts(self, small: Thumb) -> Parts:
        """Which pixels of the small picture of the mat belong to whom, things to their owners."""
        if small.shape[:2] != self._shape:
            self._shape = small.shape[:2]
            self._parts = parts_of(self._seats, self._shape, margin_mm=self._margin_mm)
        return self._parts.with_things(*things_of(self.placed), margin_mm=self._margin_mm)

    def place(self, state: SceneState, signs: Signs | None = None) -> None:
        """Take in the whole mat.

        Args:
            state: what lies on it.
            signs: what the pictures say of its parts; None: it has not changed.
        """
        self.signs = self.signs.at_rest() if signs is None else signs
        self.placed = self._placing.by_seat(state, self.signs)

    def follow(self) -> tuple[TableEvent, ...]:
        """What has happened at all seats, now that everything is placed."""
        if not self._seats:
            self.own = self.placed
            return self._trackers[0].receive(self.placed[0])
        throwing = {
            index: Throwing(tracker.lifted_s, tracker.dice_in_play)
            for index, tracker in enumerate(self._trackers)
            if tracker.phase is Phase.LIFTED
        }
        self.own = self._visitors.own(self.placed, throwing)
        at_seats = zip(self.placed, self.own, strict=True)
        self._visiting = tuple(len(placed.dice) - len(own.dice) for placed, own in at_seats)
        events: list[TableEvent] = []
        for index, (tracker, state) in enumerate(zip(self._trackers, self.own, strict=True)):
            told = tracker.receive(state)
            asked = any(event.type in MISSING for event in told)
            if index in throwing and tracker.phase in (Phase.EMPTY, Phase.OPEN) and not asked:
                self._visitors.complete(index)
            events += told
        return tuple(events)

    def lying_at(self, seat: str | None) -> Lying:
        """What lies at a seat, sorted; None on a mat that all share.

        Raises:
            SeatsError: nobody of that name sits here.
        """
        index = self._index(seat)
        return sort_scene(self.own[index], self.places[index])

    def _index(self, seat: str | None) -> int:
        names = [tracker.seat for tracker in self._trackers]
        if seat not in names:
            raise SeatsError(f"Nobody called {seat!r} sits here; the seats are {names}.")
        return names.index(seat)
