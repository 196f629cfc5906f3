"""Every reason to refuse what is asked of a tournament: fault, what it rests on, sentences."""

from collections.abc import Mapping

from rules.errors import Refused
from rules.referee_reasons import Reason
from rules.tournament_format import Format

REASONS: Mapping[str, Reason] = {
    "over": Reason(
        "referee", (),
        "Das Turnier ist zu Ende. Ein falsches Ergebnis lässt sich noch berichtigen.",
        "The tournament is over. A wrong result can still be corrected.",
    ),
    "name_taken": Reason(
        "referee", (),
        "{player} heißt wie {other}, schon angemeldet. Bitte mit einem Zusatz anmelden, "
        "etwa „{player} 2“.",
        "{player} has the name of {other}, who is registered. Register with an addition, for "
        'example "{player} 2".',
    ),
    "no_teams": Reason(
        "referee", ("team_size",),
        "Dieses Turnier hat keine Mannschaften; {player} ohne „{team}“ anmelden.",
        'This tournament has no teams; register {player} without "{team}".',
    ),
    "team_full": Reason(
        "referee", ("team_size",),
        "Die Mannschaft „{team}“ hat schon {count} Spieler, mehr sind es nicht.",
        'The team "{team}" has {count} players already, and no more play in one.',
    ),
    "too_late": Reason(
        "player", ("late_until_round",),
        "Anmelden kann man sich bis Runde {last}; jetzt kommt Runde {round}.",
        "Registration is possible up to round {last}; it is round {round} now.",
    ),
    "unknown_entrant": Reason(
        "referee", (),
        "{player} ist nicht angemeldet.",
        "{player} is not registered.",
    ),
    "nothing_to_pay": Reason(
        "referee", ("entry_fee_eur",),
        "{player} hat vom Startgeld {open_eur} € offen; {eur} € passen dazu nicht.",
        "{player} owes {open_eur} € of the entry fee; {eur} € do not fit that.",
    ),
    "no_king": Reason(
        "referee", ("king_eur",),
        "Für Schock aus wird in diesem Turnier nicht gesammelt, oder {eur} € sind kein Betrag.",
        "No money is collected for Schock out in this tournament, or {eur} € is no amount.",
    ),
    "gone_already": Reason(
        "referee", (),
        "{player} ist schon gegangen (Runde {round}).",
        "{player} has left already (round {round}).",
    ),
    "not_gone": Reason(
        "referee", (),
        "{player} ist da und muss nicht zurückkommen.",
        "{player} is here and need not come back.",
    ),
    "knockout_without": Reason(
        "referee", ("ko",),
        "Die K.-o.-Runde ist ohne {player} ausgelost; zurückkommen geht nicht mehr.",
        "The knockout was drawn without {player}, who cannot come back any more.",
    ),
    "fee_open": Reason(
        "referee", ("entry_fee_eur",),
        "Das Startgeld fehlt noch von {names}. Erst bezahlen lassen oder abmelden.",
        "The entry fee is still missing from {names}. Let them pay or leave first.",
    ),
    "tables_missing": Reason(
        "table", (),
        "Von Runde {round} fehlen noch die Ergebnisse: {tables}.",
        "Results of round {round} are still missing: {tables}.",
    ),
    "redraw_needs_reason": Reason(
        "referee", (),
        "Runde {round} ist ausgelost und noch nicht gespielt. Neu auslosen geht, aber nur mit "
        "einem Grund.",
        "Round {round} is drawn and not played yet. It can be drawn anew, but only with a reason.",
    ),
    "reason_without_redraw": Reason(
        "referee", (),
        "Runde {round} wird zum ersten Mal ausgelost; ein Grund gehört nur zu einer zweiten.",
        "Round {round} is drawn for the first time; a reason belongs to a second draw only.",
    ),
    "too_few": Reason(
        "referee", ("table_sizes",),
        "Für Runde {round} sind nur {count} Spieler da; ab zwei wird gespielt. Das Turnier kann "
        "mit einem Grund beendet werden.",
        "Only {count} players are here for round {round}; two are needed. The tournament can be "
        "ended with a reason.",
    ),
    "no_more_rounds": Reason(
        "referee", ("point_rounds",),
        "Alle Runden sind gespielt. Jetzt das Turnier beenden.",
        "All rounds have been played. End the tournament now.",
    ),
    "stechen_needed": Reason(
        "referee", ("tied_cut",),
        "Zuerst ein Stechen: {names} sind gleich, {places} davon {verb_de} weiter.",
        "A play-off first: {names} are equal, {places} of them go on.",
    ),
    "not_the_field": Reason(
        "referee", (),
        "Die Auslosung von Hand passt nicht: {what_de}.",
        "The draw by hand does not fit: {what_en}.",
    ),
    "no_round": Reason(
        "table", (),
        "Es ist keine Runde im Gang.",
        "No round is under way.",
    ),
    "no_table": Reason(
        "table", (),
        "Runde {round} hat keinen Tisch {table}, an dem das geht; möglich: {tables}.",
        "Round {round} has no table {table} for that; possible: {tables}.",
    ),
    "handed_in": Reason(
        "table", (),
        "Tisch {table} hat das Ergebnis von Runde {round} schon abgegeben; ändern kann es nur "
        "die Spielleitung, als Berichtigung.",
        "Table {table} has handed in its result of round {round} already; only the referee can "
        "change it, as a correction.",
    ),
    "other_round": Reason(
        "table", (),
        "Das ist ein Ergebnis von Runde {given}; gespielt wird Runde {round}.",
        "This is a result of round {given}; it is round {round} that is being played.",
    ),
    "wrong_result": Reason(
        "table", (),
        "Tisch {table}: {what_de}",
        "Table {table}: {what_en}",
    ),
    "seated_already": Reason(
        "referee", (),
        "{player} sitzt in Runde {round} schon an Tisch {table}.",
        "{player} sits at table {table} in round {round} already.",
    ),
    "not_to_be_seated": Reason(
        "referee", ("ko",),
        "{player} gehört nicht zu dieser Runde und kann nicht gesetzt werden.",
        "{player} does not belong to this round and cannot be seated.",
    ),
    "table_full": Reason(
        "referee", ("table_sizes",),
        "Tisch {table} ist mit {count} Spielern voll.",
        "Table {table} is full with {count} players.",
    ),
    "no_scharf": Reason(
        "referee", ("scharf",),
        "Scharf wird in diesem Turnier nur in K.-o.-Runden gespielt, oder gar nicht.",
        "This tournament plays sudden death in knockout rounds only, or not at all.",
    ),
    "not_handed_in": Reason(
        "referee", (),
        "Von Tisch {table} der Runde {round} gibt es noch kein Ergebnis zu berichtigen.",
        "Table {table} of round {round} has no result yet that could be corrected.",
    ),
    "unchanged_result": Reason(
        "referee", (),
        "So steht das Ergebnis von Tisch {table} der Runde {round} schon da.",
        "This is the result of table {table} of round {round} already.",
    ),
    "reason_missing": Reason(
        "referee", (),
        "Dazu gehört ein Grund: er steht später im Protokoll.",
        "This needs a reason: the log keeps it.",
    ),
    "no_stechen": Reason(
        "referee", ("tied_cut", "tied_places"),
        "Zwischen {names} ist kein Stechen nötig; nötig: {needed_de}.",
        "No play-off is needed between {names}; needed: {needed_en}.",
    ),
    "no_stechen_yet": Reason(
        "referee", (),
        "Ein Stechen zwischen {names}, das seit der letzten Auslosung gespielt wurde und zu "
        "berichtigen wäre, gibt es nicht.",
        "There is no play-off between {names} since the last draw that could be corrected.",
    ),
    "not_over": Reason(
        "referee", ("point_rounds", "ko"),
        "Es sind noch nicht alle Runden gespielt; vorzeitig beenden geht nur mit einem Grund.",
        "Not all rounds have been played; ending early needs a reason.",
    ),
    "stechen_for_places": Reason(
        "referee", ("tied_places",),
        "Um Plätze mit Preis fehlt ein Stechen: {names}. Mit einem Grund kann ohne beendet werden.",
        "A play-off for places with a prize is missing: {names}. With a reason it can end without.",
    ),
}  # fmt: skip


def refuse(made: Format, code: str, **words: object) -> Refused:
    """Make the refusal for a reason code.

    Args:
        made: the format, for the section.
        code: a key of `REASONS`.
        words: what the sentences speak of; tuples are joined.
    """
    reason = REASONS[code]
    shown = {
        name: ", ".join(map(str, value)) if isinstance(value, tuple) else value
        for name, value in words.items()
    }
    return Refused(
        code,
        made.cite(*reason.topics),
        reason.de.format(**shown),
        reason.en.format(**shown),
        reason.fault,
    )
