"""An entry of the log as a sentence for people.

One small function per type of entry; it names the sentence in the catalogue and what to fill
in. Types nobody has taught the page are shown as their type: a log may be newer than the page.
"""

from collections.abc import Callable, Mapping

from web_ui.appliance_sentences import APPLIANCE_TELLERS
from web_ui.i18n import counted, has, text
from web_ui.referee_sentences import REFEREE_TELLERS
from web_ui.sentence import Data, Sentence
from web_ui.wording import (
    burns_text,
    deckel,
    dice_of,
    figure,
    in_language,
    join_names,
    spoken,
    throw_ordinal,
)

QUIET_TYPES = frozenset(
    {
        "turn_started",
        "table.cup_down",
        "table.cup_up",
        "table.throw_seen",
        "table.dice_kept",
        "table.turned",
        "table.unsure",
        "table.cleared",
        "waits",
        "caught_up",
        "packed_up",
        "evidence.kept",
        "evidence.dropped",
    }
)
"""Entries the page's log leaves out: what they tell is said by another one, or by the board."""


PLAIN_KINDS: Mapping[str, str] = {
    "taken_back": "refused",
    "paused": "milestone",
    "resumed": "milestone",
    "abandoned": "milestone",
    "player_out": "milestone",
    "question.unread": "question",
    "answer_dropped": "question",
    "case.seen": "refused",
    "left_covered": "move",
    "took_voluntarily": "move",
    "carried_over": "move",
    "turn_handed_over": "move",
    "reentered": "milestone",
    "doofmann_paid": "deckel",
    "turn_forfeited": "refused",
    "turn_replaced": "refused",
    "part_forfeited": "milestone",
}
"""Entries whose sentence needs nothing but the names in the entry, with their kind."""


def describe(language: str, entry_type: str, data: Data) -> Sentence:
    """Return the sentence of an entry; its bare type where there is none to be made."""
    teller = _TELLERS.get(entry_type)
    try:
        if teller is not None:
            return teller(language, data)
        if has(language, f"line.{entry_type}"):
            kind = PLAIN_KINDS.get(entry_type, "other")
            return Sentence(text(language, f"line.{entry_type}", **data), kind)
    except (KeyError, TypeError, ValueError, AttributeError):
        # An entry in an unknown form is still an entry: show that it is there.
        pass
    return Sentence(entry_type, "other")


def _match_started(language: str, data: Data) -> Sentence:
    players = join_names(language, data["players"])
    return Sentence(text(language, "line.match_started", players=players), "milestone")


def _turn_started(language: str, data: Data) -> Sentence:
    if data.get("limit") is None:
        return Sentence(text(language, "line.turn_started", player=data["player"]), "move")
    return Sentence(
        counted(language, "line.turn_started.limit", data["limit"], player=data["player"]), "move"
    )


def _thrown(language: str, data: Data) -> Sentence:
    sentence = text(
        language,
        "line.thrown",
        player=data["player"],
        throw=throw_ordinal(language, data["throw_no"]),
        name=figure(language, data),
    )
    return Sentence(sentence, "throw", dice_of(data["dice"]))


def _covered(language: str, data: Data) -> Sentence:
    throw = throw_ordinal(language, data["throw_no"])
    return Sentence(text(language, "line.covered", player=data["player"], throw=throw), "throw")


def _showdown_started(language: str, data: Data) -> Sentence:
    players = join_names(language, data["players"])
    return Sentence(text(language, "line.showdown_started", players=players), "round")


def _burnt(language: str, data: Data) -> Sentence:
    why = burns_text(language, data)
    return Sentence(text(language, "line.burnt", player=data["player"], why=why), "refused")


def _kept(language: str, data: Data) -> Sentence:
    return Sentence(
        text(language, "line.kept", player=data["player"]), "move", dice_of(data["dice"])
    )


def _returned(language: str, data: Data) -> Sentence:
    return Sentence(
        text(language, "line.returned", player=data["player"]), "move", dice_of(data["dice"])
    )


def _turned(language: str, data: Data) -> Sentence:
    return Sentence(counted(language, "line.turned", data["count"], player=data["player"]), "move")


def _stopped(language: str, data: Data) -> Sentence:
    result = spoken(language, data["result"])
    return Sentence(text(language, "line.stopped", player=data["player"], result=result), "move")


def _fault_reported(language: str, data: Data) -> Sentence:
    fault = text(language, f"broken.{data['fault']}")
    sentence = text(
        language, "line.fault_reported", player=data["player"], fault=fault, by=data["by"]
    )
    return Sentence(sentence, "refused")


