"""Play a whole game by a fixed plan and write it down: the golden files of the tests.

    python -m rules.playthrough turnier > tests/golden/turnier_match.txt
    python -m rules.playthrough --script tests/golden/turnier_round.txt

The first plays a game with dice from a digest of the seed, so it is the same
everywhere; the second plays the actions of a transcript again. Both print the
transcript. When a rule changes on purpose, write the files anew and read the diff.
"""

import argparse
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from rules import actions
from rules.dice import Dice
from rules.errors import RulesError
from rules.legality import Turn
from rules.library import find_book
from rules.match import Match
from rules.opening import OPENING_DICE
from rules.transcript import head_lines, play_action, replay_script, standing_lines

PLAYERS = ("Anna", "Ben", "Cem", "Dora")

BURNS_ONCE_IN = 40
"""One throw in so many burns, so that a game of 100 throws shows a few."""


def play_through(book: str, *, seed: int = 1) -> str:
    """Play a whole game with the four `PLAYERS` and return its transcript.

    Args:
        book: name of the rule book.
        seed: another number gives another game.

    Raises:
        UnknownBook: there is no such book.
    """
    match = Match.new(find_book(book), PLAYERS)
    dice = _numbers(seed)
    lines = head_lines(match)
    while not match.is_over:
        match, more = play_action(match, _choose(match, dice))
        lines += more
    return "\n".join([*lines, *standing_lines(match)]) + "\n"


def _numbers(seed: int) -> Iterator[int]:
    """Yield numbers 0 to 255 that only the seed determines."""
    block = 0
    while True:
        yield from sha256(f"{seed}:{block}".encode()).digest()
        block += 1


def _choose(match: Match, numbers: Iterator[int]) -> actions.Action:
    """Choose a plausible action: turn sixes, keep ones, stop on anything good."""
    player, turn = match.current_player, match.turn
    assert player is not None, "somebody is to act while the game is not over"
    if turn is None:
        return actions.ThrowDice(player, _throw(numbers, OPENING_DICE[match.book.start]))
    if turn.thrown:
        choice = _handle_dice(match, turn, numbers)
        if choice is not None:
            return choice
    burns = "tower" if next(numbers) % BURNS_ONCE_IN == 0 else None
    return actions.ThrowDice(player, _throw(numbers, turn.dice_to_throw), burns=burns)


def _handle_dice(match: Match, turn: Turn, numbers: Iterator[int]) -> actions.Action | None:
    sixes = turn.lying.count(6)
    if sixes > 1 and match.can_turn(turn.player, sixes - 1):
        return actions.TurnSixes(turn.player, sixes - 1)
    stop = match.forced()
    if stop is not None:
        return stop
    if match.can_stop(turn.player) and (turn.dice.count(1) >= 2 or next(numbers) % 3 == 0):
        return actions.StopTurn(turn.player)
    ones = tuple(die for die in turn.lying if die == 1)
    return actions.KeepDice(turn.player, ones) if ones else None


def _throw(numbers: Iterator[int], count: int) -> Dice:
    return tuple(next(numbers) % 6 + 1 for _ in range(count))


def main(argv: list[str] | None = None) -> int:
    """Print a transcript; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m rules.playthrough", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("book", nargs="?", help="rule book to play a whole game of")
    parser.add_argument("--seed", type=int, default=1, help="another number, another game")
    parser.add_argument("--script", type=Path, help="transcript to play again")
    args = parser.parse_args(argv)
    if (args.book is None) == (args.script is None):
        parser.error("give either a book or --script FILE")
    try:
        if args.script is not None:
            text = replay_script(args.script.read_text(encoding="utf-8"))
        else:
            text = play_through(args.book, seed=args.seed)
    except (RulesError, OSError) as error:
        sys.stderr.write(f"rules.playthrough: error: {error}\n")
        return 1
    sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
