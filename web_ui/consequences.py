"""What a ruling changes, before it is made and after: two states of a match compared, in words."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from web_ui.i18n import counted, text
from web_ui.wording import deckel, spoken

Json = Mapping[str, Any]
Results = Sequence[Json]
Key = tuple[str, int]


def consequence(tried: Json, lang: str) -> dict[str, Any]:
    """Compare a match before and after.

    Args:
        tried: `before` and `after` (`rules.view.snapshot`), and `events`, as JSON objects.
        lang: language of the texts.

    Returns:
        `texts`: what changes, a sentence each, at least one; `players` with `name` and the Deckel
        `before` and `after`; `stock` likewise.
    """
    before, after = tried["before"], tried["after"]
    texts = [
        *_dropped(tried.get("events", ()), lang),
        *_rounds(before, after, lang),
        *_running(before, after, lang),
        *changes(before, after, lang),
    ]
    return {
        "texts": texts or [text(lang, "change.none")],
        "players": [
            {
                "name": name,
                "before": before["holdings"].get(name, 0),
                "after": after["holdings"].get(name, 0),
            }
            for name in after["players"]
        ],
        "stock": {"before": before["stock"], "after": after["stock"]},
    }


def changes(before: Json, after: Json, lang: str) -> list[str]:
    """Tell what is otherwise now than before: Deckel, the half, the loser, whose turn it is."""
    return [
        *_holdings(before, after, lang),
        *_game(before, after, lang),
        *_turn(before, after, lang),
    ]


def _dropped(events: Iterable[Json], lang: str) -> list[str]:
    dropped = sum(int(event.get("dropped", 0)) for event in events)
    return [counted(lang, "change.dropped", dropped)] if dropped else []


def _holdings(before: Json, after: Json, lang: str) -> list[str]:
    said = []
    for name in after["players"]:
        was, now = before["holdings"].get(name, 0), after["holdings"].get(name, 0)
        if was != now:
            said.append(text(lang, "change.deckel", player=name, was=was, now=deckel(lang, now)))
    if before["stock"] != after["stock"]:
        words = {"was": before["stock"], "now": deckel(lang, after["stock"])}
        said.append(text(lang, "change.stock", **words))
    return said


def _rounds(before: Json, after: Json, lang: str) -> list[str]:
    """Rounds that end otherwise, and who is on another place in them."""
    then, now = _settled(before), _settled(after)
    said = []
    for key in dict.fromkeys((*then, *now)):
        was, is_ = then.get(key), now.get(key)
        where = _where(key, lang)
        if is_ is None:
            played = (after["part"], after["round"]) == key
            why = "change.round.gone" if played else "change.round.void"
            said.append(text(lang, why, where=where))
            continue
        if was is None or _outcome(was) != _outcome(is_):
            said.append(_round_text(where, is_, lang))
        if was is not None:
            said += _places(was["order"], is_["order"], lang)
    return said


def _round_text(where: str, now: Json, lang: str) -> str:
    if now["loser"] is None or not now["deckel"]:
        return text(lang, "change.round.void", where=where)
    words = {"loser": now["loser"], "deckel": deckel(lang, now["deckel"])}
    return text(lang, "change.round", where=where, **words)


def _running(before: Json, after: Json, lang: str) -> list[str]:
    """The round under way: other results, other places, another price."""
    if (before["part"], before["round"]) != (after["part"], after["round"]):
        return []
    said = _places(before["ranking"], after["ranking"], lang)
    if before["ranking"] and after["ranking"]:
        was, now = before["ranking"][0]["deckel"], after["ranking"][0]["deckel"]
        if was != now:
            said.append(text(lang, "change.price", was=was, now=deckel(lang, now)))
    return said


def _places(was: Results, now: Results, lang: str) -> list[str]:
    """Who has thrown something else, and who is on another place."""
    known = {result["player"]: result for result in was}
    said = []
    for result in now:
        before, player = known.get(result["player"]), result["player"]
        if before is None:
            continue
        if before["dice"] != result["dice"]:
            words = {"was": spoken(lang, before), "now": spoken(lang, result)}
            said.append(text(lang, "change.result", player=player, **words))
        if before["place"] != result["place"]:
            words = {"was": before["place"], "now": result["place"]}
            said.append(text(lang, "change.place", player=player, **words))
    return said


def _settled(match: Json) -> dict[Key, Json]:
    return {(entry["part"], entry["round"]): entry for entry in match["history"]}


def _outcome(entry: Json) -> tuple[Any, ...]:
    return entry["loser"], entry["deckel"]


def _where(key: Key, lang: str) -> str:
    part, number = key
    if part == "opening":
        return text(lang, "part.opening")
    return f"{text(lang, f'part.{part}')}, {text(lang, 'round', n=number)}"


def _game(before: Json, after: Json, lang: str) -> list[str]:
    """Halves and the game: lost by another one, open again, or over."""
    said = []
    for half in ("half1", "half2"):
        was, now = before["game"][f"{half}_loser"], after["game"][f"{half}_loser"]
        if was == now:
            continue
        words = {"part": text(lang, f"part.{half}"), "loser": now}
        said.append(text(lang, "change.half.open" if now is None else "change.half.lost", **words))
    was, now = before["game"]["game_loser"], after["game"]["game_loser"]
    if was != now:
        key = "change.game.open" if now is None else "change.game.lost"
        said.append(text(lang, key, loser=now))
    if before["holdings"] != after["holdings"] and not said and after["part"] != "over":
        said.append(text(lang, "change.stays_open", part=text(lang, f"part.{after['part']}")))
    return said


def _turn(before: Json, after: Json, lang: str) -> list[str]:
    was, now = before["turn"], after["turn"]
    if now is None or was is None or was["player"] == now["player"]:
        return []
    return [text(lang, "change.turn", was=was["player"], now=now["player"])]
