"""A match of three for the tests of the rules: begin it, play it, ask what is refused."""

from rules import Action, Event, Match, RuleBook, StopTurn, ThrowDice, find_book

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


def begun(book: RuleBook, players: str = "ABC") -> Match:
    """A leads round 1 with an untouched stock (in blog2019 with the Deckel of the opening)."""
    match = Match.new(book, list(players))
    single = book.start == "single_die"
    for at, name in enumerate(players):
        dice = (6 - at,) if single else ((2, 2, 1) if at == 0 else (6, 5, at + 1))
        match, _ = match.do(ThrowDice(name, dice))
    assert match.current_player == "A"
    return match


def rounds(match: Match, *thrown: str) -> Match:
    """Play rounds of one throw each, for example `A411 B652 C221`."""
    for line in thrown:
        dice = {word[0]: tuple(int(die) for die in word[1:]) for word in line.split()}
        order = match.state.order
        moves = one_throw_round("".join(order), *(dice[name] for name in order))
        match, _ = played(match, *moves)
    return match


def types(log: list[Event]) -> list[str]:
    return [event.type for event in log]
