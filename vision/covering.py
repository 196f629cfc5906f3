"""Which of the cups on the mat covers dice, and when it only stands there.

Of several cups the one that came last counts: those that stood there before it are parked. With
all dice in sight nothing can be under it; and new dice that lie beside it for long were under
another one, or rolled out. It is parked then, until it is carried elsewhere. Of a cup that has just
come they tell nothing. One that comes while nobody is at work, beside what is still to be told or
what nobody has touched since it was, is a coaster that was overlooked before.
"""

from dataclasses import replace

from vision.lying import Face, Lying, inside, near, near_same
from vision.memory import HAIR_S, Memory, ThrowSettings, Timers
from vision.table import SceneState, TableCup, TableDie

NEVER_S, ALWAYS_S = float("-inf"), float("inf")


class Covering:
    """Knows the covering cup of one throwing zone.

    Args:
        settings: waiting times.
    """

    def __init__(self, settings: ThrowSettings) -> None:
        self.settings = settings
        self._since_s = NEVER_S  # since when the newest cup stands that has covered
        self._stood_until_s: float | None = None
        self._busy_s = ALWAYS_S  # when somebody was last at work; until that was seen: always
        self._now_s = self._told_s = NEVER_S
        self._put_mm: tuple[float, float] | None = None  # where somebody put the newest cup down
        self._at_first: tuple[Face, ...] = ()  # the dice of the beginning, until something is told
        self._timers = Timers()

    def watch(self, scene: SceneState) -> None:
        """Note when the watch began, and when somebody is at work: what has stood there before."""
        self._now_s = scene.t_s
        if scene.busy:
            self._busy_s = scene.t_s
        if self._stood_until_s is None:
            self._stood_until_s = scene.t_s + self.settings.stood_s
        if scene.t_s <= self._stood_until_s:
            self._at_first += tuple((*die.position_mm, die.value) for die in scene.dice)

    def begin_waiting_anew(self, *, told: bool) -> None:
        """The zone is in another phase, or was out of sight; `told`: what lies there is known."""
        self._timers, self._told_s = Timers(), self._now_s
        if told:
            self._at_first = ()

    @property
    def has_always_stood(self) -> bool:
        """Whether the cup was there when the watch began: nobody knows the mat below it."""
        return self._stood_until_s is None or self._since_s <= self._stood_until_s

    def without_parked(self, scene: SceneState) -> SceneState:
        """The scene without cups that stood there before the one that covered dice came.

        They stay, so waiting for them to give dice free is in vain.
        """
        return replace(scene, cups=tuple(cup for cup in scene.cups if cup.since_s >= self._since_s))

    def comes(self, scene: SceneState, lying: Lying, memory: Memory, *, lifted: bool) -> bool:
        """Whether a cup has come that covers dice; takes note of what lies beside it.

        Args:
            scene: the table.
            lying: the same, sorted.
            memory: of the turn.
            lifted: what lay under the cup before this one has not been told yet.
        """
        if lying.cup is None or lying.in_sight >= lying.in_play:
            return False
        if lying.cup.since_s <= self._since_s or self._never_came(lying.cup, scene.t_s):
            return False  # parked
        unattended = lying.cup.since_s - self._busy_s >= self.settings.unattended_s
        untouched = lifted or self._busy_s < self._told_s
        if unattended and untouched and not self._is_back(lying.cup):
            return False  # it stood there when the dice were thrown
        if memory.unread and self._lain_s(scene, lying, memory) >= self.settings.beside_s:
            return False  # it leaves in plain sight what has to be told first
        self._since_s = lying.cup.since_s
        if not unattended:
            self._put_mm = lying.cup.position_mm
        memory.cup_comes(lying, scene.t_s, self.settings)
        return True

    def _never_came(self, cup: TableCup, now_s: float) -> bool:
        """Whether it stood there when the watch began, and that is over: a coaster, or a glass.

        What it covers was counted then; dice that vanish elsewhere are not below it.
        """
        until_s = self._stood_until_s
        return until_s is not None and cup.since_s <= until_s < now_s - self.settings.stood_s

    def _is_back(self, cup: TableCup) -> bool:
        """Whether it is the one that somebody put down, lost from sight and found again."""
        return self._put_mm is not None and inside(self._put_mm, cup.box_mm)

    def park(self, scene: SceneState, lying: Lying, memory: Memory) -> None:
        """Note a cup, or a glass, that stands there while all dice in play lie open and are known.

        It covers nothing; only where it is carried elsewhere it may.
        """
        if memory.known is not None and lying.at_rest and lying.in_sight >= lying.in_play:
            since_s = (cup.since_s for cup in scene.cups if cup.settled)
            self._since_s = max(self._since_s, *since_s, NEVER_S)

    def stays(self, scene: SceneState, lying: Lying, memory: Memory) -> bool:
        """Whether the cup is still down and covers dice; takes note of when it was seen."""
        if lying.cup is None:
            return False
        # One that turns out to have always stood there is as old as the watch, and still the same.
        if lying.cup.since_s < self._since_s and not self.has_always_stood:
            return False
        self._since_s = lying.cup.since_s
        begins = self._stood_until_s is not None and scene.t_s <= self._stood_until_s
        if begins:  # what is seen a little later lay there, too
            memory.cup_comes(lying, scene.t_s, self.settings)
        if self._covers_nothing(scene, lying, memory):
            return False
        if lying.in_sight < lying.in_play:
            memory.lifted_s = lying.cup.seen_s
        return True

    def unseen(self, scene: SceneState, lying: Lying, memory: Memory) -> bool:
        """Whether dice came to lie there under a cup that nobody took for one that covers any."""
        # Both are asked, whatever the first says: each takes note of how long it holds.
        return any((self._passed(scene, lying, memory), self._others(scene, lying)))

    def _others(self, scene: SceneState, lying: Lying) -> bool:
        """Whether other dice lie there than when the watch began, and nothing was told since.

        All of them elsewhere, or of other values, as many as are in play, or a tower, which may be
        all of them: the hand that brought them hid their cup, or it was taken for what stood there.
        """
        places, known = self._at_first, any(self._lay_at_first(die) for die in lying.on_mat)
        tower, burning = (any(d.sure for d in dice) for dice in (lying.towers, lying.burning))
        enough = lying.complete or tower or (burning and lying.in_sight == lying.in_play)
        others = bool(places) and enough and lying.at_rest and not known
        others_s = self._timers.held_s("others", scene.t_s, holds=others)
        return others_s >= self.settings.count_s

    def _lay_at_first(self, die: TableDie) -> bool:
        """Whether it may be one that lay there in the beginning."""
        near_mm = self.settings.same_place_mm
        if die.kind == "die" and die.sure:
            return near_same(die, self._at_first, near_mm)
        return near(die, [(x, y) for x, y, _ in self._at_first], near_mm)

    def _passed(self, scene: SceneState, lying: Lying, memory: Memory) -> bool:
        """Whether new dice lie where a cup came and went while three look-alikes were in sight.

        Takes note of a cup that comes then, and of what lies there.
        """
        cup, settings = lying.cup, self.settings
        seen = memory.new_things(lying, settings) if memory.passing_s is not None else []
        if cup is not None and cup.since_s > self._since_s and memory.known is None:
            if memory.passing_s is None:
                memory.cup_passes(lying, cup.since_s)
            elif not seen:  # one more: it is the one that may have brought dice
                memory.passing_s = max(memory.passing_s, cup.since_s)
        gone = memory.passing_s is not None and (cup is None or cup.since_s != memory.passing_s)
        lie = gone and any(die.at_rest for die in seen)
        blink_s = settings.fleeting_s
        passed_s = self._timers.held_s("passed", scene.t_s, holds=lie, blink_s=blink_s)
        return passed_s >= settings.count_s

    def _covers_nothing(self, scene: SceneState, lying: Lying, memory: Memory) -> bool:
        thrown = bool(lying.zone or lying.towers or lying.burning)
        if thrown and lying.at_rest and lying.in_sight >= lying.in_play:
            return True
        new = bool(memory.new_things(lying, self.settings))
        there_s = self._timers.held_s("there", scene.t_s, holds=new)
        # What lay there for long before the newest cup came says nothing of what that one covers.
        stood_s = scene.t_s - self._since_s + HAIR_S
        beside_s = min(stood_s, self._lain_s(scene, lying, memory))
        return beside_s >= self.settings.beside_s or there_s >= self.settings.restless_s

    def _lain_s(self, scene: SceneState, lying: Lying, memory: Memory) -> float:
        """How long new dice lie beside the cup, however often it was lost sight of."""
        return 0.0 if scene.busy else memory.lain_s(lying, scene.t_s, self.settings)
