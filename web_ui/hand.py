"""Hand entry: what somebody at the table can do now, and why not the rest.

Every deed is an action as the interface takes it, with the refusal of the rules where it is not
allowed (`rules.permissions`); the page only draws buttons.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from rules.actions import (
    Action,
    BeginGame,
    CoverThrow,
    HandOver,
    KeepDice,
    Pause,
    ReEnter,
    Resume,
    ReturnDice,
    StopTurn,
    TakeBack,
    TakeDeckel,
    ThrowDice,
    TurnSixes,
)
from rules.dice import DICE_PER_PLAYER, Dice
from rules.errors import Refused
from rules.match import Match
from rules.phases import Part
from web_ui.i18n import has, text

BURNS = ("tower", "burning", "off_mat")
"""Why a throw burns that somebody enters by hand, as the camera names it."""

MOST_TURNED = 2


@dataclass(frozen=True)
class Deed:
    """Something to do by hand.

    Attributes:
        name: which button it is; several may share a name, such as one for each die to keep.
        label: what the button says.
        action: what it sends.
        reason: why it is not allowed now, with the section; "" where it is.
        dice: to be drawn on the button.
    """

    name: str
    label: str
    action: dict[str, Any]
    reason: str = ""
    dice: Dice = ()


@dataclass(frozen=True)
class Hand:
    """What can be entered by hand.

    Attributes:
        player: whose deeds they are, or None after the game.
        title: what is to be entered, such as whose throw under a cup.
        thrown: how many dice a throw has now; 0: none can be entered.
        throw_reason: why no throw can be entered, or "".
        burnt: that the throw does not count.
        moves: what to do with the dice, what is allowed first.
        game: what goes for the whole table.
    """

    player: str | None
    title: str
    thrown: int
    throw_reason: str
    burnt: tuple[Deed, ...] = field(default=())
    moves: tuple[Deed, ...] = field(default=())
    game: tuple[Deed, ...] = field(default=())


def hand_of(match: Match, lang: str, by: str) -> Hand:
    """Return what can be entered by hand.

    Args:
        match: the match.
        lang: language of labels and reasons.
        by: who enters it, for the log, where an action names somebody.
    """
    player = match.current_player
    if player is None:
        title = text(lang, "hand.title.over")
        return Hand(None, title, 0, "", game=_game_deeds(match, lang, by))
    tries = _Trying(match, lang)
    refused = tries.reason_of(match.verify_throw, player)
    return Hand(
        player=player,
        title=_title(match, player, lang),
        thrown=_dice_to_throw(match, player),
        throw_reason=refused,
        burnt=tuple(
            tries.deed("burnt", ThrowDice(player, (), burns=why), text(lang, f"hand.burns.{why}"))
            for why in BURNS
        ),
        moves=tuple(sorted(_moves(match, player, tries), key=lambda deed: bool(deed.reason))),
        game=_game_deeds(match, lang, by),
    )


class _Trying:
    """Makes deeds of actions by asking the match."""

    def __init__(self, match: Match, lang: str) -> None:
        self.match = match
        self.lang = lang

    def deed(self, name: str, action: Action, label: str = "", dice: Dice = ()) -> Deed:
        """An action, allowed or not."""
        said = label or text(self.lang, f"hand.{name}")
        refused = self.match.refusal(action)
        return Deed(name, said, action.to_json(), self.words(refused), dice)

    def choice(self, name: str, actions: Iterable[tuple[Action, Dice]]) -> tuple[Deed, ...]:
        """A button for each action that is allowed; where none is, one that says why."""
        deeds = [self.deed(name, action, dice=dice) for action, dice in actions]
        allowed = tuple(deed for deed in deeds if not deed.reason)
        return allowed or tuple(Deed(d.name, d.label, d.action, d.reason) for d in deeds[:1])

    def words(self, refused: Refused | None) -> str:
        """A refusal in the language of the page, with its section."""
        if refused is None:
            return ""
        said = refused.text_en if self.lang == "en" else refused.text_de
        return f"{said} ({refused.section})" if refused.section else said

    def reason_of(self, verify: Any, *args: Any) -> str:
        """Why a check of the match fails, or ""."""
        try:
            verify(*args)
        except Refused as refused:
            return self.words(refused)
        return ""


def _title(match: Match, player: str, lang: str) -> str:
    lifted = match.state.covered_turn(player) is not None
    return text(lang, "hand.title.lift" if lifted else "hand.title", player=player)


def _dice_to_throw(match: Match, player: str) -> int:
    opening, turn = match.state.opening, match.turn or match.state.covered_turn(player)
    if opening is not None:
        return opening.dice_to_throw
    return DICE_PER_PLAYER if turn is None else turn.dice_to_throw


def _moves(match: Match, player: str, tries: _Trying) -> Iterable[Deed]:
    """Stopping, turning, putting out, taking back, covering; taking Deckel where the book has it.

    In an opening and in a showdown there is only the throw.
    """
    turn = match.turn
    yield tries.deed("stop", StopTurn(player))
    yield tries.deed("cover", CoverThrow(player))
    if match.book.voluntary_take:
        yield tries.deed("take_deckel", TakeDeckel(player))
    sixes = ((TurnSixes(player, n), (6,) * n) for n in range(1, MOST_TURNED + 1))
    yield from tries.choice("turn", sixes)
    lying = turn.lying if turn is not None else ()
    outside = turn.outside if turn is not None else ()
    yield from tries.choice("keep", ((KeepDice(player, d), d) for d in _parts(lying)))
    if outside:
        yield from tries.choice("return", ((ReturnDice(player, d), d) for d in _parts(outside)))
    for other in match.players:
        hand_over = HandOver(player, other)
        if other != player and match.refusal(hand_over) is None:
            yield tries.deed("hand_over", hand_over, text(tries.lang, "hand.hand_over", to=other))


def _parts(dice: Dice) -> tuple[Dice, ...]:
    """All ways to pick some of the dice, fewest first; of none, a one that is not there."""
    picked = {
        tuple(sorted(part, reverse=True)): None
        for count in range(1, len(dice) + 1)
        for part in combinations(sorted(dice), count)
    }
    return tuple(picked) or ((1,),)


def _game_deeds(match: Match, lang: str, by: str) -> tuple[Deed, ...]:
    tries = _Trying(match, lang)
    paused = match.state.paused
    deeds = [tries.deed("take_back", TakeBack(by), _take_back_label(match, lang))]
    if match.part is Part.OVER:
        begin = BeginGame(match.players, by)
        return (*deeds, tries.deed("begin_game", begin))
    deeds.append(tries.deed("resume", Resume(by)) if paused else tries.deed("pause", Pause(by)))
    for name in match.state.out:
        back = ReEnter(name)
        if match.refusal(back) is None:
            deeds.append(tries.deed("reenter", back, text(lang, "hand.reenter", player=name)))
    return tuple(deeds)


def _take_back_label(match: Match, lang: str) -> str:
    """Which move is taken back."""
    if not match.state.record:
        return text(lang, "hand.take_back")
    last = match.state.record[-1]
    key = f"undo.{last.type}"
    what = text(lang, key) if has(lang, key) else last.type
    player = getattr(last, "player", "")
    return text(lang, "hand.take_back.what", what=f"{player}: {what}" if player else what)
