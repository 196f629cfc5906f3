"""Reasons to refuse what a referee asks for; all others are in `rules.reasons`."""

from collections.abc import Mapping
from dataclasses import dataclass

from rules.errors import Fault


@dataclass(frozen=True)
class Reason:
    """A kind of refusal; `de` and `en` are templates, `topics` go to `RuleBook.cite`."""

    fault: Fault
    topics: tuple[str, ...]
    de: str
    en: str


REFEREE_REASONS: Mapping[str, Reason] = {
    "unknown_throw": Reason(
        "referee",
        ("referee",),
        "Einen gültigen Wurf Nummer {throw_id} von {player} gibt es in diesem Spiel nicht.",
        "There is no valid throw number {throw_id} by {player} in this match.",
    ),
    "played_on": Reason(
        "referee",
        ("referee",),
        "Nach dem Wurf Nummer {throw_id} von {player} wurde schon weitergespielt; wiederholt "
        "werden kann nur der letzte Wurf. Möglich sind: berichtigen, oder die Runde entscheiden.",
        "Play has gone on after throw number {throw_id} by {player}; only the latest throw can be "
        "repeated. What can be done: correct it, or rule on the round.",
    ),
    "unchanged": Reason(
        "referee",
        ("referee",),
        "Der Wurf Nummer {throw_id} von {player} steht schon mit {dice} im Protokoll.",
        "Throw number {throw_id} by {player} already stands in the log as {dice}.",
    ),
    "correction_breaks_later": Reason(
        "referee",
        ("referee",),
        "Mit {dice} passt nicht mehr, was danach geschah: {later_de} Soll es trotzdem gelten, "
        "die Berichtigung mit Verwerfen der späteren Züge wiederholen.",
        "With {dice} what happened later no longer fits: {later_en} If the correction is to hold "
        "anyway, repeat it and let go of the later moves.",
    ),
    "reported_of_other_part": Reason(
        "referee",
        ("referee",),
        "Ein gemeldeter Fehler, ein Wiedereinstieg oder ein Entscheid über Deckel fiele dann in "
        "einen anderen Abschnitt des Spiels.",
        "A reported fault, a re-entry or a ruling on Deckel would then belong to another part of "
        "the game.",
    ),
    "other_part": Reason(
        "referee",
        ("referee",),
        "Der Wurf Nummer {throw_id} von {player} fiele dann in einen anderen Abschnitt des Spiels.",
        "Throw number {throw_id} by {player} would then belong to another part of the game.",
    ),
    "unknown_round": Reason(
        "referee",
        ("referee",),
        "Eine Runde {round} in {part} gibt es in diesem Spiel nicht, oder sie zählte nie.",
        "There is no round {round} in {part} of this match, or it never counted.",
    ),
    "not_in_that_round": Reason(
        "referee",
        ("referee",),
        "{player} hat in Runde {round} von {part} nicht mitgespielt.",
        "{player} did not play in round {round} of {part}.",
    ),
    "unchanged_ruling": Reason(
        "referee",
        ("referee",),
        "So steht Runde {round} von {part} schon im Protokoll.",
        "Round {round} of {part} already stands in the log like that.",
    ),
    "ruling_breaks_later": Reason(
        "referee",
        ("referee",),
        "Mit diesem Entscheid passt nicht mehr, was danach geschah: {later_de} Soll er trotzdem "
        "gelten, ihn mit Verwerfen der späteren Züge wiederholen.",
        "With this ruling what happened later no longer fits: {later_en} If it is to hold anyway, "
        "repeat it and let go of the later moves.",
    ),
    "not_enough_deckel": Reason(
        "referee",
        ("referee",),
        "So viele Deckel sind nicht da: {giver_de} hat {has}, verlangt sind {count}.",
        "There are not so many Deckel: {giver_en} has {has}, {count} are wanted.",
    ),
    "paused": Reason(
        "table",
        ("referee",),
        "Das Spiel ist unterbrochen; es geht erst weiter, wenn die Pause beendet wird.",
        "The game is paused; it goes on when the pause is ended.",
    ),
    "not_paused": Reason(
        "table",
        ("referee",),
        "Das Spiel ist nicht unterbrochen.",
        "The game is not paused.",
    ),
    "game_under_way": Reason(
        "table",
        ("referee",),
        "Das Spiel läuft noch; das nächste beginnt erst, wenn es aus ist oder abgebrochen wird.",
        "The game is under way; the next one begins when it is over or abandoned.",
    ),
    "abandoned": Reason(
        "table",
        ("referee",),
        "Das Spiel ist abgebrochen worden; weiter geht es erst mit dem nächsten.",
        "The game was abandoned; play goes on with the next one.",
    ),
    "nothing_to_take_back": Reason(
        "referee",
        ("referee",),
        "Es gibt noch keinen Zug, der zurückgenommen werden könnte.",
        "There is no move yet that could be taken back.",
    ),
}
