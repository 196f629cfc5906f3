"""Decide what is asked of a tournament: the event it leads to, or why it is refused."""

import unicodedata
from collections.abc import Callable, Mapping

from rules import tournament_actions as actions
from rules import tournament_events as events
from rules.errors import MalformedRecord
from rules.tournament_correcting import decide_correction
from rules.tournament_draw import METHOD
from rules.tournament_drawing import draw_due, drawn_by_hand, due_round
from rules.tournament_format import MOST_AT_TABLE
from rules.tournament_handing import problem_with
from rules.tournament_knockout import knockout_rounds
from rules.tournament_reasons import refuse
from rules.tournament_standings import nothing_left, standings, stechen_needed
from rules.tournament_state import Entrant, Round, TournamentState

BY_HAND = "by hand"
"""The method of a draw from a pot."""


def decide(state: TournamentState, action: actions.TournamentAction) -> events.TournamentEvent:
    """Decide an action; nothing is changed.

    Raises:
        Refused: the rules do not allow it now.
        MalformedRecord: a name is empty, an amount no amount.
    """
    return _DECIDERS[type(action)](state, action)


def _register(state: TournamentState, action: actions.Register) -> events.TournamentEvent:
    made, number = state.format, state.next_number
    _refuse_once_over(state)
    name, team = action.player, action.team
    for what, text in (("player", name), ("team", team)):
        if text != text.strip() or not text.isprintable() or (what == "player" and not text):
            raise MalformedRecord(
                f"a {what} needs a name of printable letters without spaces around it, but got "
                f"{text!r}"
            )
    same = [other for other in state.entrants if _looks(other) == _looks(name)]
    if same:
        raise refuse(made, "name_taken", player=name, other=same[0])
    if team and not made.has_teams:
        raise refuse(made, "no_teams", player=name, team=team)
    others = [one for one in state.entrants.values() if one.team.casefold() == team.casefold()]
    if team and others:
        team = others[0].team  # as it was written first
        mates = sum(1 for one in others if one.here)
        if mates >= made.team_size:
            raise refuse(made, "team_full", team=team, count=mates)
    last = min(made.late_until_round, max(made.point_rounds, 1))
    if number > last:
        raise refuse(made, "too_late", last=last, round=number)
    return events.Registered(player=name, team=team, first_round=number)


def _pay_fee(state: TournamentState, action: actions.PayFee) -> events.TournamentEvent:
    one = _entrant(state, action.player)
    owed = state.format.entry_fee_eur - one.paid_eur
    if not action.eur or not -one.paid_eur <= action.eur <= owed:
        raise refuse(state.format, "nothing_to_pay", player=one.name, open_eur=owed, eur=action.eur)
    return events.FeePaid(player=one.name, eur=action.eur, open_eur=owed - action.eur)


def _pay_charity(state: TournamentState, action: actions.PayCharity) -> events.TournamentEvent:
    one = _entrant(state, action.player)
    total = one.charity_eur + action.eur
    if not action.eur or total < 0 or not state.format.king_eur:
        raise refuse(state.format, "no_king", eur=action.eur)
    return events.CharityPaid(player=one.name, eur=action.eur, total_eur=total)


def _leave(state: TournamentState, action: actions.Leave) -> events.TournamentEvent:
    _refuse_once_over(state)
    one = _entrant(state, action.player)
    _need_reason(state, action.reason)
    if not one.here:
        raise refuse(state.format, "gone_already", player=one.name, round=one.gone_in_round)
    last, table = state.round, 0
    number = 1 if last is None else last.number + 1
    if last is not None and last.waiting:
        at = last.table_of(one.name)
        table = at if at in last.waiting else 0
        # Who has played the round to its end, or sits it out, leaves before the next one.
        in_it = table or (not at and one.name not in last.sitting_out)
        number = last.number if in_it else number
    return events.PlayerLeft(player=one.name, reason=action.reason, round=number, table=table)


def _come_back(state: TournamentState, action: actions.ComeBack) -> events.TournamentEvent:
    _refuse_once_over(state)
    one = _entrant(state, action.player)
    if one.here:
        raise refuse(state.format, "not_gone", player=one.name)
    drawn = knockout_rounds(state)
    if drawn and drawn[-1].table_of(one.name) not in drawn[-1].waiting:
        raise refuse(state.format, "knockout_without", player=one.name)
    return events.PlayerBack(player=one.name)


def _draw(state: TournamentState, action: actions.DrawRound) -> events.TournamentEvent:
    due = due_round(state, redraw=bool(action.reason))
    drawn = drawn_by_hand(due, action.tables) if action.tables else draw_due(due)
    kind = due.kind
    if kind != "points":
        kind = "final" if len(drawn.tables) == 1 else "ko"
    return events.RoundDrawn(
        number=due.number,
        kind=kind,
        tables=drawn.tables,
        sitting_out=drawn.sitting_out,
        attempt=due.attempt,
        method=BY_HAND if action.tables else METHOD,
        repeats=drawn.repeats,
        team_pairs=drawn.team_pairs,
        exact=drawn.exact,
        by=action.by,
        reason=action.reason,
    )


