"""The one truth that a dashboard shows: a match as a JSON-able snapshot.

Keys (all always present):

* `book`, `part`, `round`, `phase`, `paused` (nobody may play), `players`;
* `turn`: who is expected, his throws, the limit (None: he sets it himself),
  `max_throws`, `outside`, `last` (the last valid throw as it fell), `lying` (what of it
  is not put out), `turn_pending` (sixes were turned, a throw must follow), `covered`
  (a throw lies under the cup unseen), `said` (what the dice in sight are worth and how players
  say it, as in a ranking; None while a throw must follow); None when the game is over;
* `stock`, `total`, `holdings`, `out` (of this part), `order` (throwing order of
  the round), `members` (who plays this part), `markers` (who lost which half);
* `covered`: who has finished with a throw that is still under the cup;
* `ranking`: the finished results of the round under way, best first;
* `history`: settled rounds, oldest first, each with its `order` (a ranking), and whether the
  referee has `ruled` it against the book;
* `throws`: every throw in the version that counts, with its `throw_id`;
* `actions`: for the expected player, whether he may `throw`, `cover`, `turn`, `stop`, and
  if not, why (`code`, `section`, `text_de`, `text_en`); `take_deckel` where the book has it;
* `cash`: what the game costs whom so far: `player`, `eur`, `what`, `box`, `section`, and words;
* `game`: who lost which half and the game, the word for a sweep, and whether it was
  `abandoned`, so that nobody has lost it.
"""

from collections.abc import Callable
from typing import Any

from rules import wire
from rules.cash import cash_book
from rules.dice import DICE_PER_PLAYER, Dice
from rules.errors import Refused
from rules.events import Burnt, Thrown
from rules.legality import Turn
from rules.match import Match
from rules.opening import standing_results
from rules.phases import Part
from rules.ranking import Result, rank
from rules.results import RankedResult
from rules.state import SettledRound
from rules.valuation import describe, describe_all


def snapshot(match: Match) -> dict[str, Any]:
    """Return the match as a JSON-able object; see the module's text for its keys."""
    state = match.state
    return {
        "book": match.book.key,
        "part": match.part.value,
        "round": 1 if match.part is Part.OPENING else state.round,
        "phase": match.phase.value,
        "paused": state.paused,
        "players": list(match.players),
        "turn": _turn(match),
        "stock": match.stock,
        "total": match.book.deckel_total,
        "holdings": dict(match.holdings),
        "members": list(state.members),
        "order": list(state.order),
        "out": list(state.out),
        "markers": _markers(match),
        "covered": [turn.player for turn in state.covered],
        "ranking": [_result(item) for item in _current_ranking(match)],
        "history": [_round(entry) for entry in state.history],
        "throws": _throws(match),
        "actions": _actions(match),
        "cash": [item.to_json() for item in cash_book(state)],
        "game": {
            "half1_loser": state.half1_loser,
            "half2_loser": state.half2_loser,
            "game_loser": state.game_loser,
            "sweep": state.sweep,
            "abandoned": state.abandoned,
        },
    }


def _turn(match: Match) -> dict[str, Any] | None:
    player = match.current_player
    if player is None:
        return None
    turn = match.state.current_turn
    if turn is None:  # an opening: one throw each
        return _turn_entry(player, throws=0, limit=1, max_throws=1)
    return _turn_entry(
        player,
        throws=turn.throws,
        limit=turn.limit,
        max_throws=turn.most_throws,
        outside=turn.outside,
        last=turn.thrown,
        lying=turn.lying,
        turn_pending=turn.must_throw and turn.covered_id is None,
        covered=turn.covered_id is not None,
        said=_said(turn),
    )


def _said(turn: Turn) -> dict[str, Any] | None:
    """What the turn is worth if it ends now."""
    if turn.must_throw or turn.covered_id is not None or len(turn.dice) < DICE_PER_PLAYER:
        return None
    result = Result(turn.player, turn.dice, turn.counted_throws, turn.from_hand)
    return _result(describe(turn.book, result))


def _turn_entry(
    player: str,
    *,
    throws: int,
    limit: int | None,
    max_throws: int,
    outside: Dice = (),
    last: Dice = (),
    lying: Dice = (),
    turn_pending: bool = False,
    covered: bool = False,
    said: dict[str, Any] | None = None,
) -> dict[str, Any]:
    return {
        "player": player,
        "throws": throws,
        "limit": limit,
        "max_throws": max_throws,
        "outside": list(outside),
        "last": list(last) or None,
        "lying": list(lying),
        "turn_pending": turn_pending,
        "covered": covered,
        "said": said,
    }


def _markers(match: Match) -> dict[str, str]:
    losers = {"half1": match.state.half1_loser, "half2": match.state.half2_loser}
    return {part: loser for part, loser in losers.items() if loser is not None}


def _current_ranking(match: Match) -> tuple[RankedResult, ...]:
    state = match.state
    results = standing_results(state.opening) if state.opening is not None else state.results
    if not results:
        return ()
    return describe_all(match.book, rank(match.book, results).order)


def _result(item: RankedResult) -> dict[str, Any]:
    entry: dict[str, Any] = wire.plain(item)
    return entry


def _round(entry: SettledRound) -> dict[str, Any]:
    return {
        "part": entry.part.value,
        "round": entry.round,
        "winner": entry.winner,
        "loser": entry.loser,
        "deckel": entry.deckel,
        "ruled": entry.ruled,
        "order": [_result(item) for item in entry.order],
    }


def _throws(match: Match) -> list[dict[str, Any]]:
    return [
        {
            "throw_id": event.throw_id,
            "player": event.player,
            "part": event.part,
            "round": event.round,
            "dice": list(event.dice),
            "outside": list(event.outside) if isinstance(event, Thrown) else [],
            "burns": event.burns if isinstance(event, Burnt) else None,
        }
        for event in match.state.record
        if isinstance(event, (Thrown, Burnt))
    ]


def _actions(match: Match) -> dict[str, dict[str, Any]]:
    player = match.current_player
    if player is None:
        return {}
    checks: dict[str, Callable[[str], None]] = {
        "throw": match.verify_throw,
        "cover": match.verify_cover,
        "turn": match.verify_turn,
        "stop": match.verify_stop,
    }
    if match.book.voluntary_take:
        checks["take_deckel"] = match.verify_take
    return {name: _allowed(check, player) for name, check in checks.items()}


def _allowed(check: Callable[[str], None], player: str) -> dict[str, Any]:
    try:
        check(player)
    except Refused as refused:
        return {
            "allowed": False,
            "code": refused.code,
            "section": refused.section,
            "text_de": refused.text_de,
            "text_en": refused.text_en,
        }
    return {"allowed": True}
