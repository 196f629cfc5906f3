"""What the page of statistics shows: numbers as words, and charts of the same."""

from collections.abc import Mapping
from typing import Any

from rules.fairness import Faces
from rules.luck import LUCKY_FROM_ERRORS
from rules.phases import Part
from rules.statistics import SHARED_DICE, Dearest, Pair, PlayerTally, Tally
from web_ui.charts import Chart, drawn
from web_ui.fairness_words import fairness_text
from web_ui.i18n import counted, text
from web_ui.wording import figure

NONE = "–"
PERCENT = 100.0
LEAST_SPAN = 15.0
"""The chart of luck shows at least so much on both sides of 50 %, in points."""

STEPS = ((25.0, 10), (50.0, 25))
"""Points between two words on its axis, by how much it shows on both sides at most."""

ROOM = 1.2
"""How much longer an axis is than its longest bar, so that the number behind it has room."""

Players = Mapping[str, PlayerTally]


def present_statistics(tally: Tally, lang: str) -> dict[str, Any]:
    """Return the statistics as their template needs them.

    Args:
        tally: what the games come to.
        lang: language of the texts.
    """
    players = tally.players
    games = counted(lang, "stats.count", tally.games)
    rounds = counted(lang, "stats.rounds", tally.rounds)
    return {
        "stand": text(lang, "stats.stand", games=games, rounds=rounds),
        "is_empty": not tally.rounds,
        "players": [_player(name, one, lang) for name, one in players.items()],
        "dearest": dearest_text(tally.dearest, lang),
        "deckel_chart": drawn(_deckel_chart(players, lang)) if tally.rounds else "",
        "luck_chart": _luck_drawn(players, lang),
        "pairs": _pairs(tally, lang),
        "dice": [_dice(at, *dice, lang) for at, dice in enumerate(tally.faces.items())],
    }


def number(value: float | None, lang: str, digits: int = 0) -> str:
    """Return a number as people of this language write it, "–" for none."""
    if value is None:
        return NONE
    written = f"{value:.{digits}f}"
    return written.replace(".", ",") if lang == "de" else written


def player_rows(players: Players, lang: str) -> list[list[str]]:
    """Return all numbers of the players as a table: a row for each number, a column for each."""
    views = [_player(name, one, lang) for name, one in players.items()]
    told: dict[str, list[object]] = {
        "stats.player": [view["name"] for view in views],
        "stats.games": [one.games for one in players.values()],
        "stats.games.lost": [one.games_lost for one in players.values()],
        "stats.halves": [one.halves_lost for one in players.values()],
        "stats.played": [one.rounds for one in players.values()],
        "stats.highest": [one.highest for one in players.values()],
        "stats.lowest": [one.lowest for one in players.values()],
        "stats.aus": [one.schock_aus for one in players.values()],
        "stats.hand": [one.from_hand for one in players.values()],
        "stats.worth": [view["worth"] for view in views],
        "stats.given": [one.given for one in players.values()],
        "stats.taken": [one.taken for one in players.values()],
        "stats.most": [one.dearest.deckel for one in players.values()],
        "stats.calm": [one.calm.longest for one in players.values()],
        "stats.losing": [one.losing.longest for one in players.values()],
        "stats.luck.share": [f"{view['share']} ± {view['error']}" for view in views],
        "stats.luck.verdict": [view["verdict"] for view in views],
    }
    return [[text(lang, key), *map(str, cells)] for key, cells in told.items()]


def _player(name: str, one: PlayerTally, lang: str) -> dict[str, Any]:
    luck = one.luck
    share, error = _percent(luck.share), _percent(luck.error)
    return {
        "name": name,
        "one": one,
        "worth": number(one.mean_worth, lang, 2),
        "share": text(lang, "stats.percent", n=number(share, lang)) if luck.throws else NONE,
        "error": _error(error, lang),
        "verdict": text(lang, f"stats.luck.{luck.verdict}") if luck.throws else NONE,
        "aus_expected": number(luck.expected_schock_aus, lang, 1),
    }


def _error(points: float | None, lang: str) -> str:
    """A standard error in points; below one with a digit more, for it is never nothing."""
    return number(points, lang, 1 if points is not None and points < 1.0 else 0)


def _percent(part: float | None) -> float | None:
    return None if part is None else PERCENT * part


def dearest_text(dearest: Dearest, lang: str) -> str:
    """Return the round in which most Deckel moved as a sentence, "" where none have."""
    if not dearest.deckel:
        return ""
    where = text(lang, f"part.{dearest.part}")
    if dearest.part != Part.OPENING:
        where = text(lang, "stats.where", part=where, round=dearest.round)
    words = {"winner": dearest.winner, "loser": dearest.loser, "where": where}
    words["deckel"] = counted(lang, "deckel", dearest.deckel)
    if dearest.result is None:
        return text(lang, "stats.dearest.plain", **words)
    return text(lang, "stats.dearest", result=figure(lang, vars(dearest.result)), **words)


