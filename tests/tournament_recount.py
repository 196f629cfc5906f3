"""The final ranking counted again from a tournament's log, as a person would with pencil and paper.

It reads JSON objects only and shares no code with `rules`: the numbers of the formats are written
down here once more, so that a slip in a format file shows as well as one in the scoring.
"""

from collections import defaultdict
from typing import Any

Log = list[dict[str, Any]]

OUT_3_4 = {
    2: [3, 0], 3: [3, 1, 0], 4: [3, 2, 1, 0], 5: [3, 2, 1, 0, 0], 6: [3, 2, 1, 0, 0, 0],
}  # fmt: skip
# exit points, lost half, lost game, best sign, lives in a round, in the final, missed game
FORMATS: dict[str, dict[str, Any]] = {
    "punkte_ko": {"exits": OUT_3_4, "half": 0, "game": -1, "sign": -1, "rounds": 2,
                  "ties": ("games", "halves"), "lives": (0, 0), "missed": 0},
    "verlustpunkte": {"exits": {}, "half": 1, "game": 1, "sign": 1, "rounds": 3,
                      "ties": ("games",), "lives": (2, 2), "missed": 2},
    "leben": {"exits": {}, "half": 0, "game": 0, "sign": -1, "rounds": 0,
              "ties": (), "lives": (3, 3), "missed": 0},
    "strafpunkte_leben": {"exits": {}, "half": 1, "game": 1, "sign": 1, "rounds": 3,
                          "ties": ("games",), "lives": (1, 2), "missed": 2},
    "jahreswertung": {"exits": {}, "half": 1, "game": 1, "sign": 1, "rounds": 4,
                      "ties": ("games",), "lives": (0, 0), "missed": 2, "best_of": 3},
}  # fmt: skip


def recount(log: Log) -> list[tuple[int, str]]:
    """Count a tournament that is over again: place and player, best first."""
    how = FORMATS[log[0]["format"]]
    rounds, cards, gone_at = _tables(log), _cards(log), _gone(log)
    sheets = _score_sheets(
        how, rounds, cards, [e["player"] for e in log if e["type"] == "registered"]
    )
    keys: dict[str, tuple[Any, ...]] = {}
    reached = _reached(how, rounds, cards, log)
    for name, sheet in sheets.items():
        if name in gone_at and not any(name in t for r in rounds.values() for t in r["tables"]):
            continue
        counted = sorted(
            sheet, key=lambda s: (how["sign"] * s["points"], *(s[t] for t in how["ties"]))
        )
        counted = counted[: how.get("best_of", len(counted))]
        points = sum(s["points"] for s in counted)
        ties = [sum(s[t] for s in counted) for t in how["ties"]]
        early = log[0]["format"] != "jahreswertung" and 0 < gone_at.get(name, 0) <= how["rounds"]
        keys[name] = (
            early,
            *reached.get(name, (1, 1, 0)),
            how["sign"] * points,
            *ties,
            name in gone_at,
        )
    return _placed(keys, log)


def _tables(log: Log) -> dict[int, dict[str, Any]]:
    rounds: dict[int, dict[str, Any]] = {}
    for event in log:
        if event["type"] == "round_drawn":
            tables = [list(table) for table in event["tables"]]
            rounds[event["number"]] = {"kind": event["kind"], "tables": tables}
        if event["type"] == "player_seated":
            tables = rounds[event["round"]]["tables"]
            for table in tables:
                if event["player"] in table:
                    table.remove(event["player"])
            tables[event["table"] - 1].append(event["player"])
    return rounds


def _cards(log: Log) -> dict[tuple[int, int], dict[str, Any]]:
    cards = {}
    for event in log:
        if event["type"] in ("table_handed_in", "result_corrected"):
            at = event["round"], event["table"]
            gone = event.get("gone", cards[at]["gone"] if at in cards else [])
            cards[at] = {"games": event["result"]["games"], "gone": gone}
    return cards


def _gone(log: Log) -> dict[str, int]:
    gone: dict[str, int] = {}
    for event in log:
        if event["type"] == "player_left":
            gone[event["player"]] = event["round"]
        if event["type"] == "player_back":
            del gone[event["player"]]
    return gone


def _score_sheets(
    how: dict[str, Any], rounds: dict[int, Any], cards: dict[Any, Any], names: list[str]
) -> dict[str, list[dict[str, int]]]:
    sheets: dict[str, list[dict[str, int]]] = {name: [] for name in names}
    for number, one in rounds.items():
        if one["kind"] != "points":
            continue
        lines: dict[str, dict[str, int]] = {}
        for at, table in enumerate(one["tables"], start=1):
            for name in table:
                lines[name] = _line(how, name, cards.get((number, at), {"games": []})["games"])
        for name in names:
            sheets[name].append(lines.get(name) or _missed(how, list(lines.values())))
    return sheets


def _line(how: dict[str, Any], name: str, games: list[dict[str, Any]]) -> dict[str, int]:
    line = {"points": 0, "games": 0, "halves": 0}
    for game in games:
        if name not in game["players"]:
            line["points"] += how["missed"]
            continue
        if game["loser"] == name:
            line["games"] += 1
            line["points"] += how["game"]
        for half in game["halves"]:
            if half["loser"] == name:
                line["halves"] += 1
                line["points"] += how["half"]
            elif how["exits"]:
                first_to_last = [one for group in half["out"] for one in group]
                line["points"] += how["exits"][len(game["players"])][first_to_last.index(name)]
    return line


