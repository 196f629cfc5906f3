"""A match as readable text: one line an action, one line an event.

The form of a transcript (and of the golden files in the tests):

    book turnier
    players Anna Ben Cem
    weekday wednesday
    > Anna throw 6 5 2
      thrown #1 Anna 6-5-2 = 100er 652 (1)
    > Ben throw 1 1 1 burns tower
    > Cem cover
    > Cem keep 6
    > Cem turn 1
    > Cem stop
    > Ben take
    > Ben hand over to Cem
    > Ben fault lift_early by Referee
    > Cem reenter
    > correct 1 Anna 6 6 1 by Referee
    > take back by Referee
    > rule half1 2 loser Ben winner Anna deckel 3 by Referee: dice were swapped
    > rule half1 3 void by Referee: cup fell over
    > pause by Referee: food
    > resume by Referee
    > give 2 stock -> Ben by Referee: phone at the table
      ! no_throw_left [001 L23-24] …

The line `weekday` is there only where the day matters to the book. A refused action is part
of the text: the line that begins with `!` says why.
"""

from collections.abc import Iterable, Sequence

from rules import actions, events
from rules.dice import Dice
from rules.errors import MalformedRecord, Refused
from rules.match import Match
from rules.results import Deckel


def replay_script(text: str) -> str:
    """Play the actions of a transcript again and write the transcript anew.

    Args:
        text: a transcript; only its head and the lines that begin with `>` matter.

    Raises:
        MalformedRecord: a line is no action, or the head is missing.
    """
    opening = [line for line in text.splitlines()[:3] if line[:1].isalpha() and " " in line]
    head = dict(line.split(" ", 1) for line in opening)
    if set(head) - {"weekday"} != {"book", "players"}:
        raise MalformedRecord("a transcript must begin with the lines 'book …' and 'players …'")
    lines = [line.removeprefix("> ") for line in text.splitlines() if line.startswith("> ")]
    started = {
        "type": "match_started",
        "book": head["book"],
        "book_version": "",
        "players": head["players"].split(),
        "weekday": head.get("weekday"),
    }
    return write_transcript(Match.replay([started]), [parse_action(line) for line in lines])


def write_transcript(match: Match, moves: Iterable[actions.Action]) -> str:
    """Play actions and write what happens; refused ones are written, too."""
    lines = head_lines(match)
    for action in moves:
        match, more = play_action(match, action)
        lines += more
    return "\n".join([*lines, *standing_lines(match)]) + "\n"


def head_lines(match: Match) -> list[str]:
    """Return the lines that a transcript begins with: two, and the day where it matters."""
    day = [] if match.started.weekday is None else [f"weekday {match.started.weekday}"]
    return [f"book {match.book.key}", f"players {' '.join(match.players)}", *day]


def play_action(match: Match, action: actions.Action) -> tuple[Match, list[str]]:
    """Play one action; return the match afterwards and the lines that tell of it."""
    lines = [f"> {action_line(action)}"]
    try:
        match, decided = match.do(action)
    except Refused as refused:
        return match, [*lines, f"  ! {refused.code} [{refused.section}] {refused.text_de}"]
    return match, [*lines, *(f"  {event_line(event)}" for event in decided)]


def standing_lines(match: Match) -> list[str]:
    """Return the lines that a transcript ends with."""
    held = ", ".join(f"{name} {count}" for name, count in match.holdings.items())
    waiting = match.current_player or "nobody"
    return [f"= {match.part.value}, waiting for {waiting}; stock {match.stock}, {held}"]


def action_line(action: actions.Action) -> str:
    """Write an action as a line of a transcript.

    >>> action_line(actions.ThrowDice("Anna", (2, 5, 6)))
    'Anna throw 6 5 2'
    """
    match action:
        case actions.ThrowDice(player, dice, burns):
            words = [player, "throw", *map(str, dice), *(["burns", burns] if burns else [])]
        case actions.CoverThrow(player):
            words = [player, "cover"]
        case actions.KeepDice(player, dice):
            words = [player, "keep", *map(str, dice)]
        case actions.ReturnDice(player, dice):
            words = [player, "return", *map(str, dice)]
        case actions.TurnSixes(player, count):
            words = [player, "turn", str(count)]
        case actions.StopTurn(player):
            words = [player, "stop"]
        case actions.TakeDeckel(player):
            words = [player, "take"]
        case actions.HandOver(player, starter):
            words = [player, "hand", "over", "to", starter]
        case actions.ReportFault(player, fault, by):
            words = [player, "fault", fault, "by", by]
        case actions.ReEnter(player):
            words = [player, "reenter"]
        case actions.CorrectThrow(player, throw_id, dice, by):
            words = ["correct", str(throw_id), player, *map(str, dice), "by", by]
        case actions.TakeBack(by):
            words = ["take", "back", "by", by]
        case actions.Pause(by, reason):
            words = ["pause", "by", f"{by}:", reason]
        case actions.Resume(by):
            words = ["resume", "by", by]
        case actions.BeginGame(players, by):
            words = ["begin", *players, "by", by]
        case actions.Abandon(by, reason):
            words = ["abandon", "by", f"{by}:", reason]
        case actions.RuleRound(part, number, verdict, by, reason, loser, winner, deckel):
            against = ["loser", loser, "winner", winner, "deckel", deckel] if loser else [verdict]
            words = ["rule", part, str(number), *map(str, against), "by", f"{by}:", reason]
        case actions.RuleDeckel(giver, taker, count, by, reason):
            way = [giver or "stock", "->", taker or "stock"]
            words = ["give", str(count), *way, "by", f"{by}:", reason]
        case _:
            raise MalformedRecord(f"no line is known for the action {action!r}")
    return " ".join(words)


