"""What is won besides a place: the Schock-Aus-König, prizes, the places of the teams."""

from collections.abc import Mapping
from dataclasses import dataclass

from rules.tournament_knockout import knockout_rounds, outcome
from rules.tournament_points import points_of
from rules.tournament_ranking import Words, against, by_key, ranked
from rules.tournament_standings import standings
from rules.tournament_state import TournamentState


@dataclass(frozen=True, kw_only=True)
class KingRow:
    """Somebody who has thrown a Schock aus in one throw.

    Attributes:
        player: who.
        schock_aus: how many, in all rounds that have been handed in.
        paid_eur: what he has given for them.
        open_eur: what is missing; as long as something is, he is not in the ranking.
        place: 1 for the Schock-Aus-König, equals share it; 0: not in the ranking.
    """

    player: str
    schock_aus: int
    paid_eur: int
    open_eur: int
    place: int


def schock_aus_kings(state: TournamentState) -> tuple[KingRow, ...]:
    """Order everybody who has thrown a Schock aus in one throw, those who count first.

    Source: turnier L58: who has not given the amount for each of them takes no part.
    """
    made, counts = state.format, dict.fromkeys(state.entrants, 0)
    if made.king == "none":
        return ()
    for one in state.rounds:
        for handed in one.handed.values():
            for game in handed.result.games:
                for name, times in game.schock_aus.items():
                    counts[name] += times
    rows = []
    for name in sorted((n for n in counts if counts[n]), key=lambda n: (-counts[n], n)):
        paid = state.entrants[name].charity_eur
        missing = max(0, counts[name] * made.king_eur - paid)
        rows.append((missing > 0, name, counts[name], paid, missing))
    inside = [row for row in rows if not row[0]]
    return tuple(
        KingRow(
            player=name,
            schock_aus=count,
            paid_eur=paid,
            open_eur=missing,
            place=0 if missing else 1 + sum(1 for other in inside if other[2] > count),
        )
        for _, name, count, paid, missing in sorted(rows, key=lambda row: row[0])
    )


@dataclass(frozen=True, kw_only=True)
class Prize:
    """What somebody gets.

    Attributes:
        player: who.
        place: for which place; 0 for the Schock-Aus-König.
        cents: money; 0 for a prize in kind.
        cup: whether the challenge cup goes with it.
    """

    player: str
    place: int
    cents: int
    cup: bool


def prizes(state: TournamentState) -> tuple[Prize, ...]:
    """Who gets what as the standings are; equals divide the money of their places.

    What cannot be divided to the cent stays in the box.
    """
    made = state.format
    pot_cents = 100 * sum(one.paid_eur for one in state.entrants.values())
    won = []
    for one in standings(state):
        if one.place > made.prize_places:
            continue
        shared = len(one.equals) + 1
        percent = sum(made.prize_percent[one.place - 1 : one.place - 1 + shared])
        cents = pot_cents * percent // (100 * shared)
        cup = made.challenge_cup and one.place == 1
        won.append(Prize(player=one.player, place=one.place, cents=cents, cup=cup))
    kings = [row.player for row in schock_aus_kings(state) if row.place == 1]
    won += [Prize(player=name, place=0, cents=0, cup=made.challenge_cup) for name in kings]
    return tuple(won)


@dataclass(frozen=True, kw_only=True)
class TeamStanding:
    """The place of a team.

    Attributes:
        place: 1 for the best; equals share it.
        team: its name.
        players: its members, in the order of registration.
        points: the sum of theirs, with lost lives where they count.
        reason_de: why this place, in German.
        reason_en: the same in English.
    """

    place: int
    team: str
    players: tuple[str, ...]
    points: int
    reason_de: str
    reason_en: str


def team_standings(state: TournamentState) -> tuple[TeamStanding, ...]:
    """Order the teams; one with too few members comes after those that are complete."""
    made = state.format
    if made.team_score == "none":
        return ()
    teams: dict[str, list[str]] = {}
    for name, one in state.entrants.items():
        if one.team:
            teams.setdefault(one.team, []).append(name)
    points, lives = points_of(state), _lost_lives(state)
    sums = {team: sum(points[n].total.points for n in names) for team, names in teams.items()}
    lost = {team: sum(lives.get(n, 0) for n in names) for team, names in teams.items()}
    games = {t: sum(points[n].total.lost_games for n in names) for t, names in teams.items()}
    sign = -1 if made.better == "more" else 1

    def total(team: str) -> int:
        return sums[team] + sign * lost[team]  # a lost life is as bad as a point

    def said(team: str) -> Words:
        unit = (made.unit_de[total(team) != 1], made.unit_en[total(team) != 1])
        german, english = f"{total(team)} {unit[0]}", f"{total(team)} {unit[1]}"
        if lost[team]:
            german += f" (davon {lost[team]} verlorene Leben)"
            english += f" ({lost[team]} of them lost lives)"
        return german, english

    def few(team: str) -> Words | None:
        count = len(teams[team])
        if count >= made.team_size:
            return None
        return f"nur {count} von {made.team_size} Spielern", f"{count} of {made.team_size} players"

    criteria = (
        by_key("incomplete", lambda team: len(teams[team]) < made.team_size, told=few),
        by_key("points", lambda team: sign * total(team), told=said),
        by_key(
            "lost_games",
            lambda team: games[team],
            decided=lambda team, ahead, behind: against(
                (f"{games[team]} verlorene Spiele", f"{games[team]} lost games"), ahead, behind
            ),
        ),
    )
    return tuple(
        TeamStanding(
            place=one.place,
            team=one.player,
            players=tuple(teams[one.player]),
            points=total(one.player),
            reason_de=one.reason_de,
            reason_en=one.reason_en,
        )
        for one in ranked(teams, criteria)
    )


def _lost_lives(state: TournamentState) -> Mapping[str, int]:
    """Lives lost in knockout rounds, where they count for the team."""
    lost: dict[str, int] = {}
    if not state.format.team_lives:
        return lost
    for one in knockout_rounds(state):
        for number in range(1, len(one.tables) + 1):
            found = outcome(state, one, number)
            for name, count in ({} if found is None else found.lives_lost).items():
                lost[name] = lost.get(name, 0) + count
    return lost
