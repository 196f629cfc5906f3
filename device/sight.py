"""What was seen becomes what a player did: one fact at a time, in the order of the log."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from device import judging
from device.aside import moves_aside, moves_before
from device.cases import ROUNDS
from device.clerk import Clerk
from device.seen import BURNS, THROWS, Seen, told
from rules.actions import CoverThrow, StopTurn, ThrowDice, TurnSixes
from rules.dice import DICE_PER_PLAYER
from rules.errors import MalformedRecord, Refused
from rules.events import Event
from rules.legality import Turn
from rules.match import Match
from rules.phases import Part, Phase
from rules.reasons import refuse
from vision.events import DOUBTS

Dice = tuple[int, ...]

WHOSE_THROW = (
    "Die Würfel des Spielers davor wurden nicht weggenommen: Ist das der erste Wurf von {player}, "
    "oder hat {before} einmal zu oft geworfen? {doubt}",
    "The dice of the player before were not taken away: is this the first throw of {player}, or "
    "has {before} thrown once too often? {doubt}",
)
STILL_HIS = (
    "Die Würfel waren schon weggenommen, als der Becher kam: Wirft {player} noch einmal, oder ist "
    "das der Wurf des nächsten Spielers? {doubt}",
    "The dice had been taken away before the cup came: does {player} throw again, or is this the "
    "throw of the next player? {doubt}",
)
STAYS_COVERED = (
    "Der Becher ist fort, und Würfel waren nicht zu sehen: Bleibt der Wurf von {player} verdeckt?",
    "The cup is gone and no dice were to be seen: does the throw of {player} stay covered?",
)
NOT_REPEATED = (
    "Nach diesem Regelwerk wird ein solcher Wurf nicht wiederholt. Was liegt da?",
    "By this book such a throw is not repeated. What lies there?",
)
MISCOUNTED = (
    "Daneben sind mehr Würfel zu sehen, als ein Spieler hat.",
    "More dice are to be seen beside the mat than a player has.",
)


class Sight:
    """Handles facts.

    Args:
        clerk: acts, asks and writes.
    """

    def __init__(self, clerk: Clerk) -> None:
        self._clerk = clerk
        self._handlers: Mapping[str, Callable[[Seen, str], None]] = {
            **dict.fromkeys(THROWS | BURNS, self._throw_or_doubt),
            "dice_kept": self._kept,
            "turned": self._turned,
            "cleared": self._cleared,
        }

    @property
    def _match(self) -> Match:
        return self._clerk.game.match

    def handle(self, seen: Seen) -> None:
        """Act on a fact, ask about it, or put it before the referee.

        Raises:
            StoreError: the log cannot be written.
        """
        self._leave_covered(seen)
        self._follow_throw(seen)
        unread, cup_of = self._clerk.desk.unread_ids, seen.before.cup_of
        player = judging.whose(self._match, seen.event.seat, unread, cup_of=cup_of)
        if player is None or self._out_of_turn(seen, player):
            return
        handler = self._handlers.get(seen.event.type)
        if handler is not None:
            handler(seen, player)
        # A cup that goes down or up says nothing by itself; what lies under it will.

    def enter(self, player: str, dice: Dice, outside: Dice) -> tuple[Event, ...]:
        """Enter a throw and what was put aside before it.

        Raises:
            Refused: nothing has changed.
        """
        aside = moves_before(self._match, player, outside, thrown=len(dice))
        return self._clerk.do(*aside, ThrowDice(player, dice))

    def burn(self, player: str, dice: Dice, outside: Dice, kind: str) -> tuple[Event, ...]:
        """Enter a throw that burns, and what was put aside before it, where the rules allow that.

        Raises:
            Refused: nothing has changed.
        """
        # What lies there beside a tower is only told; more than a player has cannot be his throw.
        known = dice if len(dice) <= DICE_PER_PLAYER else ()
        burns = ThrowDice(player, known, burns=kind)
        fits = len(outside) < DICE_PER_PLAYER
        aside = moves_before(self._match, player, outside) if fits else ()
        try:
            return self._clerk.do(*aside, burns)
        except Refused:
            if not aside:
                raise
            return self._clerk.do(burns)  # the next throw shows what lies beside

    # --- throws -----------------------------------------------------------------------------

    def _throw_or_doubt(self, seen: Seen, player: str) -> None:
        event, clerk = seen.event, self._clerk
        sure = event.sure and event.type != "unsure"
        if sure and event.type in BURNS and event.started_at_s == seen.before.burnt_at_s:
            return  # one throw, several things wrong with it
        doubt = ("", "") if sure else DOUBTS[event.reason or "values"]
        before = judging.thrower_before(self._match, clerk.desk, seen)
        if judging.may_be_next(self._match, seen):
            clerk.ask(seen, player, _worded(STILL_HIS, doubt, player=player))
        elif before is not None and self._match.turn is not None:
            if sure and judging.is_thrown_again(clerk.desk, seen):
                clerk.open_case("too_many_throws", before, seen, after_turn=True)
            else:  # the dice alone would make it this player's throw, however they are told
                clerk.ask(seen, player, _worded(WHOSE_THROW, doubt, player=player, before=before))
        elif not sure:
            clerk.ask(seen, player, doubt)
        elif event.type in BURNS:
            self._burnt(seen, player)
        else:
            self._thrown(seen, player)

    def _thrown(self, seen: Seen, player: str) -> None:
        event, clerk = seen.event, self._clerk
        try:
            self.enter(player, event.dice, event.outside)
        except Refused as refusal:
            # Whether the throw counts, a person has to say; what was wrong, the referee.
            clerk.object(refusal, player, seen)
            clerk.ask(seen, player, (refusal.text_de, refusal.text_en))
        except MalformedRecord:  # more dice than a player has, or none at all
            clerk.ask(seen, player, DOUBTS["more" if event.dice else "fewer"])

    def _burnt(self, seen: Seen, player: str) -> None:
        event, clerk = seen.event, self._clerk
        if not judging.repeats(self._match.book, event.type):
            clerk.ask(seen, player, NOT_REPEATED)
            return
        try:
            self.burn(player, event.dice, event.outside, event.type)
        except Refused as refusal:
            clerk.object(refusal, player, seen)
            clerk.ask(seen, player, (refusal.text_de, refusal.text_en))
            return
        if judging.costs_more(self._match.book, event.type):
            clerk.open_case("die_dropped", player, seen)

    # --- dice moved by hand -----------------------------------------------------------------

    def _kept(self, seen: Seen, player: str) -> None:
        turn = self._match.turn
        if turn is None or not turn.thrown:
            return  # moved about between two turns
        self._try(seen, player, lambda: moves_aside(turn, player, seen.event.outside))

    def _turned(self, seen: Seen, player: str) -> None:
        turn = self._match.turn
        if turn is None or not turn.thrown:
            before = judging.thrower_before(self._match, self._clerk.desk, seen)
            if before is not None:
                refusal = refuse(self._match.book, "no_throw_left", player=before)
                self._clerk.object(refusal, before, seen, after_turn=True)
            return
        missing = len(seen.event.dice) - turn.turned_now
        if missing > 0:
            self._try(seen, player, lambda: (TurnSixes(player, missing),))

    def _cleared(self, seen: Seen, player: str) -> None:
        match, clerk = self._match, self._clerk
        # Over dice that lie open a cup also comes to gather them: that is no throw.
        unshown = seen.before.lifted and seen.before.throw_seq is None
        if match.phase is Phase.SHOWDOWN and unshown:
            clerk.open_case("packed_up_early", player, seen)
        elif unshown and judging.stays_covered(match):
            words = (text.format(player=player) for text in STAYS_COVERED)
            clerk.ask(seen, player, (next(words), next(words)))
        elif match.turn is not None and match.turn.thrown:
            self._try(seen, player, lambda: (StopTurn(player),))

    def _try(self, seen: Seen, player: str, moves: Callable[[], tuple[object, ...]]) -> None:
        """Do what the rules may refuse without anything waiting for it."""
        try:
            actions = moves()
            if actions:
                self._clerk.do(*actions)  # type: ignore[arg-type]
        except Refused as refusal:
            self._clerk.object(refusal, player, seen)
        except MalformedRecord:
            self._clerk.refuse(None, "malformed", MISCOUNTED)

    # --- who and when -----------------------------------------------------------------------

    def _leave_covered(self, seen: Seen) -> None:
        """Somebody acts at his own place while a cup stays down that must: that turn is over."""
        while (turn := self._match.turn) is not None:
            elsewhere = seen.event.seat in self._match.players and seen.event.seat != turn.player
            acts = seen.event.type in THROWS | BURNS | {"cup_up"}
            down = seen.cup_is_down(turn.player) and judging.stays_covered(self._match)
            if not (elsewhere and acts and down):
                return
            self._clerk.do(CoverThrow(turn.player))
            if self._match.turn is turn:
                return

    def pass_on(self, player: str) -> None:
        """The turn before is over where it may be: this player throws at his own place."""
        turn = self._match.turn
        if turn is not None and judging.passes_to(self._match, player):
            self._clerk.do(StopTurn(turn.player))

    def tell_early(self, player: str, seq: int) -> None:
        """Whoever throws after others have packed up shows that they did so too early.

        When all take their dice together at the end of a round, nobody can tell who was first.

        Args:
            player: who threw.
            seq: number of the throw's fact in the log, however late its dice became known.
        """
        for other, early in self._clerk.desk.packed.items():
            if other != player and early.seq < seq:
                self._clerk.open_case("packed_up_early", other, early)

    def _follow_throw(self, seen: Seen) -> None:
        """Somebody surely throws at his own place: the turn of the player before him is over."""
        event = seen.event
        thrown = event.sure and event.type in BURNS | {"throw_seen"}
        if not thrown or event.seat not in self._match.players:
            return
        if self._may_pass(seen, event.seat):
            self.pass_on(event.seat)
        self.tell_early(event.seat, seen.seq)

    def _may_pass(self, seen: Seen, player: str) -> bool:
        """Whether the turn under way may be over, nobody shakes in it, and the player is next."""
        turn = self._match.turn
        shakes = turn is not None and seen.cup_is_down(turn.player)
        own = seen.event.seat in self._match.players
        return own and not shakes and judging.passes_to(self._match, player)

    def _out_of_turn(self, seen: Seen, player: str) -> bool:
        """Whether a fact is not the expected player's; the referee hears of it."""
        match, kind = self._match, seen.event.type
        if match.part not in ROUNDS or player == self._expected():
            return match.part is Part.OVER
        state, acts = match.state, kind in THROWS | BURNS | {"cup_up"}
        if match.phase is Phase.SHOWDOWN and state.covered_turn(player) is not None:
            if acts:
                self._clerk.open_case("lifted_out_of_turn", player, seen)
            return False  # the dice count all the same
        unread = self._unread_turn(player)
        done = unread is not None or any(result.player == player for result in state.results)
        if acts and self._may_pass(seen, player):
            return kind == "cup_up"  # the turn before is over when dice are to be seen under it
        if acts and not (done and kind == "cup_up"):
            offence = "too_many_throws" if done else "lifted_out_of_turn"
            self._clerk.open_case(offence, player, seen)
        elif kind == "cleared" and done and seen.before.throw_seq is not None:
            if unread is not None and unread.throws_left:
                return True  # by this he ended his turn
            fact = told(seen.event, seen.evidence)
            self._clerk.note("packed_up", {"player": player, "seq": seen.seq, "fact": fact})
        return True

    def _unread_turn(self, player: str) -> Turn | None:
        """A player's turn that is over though the dice of its last throw are not known yet."""
        turn = self._match.state.covered_turn(player)
        unread = turn is not None and turn.covered_id in self._clerk.desk.unread_ids
        return turn if unread else None

    def _expected(self) -> str | None:
        return judging.whose(self._match, None, self._clerk.desk.unread_ids)


def _worded(question: tuple[str, str], doubt: tuple[str, str], **names: str) -> tuple[str, str]:
    """A question in German and in English, and what else is in doubt about the throw."""
    german, english = (
        text.format(doubt=more, **names).strip() for text, more in zip(question, doubt, strict=True)
    )
    return german, english
