"""Cards of tables that never played, and whole tournaments with them, for the tests."""

import random
from collections.abc import Sequence

import pytest

from rules.errors import Refused
from rules.tournament import Tournament
from rules.tournament_actions import (
    CallScharf,
    DrawRound,
    Finish,
    HandIn,
    PayFee,
    RecordStechen,
    Register,
    TournamentAction,
)
from rules.tournament_events import TournamentEvent
from rules.tournament_format import Format
from rules.tournament_library import find_format
from rules.tournament_results import GameRecord, HalfRecord, TableResult
from rules.tournament_state import Round

WERL, GONZERATH, LEBEN, SCHOCKFREUNDE, JAHR = (
    find_format(name) for name in ("werl", "gonzerath", "leben", "schockfreunde", "grand slam")
)
DRAW = DrawRound(by="R")
NAMES = ("Anna", "Ben", "Cem", "Dora", "Emil", "Fee", "Gero", "Hanna", "Ina", "Jan", "Kai", "Lea")


def half(order: Sequence[str]) -> HalfRecord:
    """A half by the order in which all went out, its loser last."""
    return HalfRecord(loser=order[-1], out=tuple((name,) for name in order[:-1]))


def game(number: int, first: Sequence[str], second: Sequence[str], loser: str = "") -> GameRecord:
    """A game by two halves; without a loser of the final it was a sweep."""
    return GameRecord(
        number=number,
        players=tuple(sorted(first)),
        halves=(half(first), half(second)),
        loser=loser or first[-1],
        how="final" if loser else "sweep",
    )


def scharf(number: int, order: Sequence[str]) -> GameRecord:
    """A half that was played as sudden death."""
    return GameRecord(
        number=number, players=tuple(sorted(order)), halves=(half(order),), loser=order[-1],
        how="scharf",
    )  # fmt: skip


def card(*games: GameRecord, cut_short: str = "") -> TableResult:
    return TableResult(games=games, source="card", by="Schreiber", cut_short=cut_short)


def opened(made: Format, names: Sequence[str], *, seed: str = "7", teams: int = 0) -> Tournament:
    """A tournament in which all have registered and paid; `teams` gives every so many one team."""
    tournament = Tournament.new(made, "Kirmes", seed=seed)
    for at, name in enumerate(names):
        team = f"Team {at // teams + 1}" if teams else ""
        tournament, _ = tournament.do(Register(player=name, team=team))
        if made.entry_fee_eur:
            tournament, _ = tournament.do(PayFee(player=name, eur=made.entry_fee_eur))
    return tournament


def random_game(number: int, players: Sequence[str], chance: random.Random) -> GameRecord:
    first = chance.sample(list(players), len(players))
    second = chance.sample(list(players), len(players))
    losers = first[-1], second[-1]
    swept = losers[0] == losers[1]
    aus = {name: 1 for name in players if chance.random() < 0.1}
    made = game(number, first, second, "" if swept else chance.choice(losers))
    return GameRecord(**{**vars(made), "schock_aus": aus})


def random_card(
    made: Format, one: Round, table: int, chance: random.Random, gone: Sequence[str] = ()
) -> TableResult:
    """A card that a table may hand in: games until it is decided, or as many as there are.

    Those who have gone leave it after some game, those who came late join it with some game.
    """
    seats = one.tables[table - 1]
    last = {name: chance.randint(0, 4) for name in seats if name in gone}
    # Who came late and has gone again played between: one who never played keeps no table waiting.
    late = [name for name in seats if name in one.late and name not in gone]
    first = {name: chance.randint(1, 3) for name in late}
    by_lives = one.kind != "points" and made.ko == "lives"
    lives = dict.fromkeys(seats, made.lives(one.kind) if by_lives else 1)
    most = made.games_per_round if made.games_are == "exactly" else chance.randint(1, 4)
    games: list[GameRecord] = []
    while by_lives or len(games) < most:
        number = len(games) + 1
        alive = [name for name in seats if lives[name] and number <= last.get(name, 99)]
        if len(alive) < 2 or (by_lives and len(alive) <= made.go_on(len(seats), one.kind)):
            break
        playing = [name for name in alive if number >= first.get(name, 1)]
        playing = playing if len(playing) > 1 else alive
        if (by_lives and table in one.scharf and chance.random() < 0.5) or (
            games and games[-1].scharf
        ):
            games.append(scharf(number, chance.sample(playing, len(playing))))
            lives[games[-1].loser] = 0
        else:
            games.append(random_game(number, playing, chance))
            lives[games[-1].loser] -= by_lives
    return card(*games, cut_short="gegangen" if gone or not games else "")


def play_on(
    tournament: Tournament, chance: random.Random
) -> tuple[Tournament, tuple[TournamentEvent, ...]]:
    """One sensible step: a card, a Stechen, the next draw, or the end."""
    one, made = tournament.round, tournament.format
    if one is not None and one.waiting:
        table = one.waiting[0]
        call = CallScharf(tables=(table,), by="R")
        if table not in one.scharf and chance.random() < 0.2 and tournament.can(call):
            return tournament.do(call)
        entrants = tournament.state.entrants
        gone = [name for name in one.tables[table - 1] if not entrants[name].here]
        made_up = random_card(made, one, table, chance, gone)
        return tournament.do(HandIn(table=table, result=made_up))
    if needed := tournament.stechen_needed:
        order = chance.sample(list(needed[0].players), len(needed[0].players))
        groups = tuple((name,) for name in order)
        return tournament.do(RecordStechen(order=groups, by="R", table=needed[0].table))
    for action in (DrawRound(by="R"), Finish(by="R")):
        if tournament.can(action):
            return tournament.do(action)
    refused = tournament.refusal(DrawRound(by="R"))
    assert refused is not None, "a draw that is allowed was tried"
    if refused.code == "fee_open":
        owing = [e for e in tournament.state.entrants.values() if e.here and not e.paid_eur]
        return tournament.do(PayFee(player=owing[0].name, eur=made.entry_fee_eur))
    assert refused.code == "too_few", f"stuck: {refused}"
    return tournament.do(Finish(by="R", reason="alle gegangen"))


def play_out(
    tournament: Tournament, chance: random.Random
) -> tuple[Tournament, list[TournamentEvent]]:
    log: list[TournamentEvent] = []
    while not tournament.is_over:
        tournament, events = play_on(tournament, chance)
        log += events
    return tournament, log


def does(tournament: Tournament, *actions: TournamentAction) -> Tournament:
    for action in actions:
        tournament, _ = tournament.do(action)
    return tournament


def code(tournament: Tournament, action: TournamentAction) -> str:
    refused = tournament.refusal(action)
    assert refused is not None, f"{action} is allowed"
    assert not tournament.can(action)
    with pytest.raises(Refused):
        tournament.verify(action)
    assert "{" not in refused.text_de + refused.text_en
    return refused.code


def by_hand(tournament: Tournament, *tables: str) -> Tournament:
    return does(tournament, DrawRound(by="R", tables=tuple(tuple(table) for table in tables)))


def played(tournament: Tournament, *orders: str) -> Tournament:
    """Each table loses one game as its order says: the last of it loses both halves."""
    for order in orders:
        one = tournament.round
        assert one is not None
        done = card(game(1, order, order))
        tournament = does(tournament, HandIn(table=one.table_of(order[0]), result=done))
    return tournament


def places(tournament: Tournament) -> str:
    return " ".join(f"{one.place}{one.player}" for one in tournament.standings)
