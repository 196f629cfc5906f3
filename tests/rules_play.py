"""A match of three for the tests of the rules: begin it, play it, ask what is refused."""

from rules import Action, Event, Match, StopTurn, ThrowDice, find_book

TURNIER = find_book("turnier")


def a_match() -> Match:
    return Match.new(TURNIER, ["A", "B", "C"])


def played(match: Match, *moves: Action) -> tuple[Match, list[Event]]:
    log: list[Event] = []
    for move in moves:
        match, events = match.do(move)
        log += events
    return match, log


def code_against(match: Match, action: Action) -> str:
    refused = match.refusal(action)
    assert refused is not None
    return refused.code


def opened() -> Match:
    """B has Schock 4, C is lowest: C holds 4 and leads."""
    throws = [("A", (6, 5, 2)), ("B", (4, 1, 1)), ("C", (3, 2, 2))]
    return played(a_match(), *(ThrowDice(name, dice) for name, dice in throws))[0]


def one_throw_round(order: str, *dice: tuple[int, ...]) -> list[Action]:
    moves: list[Action] = []
    for player, thrown in zip(order, dice, strict=True):
        moves += [ThrowDice(player, thrown), StopTurn(player)]
    return moves
