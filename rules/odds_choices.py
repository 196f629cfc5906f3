"""What a player may do with his dice now, found by asking the rules of the turn.

Nothing here knows a rule: every step (turn a six, put one die out, take one back) is
tried with `rules.legality`, and what is refused is not a choice. Two ways to handle
the dice that leave the same dice outside lead to the same throw, so they are one
choice, told by the fewest dice moved: putting out the 1 that lies beside two sixes,
say, and not turning a six and leaving the 1.
"""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from rules import actions, legality
from rules.changing import changed
from rules.dice import Dice, contains, together
from rules.errors import Refused
from rules.legality import Turn

ChoiceKind = Literal["stop", "throw", "lift"]

_COUNT_DE = ("", "einem Würfel", "zwei Würfeln", "allen drei Würfeln")
_COUNT_EN = ("", "one die", "two dice", "all three dice")


@dataclass(frozen=True, kw_only=True)
class Choice:
    """One thing that a player may do now.

    Attributes:
        kind: let the result stand, throw (again), or lift the cup from a covered throw.
        turned: sixes to turn to ones first, 0 to 2.
        put_out: dice of the last throw to put out, turned ones not included.
        taken_back: dice from outside that go back into the cup.
        outside: what lies outside when the dice are thrown; for a stop as it lies now.
    """

    kind: ChoiceKind
    turned: int = 0
    put_out: Dice = ()
    taken_back: Dice = ()
    outside: Dice = ()

    def actions(self, player: str) -> tuple[actions.Action, ...]:
        """Return what the player does, up to the throw, whose dice only the table knows."""
        found: list[actions.Action] = []
        if self.turned:
            found.append(actions.TurnSixes(player, self.turned))
        if self.put_out:
            found.append(actions.KeepDice(player, self.put_out))
        if self.taken_back:
            found.append(actions.ReturnDice(player, self.taken_back))
        if self.kind == "stop":
            found.append(actions.StopTurn(player))
        return tuple(found)

    @property
    def text_de(self) -> str:
        """Say the choice in German, for example "1 rauslegen, mit zwei Würfeln werfen"."""
        if self.kind == "stop":
            return "stehen lassen"
        if self.kind == "lift":
            return "den Becher heben"
        sixes = ("", "eine Sechs zur Eins drehen", "zwei Sechsen zu Einsen drehen")
        words = [
            sixes[self.turned],
            f"{_listed(self.put_out)} rauslegen" if self.put_out else "",
            f"{_listed(self.taken_back)} zurücknehmen" if self.taken_back else "",
            f"mit {_COUNT_DE[3 - len(self.outside)]} werfen",
        ]
        return ", ".join(filter(None, words))

    @property
    def text_en(self) -> str:
        """Say the choice in English, for example "put out 1, throw two dice"."""
        if self.kind == "stop":
            return "let it stand"
        if self.kind == "lift":
            return "lift the cup"
        sixes = ("", "turn one six to a 1", "turn two sixes to ones")
        words = [
            sixes[self.turned],
            f"put out {_listed(self.put_out)}" if self.put_out else "",
            f"take back {_listed(self.taken_back)}" if self.taken_back else "",
            f"throw {_COUNT_EN[3 - len(self.outside)]}",
        ]
        return ", ".join(filter(None, words))


def choices(turn: Turn) -> tuple[Choice, ...]:
    """List what a player may do now, a stop first, then by how many dice are moved.

    To throw without looking is left out: the player would know less and be bound alike.

    Args:
        turn: the turn under way, in whatever state.

    Returns:
        Every legal choice once; empty only when dice were put out and neither a stop
        nor a throw is left, which no book's rules lead to.
    """
    found: list[Choice] = []
    if _allowed(lambda: legality.verify_stop(turn)):
        found.append(Choice(kind="stop", outside=turn.outside))
    if turn.covered_id is not None:
        return (*found, Choice(kind="lift", outside=turn.outside))
    return (*found, *_throws(turn))


@dataclass(frozen=True)
class _Handled:
    """Dice handled so far in one choice: each is moved at most once."""

    turn: Turn
    turned: int = 0
    put_out: Dice = ()
    taken_back: Dice = ()


def _throws(turn: Turn) -> Iterator[Choice]:
    """Search all ways to handle the dice before the next throw, fewest dice moved first."""
    waiting = deque([_Handled(turn)])
    tried: set[tuple[int, Dice, Dice]] = set()
    known: set[Dice] = set()
    while waiting:
        handled = waiting.popleft()
        outside = handled.turn.outside
        if outside not in known and _allowed(_asking_to_throw(handled.turn)):
            known.add(outside)
            yield Choice(
                kind="throw",
                turned=handled.turned,
                put_out=handled.put_out,
                taken_back=handled.taken_back,
                outside=outside,
            )
        for after in _steps(turn, handled):
            key = (after.turned, after.put_out, after.taken_back)
            if key not in tried:
                tried.add(key)
                waiting.append(after)


def _steps(before: Turn, handled: _Handled) -> Iterator[_Handled]:
    """Yield what one more die put out, turned or taken back leads to."""
    turn = handled.turn
    for die in dict.fromkeys(before.lying):
        put_out = together(handled.put_out, (die,))
        if contains(before.lying, put_out) and (after := _tried(legality.keep, turn, (die,))):
            yield changed(handled, turn=after, put_out=put_out)
    if 6 in turn.lying and (after := _tried(legality.turn_sixes, turn, 1)):
        yield changed(handled, turn=after, turned=handled.turned + 1)
    for die in dict.fromkeys(before.outside):
        taken_back = together(handled.taken_back, (die,))
        if contains(before.outside, taken_back) and (
            after := _tried(legality.take_back_dice, turn, (die,))
        ):
            yield changed(handled, turn=after, taken_back=taken_back)


def _tried(step: Callable[..., Turn], turn: Turn, what: Dice | int) -> Turn | None:
    try:
        return step(turn, what)
    except Refused:
        return None


def _asking_to_throw(turn: Turn) -> Callable[[], None]:
    return lambda: legality.verify_throw(turn)


def _allowed(check: Callable[[], None]) -> bool:
    try:
        check()
    except Refused:
        return False
    return True


def _listed(dice: Dice) -> str:
    return "-".join(str(die) for die in dice)
