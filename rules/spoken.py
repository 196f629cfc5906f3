"""How players say a result: "sechs zweiundfünfzig im Zweiten", "Schock Fünf aus der Hand"."""

from rules.book import RuleBook
from rules.ranking import Figure

_DE = ("", "eins", "zwei", "drei", "vier", "fünf", "sechs")
_DE_UNITS = ("", "ein", "zwei", "drei", "vier", "fünf", "sechs")
_DE_TENS = ("", "zehn", "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig")
_EN = ("", "one", "two", "three", "four", "five", "six")
_EN_TENS = ("", "ten", "twenty", "thirty", "forty", "fifty", "sixty")
_TIMES_DE = ("", "im Ersten", "im Zweiten", "im Dritten")
_TIMES_EN = ("", "in the first", "in the second", "in the third")

ONE_OR_MORE_THROWS = ("schock_aus", "schock", "jule")
"""Categories that count assembled too, so that "from the hand" is worth saying."""


def spoken_de(book: RuleBook, figure: Figure, *, throws: int, from_hand: bool) -> str:
    """Say a result in German, for example "sechs zweiundfünfzig im Zweiten"."""
    return f"{_figure_de(book, figure)} {_how_de(figure, throws, from_hand=from_hand)}"


def spoken_en(figure: Figure, *, throws: int, from_hand: bool) -> str:
    """Say a result in English, for example "six fifty-two in the second"."""
    return f"{_figure_en(figure)} {_how_en(figure, throws, from_hand=from_hand)}"


def _how_de(figure: Figure, throws: int, *, from_hand: bool) -> str:
    if from_hand and figure.category in ONE_OR_MORE_THROWS:
        return "aus der Hand" if throws == 1 else f"aus der Hand {_TIMES_DE[throws]}"
    return _TIMES_DE[throws]


def _how_en(figure: Figure, throws: int, *, from_hand: bool) -> str:
    if from_hand and figure.category in ONE_OR_MORE_THROWS:
        return "from the hand" if throws == 1 else f"from the hand {_TIMES_EN[throws]}"
    return _TIMES_EN[throws]


def _figure_de(book: RuleBook, figure: Figure) -> str:
    number = figure.number
    if figure.category == "hausnummer":
        hundreds, tens, units = number // 100, number // 10 % 10, number % 10
        return f"{_DE[hundreds]} {_DE_UNITS[units]}und{_DE_TENS[tens]}"
    word: str = getattr(book.names, figure.category)
    if figure.category in ("schock_aus", "jule"):
        return word
    if figure.category == "strasse":
        return f"{word} {_DE[number - 2]} {_DE[number - 1]} {_DE[number]}"
    return f"{word} {_DE[number].capitalize()}"


def _figure_en(figure: Figure) -> str:
    number = figure.number
    if figure.category == "hausnummer":
        hundreds, tens, units = number // 100, number // 10 % 10, number % 10
        return f"{_EN[hundreds]} {_EN_TENS[tens]}-{_EN[units]}"
    if figure.category == "schock_aus":
        return "Schock out"
    if figure.category == "jule":
        return "Jule"
    if figure.category == "strasse":
        return f"straight {_EN[number - 2]} {_EN[number - 1]} {_EN[number]}"
    return f"{figure.category.capitalize()} {_EN[number].capitalize()}"
