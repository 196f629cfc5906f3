"""How players say a result: "sechs zweiundfünfzig im Zweiten", "Schock Fünf aus der Hand"."""

from rules.book import RuleBook
from rules.dice import as_dice
from rules.ranking import Figure, figure_of

_DE = ("", "eins", "zwei", "drei", "vier", "fünf", "sechs")
_DE_UNITS = ("", "ein", "zwei", "drei", "vier", "fünf", "sechs")
_DE_TENS = ("", "zehn", "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig")
_EN = ("", "one", "two", "three", "four", "five", "six")
_EN_TENS = ("", "ten", "twenty", "thirty", "forty", "fifty", "sixty")
_TIMES_DE = ("", "im Ersten", "im Zweiten", "im Dritten")
_TIMES_EN = ("", "in the first", "in the second", "in the third")

_ALONE = {"schock_aus": "Schock out", "jule": "Jule"}
"""Figures without a number, in English."""


def _counts_assembled(book: RuleBook, figure: Figure, throws: int) -> bool:
    """Tell whether a figure counts assembled too, so that "from the hand" is worth saying."""
    in_one_throw = {
        "schock_aus": False,
        "schock": False,
        "jule": book.jule_one_throw,
        "general": book.general_one_throw,
        "strasse": book.straight_one_throw,
        "hausnummer": not _hand_decides(book, figure) or throws == 1,
    }
    return not in_one_throw[figure.category]


def _hand_decides(book: RuleBook, figure: Figure) -> bool:
    """Tell whether two equal Hausnummern may differ by the hand (rows K2, P1)."""
    return "hand" in book.tie_break and (book.keep == "any" or "1" in str(figure.number))


def _is_more_at_once(book: RuleBook, figure: Figure) -> bool:
    """Tell whether the dice of a Hausnummer are another figure if thrown at once (V3, V4)."""
    dice = as_dice([int(digit) for digit in str(figure.number)])
    return figure_of(book, dice, from_hand=True).category != "hausnummer"


def number_words(number: int) -> tuple[str, str]:
    """Read a number of three dice, in German and English: "sechs zweiundfünfzig"."""
    hundreds, tens, units = number // 100, number // 10 % 10, number % 10
    return (
        f"{_DE[hundreds]} {_DE_UNITS[units]}und{_DE_TENS[tens]}",
        f"{_EN[hundreds]} {_EN_TENS[tens]}-{_EN[units]}",
    )


def figure_words(category: str, name: str) -> tuple[str, str]:
    """Say a figure without when and how, in German and English: "Schock Vier", "Schock Four".

    Args:
        category: canonical category.
        name: as the book calls it (`Figure.name`): its word, then the number if it has one.
    """
    word, _, number = name.rpartition(" ")
    if category in _ALONE:
        return name, _ALONE[category]
    digits = [int(digit) for digit in number if digit.isdigit()]
    if category == "hausnummer":
        return number_words(int(number))
    if category == "strasse":
        steps_de, steps_en = (" ".join(words[digit] for digit in digits) for words in (_DE, _EN))
        return f"{word} {steps_de}", f"straight {steps_en}"
    (digit,) = digits
    return f"{word} {_DE[digit].capitalize()}", f"{category.capitalize()} {_EN[digit].capitalize()}"


def spoken_de(book: RuleBook, figure: Figure, *, throws: int, from_hand: bool) -> str:
    """Say a result in German, for example "sechs zweiundfünfzig im Zweiten"."""
    said = figure_words(figure.category, figure.name)[0]
    return f"{said} {_how_de(book, figure, throws, from_hand=from_hand)}"


def spoken_en(book: RuleBook, figure: Figure, *, throws: int, from_hand: bool) -> str:
    """Say a result in English, for example "six fifty-two in the second"."""
    said = figure_words(figure.category, figure.name)[1]
    return f"{said} {_how_en(book, figure, throws, from_hand=from_hand)}"


def _how_de(book: RuleBook, figure: Figure, throws: int, *, from_hand: bool) -> str:
    when = "" if throws == 1 else f" {_TIMES_DE[throws]}"
    if from_hand and _counts_assembled(book, figure, throws):
        return f"{book.names.from_hand}{when}"
    if not from_hand and figure.category == "hausnummer" and _is_more_at_once(book, figure):
        return f"gebastelt{when}"
    return _TIMES_DE[throws]


def _how_en(book: RuleBook, figure: Figure, throws: int, *, from_hand: bool) -> str:
    when = "" if throws == 1 else f" {_TIMES_EN[throws]}"
    if from_hand and _counts_assembled(book, figure, throws):
        return f"from the hand{when}"
    if not from_hand and figure.category == "hausnummer" and _is_more_at_once(book, figure):
        return f"assembled{when}"
    return _TIMES_EN[throws]
