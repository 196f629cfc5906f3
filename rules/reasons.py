"""Every reason to refuse an action: code, whose fault, sentences, and the rule it rests on."""

from collections.abc import Mapping

from rules.book import RuleBook
from rules.errors import Refused
from rules.fault_outcomes import NO_CONCEDING
from rules.referee_reasons import REFEREE_REASONS, Reason

REASONS: Mapping[str, Reason] = {
    "too_many_throws": Reason(
        "player",
        ("limit", "max_throws"),
        "{player} darf in dieser Runde höchstens {limit}-mal werfen.",
        "{player} may throw at most {limit} times in this round.",
    ),
    "no_throw": Reason(
        "player",
        ("turn",),
        "{player} hat noch keinen gültigen Wurf liegen und muss erst werfen.",
        "{player} has no valid throw on the table yet and must throw first.",
    ),
    "no_dice_in_cup": Reason(
        "player",
        ("return_kept",),
        "Alle drei Würfel von {player} liegen draußen; es ist keiner mehr zu werfen.",
        "All three dice of {player} lie outside; none is left to throw.",
    ),
    "only_ones": Reason(
        "player",
        ("keep",),
        "{player} darf nur Einsen herauslegen, nicht {dice}.",
        "{player} may put out only ones, not {dice}.",
    ),
    "no_return": Reason(
        "player",
        ("return_kept",),
        "Was {player} draußen gelassen hat, darf nicht wieder in den Becher.",
        "What {player} has left outside may not go back into the cup.",
    ),
    "sixes_not_in_one_throw": Reason(
        "player",
        ("turning", "sixes_in_one_throw"),
        "{player} kann nur Sechsen drehen, die zusammen in einem Wurf gefallen sind.",
        "{player} can turn only sixes that fell together in one throw.",
    ),
    "no_throw_left": Reason(
        "player",
        ("turning_in_last",),
        "{player} hat keinen weiteren Wurf mehr, der darauf folgen müsste.",
        "{player} has no further throw left, which would have to follow.",
    ),
    "other_six_must_return": Reason(
        "player",
        ("other_six",),
        "Wer Sechsen dreht, muss mit der übrigen Sechs weiterwerfen; {player} darf sie "
        "weder drehen noch draußen lassen.",
        "Whoever turns sixes must throw the remaining six again; {player} may neither turn it "
        "nor leave it outside.",
    ),
    "turned_keeps_only_ones": Reason(
        "player",
        ("turn_keep_side",),
        "Nach dem Drehen darf {player} nur eine Eins draußen lassen, nicht {dice}.",
        "After turning, {player} may leave only a one outside, not {dice}.",
    ),
    "must_throw_after_turn": Reason(
        "player",
        ("further_throw",),
        "{player} hat Sechsen gedreht und muss noch einmal werfen.",
        "{player} has turned sixes and must throw once more.",
    ),
    "cup_is_down": Reason(
        "player",
        ("covered",),
        "Der Wurf von {player} liegt noch unter dem Becher; erst muss der Becher gehoben werden.",
        "The throw of {player} is still under the cup; the cup must be lifted first.",
    ),
    "showdown": Reason(
        "player",
        ("showdown",),
        "Alle haben geworfen, jetzt wird aufgedeckt; es fehlt noch {expected}.",
        "All have thrown and the cups are being lifted; still missing: {expected}.",
    ),
    "no_voluntary_take": Reason(
        "player",
        ("voluntary_take",),
        "Deckel freiwillig nehmen gibt es hier nicht; {player} muss werfen.",
        "Deckel are not taken voluntarily here; {player} must throw.",
    ),
    NO_CONCEDING: Reason(
        "player",
        (NO_CONCEDING,),
        "Im Finale darf ein Schock aus nicht geschenkt werden; {player} muss versuchen, ihn zu "
        "schlagen.",
        "In the final a Schock aus may not be conceded; {player} must try to beat it.",
    ),
    "throw_not_covered": Reason(
        "player",
        ("voluntary_take",),
        "{player} hat seinen Wurf schon aufgedeckt und kann die Deckel nicht mehr nehmen.",
        "{player} has already uncovered the throw and can no longer take the Deckel.",
    ),
    "dice_outside": Reason(
        "player",
        ("voluntary_take",),
        "Bei {player} liegen Würfel draußen; freiwillig nehmen geht nur ohne.",
        "{player} has dice outside; taking voluntarily needs all of them under the cup.",
    ),
    "stock_empty": Reason(
        "player",
        ("voluntary_take_source",),
        "Der Stock ist leer; {player} kann keine Deckel mehr freiwillig nehmen.",
        "The stock is empty; {player} can no longer take Deckel voluntarily.",
    ),
    "nothing_to_take": Reason(
        "player",
        ("voluntary_take",),
        "Es liegt noch kein Wurf offen, gegen den {player} Deckel nehmen könnte.",
        "No throw lies open yet that {player} could take Deckel against.",
    ),
    "deckel_are_lost": Reason(
        "player",
        ("round_lost_by_fault", "voluntary_take"),
        "Diese Runde ist durch einen Fehler schon verloren (von {guilty}); {player} kann ihre "
        "Deckel nicht mehr nehmen.",
        "This round is lost by a fault already (by {guilty}); {player} can no longer take its "
        "Deckel.",
    ),
    "no_hand_over": Reason(
        "player",
        ("half2_starter",),
        "{player} kann die Vorlage jetzt nicht abgeben; das darf nur, wo das Buch es sagt, der "
        "Verlierer der ersten Hälfte vor dem ersten Wurf der zweiten.",
        "{player} cannot hand over the lead now; where the book says so, the loser of half 1 may, "
        "before the first throw of half 2.",
    ),
    "open_throw_only": Reason(
        "player",
        ("replacement_counts_as",),
        "{player} hat nur noch einen einzigen Wurf, und der ist offen.",
        "{player} has one single throw left, and it is an open one.",
    ),
    "not_at_the_start": Reason(
        "table",
        ("start", "three_dice_start_fee_eur"),
        "Das kostet {player} nichts: Es ist ein Fehler nur beim Auswürfeln, nur einmal, und nur wo "
        "das Regelwerk ein Geld dafür kennt.",
        "That costs {player} nothing: it is a fault only at the throws for the start, only once, "
        "and only where the book has a fee for it.",
    ),
    "not_in_round": Reason(
        "referee",
        ("referee",),
        "{player} spielt gerade in keiner Runde mit; das lässt sich jetzt nicht melden.",
        "{player} is not playing in a round just now; that cannot be reported.",
    ),
    "already_lost_round": Reason(
        "referee",
        ("round_lost_by_fault",),
        "{player} hat diese Runde schon durch einen Fehler verloren.",
        "{player} has already lost this round by a fault.",
    ),
    "nobody_left": Reason(
        "referee",
        ("round_lost_by_fault",),
        "Außer {player} ist keiner mehr übrig, der die Runde gewinnen könnte.",
        "Nobody but {player} is left to win the round.",
    ),
    "no_reentry": Reason(
        "player",
        ("reentry",),
        "Wer draußen ist, bleibt es hier; {player} kann nicht wieder einsteigen.",
        "Whoever is out stays out here; {player} cannot come back.",
    ),
    "stock_left": Reason(
        "player",
        ("reentry",),
        "Solange Deckel im Stock sind, ist keiner draußen; {player} spielt mit.",
        "Nobody is out while there are Deckel in the stock; {player} is playing.",
    ),
    "still_playing": Reason(
        "player",
        ("reentry",),
        "{player} ist nicht draußen.",
        "{player} is not out.",
    ),
    "not_your_turn": Reason(
        "player",
        ("direction", "one_at_a_time"),
        "{player} ist nicht an der Reihe; es spielt {expected}.",
        "It is not {player}'s turn; {expected} is playing.",
    ),
    "already_thrown": Reason(
        "player",
        ("start",),
        "{player} hat für den Beginn des Spiels schon geworfen; es fehlt noch {expected}.",
        "{player} has already thrown for the start of the game; still missing: {expected}.",
    ),
    "opening_throw_only": Reason(
        "player",
        ("start",),
        "Zum Beginn des Spiels wird nur einmal geworfen; {player} kann nichts herauslegen, "
        "drehen oder stehen lassen.",
        "At the start of the game there is one throw only; {player} cannot put out, turn or stop.",
    ),
    "wrong_number_of_dice": Reason(
        "table",
        ("return_kept",),
        "{player} wirft hier {expected} Würfel, gelesen wurden {got}. Bitte die Würfel prüfen.",
        "Dice to be thrown by {player}: {expected}; dice read: {got}. Please check the dice.",
    ),
    "dice_not_there": Reason(
        "table",
        ("keep",),
        "{dice} liegt bei {player} nicht; dort liegt {there}. Bitte die Würfel prüfen.",
        "{dice} is not there for {player}; what lies there is {there}. Please check the dice.",
    ),
    "unknown_player": Reason(
        "table",
        (),
        "{player} spielt an diesem Tisch nicht mit; es spielen {expected}.",
        "{player} does not play at this table; the players are {expected}.",
    ),
    "game_over": Reason(
        "table",
        ("game_loser",),
        "Das Spiel ist zu Ende; {expected} hat es verloren.",
        "The game is over; {expected} has lost it.",
    ),
    **REFEREE_REASONS,
}


def refuse(book: RuleBook, code: str, **words: object) -> Refused:
    """Make the refusal for a reason code.

    Args:
        book: the rule book, for the section.
        code: a key of `REASONS`.
        words: what the sentences speak of (`player`, `limit`, `dice` …).
    """
    reason = REASONS[code]
    shown = {name: _shown(value) for name, value in words.items()}
    return Refused(
        code,
        book.cite(*reason.topics),
        reason.de.format(**shown),
        reason.en.format(**shown),
        reason.fault,
    )


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        joiner = "-" if all(isinstance(item, int) for item in value) else ", "
        return joiner.join(str(item) for item in value) or "–"
    return str(value)
