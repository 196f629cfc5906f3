"""A paper card as a form: a game a row, a number for everybody who went out of a half.

Numbers say in which order the players went out: 1 the first, equal numbers at the same moment; the
loser has `L`. The form only reads what was written; whether such a card can be is for the rules to
say (`rules.tournament_results.problem_of`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from werkzeug.datastructures import MultiDict

from rules.tournament_format import Format
from rules.tournament_results import GameRecord, TableResult
from rules.tournament_state import Round
from rules.wire import plain
from web_ui.errors import RequestError

LOSER = "L"
AUTO, LEAGUE, SCHARF = "auto", "champions_league", "scharf"
HOWS = (AUTO, LEAGUE, SCHARF)
"""How a game ended: the final or a sweep, as its halves say; or otherwise."""

MOST_GAMES = 30
MORE_GAMES = 3
LEAST_GAMES = 1

Form = MultiDict[str, str]


@dataclass(frozen=True)
class GameForm:
    """What was written of one game.

    Attributes:
        here: numbers of the seats that played it.
        out: for each half what stands beside each seat: a number, `L`, or "".
        loser: number of the seat that lost the game; "" where nothing was written.
        how: one of `HOWS`.
        aus: Schock aus of each seat, "" for none.
    """

    here: frozenset[int]
    out: tuple[tuple[str, ...], tuple[str, ...]]
    loser: str = ""
    how: str = AUTO
    aus: tuple[str, ...] = ()

    @property
    def is_blank(self) -> bool:
        """Whether nothing was written of how it ended."""
        return not any((*self.out[0], *self.out[1], self.loser, *self.aus))


@dataclass(frozen=True)
class CardForm:
    """What was written on a card.

    Attributes:
        seats: who sat at the table.
        games: in their order; blank ones at the end do not count.
        by: who fills it in.
        cut_short: why fewer games were played than the format says.
        reason: why a result is corrected.
    """

    seats: tuple[str, ...]
    games: tuple[GameForm, ...]
    by: str = ""
    cut_short: str = ""
    reason: str = field(default="", kw_only=True)


def blank_game(seats: Sequence[str], absent: Sequence[str] = ()) -> GameForm:
    """Return a game of which nothing has been written; who is absent has not played it."""
    here = frozenset(at for at, name in enumerate(seats) if name not in absent)
    empty = ("",) * len(seats)
    return GameForm(here=here, out=(empty, empty), aus=empty)


def sat_at(one: Round, table: int) -> tuple[str, ...]:
    """Return whose names a card may have: who sits there, then who was moved from there."""
    moved = one.moved_from(table) if one.kind == "points" else ()
    return (*one.tables[table - 1], *moved)


def blank_card(made: Format, one: Round, table: int, by: str, gone: Sequence[str]) -> CardForm:
    """Return the card of a table with room for the games that a round has."""
    seats = sat_at(one, table)
    room = made.games_per_round if one.kind == "points" else MORE_GAMES
    return CardForm(seats=seats, games=(blank_game(seats, gone),) * min(room, MOST_GAMES), by=by)


def card_of(result: TableResult, seats: Sequence[str]) -> CardForm:
    """Return the card as it must have been filled in for a result."""
    games = tuple(_game_form(game, seats) for game in result.games)
    return CardForm(seats=tuple(seats), games=games, by=result.by, cut_short=result.cut_short)


def _game_form(game: GameRecord, seats: Sequence[str]) -> GameForm:
    rows = []
    for half in game.halves:
        row = {name: str(at) for at, group in enumerate(half.out, start=1) for name in group}
        row[half.loser] = LOSER
        rows.append(tuple(row.get(name, "") for name in seats))
    empty = ("",) * len(seats)
    first, second = (*rows, empty, empty)[:2]
    how = game.how if game.how in HOWS else AUTO
    return GameForm(
        here=frozenset(at for at, name in enumerate(seats) if name in game.players),
        out=(first, second),
        loser=str(seats.index(game.loser)) if game.loser in seats else "",
        how=how,
        aus=tuple(str(game.schock_aus.get(name, "")) for name in seats),
    )


def card_from(form: Form, seats: Sequence[str], by: str) -> CardForm:
    """Read a card out of a form's fields; nothing is judged.

    Raises:
        RequestError: 400, the number of games is none.
    """
    raw = form.get("games", "")
    if not (raw.isascii() and raw.isdigit() and 0 < len(raw) < 3 and int(raw) <= MOST_GAMES):
        raise RequestError(400, "bad_number", name="games", found=raw[:40])
    places = range(len(seats))
    games = []
    for number in range(1, int(raw) + 1):
        halves = [
            tuple(form.get(f"g{number}h{half}p{at}", "").strip()[:2] for at in places)
            for half in (1, 2)
        ]
        how = form.get(f"g{number}how", AUTO)
        present = form.getlist(f"g{number}in")
        games.append(
            GameForm(
                here=frozenset(at for at in places if str(at) in present),
                out=(halves[0], halves[1]),
                loser=form.get(f"g{number}loser", ""),
                how=how if how in HOWS else AUTO,
                aus=tuple(form.get(f"g{number}a{at}", "").strip()[:2] for at in places),
            )
        )
    said = {name: " ".join(form.get(name, "").split()) for name in ("cut_short", "reason")}
    return CardForm(tuple(seats), tuple(games), by, said["cut_short"], reason=said["reason"])


def result_of(card: CardForm) -> dict[str, Any]:
    """Return the result that a card says, as JSON of `rules.tournament_results.TableResult`.

    Raises:
        RequestError: 400, something on the card can be no result whatever the rules; says where.
    """
    games = list(card.games)
    while games and games[-1].is_blank:
        games.pop()
    told = [_game(game, number, card.seats) for number, game in enumerate(games, start=1)]
    return {"games": told, "source": "card", "by": card.by, "cut_short": card.cut_short}


def corrected(told: dict[str, Any], handed: TableResult) -> dict[str, Any]:
    """Return a result as a correction of another: what is the same is not told in another way.

    Args:
        told: the result that a card says, as JSON.
        handed: what was handed in.
    """
    before = plain(handed)
    for game, old in zip(told["games"], before["games"], strict=False):
        if sorted(game["players"]) == sorted(old["players"]):
            game["players"] = old["players"]
    same = all(told[name] == before[name] for name in ("games", "cut_short"))
    return dict(before) if same else told


def _game(game: GameForm, number: int, seats: Sequence[str]) -> dict[str, Any]:
    halves = [
        _half(row, game, number, half, seats)
        for half, row in enumerate(game.out, start=1)
        if any(row)
    ]
    losers = [half["loser"] for half in halves]
    swept = len(losers) == 2 and losers[0] == losers[1]
    how = ("sweep" if swept else "final") if game.how == AUTO else game.how
    loser = _seat(game.loser, seats)
    if loser is None and (swept or (game.how == SCHARF and losers)):
        loser = losers[0]
    if loser is None:
        raise RequestError(400, "card_no_loser", game=number)
    aus = {
        seats[at]: _count(raw, number) for at, raw in enumerate(game.aus) if raw not in ("", "0")
    }
    players = [name for at, name in enumerate(seats) if at in game.here]
    return {
        "number": number,
        "players": players,
        "halves": halves,
        "loser": loser,
        "how": how,
        "schock_aus": aus,
    }


def _half(
    row: Sequence[str], game: GameForm, number: int, half: int, seats: Sequence[str]
) -> dict[str, Any]:
    losers = [seats[at] for at, raw in enumerate(row) if raw.upper() == LOSER]
    if len(losers) != 1:
        raise RequestError(400, "card_losers", game=number, half=half, count=len(losers))
    groups: dict[int, list[str]] = {}
    for at, raw in enumerate(row):
        if raw and raw.upper() != LOSER:
            groups.setdefault(_count(raw, number), []).append(seats[at])
    return {"loser": losers[0], "out": [groups[place] for place in sorted(groups)]}


def _seat(raw: str, seats: Sequence[str]) -> str | None:
    known: Mapping[str, str] = {str(at): name for at, name in enumerate(seats)}
    return known.get(raw)


def _count(raw: str, number: int) -> int:
    if not (raw.isascii() and raw.isdigit() and int(raw) > 0):
        raise RequestError(400, "card_number", game=number, found=raw)
    return int(raw)
