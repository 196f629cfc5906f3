"""The game of Schocken: dice, ranking, rule books, turns, rounds, halves, matches.

Standard library only; no clock, no random, no input or output (the rule books are
package data). Everything is a frozen value, and every change is an event:

>>> from rules import Match, ThrowDice, find_book
>>> match = Match.new(find_book("turnier"), ["Anna", "Ben", "Cem"])
>>> for player, dice in [("Anna", (6, 5, 2)), ("Ben", (4, 1, 1)), ("Cem", (3, 2, 2))]:
...     match, events = match.do(ThrowDice(player, dice))
>>> match.stock, match.holdings["Cem"], match.current_player
(9, 4, 'Cem')

* `find_book(name)`: a rule book by key or alias, or `UnknownBook`.
* `Match`: `new`, `decide`, `apply`, `do`, `replay`, `missing`, `verify_…` / `can_…`, `forced`.
* Actions (`ThrowDice` …) and events (`Thrown` …): frozen, `to_json()` and back by
  `action_from_json`, `event_from_json`.
* `snapshot(match)`: what a dashboard shows.
* `rank`, `value_of`, `settle`, `is_shown`: the single rules.
* `rules.judge.answer(question)`: one rule question, one answer.
* `rules.odds.odds(position)`: the chances of every choice in a turn.
* `rules.tournament.Tournament`: a tournament of many tables, run in the same way.

The state machine and its table are in `rules.phases`.
"""

from rules.actions import (
    Abandon,
    Action,
    BeginGame,
    CorrectThrow,
    CoverThrow,
    HandOver,
    KeepDice,
    Pause,
    ReEnter,
    ReportFault,
    Resume,
    ReturnDice,
    RuleDeckel,
    RuleRound,
    StopTurn,
    TakeBack,
    TakeDeckel,
    ThrowDice,
    TurnSixes,
    action_from_json,
)
from rules.book import RuleBook, Source
from rules.errors import (
    BookError,
    DiceError,
    IllegalEvent,
    MalformedRecord,
    Refused,
    RulesError,
    UnknownBook,
)
from rules.events import Event, event_from_json
from rules.library import all_books, find_book, parse_book
from rules.match import Match
from rules.phases import Part, Phase
from rules.ranking import Figure, Ranking, Result, figure_of, rank, value_of
from rules.results import RankedResult
from rules.settlement import Settlement, settle
from rules.view import snapshot
from rules.visibility import is_shown

__all__ = [
    "Abandon",
    "Action",
    "BeginGame",
    "BookError",
    "CorrectThrow",
    "CoverThrow",
    "DiceError",
    "Event",
    "Figure",
    "HandOver",
    "IllegalEvent",
    "KeepDice",
    "MalformedRecord",
    "Match",
    "Part",
    "Pause",
    "Phase",
    "RankedResult",
    "Ranking",
    "ReEnter",
    "Refused",
    "ReportFault",
    "Result",
    "Resume",
    "ReturnDice",
    "RuleBook",
    "RuleDeckel",
    "RuleRound",
    "RulesError",
    "Settlement",
    "Source",
    "StopTurn",
    "TakeBack",
    "TakeDeckel",
    "ThrowDice",
    "TurnSixes",
    "UnknownBook",
    "action_from_json",
    "all_books",
    "event_from_json",
    "figure_of",
    "find_book",
    "is_shown",
    "parse_book",
    "rank",
    "settle",
    "snapshot",
    "value_of",
]