def _missed(how: dict[str, Any], lines: list[dict[str, int]]) -> dict[str, int]:
    nothing = {"points": 0, "games": 0, "halves": 0}
    if how["sign"] < 0:  # points are good: none for a round that was missed
        return nothing
    return max(lines, key=lambda s: (s["points"], s["games"]), default=nothing)


def _reached(
    how: dict[str, Any], rounds: dict[int, Any], cards: dict[Any, Any], log: Log
) -> dict[str, tuple[int, int, int]]:
    """For each knockout player: minus the last round, 0 if he won it, his place at the table."""
    reached: dict[str, tuple[int, int, int]] = {}
    for number, one in rounds.items():
        if one["kind"] == "points":
            continue
        final = one["kind"] == "final"
        for at, table in enumerate(one["tables"], start=1):
            if (number, at) not in cards:
                continue
            order = _table_order(how, final, table, cards[number, at])
            played = [
                e["order"] for e in log
                if e["type"] == "stechen_recorded" and (e["round"], e["table"]) == (number, at)
            ]  # fmt: skip
            on = _go_on(log[0]["format"], final, len(table))
            shared = _shared(order, on, cards[number, at]["gone"])
            order = [part for group in order for part in _by_stechen(group, played)]
            order = [part for group in order for part in _who_left_last(group, shared, _gone(log))]
            place = 0
            for group in order:
                for name in group:
                    through = place + len(group) <= on and name not in cards[number, at]["gone"]
                    counts = final or log[0]["format"] == "leben"
                    reached[name] = -number, 0 if through else 1, place if counts else 0
                place += len(group)
    return reached


def _shared(order: list[list[str]], on: int, gone: list[str]) -> list[str]:
    """Who shares the last place with which one goes on: it takes a Stechen."""
    place = 0
    for group in order:
        playing = [name for name in group if name not in gone]
        if place < on < place + len(playing):
            return playing
        place += len(playing)
    return []


def _who_left_last(group: list[str], shared: list[str], gone: dict[str, int]) -> list[list[str]]:
    """Nobody wins a Stechen from home."""
    left = [name for name in group if name in shared and name in gone]
    staying = [name for name in group if name not in left]
    return [part for part in (staying, left) if part]


def _go_on(key: str, final: bool, size: int) -> int:
    if final or key in ("punkte_ko", "verlustpunkte"):
        return 1
    return 2 if key == "leben" else max(1, size - 2)


def _table_order(
    how: dict[str, Any], final: bool, table: list[str], card: dict[str, Any]
) -> list[list[str]]:
    games, gone = card["games"], card["gone"]
    if not how["lives"][0]:
        here = [name for name in table if name not in gone]
        if games and games[-1]["how"] == "scharf":
            half = games[-1]["halves"][0]
            groups = [*half["out"], [half["loser"]]]
            groups = [[name for name in group if name in here] for group in groups]
            groups.append([n for n in here if all(n not in group for group in groups)])
        else:
            lines = {name: _line({**how, "missed": 0}, name, games) for name in here}
            by_line = defaultdict(list)
            for name in here:
                one = lines[name]
                by_line[-one["points"], one["games"], one["halves"]].append(name)
            groups = [by_line[key] for key in sorted(by_line)]
        groups.append([name for name in table if name in gone])
        return [group for group in groups if group]
    lost: dict[str, int] = defaultdict(int)
    out: list[list[str]] = []
    for game in games:
        lost[game["loser"]] += 99 if game["how"] == "scharf" else 1
        fell = [game["loser"]] if lost[game["loser"]] >= how["lives"][final] else []
        last = [
            name for name in gone
            if name in game["players"] and name not in fell
            and all(name not in later["players"] for later in games[game["number"] :])
            and all(name not in group for group in out)
        ]  # fmt: skip
        out.append(fell + last)
    never = [n for n in gone if all(n not in game["players"] for game in games)]
    out.insert(0, never)
    staying = [name for name in table if all(name not in group for group in out)]
    return [group for group in [staying, *reversed(out)] if group]


def _by_stechen(group: list[str], played: list[list[list[str]]]) -> list[list[str]]:
    for at, order in enumerate(played):
        if len(group) > 1 and set(group) <= {name for part in order for name in part}:
            parts = [[name for name in part if name in group] for part in order]
            return [x for part in parts if part for x in _by_stechen(part, played[at + 1 :])]
    return [group]


def _placed(keys: dict[str, tuple[Any, ...]], log: Log) -> list[tuple[int, str]]:
    played = [e["order"] for e in log if e["type"] == "stechen_recorded" and e["table"] == 0]
    by_key: dict[Any, list[str]] = defaultdict(list)
    for name, key in keys.items():
        by_key[key].append(name)
    placed: list[tuple[int, str]] = []
    for key in sorted(by_key):
        for group in _by_stechen(by_key[key], played):
            place = len(placed) + 1
            placed += [(place, name) for name in group]
    return placed
