"""What each result is worth to a player: how those before and after him lie to it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rules.dice import Dice
from rules.legality import Turn
from rules.odds_table import (
    Aim,
    HiddenThrow,
    Table,
    against,
    follower,
    score,
    score_base,
    seated_later,
    together,
    unpack,
)
from rules.odds_turns import FALLS, Grade, turn_graph
from rules.visibility import Role, is_shown


@dataclass(kw_only=True)
class Stakes:
    """The worth of every result of one player, worked out when it is first asked for.

    All worths are scores (see `rules.odds_table.score`) of counts out of `total`.

    Attributes:
        turn: his turn.
        table: what lay on the table before it.
        to_come: how many players throw after him.
        aim: what he throws for.
        after: what lies there already of players who sit after him.
        replacing: how many of those to come have a single open throw, whatever the limit is.
        aim_after: what those to come throw for.
    """

    turn: Turn
    table: Table
    to_come: int
    aim: Aim
    after: Table = field(default_factory=Table)
    replacing: int = 0
    aim_after: Aim = "not_lowest"
    _open: dict[tuple[int, Grade], int] = field(default_factory=dict)
    _lists: dict[tuple[int, int | None], Sequence[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.graph = turn_graph(self.turn.book)
        book = self.turn.book
        seated_after = [Table().with_hidden(item) for item in self.after.hidden]
        if self.after.lowest is not None:
            seated_after.append(Table(self.after.lowest, self.after.highest))
        self.before = against(book, self.table)
        for one in seated_after:
            self.before = together(self.before, seated_later(against(book, one)))
        self.table = self.table.and_also(self.after)
        # Those to come may have fewer throws than this, if he is the first and stops early;
        # their counts are raised to the same total, so that all can be compared.
        self.most_after = self.turn.limit or self.turn.most_throws
        throws_after = self.most_after * self.to_come + self.replacing
        self.total = self.before.total * FALLS**throws_after
        self.base = score_base(self.total, self.turn.most_throws)

    def unpack(self, value: int) -> tuple[int, int]:
        """Return the counts (lowest, highest) of a score."""
        return unpack(self.aim, value, self.base)

    def pays(self, number: int, outside: int) -> Sequence[int]:
        """Return by grade what stopping after a throw is worth.

        Args:
            number: of the throw.
            outside: index of what lay outside at that throw.
        """
        if self.shown(number):
            return self.open_pays(number)
        return self.hidden_pays(number, outside)

    def worth_of(self, number: int, outside: Dice, grade: Grade) -> int:
        """Return what one result is worth that was thrown with these dice outside."""
        if self.shown(number):
            return self._open_worth(number, grade)
        return self.hidden_pays(number, self.graph.outsides.index(outside))[grade]

    def shown(self, number: int) -> bool:
        """Tell whether those to come see this throw; it is all the same if there are none."""
        role: Role = "first" if self.turn.limit is None else "follower"
        return not (self.to_come or self.replacing) or is_shown(
            self.turn.book, role=role, limit=self.turn.limit, throw_no=number
        )

    def open_pays(self, number: int) -> Sequence[int]:
        """Return by grade what a result that all can see is worth."""
        reached = {grade for row in self.graph.grades[number] for grade in row}
        return self._list((number, None), reached, lambda grade: self._open_worth(number, grade))

    def hidden_pays(self, number: int, outside: int) -> Sequence[int]:
        """Return by grade what a result is worth of which all see only the dice outside."""
        reached = set(self.graph.grades[number][outside])
        seen = self.table.with_hidden(HiddenThrow(self.graph.outsides[outside], number))
        return self._list((number, outside), reached, lambda g: self._worth(number, g, seen))

    def _list(
        self, key: tuple[int, int | None], reached: set[Grade], worth: Callable[[Grade], int]
    ) -> Sequence[int]:
        if key not in self._lists:
            self._lists[key] = [
                worth(grade) if grade in reached else 0 for grade in range(self.graph.size)
            ]
        return self._lists[key]

    def _open_worth(self, number: int, grade: Grade) -> int:
        if (number, grade) not in self._open:
            seen = self.table.with_open(grade)
            self._open[number, grade] = self._worth(number, grade, seen)
        return self._open[number, grade]

    def _worth(self, number: int, grade: Grade, seen: Table) -> int:
        """Score a result: all before him and all after him are above it, or all below."""
        lowest, highest = self.before.above[grade], self.before.below[grade]
        if self.replacing and (lowest or highest):
            single = follower(self.turn.book, seen, 1)
            lowest *= single.above[grade] ** self.replacing
            highest *= single.below[grade] ** self.replacing
        if self.to_come and (lowest or highest):
            limit = number if self.turn.limit is None else self.turn.limit
            after = follower(self.turn.book, seen, limit, self.aim_after)
            raised = FALLS ** ((self.most_after - limit) * self.to_come)
            lowest *= after.above[grade] ** self.to_come * raised
            highest *= after.below[grade] ** self.to_come * raised
        return score(self.aim, lowest, highest, self.base)
