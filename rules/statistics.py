"""What games come to for each player: rounds, Deckel, Schock aus, luck, streaks, head to head.

    together = tally(first.state) + tally(second.state)

A `Tally` is taken of the state of a match, never of raw events: what was corrected counts as
corrected, what was taken back does not count, and a ruling of the referee counts as he ruled.
Tallies of several games are added.

* A **round** is one that was settled with somebody losing it, the opening among them where the
  book makes its loser pay. A round under way, or one that does not count, is none.
* **Highest and lowest** are who gave and who got the Deckel of a round, also where a fault or the
  referee decided that. **Given and taken** are the Deckel that really moved then, from the stock
  or from somebody's own; Doofmanndeckel and Deckel that the referee moved are no round's.
* **Results** are those of settled rounds. A Schock aus is worth all Deckel of the book.
* **Faces** count each die that was thrown and read, once for each throw: not what lay outside, nor
  sixes that were turned. A throw that burnt does not count: what leans on something shows no face
  for certain. Whether a throw burns has nothing to do with what it shows.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rules.changing import FrozenMapping
from rules.dice import DICE_PER_PLAYER
from rules.events import Burnt, Thrown
from rules.fairness import Faces
from rules.luck import NO_THROWS, Luck, first_throw
from rules.phases import Part
from rules.ranking import Category
from rules.results import RankedResult
from rules.state import MatchState, SettledRound
from rules.summing import Summed, added

SHARED_DICE = ""
"""Whose dice they are where all throw with the same."""

SCHOCK_AUS: Category = "schock_aus"


@dataclass(frozen=True)
class Run:
    """Rounds in which something held, looked at for how often in a row.

    Attributes:
        longest: most in a row.
        first: how many in a row at the beginning.
        last: how many in a row at the end.
        rounds: how many were looked at.
    """

    longest: int = 0
    first: int = 0
    last: int = 0
    rounds: int = 0

    def __add__(self, later: "Run") -> "Run":
        """Put later rounds behind these; what holds across the seam is one row."""
        across = self.last + later.first
        return Run(
            longest=max(self.longest, later.longest, across),
            first=across if self.first == self.rounds else self.first,
            last=across if later.last == later.rounds else later.last,
            rounds=self.rounds + later.rounds,
        )


NO_ROUNDS, HELD, BROKEN = Run(), Run(1, 1, 1, 1), Run(rounds=1)
"""None looked at; a single round in which it held, and one in which it did not."""


@dataclass(frozen=True)
class Dearest:
    """The round in which most Deckel moved; of equal ones the first.

    Attributes:
        deckel: how many; 0: none have moved.
        winner: who gave them.
        loser: who took them.
        part: what was played for.
        round: number of the round in this part.
        result: what the winner had thrown, or None.
    """

    deckel: int = 0
    winner: str = ""
    loser: str = ""
    part: str = ""
    round: int = 0
    result: RankedResult | None = None

    def __add__(self, other: "Dearest") -> "Dearest":
        """The dearer of both."""
        return other if other.deckel > self.deckel else self


NOTHING_DEAR = Dearest()


@dataclass(frozen=True)
class PlayerTally(Summed):
    """What games come to for one player; see the module's text.

    Attributes:
        games: that have ended.
        games_lost: of these.
        halves_lost: also of a game under way.
        rounds: that he played.
        highest: of these he had the highest result.
        lowest: of these he lost.
        results: finished results.
        worth: what they are worth together, in Deckel.
        schock_aus: of the results.
        from_hand: of these, how many lay there from one throw ("aus der Hand").
        given: Deckel that he gave as the highest.
        taken: Deckel that he took as the lowest.
        dearest: the round in which he took most.
        calm: rounds in a row without taking Deckel.
        losing: rounds lost in a row.
        luck: his first throws.
    """

    games: int = 0
    games_lost: int = 0
    halves_lost: int = 0
    rounds: int = 0
    highest: int = 0
    lowest: int = 0
    results: int = 0
    worth: int = 0
    schock_aus: int = 0
    from_hand: int = 0
    given: int = 0
    taken: int = 0
    dearest: Dearest = NOTHING_DEAR
    calm: Run = NO_ROUNDS
    losing: Run = NO_ROUNDS
    luck: Luck = NO_THROWS

    @property
    def mean_worth(self) -> float | None:
        """What a result is worth on the mean, in Deckel; None before the first."""
        return self.worth / self.results if self.results else None


@dataclass(frozen=True)
class Pair(Summed):
    """How often one was the highest when another was the lowest, and the Deckel of it."""

    rounds: int = 0
    deckel: int = 0


@dataclass(frozen=True)
class Tally(Summed):
    """What games come to.

    Attributes:
        games: played, one under way among them.
        rounds: settled.
        players: by name, in the order in which they first sat down.
        pairs: by (highest, lowest).
        faces: by whose dice they are, `SHARED_DICE` where all throw with the same.
    """

    games: int = 0
    rounds: int = 0
    players: Mapping[str, PlayerTally] = field(default_factory=FrozenMapping)
    pairs: Mapping[tuple[str, str], Pair] = field(default_factory=FrozenMapping)
    faces: Mapping[str, Faces] = field(default_factory=FrozenMapping)

    @property
    def dearest(self) -> Dearest:
        """The round in which most Deckel moved; of equal ones that of whoever sat down first."""
        return max(
            (one.dearest for one in self.players.values()), key=_deckel, default=NOTHING_DEAR
        )


def _deckel(round: Dearest) -> int:
    return round.deckel


def tally(state: MatchState, *, own_dice: bool = False) -> Tally:
    """Sum up a game, over or under way.

    Args:
        state: of the match.
        own_dice: everybody throws with dice of his own, at a seat of his own.

    Returns:
        Its tally. A game that ended before anybody threw for a round counts with its dice alone.
    """
    faces = _faces(state, own_dice=own_dice)
    if state.part is Part.OVER and not _played(state):
        return Tally(faces=faces)
    players = {name: _of_game(state, name) for name in state.players}
    for deed in state.record:
        if isinstance(deed, Thrown) and _is_first(deed):
            luck = PlayerTally(luck=first_throw(state.book, deed.dice))
            players[deed.player] += luck
    pairs: dict[tuple[str, str], Pair] = {}
    for settled in state.history:
        players = added(players, _of_round(state, settled))
        if settled.loser is not None:
            pair = {(settled.winner, settled.loser): Pair(1, settled.moved)}
            pairs = added(pairs, pair)
    return Tally(1, len(state.history), players, pairs, faces)


def _played(state: MatchState) -> bool:
    """Whether anybody has thrown for a round."""
    return any(isinstance(d, Thrown | Burnt) and d.part != Part.OPENING for d in state.record)


def _of_game(state: MatchState, name: str) -> PlayerTally:
    """What concerns a game as a whole."""
    return PlayerTally(
        games=int(state.part is Part.OVER),
        games_lost=int(state.game_loser == name),
        halves_lost=(state.half1_loser, state.half2_loser).count(name),
    )


def _is_first(throw: Thrown) -> bool:
    """Whether a turn begins with it, with all its dice."""
    begins = throw.throw_no == 1 and len(throw.dice) == DICE_PER_PLAYER
    return begins and throw.part != Part.OPENING


def _of_round(state: MatchState, settled: SettledRound) -> dict[str, PlayerTally]:
    """What a round brings to each who played it."""
    results = {result.player: result for result in settled.order}
    names = dict.fromkeys((*results, settled.winner, settled.loser))
    return {name: _as_played(state, settled, name, results) for name in names if name is not None}


def _as_played(
    state: MatchState, settled: SettledRound, name: str, results: Mapping[str, RankedResult]
) -> PlayerTally:
    lost, won, moved = name == settled.loser, name == settled.winner, settled.moved
    result, best = results.get(name), results.get(settled.winner)
    is_aus = result is not None and result.category == SCHOCK_AUS
    return PlayerTally(
        rounds=1,
        highest=int(won),
        lowest=int(lost),
        results=int(result is not None),
        worth=0 if result is None else _worth(state, result),
        schock_aus=int(is_aus),
        from_hand=int(is_aus and result is not None and result.from_hand),
        given=moved if won else 0,
        taken=moved if lost else 0,
        dearest=Dearest(moved, settled.winner, name, settled.part, settled.round, best)
        if lost and moved
        else NOTHING_DEAR,
        calm=BROKEN if lost and moved else HELD,
        losing=HELD if lost else BROKEN,
    )


def _worth(state: MatchState, result: RankedResult) -> int:
    return state.book.deckel_total if result.deckel == "all" else result.deckel


def _faces(state: MatchState, *, own_dice: bool) -> dict[str, Faces]:
    """The dice that were thrown, by whose they are."""
    faces: dict[str, Faces] = {}
    for deed in state.record:
        if isinstance(deed, Thrown):
            whose = deed.player if own_dice else SHARED_DICE
            faces = added(faces, {whose: _counted(deed.dice)})
    return faces


def _counted(dice: Iterable[int]) -> Faces:
    listed = list(dice)
    return Faces(*(listed.count(face) for face in range(1, 7)))
