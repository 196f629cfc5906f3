"""How one part of a game leads to the next: halves, the final, the end."""

from collections.abc import Collection, Mapping

from rules import events
from rules.champions import decides_game
from rules.fees import HowLost, loss_fee
from rules.phases import Part
from rules.state import MatchState

LOST_BY: Mapping[HowLost, str] = {
    "final": "game_loser",
    "sweep": "sweep",
    "champions_league": "champions_league",
}
"""What decided the game, for `RuleBook.cite`."""


def part_lost(state: MatchState, loser: str) -> events.Event:
    """Return the event that ends the part which `loser` has lost."""
    if state.part is Part.FINAL:
        how: HowLost = "champions_league" if _in_champions_league(state) else "final"
        return _game_over(state, loser, how=how)
    section = state.book.cite("part_lost")
    return events.HalfOver(part=state.part, loser=loser, section=section)


def deciding_schock_aus(state: MatchState) -> int:
    """Count the Schock aus of the round by which a part has just ended; 0 if it ended otherwise."""
    last = state.history[-1] if state.history else None
    if last is None or (last.part, last.round) != (state.part, state.round):
        return 0
    return sum(1 for result in last.order if result.category == "schock_aus")


def _in_champions_league(state: MatchState) -> bool:
    """Tell whether the last round has decided the whole game (row C3)."""
    return decides_game(state.book, schock_aus=deciding_schock_aus(state), weekday=state.weekday)


def after_part(state: MatchState) -> events.Event:
    """Return the event that follows the end of a half."""
    if _in_champions_league(state):
        loser = state.half1_loser if state.part is Part.HALF1 else state.half2_loser
        assert loser is not None, "the half is lost"
        return _game_over(state, loser, how="champions_league")
    if state.part is Part.HALF1:
        return begin_half(state, Part.HALF2)
    first, second = state.half1_loser, state.half2_loser
    assert first is not None, "half 1 is lost"
    assert second is not None, "half 2 is lost"
    if first == second:
        return _game_over(state, first, how="sweep")
    return _final(state, first, second)


def begin_half(state: MatchState, part: Part) -> events.HalfStarted:
    """Begin a half: the first takes over what the opening has moved, the second is fresh."""
    first = part is Part.HALF1
    starter = state.starter if first else state.half1_loser
    assert starter is not None, "half 1 has a loser before half 2 begins"
    return events.HalfStarted(
        part=part,
        players=state.players,
        starter=starter,
        stock=state.stock if first else state.book.deckel_total,
        holdings=dict(state.holdings) if first else dict.fromkeys(state.players, 0),
        section=state.book.cite(*_starter_topics(state, first=first)),
    )


def _starter_topics(state: MatchState, *, first: bool) -> tuple[str, ...]:
    """Name what decides who leads a half: an opening that was paid for counts as a round."""
    if not first:
        return ("half2_starter",)
    return ("start", "next_starter") if state.history else ("start",)


def _final(state: MatchState, half1_loser: str, half2_loser: str) -> events.FinalStarted:
    starters = {"loser_half1": half1_loser, "loser_half2": half2_loser}
    finalists = {half1_loser, half2_loser}
    return events.FinalStarted(
        players=tuple(name for name in state.players if name in finalists),
        starter=starters[state.book.final_starter],
        stock=state.book.deckel_total,
        holdings=dict.fromkeys(state.players, 0),
        section=state.book.cite("final_players", "final_starter"),
    )


def _game_over(state: MatchState, loser: str, *, how: HowLost) -> events.GameOver:
    swept = how == "sweep"
    return events.GameOver(
        loser=loser,
        how=how,
        sweep=(state.book.sweep_name or None) if swept else None,
        half1_loser=state.half1_loser,
        half2_loser=state.half2_loser,
        section=state.book.cite(LOST_BY[how]),
        fee_eur=loss_fee(state.book, how, schock_aus=deciding_schock_aus(state)),
    )


def drop_out(state: MatchState, *, staying: Collection[str] = ()) -> events.PlayerOut | None:
    """Let the first member go who has no Deckel while the stock is empty (rows E1, E2).

    Args:
        state: the match.
        staying: who does not go yet, whatever he holds.
    """
    if state.stock:
        return None
    for name in state.members:
        if state.holdings[name] == 0 and name not in {*state.out, *staying}:
            section = state.book.cite("zero_after_stock" if name in state.gave else "stays_in")
            return events.PlayerOut(player=name, part=state.part, section=section)
    return None