def _seat(state: TournamentState, action: actions.Seat) -> events.TournamentEvent:
    one, player = _playing(state), _entrant(state, action.player)
    made, sits = state.format, one.table_of(action.player)
    _check_table(state, one, action.table)
    if not player.here:
        raise refuse(made, "gone_already", player=player.name, round=player.gone_in_round)
    if sits and (sits == action.table or sits not in one.waiting):
        raise refuse(made, "seated_already", player=player.name, round=one.number, table=sits)
    may_be_late = one.kind == "points" or (not made.point_rounds and one.number == 1)
    if not sits and not may_be_late:
        raise refuse(made, "not_to_be_seated", player=player.name)
    if len(one.tables[action.table - 1]) >= MOST_AT_TABLE:
        raise refuse(made, "table_full", table=action.table, count=MOST_AT_TABLE)
    if player.paid_eur < made.entry_fee_eur:
        raise refuse(made, "fee_open", names=player.name)
    return events.PlayerSeated(
        player=player.name, round=one.number, table=action.table, from_table=sits, by=action.by
    )


def _hand_in(state: TournamentState, action: actions.HandIn) -> events.TournamentEvent:
    earlier = next((one for one in state.rounds if one.number == action.round), None)
    if earlier is not None and action.table in earlier.handed:
        raise refuse(state.format, "handed_in", table=action.table, round=action.round)
    one = _playing(state)
    if action.round not in (0, one.number):
        raise refuse(state.format, "other_round", given=action.round, round=one.number)
    if action.table in one.handed:
        raise refuse(state.format, "handed_in", table=action.table, round=one.number)
    _check_table(state, one, action.table)
    seats = one.tables[action.table - 1]
    gone = tuple(name for name in seats if not state.entrants[name].here)
    if problem := problem_with(state.format, one, action.table, action.result, gone):
        what_de, what_en = problem
        raise refuse(
            state.format, "wrong_result", table=action.table, what_de=what_de, what_en=what_en
        )
    return events.TableHandedIn(
        round=one.number, table=action.table, result=action.result, gone=gone
    )


def _scharf(state: TournamentState, action: actions.CallScharf) -> events.TournamentEvent:
    one = _playing(state)
    if state.format.scharf == "none" or one.kind == "points":
        raise refuse(state.format, "no_scharf")
    for table in action.tables or (0,):
        _check_table(state, one, table)
    return events.ScharfCalled(round=one.number, tables=action.tables, by=action.by)


def _stechen(state: TournamentState, action: actions.RecordStechen) -> events.TournamentEvent:
    _refuse_once_over(state)
    players = frozenset(name for group in action.order for name in group)
    number = 0 if state.round is None else state.round.number
    if action.reason:
        known = [(one.round, one.table, one.players) for one in state.playoffs]
        if (number, action.table, players) not in known:
            raise refuse(state.format, "no_stechen_yet", names=tuple(sorted(players)))
    else:
        needed = stechen_needed(state)
        if not any(
            (one.table, frozenset(one.players)) == (action.table, players) for one in needed
        ):
            said = "; ".join(", ".join(one.players) for one in needed)
            words = {"needed_de": said or "keines", "needed_en": said or "none"}
            raise refuse(state.format, "no_stechen", names=tuple(sorted(players)), **words)
    return events.StechenRecorded(
        round=number, table=action.table, order=action.order, by=action.by, reason=action.reason
    )


def _finish(state: TournamentState, action: actions.Finish) -> events.TournamentEvent:
    _refuse_once_over(state)
    if not action.reason:
        if not nothing_left(state):
            raise refuse(state.format, "not_over")
        if needed := stechen_needed(state):
            raise refuse(state.format, "stechen_for_places", names=needed[0].players)
    ranking = tuple(
        events.FinalPlace(
            place=one.place, player=one.player, reason_de=one.reason_de, reason_en=one.reason_en
        )
        for one in standings(state)
    )
    return events.TournamentFinished(by=action.by, reason=action.reason, ranking=ranking)


def _looks(name: str) -> str:
    """A name as people tell it apart: not by capitals, nor by how its accents are coded."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _refuse_once_over(state: TournamentState) -> None:
    if state.over:
        raise refuse(state.format, "over")


def _need_reason(state: TournamentState, reason: str) -> None:
    if not reason.strip():
        raise refuse(state.format, "reason_missing")


def _entrant(state: TournamentState, name: str) -> Entrant:
    if name not in state.entrants:
        raise refuse(state.format, "unknown_entrant", player=name)
    return state.entrants[name]


def _playing(state: TournamentState) -> Round:
    _refuse_once_over(state)
    last = state.round
    if last is None or not last.waiting:
        raise refuse(state.format, "no_round")
    return last


def _check_table(state: TournamentState, one: Round, table: int) -> None:
    if table not in one.waiting:
        raise refuse(state.format, "no_table", round=one.number, table=table, tables=one.waiting)


_DECIDERS: Mapping[type[actions.TournamentAction], Callable[..., events.TournamentEvent]] = {
    actions.Register: _register,
    actions.PayFee: _pay_fee,
    actions.PayCharity: _pay_charity,
    actions.Leave: _leave,
    actions.ComeBack: _come_back,
    actions.DrawRound: _draw,
    actions.Seat: _seat,
    actions.HandIn: _hand_in,
    actions.CorrectResult: decide_correction,
    actions.CallScharf: _scharf,
    actions.RecordStechen: _stechen,
    actions.Finish: _finish,
}
