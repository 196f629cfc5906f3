"""Judge what happens around the halves: the start of a game, and what their losers lead to."""

from collections.abc import Mapping
from typing import Any

from rules import opening
from rules.book import RuleBook
from rules.errors import MalformedRecord, Refused
from rules.judge_input import Fields
from rules.opening import OPENING_DICE, new_opening

METHODS: Mapping[str, str] = {
    "single_die": "single_die",
    "three_dice": "three_dice_round",
    "three_dice_round": "three_dice_round",
}


def judge_game(book: RuleBook, asked: Fields) -> dict[str, Any]:
    """Say what follows from the losers of the halves: sweep, or a final and who starts it."""
    players = asked.names("players") if asked.has("players") else None
    first = asked.text("half1_loser")
    second, last = asked.optional_text("half2_loser"), asked.optional_text("final_loser")
    for name in (first, second, last):
        if players is not None and name is not None and name not in players:
            raise MalformedRecord(f"{name!r} is none of the players {list(players)}")
    starter = _half2_starter(book, asked, first)
    if players is not None and starter not in players:
        raise MalformedRecord(f"{starter!r} is none of the players {list(players)}")
    answer: dict[str, Any] = {
        "final": None,
        "finalists": [],
        "sweep": None,
        "half2_starter": starter,
        "final_starter": None,
        "game_loser": None,
    }
    if second is None:
        if last is not None:
            raise MalformedRecord("a final has a loser, but 'half2_loser' is not known")
        return {**answer, "rule": book.cite("half2_starter")}
    if first == second:
        if last is not None:
            raise MalformedRecord(f"there is no final, because {first!r} has lost both halves")
        answer |= {"final": False, "sweep": book.sweep_name or None, "game_loser": first}
        return {**answer, "rule": book.cite("sweep")}
    third = [last] if last not in (None, first, second) else []
    if third and not book.reentry:  # statuten §8, §19: "Finalspiele mit drei Mitspielern"
        raise MalformedRecord(f"{last!r} cannot lose a final between {first!r} and {second!r}")
    starters = {"loser_half1": first, "loser_half2": second}
    answer |= {
        "final": True,
        "finalists": [first, second, *third],
        "final_starter": starters[book.final_starter],
        "game_loser": last,
    }
    topics = ["final_players", "final_starter", "game_loser", *(["reentry"] if third else [])]
    topics += ["half2_starter"] if starter != first else []
    return {**answer, "rule": book.cite(*topics)}


def _half2_starter(book: RuleBook, asked: Fields, loser: str) -> str:
    """Return who leads half 2: its loser, or in some books whom he has chosen (row S7)."""
    chosen = asked.optional_text("half2_starter_chosen") or loser
    if chosen != loser and book.half2_starter != "chosen_by_loser_half1":
        raise MalformedRecord(
            f"in the book {book.key!r} half 2 is led by the loser of half 1, {loser!r}, "
            f"who may not choose {chosen!r}"
        )
    return chosen


def judge_start(book: RuleBook, asked: Fields) -> dict[str, Any]:
    """Follow the throws for the start of a game, first of all players, then of the tied."""
    if asked.has("method"):
        method = METHODS[asked.choice("method", tuple(METHODS))]
        if method != book.start:
            raise MalformedRecord(
                f"the book {book.key!r} starts a game by {book.start!r}, not by {method!r}"
            )
    rolls = asked.objects("rolls")
    if not rolls or not rolls[0].values:
        raise MalformedRecord("'rolls' must begin with the throws of all players")
    state = new_opening(book, _names(rolls[0]))
    ended = opening.Outcome(tied=state.contenders)
    for at, entry in enumerate(rolls):
        if not ended.tied:
            raise MalformedRecord(f"the start was already decided before pass {at + 1}")
        state = _pass(state if at == 0 else opening.rethrow(state, ended.tied), entry, at)
        ended = opening.outcome(state)
    rule = book.cite("start", "opening_tie") if len(rolls) > 1 else book.cite("start")
    if ended.tied:
        return {"starter": None, "tied": list(ended.tied), "rule": book.cite("opening_tie")}
    if ended.loser is None:
        return {"starter": ended.starter, "next_starter": ended.starter, "rule": rule}
    return {
        "starter": ended.starter,
        "winner": ended.winner,
        "loser": ended.loser,
        "deckel": ended.deckel,
        "next_starter": ended.starter,
        "half_over": ended.deckel == "all",
        "half_loser": ended.loser if ended.deckel == "all" else None,
        "rule": rule,
    }


def _names(entry: Fields) -> tuple[str, ...]:
    names = tuple(entry.values)
    if len(names) < 2 or not all(isinstance(name, str) and name for name in names):
        raise MalformedRecord(f"a start needs at least two named players, but got {list(names)}")
    return names


def _pass(state: opening.Opening, entry: Fields, at: int) -> opening.Opening:
    if set(entry.values) != set(state.waiting):
        raise MalformedRecord(
            f"pass {at + 1} must be thrown by {list(state.waiting)}, but got {list(entry.values)}"
        )
    wanted = OPENING_DICE[state.book.start]
    for player in state.waiting:
        roll = entry.need(player)
        listed = Fields({player: [roll] if isinstance(roll, int) else roll})
        try:
            state = opening.add_throw(state, player, listed.dice(player, least=wanted, most=wanted))
        except Refused as refused:
            raise MalformedRecord(refused.text_en) from refused
    return state
