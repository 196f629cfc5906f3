"""How likely a player is to end lowest or highest in the round, for each thing he may do.

    odds(position_of(match.state))[0].choice.text_de

Theory of operation
-------------------

**What is asked.** Somebody has the cup in front of him. He may let his result stand, put
dice out, turn sixes, throw again: whatever the book allows (`rules.odds_choices` asks
the book's own legality). For each of these `odds` answers how often he will end as the
lowest of the round, and how often as the highest. The chances are exact: every fall of
every throw is counted, in whole numbers, and only the answer is a fraction.

**Who lies where.** Results compare as in `rules.ranking`: figure, throws, the book's
other tie-breaks, throwing order. So a result is a *grade* (its place without the
throwing order); at equal grades those before him are higher, those after him lower.

**Those before him** have finished. An open result is what it is. A covered one is three
things known (what lies outside, how many throws, how many dice are under the cup) and a
throw that nobody has seen; nothing the thrower did can have changed how it fell, so each
fall of it is equally likely. No guess about anybody's play is needed for either. A turn that a
fault has replaced by a single open throw is thrown late, but keeps its place in the order.

**He himself** plays the rest of his turn as well as can be for one aim: `not_lowest`, to
be lowest as seldom as possible, or `highest`, to be highest as often as possible. Where
two choices serve his aim alike, the other aim decides. That is found backwards: what a
result is worth, then each last throw is the mean of its falls, then each fall before it
is the best of stopping and of all throws that may follow, and so on to what lies there
now. What lies outside and the number of the throw are all that the rest of a turn
depends on, so each is worked out once, whichever way leads there.

**Those still to come** have the throws that the first player used (as long as he himself
is that player: those that he will have used). One assumption is made about them: *each
looks at what lies on the table when he has finished, and then throws as if he were the
last: so that he is as seldom as possible the lowest of what lies there, and beyond that
as often as possible the highest.* Each sees what players see: open results, and of
covered throws the dice outside. So what they do depends on what he leaves on the table,
and he counts on it; a throw that the book has covered tells them less.

What the assumption leaves out: that those to come look at each other's results, too.
Where all results are open this changes nothing for the chance to be lowest: he is lowest
only if each of them gets above him, and each tries just that with all he has, for as
long as he is lowest. It does change a little how often he ends highest, and both where
throws are covered.

**Left out** as well: throwing blind (leaving an open throw under the cup unseen), taking
Deckel voluntarily, burnt throws (they are repeated and change nothing), faults, and what
losing would cost. A throw that the book has covered counts as unseen by the others even
if the table has read it; one that was lifted from a covered cup just now counts as seen. A
replacing throw that counts as the limit (no book of ours has that) counts as one before it falls.

Source: rows T1 to T12, P1 to P4, X1 to X11 and K1 to K5 of the rule matrix; the
assumptions above are ours.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rules import legality
from rules.book import RuleBook
from rules.dice import without
from rules.errors import MalformedRecord
from rules.legality import Turn
from rules.odds_choices import Choice, choices
from rules.odds_stakes import Stakes
from rules.odds_table import Aim, HiddenThrow, Table
from rules.odds_turns import FALLS, TurnGraph, best_values, grades_of, turn_graph
from rules.ranking import Result
from rules.state import MatchState, lost_by_fault, still_to_throw

__all__ = ["Aim", "Choice", "ChoiceOdds", "HiddenThrow", "Position", "odds", "position_of"]


@dataclass(frozen=True, kw_only=True)
class Position:
    """Where a player stands in a round.

    Attributes:
        turn: his turn; its `limit` is None if he is the first of the round.
        earlier: finished turns of the round before him, open or covered.
        to_come: how many players throw after him, each as often as the limit allows. With nobody
            before or after him all others have lost the round by faults: he is highest, whatever
            he throws.
        after: finished turns of players who sit after him: a replaced turn is thrown late.
        replacing: how many of those who throw after him have a single open throw instead of their
            turn (statuten §6, §7): those who sit before him, and those who sit after him.
        lost: somebody has lost the round by a fault: nobody else can (row F3).

    Raises:
        MalformedRecord: these things do not fit together.
    """

    turn: Turn
    earlier: tuple[Result | HiddenThrow, ...] = ()
    to_come: int = 0
    after: tuple[Result | HiddenThrow, ...] = ()
    replacing: tuple[int, int] = (0, 0)
    lost: bool = False

    @property
    def is_alone(self) -> bool:
        """Whether nobody else is left in the round."""
        return not (self.earlier or self.after or self.to_come or any(self.replacing))

    def __post_init__(self) -> None:
        if self.turn.limit is None and self.earlier:
            raise MalformedRecord(
                "only the first player of a round has no limit yet, but there are "
                f"{len(self.earlier)} earlier results"
            )
        most = self.turn.limit or self.turn.book.max_throws
        for item in (*self.earlier, *self.after):
            if not 1 <= item.throws <= most:
                raise MalformedRecord(f"earlier results have 1 to {most} throws, but got {item}")
        possible = turn_graph(self.turn.book).outsides
        for item in self.earlier:
            if isinstance(item, HiddenThrow) and (
                item.outside not in possible or (item.throws == 1 and item.outside)
            ):
                raise MalformedRecord(f"in this book nobody can have left {item}")


@dataclass(frozen=True, kw_only=True)
class ChoiceOdds:
    """What one choice leads to, if the player goes on as well as can be for his aim.

    Attributes:
        choice: what he does now.
        lowest: exact chance to end lowest in the round.
        highest: exact chance to end highest in the round.
    """

    choice: Choice
    lowest: Fraction
    highest: Fraction

    @property
    def p_lowest(self) -> float:
        """Chance to end lowest, 0 to 1."""
        return float(self.lowest)

    @property
    def p_highest(self) -> float:
        """Chance to end highest, 0 to 1."""
        return float(self.highest)

    @property
    def p_between(self) -> float:
        """Chance to end neither lowest nor highest, 0 to 1."""
        return float(1 - self.lowest - self.highest)


def position_of(state: MatchState) -> Position:
    """Return where the player whose turn it is stands in the round of a match.

    Results that the match knows count as open, finished turns under the cup as covered.

    Raises:
        MalformedRecord: no turn is under way (an opening, a showdown, the end).
    """
    if state.turn is None:
        raise MalformedRecord("no turn is under way")
    seat = {name: place for place, name in enumerate(state.order)}
    mine = seat[state.turn.player]
    done: list[tuple[str, Result | HiddenThrow]] = [(item.player, item) for item in state.results]
    done += [(turn.player, HiddenThrow(turn.outside, turn.throws)) for turn in state.covered]
    others = [name for name in still_to_throw(state) if name != state.turn.player]
    single = [seat[name] > mine for name in others if name in state.faults.replaced]
    return Position(
        turn=state.turn,
        earlier=tuple(item for name, item in done if seat[name] < mine),
        to_come=len(others) - len(single),
        after=tuple(item for name, item in done if seat[name] > mine),
        replacing=(single.count(False), single.count(True)),
        lost=bool(lost_by_fault(state)),
    )


def odds(position: Position, *, aim: Aim = "not_lowest") -> tuple[ChoiceOdds, ...]:
    """Work out the chances of every legal choice.

    Args:
        position: where the player stands.
        aim: what he throws for, now and in the rest of his turn.

    Returns:
        Every choice of `rules.odds_choices.choices`, the best for the aim first; of
        equally good ones a stop first, then the one that moves fewest dice.
    """
    turn = position.turn
    if position.is_alone:
        sure = {"lowest": Fraction(0), "highest": Fraction(1)}
        return tuple(ChoiceOdds(choice=choice, **sure) for choice in choices(turn))
    aim = "highest" if position.lost else aim
    before, after = position.replacing
    unthrown = (HiddenThrow((), 1),) * before  # who sits before him is higher at a tie
    stakes = Stakes(
        turn=turn,
        table=_table(turn.book, (*position.earlier, *unthrown)),
        to_come=position.to_come,
        aim=aim,
        after=_table(turn.book, position.after),
        replacing=after,
        aim_after="highest" if position.lost else "not_lowest",
    )
    ahead = turn.throws_left + (turn.covered_id is not None)
    out_of = stakes.total * FALLS**ahead
    found = []
    for choice, value in sorted(_valued(turn, stakes), key=lambda pair: -pair[1]):
        lowest, highest = (Fraction(count, out_of) for count in stakes.unpack(value))
        lowest = Fraction(0) if position.lost else lowest
        found.append(ChoiceOdds(choice=choice, lowest=lowest, highest=highest))
    return tuple(found)


def _table(book: RuleBook, items: Sequence[Result | HiddenThrow]) -> Table:
    table = Table()
    grades = grades_of(book)
    for item in items:
        if isinstance(item, HiddenThrow):
            table = table.with_hidden(item)
        else:
            table = table.with_open(grades[item.dice, item.throws, item.from_hand])
    return table


def _valued(turn: Turn, stakes: Stakes) -> list[tuple[Choice, int]]:
    """Value each choice, out of `stakes.total` times 216 per throw that may still count."""
    graph = turn_graph(turn.book)
    levels = best_values(graph, stakes.pays, first=turn.throws + 1, last=turn.most_throws)
    later = levels[0] if levels else None
    if turn.covered_id is not None:
        return _under_the_cup(turn, stakes, graph, later)
    return [
        (
            choice,
            _stopped(turn, stakes)
            if later is None or choice.kind == "stop"
            else later[graph.outsides.index(choice.outside)],
        )
        for choice in choices(turn)
    ]


def _stopped(turn: Turn, stakes: Stakes) -> int:
    result = legality.stop(turn)
    grade = grades_of(turn.book)[result.dice, result.throws, result.from_hand]
    before = without(turn.dice, turn.thrown)
    worth: int = stakes.worth_of(turn.throws, before, grade) * FALLS**turn.throws_left
    return worth


def _under_the_cup(
    turn: Turn, stakes: Stakes, graph: TurnGraph, later: Sequence[int] | None
) -> list[tuple[Choice, int]]:
    """Value lifting the cup (then all see it and he may go on) and leaving it unseen."""
    at = graph.outsides.index(turn.outside)
    scale = FALLS**turn.throws_left
    seen = stakes.open_pays(turn.throws)
    unseen = stakes.hidden_pays(turn.throws, at)
    values = {"stop": 0, "lift": 0}
    for weight, grade, nexts in zip(
        graph.weights[at], graph.grades[turn.throws][at], graph.nexts[at], strict=True
    ):
        on = [] if later is None else [later[o] for o in nexts]
        values["stop"] += weight * unseen[grade] * scale
        values["lift"] += weight * max([seen[grade] * scale, *on])
    return [(choice, values[choice.kind]) for choice in choices(turn)]