def _deckel_chart(players: Players, lang: str) -> Chart:
    most = max(max(one.given, one.taken) for one in players.values())
    said = (
        text(lang, "stats.deckel.said", player=name, given=one.given, taken=one.taken)
        for name, one in players.items()
    )
    return Chart(
        key="deckel",
        title=text(lang, "stats.deckel.chart"),
        text=" ".join(said),
        labels=tuple(players),
        series=(
            (text(lang, "stats.given"), tuple(float(one.given) for one in players.values())),
            (text(lang, "stats.taken"), tuple(float(one.taken) for one in players.values())),
        ),
        ends=(0.0, ROOM * max(1, most)),
        marks=((0.0, "0"),),
    )


def _luck_drawn(players: Players, lang: str) -> str:
    thrown = {name: one.luck for name, one in players.items() if one.luck.throws}
    if not thrown:
        return ""
    shares = tuple(PERCENT * (luck.share or 0.0) for luck in thrown.values())
    spread = tuple(PERCENT * LUCKY_FROM_ERRORS * (luck.error or 0.0) for luck in thrown.values())
    reach = max(abs(share - 50.0) + wide for share, wide in zip(shares, spread, strict=True))
    reach = max(LEAST_SPAN, reach)
    step = next((step for widest, step in STEPS if reach <= widest), STEPS[-1][1])
    axis = (mark for mark in range(0, 101, step) if abs(mark - 50) <= reach)
    said = (
        text(
            lang,
            "stats.luck.said",
            player=name,
            share=number(_percent(luck.share), lang),
            error=_error(_percent(luck.error), lang),
            verdict=text(lang, f"stats.luck.{luck.verdict}"),
        )
        for name, luck in thrown.items()
    )
    chart = Chart(
        key="luck",
        title=text(lang, "stats.luck.chart"),
        text=" ".join(said),
        labels=tuple(thrown),
        series=((text(lang, "stats.luck"), shares),),
        zero=50.0,
        ends=(50.0 - reach, 50.0 + reach),
        marks=tuple((float(mark), text(lang, "stats.percent", n=mark)) for mark in axis),
        spread=spread,
    )
    return drawn(chart)


def _pairs(tally: Tally, lang: str) -> list[dict[str, Any]]:
    """A row for each player, a place in it for each other; None where one never met the other."""
    names = tuple(tally.players)
    if not tally.pairs:
        return []
    return [
        {"name": name, "cells": [_pair(tally.pairs.get((name, other)), lang) for other in names]}
        for name in names
    ]


def _pair(pair: Pair | None, lang: str) -> dict[str, str] | None:
    if pair is None:
        return None
    return {
        "text": text(lang, "stats.pair", rounds=pair.rounds, deckel=pair.deckel),
        "said": counted(lang, "stats.pair.said", pair.rounds, deckel=pair.deckel),
    }


def dice_name(whose: str, lang: str) -> str:
    """Return how a set of dice is called."""
    shared = whose == SHARED_DICE
    return text(lang, "stats.dice.table") if shared else text(lang, "stats.dice.of", player=whose)


def _dice(at: int, whose: str, faces: Faces, lang: str) -> dict[str, Any]:
    name = dice_name(whose, lang)
    rows = [
        {"face": face, "count": count, "off": _signed(count - faces.expected, lang)}
        for face, count in enumerate(faces.counts, start=1)
    ]
    return {
        "name": name,
        "verdict": faces.verdict,
        "text": fairness_text(faces, lang),
        "rows": rows,
        "chart": drawn(_faces_chart(at, name, faces, lang)),
    }


def _signed(value: float, lang: str) -> str:
    return ("+" if value > 0 else "−" if value < 0 else "") + number(abs(value), lang, 1)


def _faces_chart(at: int, name: str, faces: Faces, lang: str) -> Chart:
    said = (
        counted(lang, "stats.dice.said", count, face=face)
        for face, count in enumerate(faces.counts, start=1)
    )
    expected = text(lang, "stats.dice.expected", n=number(faces.expected, lang, 1))
    return Chart(
        key=f"dice-{at}",
        title=text(lang, "stats.dice.chart", dice=name),
        text=f"{', '.join(said)}; {expected}.",
        labels=tuple("123456"),
        series=((name, tuple(map(float, faces.counts))),),
        marks=((0.0, "0"), (faces.expected, expected)),
        stands=True,
    )
