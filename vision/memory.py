"""What `vision.throws` remembers between frames: the turn so far, and since when things hold."""

from collections import Counter
from dataclasses import dataclass, field, replace

from vision.lying import Face, Lying, is_explained, kept_and_turned, near, near_same, values
from vision.table import TableDie

Spots = tuple[tuple[float, float], ...]

PASSED_MM = 2.0
"""A die that a cup has only passed over is seen again within this of its old place."""
HAIR_S = 1e-6
"""Keeps sums of frame times (0.1 + 0.2 ...) from missing a limit."""


@dataclass(frozen=True)
class ThrowSettings:
    """How long to wait, in seconds, before something is taken as a fact.

    Attributes:
        decide_s: after this long at rest, dice that are not sure will not become so.
        count_s: after this long at rest, a die that is not seen is missing.
        hidden_s: both waits take this long for dice that a cup hides in part; once it is gone they
            begin anew.
        some_s: after this long at rest on a bare mat, dice that nobody saw under a cup are asked
            about, though there are fewer than in play: the others may have fallen off.
        blink_s: a die that is not seen for this long, or trembles, does not begin that wait anew.
        fleeting_s: neither does one that is not found for this long where a cup came and went:
            dice burnt out to white may be found in one look of four.
        nothing_s: after this long a lifted cup with no die under it is strange; it may well be
            shaken in the air before.
        unseen_s: after this long what lies on the mat where a cup was lifted, and is not known for
            a die, needs a person; so does a mat of which nobody can tell whether it is bare.
        beside_s: after this long new dice beside a cup that has been down as long were thrown from
            another one.
        restless_s: dice that are seen for this long and never lie still need a person.
        trembles_s: so do dice that never lie still for this long while nothing moves: it is the
            finding that trembles.
        vanish_s: where dice lay that have been told the mat looks bare for so long: somebody has
            taken them, by hand; a cup that comes now may be the next player's.
        clear_s: the mat is cleared when nothing was on it for this long.
        gone_s: it is, too, when no die has been seen and the places where they lay have looked bare
            for this long, whatever else lies there and whoever is at work.
        strip_s: a die in the strip counts as put aside, when the mat is cleared, after this long.
        unattended_s: a cup that comes so long after somebody was at work was put down before.
        stood_s: a cup that is there so soon after the watch began has stood there before, and what
            has lain still for so long when a cup comes is not brought by it.
        same_place_mm: a die within this of an old place has not been thrown.
        unseen_cup_s: so long without a picture, and a cup may have come down on an empty mat and
            been lifted.
        unseen_throw_s: so long, and dice that lay there may have been gathered and thrown anew:
            from a cup that goes down to dice that lie it is 2.6 s and more in simulated turns.
        unseen_turn_s: so long, and the dice may even have been taken away again: in a hurry a cup
            goes down, three dice are looked at for a second and gathered within it.
    """

    decide_s: float = 1.0
    count_s: float = 1.5
    hidden_s: float = 3.0
    some_s: float = 2.0
    blink_s: float = 0.35
    fleeting_s: float = 1.5
    nothing_s: float = 8.0
    unseen_s: float = 2.5
    beside_s: float = 2.5
    restless_s: float = 5.0
    trembles_s: float = 2.0
    vanish_s: float = 0.15
    clear_s: float = 0.5
    gone_s: float = 1.0
    strip_s: float = 1.0
    unattended_s: float = 0.5
    stood_s: float = 1.0
    same_place_mm: float = 4.0
    unseen_cup_s: float = 1.0
    unseen_throw_s: float = 2.0
    unseen_turn_s: float = 3.0


@dataclass
class Timers:
    """Since when conditions hold, and when they last did."""

    since_s: dict[str, float] = field(default_factory=dict)
    held_at_s: dict[str, float] = field(default_factory=dict)

    def held_s(self, name: str, now_s: float, *, holds: bool, blink_s: float = 0.0) -> float:
        """Seconds that a condition has held; 0 when it does not.

        Args:
            name: of the condition.
            now_s: the time.
            holds: whether it does now.
            blink_s: it may fail for this long and still go on from where it was.
        """
        if not holds:
            if now_s - self.held_at_s.get(name, float("-inf")) >= blink_s:
                self.since_s.pop(name, None)
            return 0.0
        self.held_at_s[name] = now_s
        return now_s - self.since_s.setdefault(name, now_s) + HAIR_S