def parse_action(line: str) -> actions.Action:
    """Read a line of a transcript.

    >>> parse_action("Cem turn 1")
    TurnSixes(player='Cem', count=1)

    Raises:
        MalformedRecord: the line is no action.
    """
    try:
        match line.split():
            case ["correct", throw_id, player, *dice, "by", by]:
                return actions.CorrectThrow(player, int(throw_id), _dice(dice), by)
            case ["take", "back", "by", by]:
                return actions.TakeBack(by)
            case ["pause", "by", by, *why]:
                return actions.Pause(by.rstrip(":"), " ".join(why))
            case ["resume", "by", by]:
                return actions.Resume(by)
            case ["begin", *players, "by", by]:
                return actions.BeginGame(tuple(players), by)
            case ["abandon", "by", by, *why]:
                return actions.Abandon(by.rstrip(":"), " ".join(why))
            case ["rule", part, number, ("void" | "book") as verdict, "by", by, *why]:
                reason = " ".join(why)
                return actions.RuleRound(part, int(number), verdict, by.rstrip(":"), reason)
            case ["rule", part, number, "loser", lost, "winner", won, "deckel", n, "by", by, *why]:
                reason = " ".join(why)
                deckel: Deckel = "all" if n == "all" else int(n)
                return actions.RuleRound(
                    part, int(number), "loser", by.rstrip(":"), reason, lost, won, deckel
                )
            case ["give", count, giver, "->", taker, "by", by, *why]:
                return actions.RuleDeckel(
                    None if giver == "stock" else giver,
                    None if taker == "stock" else taker,
                    int(count),
                    by.rstrip(":"),
                    " ".join(why),
                )
            case [player, "throw", *dice, "burns", why]:
                return actions.ThrowDice(player, _dice(dice), burns=why)
            case [player, "throw", *dice]:
                return actions.ThrowDice(player, _dice(dice))
            case [player, "cover"]:
                return actions.CoverThrow(player)
            case [player, "keep", *dice]:
                return actions.KeepDice(player, _dice(dice))
            case [player, "return", *dice]:
                return actions.ReturnDice(player, _dice(dice))
            case [player, "turn", count]:
                return actions.TurnSixes(player, int(count))
            case [player, "stop"]:
                return actions.StopTurn(player)
            case [player, "take"]:
                return actions.TakeDeckel(player)
            case [player, "fault", fault, "by", by]:
                return actions.ReportFault(player, fault, by)
            case [player, "reenter"]:
                return actions.ReEnter(player)
            case [player, "hand", "over", "to", starter]:
                return actions.HandOver(player, starter)
    except ValueError as error:
        raise MalformedRecord(f"{line!r} is no action: {error}") from error
    raise MalformedRecord(f"{line!r} is no action; see rules.transcript for the form")


def event_line(event: events.Event) -> str:
    """Write an event as one line: its type and what it is about."""
    match event:
        case events.Thrown():
            out = f" + {_shown(event.outside)}" if event.outside else ""
            cover = "" if event.shown else ", covered"
            said = f"{_shown(event.dice)}{out} = {event.name} ({event.deckel}){cover}"
            return f"thrown #{event.throw_id} {event.player} {said}"
        case events.Burnt():
            return f"burnt #{event.throw_id} {event.player} {event.burns}"
        case events.Kept() | events.Returned() | events.Turned():
            return f"{event.type} {event.player}, outside {_shown(event.outside)}"
        case events.Stopped():
            return f"stopped {event.player}: {event.result.spoken}"
        case events.RoundSettled() | events.OpeningSettled():
            order = " > ".join(f"{item.player} {item.name}" for item in event.ranking)
            return f"{event.type} {order}; {event.loser} takes {event.deckel} [{event.section}]"
        case events.DeckelMoved():
            held = ", ".join(f"{name} {count}" for name, count in event.holdings.items())
            giver = event.giver or "stock"
            return f"deckel_moved {event.count} {giver} -> {event.taker}; {event.stock}, {held}"
    return _plain_line(event)


def _plain_line(event: events.Event) -> str:
    body = {key: value for key, value in event.to_json().items() if key != "type"}
    said = ", ".join(f"{key} {_shown(value)}" for key, value in body.items())
    return f"{event.type} {said}"


def _dice(words: Sequence[str]) -> Dice:
    return tuple(int(word) for word in words)


def _shown(value: object) -> str:
    if isinstance(value, (tuple, list)):
        return "-".join(str(item) for item in value) or "none"
    if isinstance(value, dict):
        return "/".join(f"{key} {item}" for key, item in value.items())
    return str(value)
