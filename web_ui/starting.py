"""What the page shows on which an evening or the next game begins; and what its buttons do."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

from rules.book import RuleBook, Weekday
from rules.library import all_books
from rules.match import Match
from rules.phases import Part
from web_ui.evening import EVENING_ENDS_S, Game
from web_ui.i18n import text
from web_ui.players import MOST_PLAYERS, moved_up, same_name, seated, toggled
from web_ui.projection import Board
from web_ui.wording import join_names

REGULARS_SHOWN = 16
FEWEST_PLACES = 4
SPARE_PLACES = 2

DAYS: tuple[str, ...] = get_args(Weekday)


@dataclass(frozen=True)
class Wish:
    """What somebody has filled in so far.

    Attributes:
        names: of the players in seat order, without empty places.
        book: key of the rule book.
        weekday: name of the day as rule books have it.
        abandons: the game under way is to be abandoned.
        reason: why, as typed.
    """

    names: tuple[str, ...]
    book: str
    weekday: str
    abandons: bool = False
    reason: str = ""


def books_on_offer(house: Sequence[RuleBook], game: Match | None) -> dict[str, RuleBook]:
    """Return the books to choose from by key: the package's, the pub's own, the one in play."""
    playing = () if game is None else (game.book,)
    return {book.key: book for book in (*all_books(), *house, *playing)}


def is_played(game: Match | None) -> bool:
    """Tell whether a game is under way of which a round was begun: only a referee ends it."""
    return game is not None and not game.is_over and game.part is not Part.OPENING


def weekday_of(at_s: float) -> str:
    """Return the day to which an evening belongs that lasts until six; `at_s`: Unix time."""
    return DAYS[time.localtime(at_s - EVENING_ENDS_S).tm_wday]


def last_played(games: Sequence[Game]) -> Game | None:
    """Return the latest game of which a round was begun."""
    return next((game for game in reversed(games) if game.played), None)


def regulars(games: Sequence[Game]) -> tuple[str, ...]:
    """Return who has played before, those of the latest game first; else whom the settings name."""
    played = [game for game in games if game.played] or games[-1:]
    names = dict.fromkeys(name for game in reversed(played) for name in game.players)
    return tuple(names)[:REGULARS_SHOWN]


def first_wish(board: Board, weekday: str) -> Wish:
    """What stands on the page before anybody has touched it: all as last time."""
    last = last_played(board.games)
    names = () if last is None else last.players
    book = all_books()[0].key if board.game is None else board.game.book.key
    return Wish(names=names, book=book, weekday=weekday)


def pressed(wish: Wish, button: str, board: Board) -> Wish:
    """Return what is filled in after a button that begins nothing.

    Args:
        wish: as sent.
        button: `tap:NAME`, `up:PLACE`, `out:PLACE` (from 0), `last`, or anything else.
        board: the state.
    """
    do, _, what = button.partition(":")
    names = seated(wish.names)
    place = int(what) if what.isascii() and what.isdigit() and len(what) < 3 else -1
    if do == "tap" and what:
        names = toggled(names, what)
    elif do == "up":
        names = moved_up(names, place)
    elif do == "out":
        names = [name for at, name in enumerate(names) if at != place]
    elif do == "last" and (last := last_played(board.games)) is not None:
        names = list(last.players)
    return replace(wish, names=tuple(names[:MOST_PLAYERS]))


def present_start(
    board: Board, lang: str, wish: Wish, *, books: Mapping[str, RuleBook], layout: str,
    fixed_seats: Sequence[str],
) -> dict[str, Any]:  # fmt: skip
    """Return the page as its template needs it.

    Args:
        board: the state.
        lang: language of the texts.
        wish: what is filled in.
        books: those to choose from, by key.
        layout: `shared` or `seats`.
        fixed_seats: who has a seat by the settings.

    Returns:
        `wish`, `places` (names, "" where somebody may still sit down), `regulars` (`name`,
        `sits`), `last` (words for the players of last time, or ""), `books` (`key`, `title`,
        `day`), `days` (`key`, `name`), `seats` (what the order means), `game` (what becomes of the
        one under way, or "") and `ends` (it needs the referee and a reason).
    """
    spare = max(FEWEST_PLACES, len(wish.names) + SPARE_PLACES) - len(wish.names)
    last = last_played(board.games)
    return {
        "wish": wish,
        "places": [*wish.names, *[""] * spare][:MOST_PLAYERS],
        "regulars": [
            {"name": name, "sits": any(same_name(name, other) for other in wish.names)}
            for name in regulars(board.games)
        ],
        "last": "" if last is None else join_names(lang, last.players),
        "books": [_book(book, lang) for book in books.values()],
        "days": [{"key": day, "name": text(lang, f"day.{day}")} for day in DAYS],
        "seats": _seats(layout, fixed_seats, lang),
        "game": _under_way(board.game, lang),
        "ends": is_played(board.game),
    }


def _book(book: RuleBook, lang: str) -> dict[str, str]:
    day = book.champions_league
    asks = "" if day == "off" else text(lang, "start.league", day=text(lang, f"day.{day}"))
    title = book.title_en if lang == "en" else book.title_de
    return {"key": book.key, "title": title, "day": asks}


def _seats(layout: str, fixed: Sequence[str], lang: str) -> str:
    if layout == "shared":
        return text(lang, "start.shared")
    if fixed:
        return text(lang, "start.seats.fixed", names=join_names(lang, fixed))
    return text(lang, "start.seats")


def _under_way(game: Match | None, lang: str) -> str:
    if game is None or game.is_over:
        return ""
    key = "start.under_way" if is_played(game) else "start.not_played"
    return text(lang, key, names=join_names(lang, game.players))