@dataclass
class Memory:
    """What is known of the turn so far.

    Attributes:
        thrown: the last throw as read or guessed; None before one and after a burnt one.
        outside: what was told of the strip.
        known: all dice on the mat when the throw was read; None: no comparison is possible.
        places: the dice in the zone as they lay before the cup came.
        left: where dice lay in sight when the cup went down.
        left_odd: where of these towers and tilted dice did.
        lifted_s: when the cup was last seen down.
        unread: new dice have been seen since the cup was lifted, and nothing was told of them.
        waited_s: how long such dice have been in sight with no cup over them.
        strange_mat: when the cup was lifted nobody knew how the bare mat looks.
        passing_s: when a cup came while as many dice were in sight as are in play and nobody knew
            them; None: none did.
        crowd: how many dice have been in sight and told of; None: nobody has counted yet.
        aside: values that have lain in the strip for long enough, not told yet.
        vanished: the dice of the throw that was told are gone, and no cup was over them.
        taken: so they were when the cup came that stands there, or was lifted last.
        unseen_s: how long the table was out of sight, and it is not known yet what was thrown then.
    """

    thrown: tuple[int, ...] | None = None
    outside: tuple[int, ...] = ()
    known: tuple[int, ...] | None = None
    places: tuple[Face, ...] = ()
    left: Spots = ()
    left_odd: Spots = ()
    lifted_s: float = 0.0
    unread: bool = False
    waited_s: float = 0.0
    strange_mat: bool = False
    passing_s: float | None = None
    crowd: int | None = None
    aside: tuple[int, ...] = ()
    unseen_s: float = 0.0
    vanished: bool = False
    taken: bool = False

    def remember_throw(self, lying: Lying, *, read: bool) -> None:
        """Keep what was just told; dice that nobody could read cannot be compared later."""
        self.thrown = values(lying.zone)
        self.outside = values(lying.strip)
        self.known = values(lying.flat) if read else None
        self.crowd = len(lying.flat)
        self._told()

    def remember_burnt(self) -> None:
        """The throw does not count: nothing can be kept or turned from it."""
        self.thrown, self.known = None, None
        self._told()

    def _told(self) -> None:
        self.left, self.left_odd, self.aside = (), (), ()
        self.unread, self.passing_s, self.unseen_s = False, None, 0.0
        self.vanished, self.waited_s = False, 0.0

    def cup_comes(self, lying: Lying, now_s: float, settings: ThrowSettings) -> None:
        """Keep where dice lie that it does not cover; those nobody has told of yet stay new.

        One that the hand with the cup hides just now has lain there all the same.
        """
        new = self.new_things(lying, settings) if self.unread else []
        odd = (*lying.towers, *lying.burning)
        lie = [
            die
            for die in (*lying.zone, *odd, *lying.off)
            if (die.at_rest or now_s - die.still_since_s >= settings.stood_s) and die not in new
        ]
        self.left = tuple(die.position_mm for die in lie)
        self.left_odd = tuple(die.position_mm for die in lie if die in odd)

    def cup_passes(self, lying: Lying, since_s: float) -> None:
        """Keep what was in sight when a cup came that was taken for one that covers nothing."""
        self.left = tuple(die.position_mm for die in lying.on_mat)
        self.passing_s = since_s

    def put_aside(self, strip: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
        """Bring the strip up to date.

        Args:
            strip: values that surely lie there, highest first.

        Returns:
            Newly kept values and how many sixes were turned. Nothing when a told die is gone
            (a hand may hide it) or shows another value (one of the two readings is wrong): the
            next throw finds the strip changed then.
        """
        kept, turned = kept_and_turned(self.outside, strip, self.thrown or ())
        gone = Counter(self.outside) - Counter(strip)
        if set(gone) - {6} or gone[6] > turned:
            return (), 0
        self.outside, self.aside = strip, ()
        return kept, turned

    def new_in_zone(self, lying: Lying, settings: ThrowSettings) -> list[TableDie]:
        """Dice in the zone that were thrown: not those that lay there before.

        A cup that only passed over dice shows all of them again, at their places with their
        values. A single thrown die that lands where one lay before is chance.
        """
        new = [d for d in lying.zone if not near(d, self.left, settings.same_place_mm)]
        untouched = all(near_same(die, self.places, PASSED_MM) for die in new)
        return [] if untouched else new

    def without_old_faults(self, lying: Lying, settings: ThrowSettings) -> Lying:
        """The same without what was a tower or tilted when the cup came, and is.

        Nor with what lay there then and lies beside the mat: at its edge nothing is exact.
        """

        def new(dice: tuple[TableDie, ...], places: Spots) -> tuple[TableDie, ...]:
            return tuple(die for die in dice if not near(die, places, settings.same_place_mm))

        towers, burning = (new(dice, self.left_odd) for dice in (lying.towers, lying.burning))
        return replace(lying, towers=towers, burning=burning, off=new(lying.off, self.left))

    def new_things(self, lying: Lying, settings: ThrowSettings) -> list[TableDie]:
        """Dice in the zone that were thrown, flat or not."""
        odd = (*lying.towers, *lying.burning)
        new = [die for die in odd if not near(die, self.left, settings.same_place_mm)]
        return new + self.new_in_zone(lying, settings)

    def note_aside(self, lying: Lying, now_s: float, settings: ThrowSettings) -> None:
        """Keep what has lain in the strip for long enough to count as put aside."""
        lain = all(d.sure and now_s - d.still_since_s >= settings.strip_s for d in lying.strip)
        if lain and 0 < len(lying.strip) < lying.in_play:
            self.aside = values(lying.strip)

    def is_contradicted(self, lying: Lying) -> bool:
        """Whether all dice are read for sure and cannot be those that were told, moved about."""
        return (
            self.known is not None
            and lying.complete
            and all(die.sure for die in lying.flat)
            and not is_explained(values(lying.flat), self.known)
        )

    def is_untouched(self, lying: Lying) -> bool:
        """Whether what lies where dice are thrown has lain there before, part of it put aside.

        Dice thrown anew do not come to lie at the old places with the old values. How towers and
        tilted dice lay is not remembered: beside a throw that was read there were none.
        """
        odd = bool(lying.towers or lying.burning)
        return (not odd or self.known is None) and all(
            near_same(die, self.places, PASSED_MM) for die in lying.zone
        )

    def lain_s(self, lying: Lying, now_s: float, settings: ThrowSettings) -> float:
        """How long new dice, flat ones and sure faults, have lain still in sight; 0 without one."""
        new = self.new_things(lying, settings) if lying.at_rest else []
        plain = [die.still_since_s for die in new if die.kind == "die" or die.sure]
        return now_s - max(plain, default=now_s)

    def may_have_missed(self, settings: ThrowSettings) -> bool:
        """Whether the table was out of sight for so long that somebody may have thrown."""
        return self.unseen_s >= settings.unseen_throw_s

    def objection(self, lying: Lying, new: list[TableDie], settings: ThrowSettings) -> str | None:
        """Why three flat dice at rest are no sure throw; None if they are.

        Args:
            lying: the three dice.
            new: those in the zone that did not lie there before.
            settings: waiting times.
        """
        if self.may_have_missed(settings):
            return "outage"
        if not all(die.stands_sure for die in new):
            return "kind"  # before that another one was left: the rules of a fault come first
        if len(new) < len(lying.zone):
            return "left_in_zone"
        if not lying.stands_sure:
            return "kind"
        if not all(die.sure for die in lying.flat):
            return "values"
        strange = Counter(values(lying.strip)) - Counter(self.outside)
        return "strip_changed" if strange else None
