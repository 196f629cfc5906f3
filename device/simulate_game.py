"""What is played on the simulated table: a game by a simple policy, or one that is written down.

The policy plays as a beginner does: it keeps ones, turns sixes when it may (most of the time),
stops on a good figure, and now and then builds a tower or leaves a die leaning. All chance comes
from the seed; what is legal and what follows is decided by `rules`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from device.errors import SourceError, UsageError
from device.json_lines import json_lines
from rules import find_book
from rules.actions import (
    Action,
    KeepDice,
    StopTurn,
    ThrowDice,
    TurnSixes,
    action_from_json,
)
from rules.errors import RulesError
from rules.events import Event, HalfOver, OpeningSettled, RoundSettled
from rules.legality import Turn
from rules.match import Match
from rules.opening import OPENING_DICE
from rules.phases import Phase

BURNS = ("tower", "burning", "off_mat")
"""Ways to burn a throw that the table can show."""
BURNS_AGAIN = ("tower", "burning")
"""Of dice that are thrown again: the cup is put over them where they lie, far from the edge."""
PLAYABLE = (ThrowDice, KeepDice, TurnSixes, StopTurn)


@dataclass(frozen=True)
class Policy:
    """How the simulated players play; probabilities.

    Attributes:
        burns: that a throw of two or three dice burns.
        turns: that sixes are turned where that is allowed.
        stops: that a hausnummer with a six is left standing.
    """

    burns: float = 0.06
    turns: float = 0.8
    stops: float = 0.45


@dataclass(frozen=True)
class Move:
    """One action of the game.

    Attributes:
        action: what the player does.
        events: what follows by the rules.
        match: the game afterwards.
        opening: the throw belongs to the opening: the dice are taken away after it.
    """

    action: Action
    events: tuple[Event, ...]
    match: Match
    opening: bool


def letters(count: int) -> tuple[str, ...]:
    """Seat letters, clockwise: A, B, C ...

    Raises:
        UsageError: not two to six players.
    """
    if not 2 <= count <= 6:
        raise UsageError(f"--players must be 2 to 6, but got {count}.")
    return tuple("ABCDEF"[:count])


def play(
    book: str,
    players: Sequence[str],
    *,
    seed: int,
    rounds: int | None,
    policy: Policy | None = None,
    whole: bool = False,
) -> Iterator[Move]:
    """Let the policy play.

    Args:
        book: name of the rule book.
        players: names, clockwise.
        seed: of all chance.
        rounds: rounds to play after the opening; None: until a half is over. A half that ends
            earlier ends the game here, too.
        policy: how they play.
        whole: to the end of the game, whatever `rounds` says.

    Yields:
        One move after the other.

    Raises:
        UnknownBook: no such book.
    """
    rng = np.random.default_rng(seed)
    match = Match.new(find_book(book), players)
    policy = policy or Policy()
    left = rounds
    lie_burnt: str | None = None
    while not match.is_over:
        move = _do(match, _choose(match, rng, policy, lie_burnt))
        match, action = move.match, move.action
        lie_burnt = None
        if isinstance(action, ThrowDice) and action.burns in BURNS_AGAIN:
            lie_burnt = action.player
        yield move
        if whole:
            continue
        settled = sum(isinstance(event, RoundSettled) for event in move.events)
        opened = any(isinstance(event, OpeningSettled) for event in move.events)
        if any(isinstance(event, HalfOver) for event in move.events):
            return
        if left is not None:
            left -= settled
            if left <= 0 and (settled or opened):
                return


def read_script(path: Path) -> tuple[str | None, tuple[str, ...] | None, list[Action]]:
    """Read a written game, in the form that `schockauge replay` reads.

    Returns:
        The rule book and the players where the first line names them, and the actions.

    Raises:
        SourceError: the file cannot be read or holds something else; names the line.
    """
    book: str | None = None
    players: tuple[str, ...] | None = None
    script: list[Action] = []
    for number, record in json_lines(path):
        try:
            if "players" in record and not script:
                book, players = record.get("book"), tuple(record["players"])
                continue
            script.append(_playable(action_from_json(record)))
        except (TypeError, ValueError, RulesError) as error:
            raise SourceError(
                f"{path}, line {number}: {error}. Expected an action such as "
                '{"type": "throw", "player": "A", "dice": [6, 5, 2]}.'
            ) from error
    return book, players, script


def write_game(path: Path, book: str, players: Sequence[str], moves: Sequence[Move]) -> None:
    """Write a game in the form that `read_script` and `schockauge replay` read."""
    head = {"book": book, "players": list(players)}
    lines = [head, *(move.action.to_json() for move in moves)]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8")


def play_script(book: str, players: Sequence[str], script: Sequence[Action]) -> Iterator[Move]:
    """Play what is written down.

    Raises:
        SourceError: the rules refuse an action; names it.
    """
    match = Match.new(find_book(book), players)
    for number, action in enumerate(script, start=1):
        try:
            move = _do(match, action)
        except RulesError as error:
            raise SourceError(f"action {number} ({action.to_json()}) is refused: {error}") from None
        match = move.match
        yield move


def _do(match: Match, action: Action) -> Move:
    after, events = match.do(action)
    return Move(action, events, after, match.phase is Phase.OPENING)


def _playable(action: Action) -> Action:
    if not isinstance(action, PLAYABLE):
        raise ValueError(f"the simulated table cannot show {action.type!r}")
    if isinstance(action, ThrowDice) and action.burns not in (None, *BURNS):
        raise ValueError(f"burns must be one of {', '.join(BURNS)}, but got {action.burns!r}")
    return action


def _choose(
    match: Match, rng: np.random.Generator, policy: Policy, lie_burnt: str | None
) -> Action:
    """What the player does; `lie_burnt`: whose burnt dice still lie on the mat."""
    player = match.current_player
    assert player is not None
    turn, from_hand = match.turn, player != lie_burnt
    if turn is None:
        return _throw(player, OPENING_DICE[match.book.start], rng, policy, first=from_hand)
    forced = match.forced()
    if forced is not None:
        return forced
    if not turn.thrown:
        return _throw(player, turn.dice_to_throw, rng, policy, first=from_hand)
    if not turn.must_throw:
        sixes = turn.thrown.count(6) - 1
        if sixes > 0 and match.can_turn(player, sixes) and rng.random() < policy.turns:
            return TurnSixes(player, sixes)
        if match.can_stop(player) and not turn.kept_now and _good(match, turn, rng, policy):
            return StopTurn(player)
    ones = tuple(die for die in turn.lying if die == 1)
    if ones and len(ones) < len(turn.lying) and match.can_keep(player, ones):
        return KeepDice(player, ones)
    if turn.lying == ones and match.can_stop(player):
        return StopTurn(player)
    return _throw(player, turn.dice_to_throw, rng, policy, first=False)


def _throw(
    player: str, count: int, rng: np.random.Generator, policy: Policy, *, first: bool = True
) -> ThrowDice:
    burns = count > 1 and rng.random() < policy.burns
    dice = tuple(sorted((int(die) for die in rng.integers(1, 7, count)), reverse=True))
    kinds = BURNS if first else BURNS_AGAIN
    kind = kinds[rng.integers(len(kinds))]
    return ThrowDice(player, () if burns else dice, kind if burns else None)


def _good(match: Match, turn: Turn, rng: np.random.Generator, policy: Policy) -> bool:
    """Whether the dice are worth stopping on."""
    _, events = match.do(StopTurn(turn.player))
    result = next(event.result for event in events if event.type == "stopped")  # type: ignore[attr-defined]
    if result.category != "hausnummer":
        return not (result.category == "schock" and max(turn.dice) < 4)
    return max(turn.dice) == 6 and bool(rng.random() < policy.stops)