def _round_void(language: str, data: Data) -> Sentence:
    return Sentence(text(language, f"line.round_void.{data['reason']}"), "round")


def _limit_set(language: str, data: Data) -> Sentence:
    return Sentence(
        counted(language, "line.limit_set", data["limit"], player=data["player"]), "move"
    )


def _opening_tied(language: str, data: Data) -> Sentence:
    players = join_names(language, data["players"])
    return Sentence(text(language, "line.opening_tied", players=players), "round")


def _opening_settled(language: str, data: Data) -> Sentence:
    if data.get("loser") is not None and data.get("deckel"):
        return _round_settled(language, data)
    return Sentence(text(language, "line.opening_settled", starter=data["starter"]), "round")


def _part_started(language: str, data: Data) -> Sentence:
    part = text(language, f"part.{data['part']}")
    return Sentence(
        text(language, "line.half_started", part=part, starter=data["starter"]), "milestone"
    )


def _final_started(language: str, data: Data) -> Sentence:
    players = join_names(language, data["players"])
    return Sentence(
        text(language, "line.final_started", players=players, starter=data["starter"]), "milestone"
    )


def _round_started(language: str, data: Data) -> Sentence:
    return Sentence(text(language, "line.round_started", n=data["round"]), "round")


def _round_settled(language: str, data: Data) -> Sentence:
    sentence = text(
        language,
        "line.round_settled",
        winner=data["winner"],
        loser=data["loser"],
        deckel=deckel(language, data["deckel"]),
    )
    return Sentence(sentence, "round")


def _deckel_moved(language: str, data: Data) -> Sentence:
    count = deckel(language, data["count"])
    if data.get("giver") is None:
        sentence = text(language, "line.deckel_moved.stock", taker=data["taker"], deckel=count)
    else:
        sentence = text(
            language,
            "line.deckel_moved.player",
            giver=data["giver"],
            taker=data["taker"],
            deckel=count,
        )
    return Sentence(sentence, "deckel")


def _half_over(language: str, data: Data) -> Sentence:
    if data["part"] == "final":
        return Sentence(text(language, "line.half_over.final", loser=data["loser"]), "milestone")
    part = text(language, f"part.{data['part']}")
    return Sentence(text(language, "line.half_over", loser=data["loser"], part=part), "milestone")


def _game_over(language: str, data: Data) -> Sentence:
    if data["how"] == "sweep":
        return Sentence(
            text(language, "line.game_over.sweep", loser=data["loser"], sweep=data["sweep"]),
            "milestone",
        )
    key = f"line.game_over.{data['how']}"
    return Sentence(text(language, key, loser=data["loser"]), "milestone")


def _refused(language: str, data: Data) -> Sentence:
    return Sentence(text(language, "line.refused", reason=in_language(language, data)), "refused")


def _seated(language: str, data: Data) -> Sentence:
    """What the hub of a tournament has the table play."""
    if not data["round"]:
        return Sentence(text(language, "line.seated.free"), "milestone")
    named = {"round": data["round"], "number": data["number"]}
    players = join_names(language, list(map(str, data["players"])))
    return Sentence(text(language, "line.seated", players=players, **named), "milestone")


def _fault(language: str, data: Data) -> Sentence:
    return Sentence(text(language, "line.fault", reason=in_language(language, data)), "fault")


def _fault_over(language: str, data: Data) -> Sentence:
    key = f"what.{data['what']}"
    what = text(language, key) if has(language, key) else data["what"]
    return Sentence(text(language, "line.fault_over", what=what), "fault")


_TELLERS: Mapping[str, Callable[[str, Data], Sentence]] = {
    "match_started": _match_started,
    "turn_started": _turn_started,
    "thrown": _thrown,
    "covered": _covered,
    "showdown_started": _showdown_started,
    "burnt": _burnt,
    "kept": _kept,
    "returned": _returned,
    "turned": _turned,
    "stopped": _stopped,
    "fault_reported": _fault_reported,
    "round_void": _round_void,
    "limit_set": _limit_set,
    "opening_tied": _opening_tied,
    "opening_settled": _opening_settled,
    "half_started": _part_started,
    "final_started": _final_started,
    "round_started": _round_started,
    "round_settled": _round_settled,
    "deckel_moved": _deckel_moved,
    "half_over": _half_over,
    "game_over": _game_over,
    "refused": _refused,
    "tournament.seated": _seated,
    "tournament.refused": lambda language, data: Sentence(
        text(language, "line.seated.refused", reason=in_language(language, data)), "fault"
    ),
    **REFEREE_TELLERS,
    "fault": _fault,
    "fault_over": _fault_over,
    **APPLIANCE_TELLERS,
}
