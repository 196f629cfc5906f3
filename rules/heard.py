"""What players say, as a result: "A: 6-5-5 im Zweiten aus der Hand", "Bert: Schock Fünf".

The counterpart of `rules.spoken`: it understands what that says, and more. What is not said is what
nearly always holds: a first throw, and a result of one throw is from the hand, one of several is
not. Two words claim more: where a General or a Straße counts in one throw only, whoever says the
word says that it was one; whoever says a Hausnummer says that it was not. Three dice that could be
either are a question, not a guess.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rules.book import RuleBook
from rules.dice import DICE_PER_PLAYER, Dice, as_dice
from rules.errors import MalformedRecord
from rules.heard_words import (
    ASSEMBLED,
    COMMON_WORDS,
    COUNTS,
    FACES,
    FROM_HAND,
    KINDS,
    KOENIGSWURF,
    NUMBER,
    NUMBERS,
    NUMBERS_READ,
    ORDINALS,
    SAYS_NOTHING,
    STRASSEN_NAMES,
    THROWS,
    TWO_OF,
)
from rules.ranking import KOENIGSWURF_THROW, Result, figure_of

EXAMPLE = 'for example "A: 6-5-5 im Dritten", "B: Schock 5" or "C: 6 2 1 im Zweiten aus der Hand"'


@dataclass(frozen=True)
class _Claim:
    """Dice, and the figure that the words say they are; "" if they say none."""

    dice: Dice
    figure: str = ""


def heard(words: str, book: RuleBook) -> Result:
    """Read one spoken result.

    Args:
        words: name, colon, dice or figure, then the throw and how, in German or English.
        book: whose figures they are.

    Raises:
        MalformedRecord: the words do not say a result, or could mean two; the message shows how to.
    """
    player, colon, said = words.partition(":")
    if not colon or not player.strip():
        raise MalformedRecord(f"{words!r} names no player; say who threw what, {EXAMPLE}")
    rest = _in_common_words(book, _bare(said))
    rest, at_once = _taken(rest, FROM_HAND)
    rest, put_together = _taken(rest, ASSEMBLED)
    from_hand, assembled = at_once is not None, put_together is not None
    rest, when = _taken(rest, THROWS)
    throws = ORDINALS[when.group(1)] if when else 1
    if KOENIGSWURF.fullmatch(rest):
        throws = _koenigswurf(book, words, throws if when else None)
        rest, from_hand = "schock aus", True
    if from_hand and assembled:
        raise MalformedRecord(f"{words!r} is said to be from the hand and assembled; it is one")
    claim = _claimed(rest)
    if claim is None:
        raise MalformedRecord(
            f"{said.strip()!r} is no throw of three dice; say it as dice, {EXAMPLE}"
        )
    _check_is_one_reading(book, claim, rest, words)
    if throws > book.max_throws:
        raise MalformedRecord(
            f"{words!r}: by the book {book.key!r} nobody has more than {book.max_throws} throws "
            f"({book.cite('max_throws')}); say in which throw it was"
        )
    if assembled and throws == 1:
        raise MalformedRecord(f"{words!r}: one throw cannot be assembled; say in which throw")
    options = _options(book, claim, throws)
    if from_hand or assembled:
        options = {way: figure for way, figure in options.items() if way is from_hand}
    way = _way(options, claim, book, words)
    return Result(player=player.strip(), dice=claim.dice, throws=throws, from_hand=way)


def _bare(text: str) -> str:
    """Words in small letters without marks."""
    return " ".join(re.sub(r"[.,!?;()/–\-]", " ", text.casefold()).split())


def _in_common_words(book: RuleBook, text: str) -> str:
    """Say a book's own words for a figure, and for a throw of all dice, as everybody does."""
    own_hand = re.escape(_bare(book.names.from_hand))  # it may be a part of what everybody says
    text = re.sub(rf"\b{own_hand}\b|{FROM_HAND.pattern}", "aus der hand", text)
    own = {_bare(getattr(book.names, name)): word for name, word in COMMON_WORDS.items()}
    for name in sorted(own, key=len, reverse=True):
        if found := re.match(rf"(?:eine? )?{re.escape(name)}(?= |$)", text):
            return own[name] + text[found.end() :]
    return text


def _koenigswurf(book: RuleBook, words: str, throws: int | None) -> int:
    """In which throw a Königswurf was thrown; as a rule only one can be meant (row K2).

    Raises:
        MalformedRecord: the book has none, or none in this throw, or several that are possible.
    """
    if "koenigswurf" not in book.tie_break:
        raise MalformedRecord(
            f"{words!r}: the book {book.key!r} has no Königswurf ({book.cite('tie_break')}); say "
            "'Schock aus aus der Hand' and in which throw"
        )
    if book.koenigswurf_any_count:
        if throws is None:
            raise MalformedRecord(f"{words!r}: say in which throw the Königswurf was thrown")
        return throws
    if throws not in (None, KOENIGSWURF_THROW):
        raise MalformedRecord(
            f"{words!r}: by the book {book.key!r} a Königswurf is a throw {KOENIGSWURF_THROW} "
            f"({book.cite('koenigswurf_any_count')})"
        )
    return KOENIGSWURF_THROW


def _check_is_one_reading(book: RuleBook, claim: _Claim, text: str, words: str) -> None:
    """Ask back where "zwei sechs eins" may be 2-6-1 or two sixes and a one.

    Raises:
        MalformedRecord: both readings go with the figure that the words name.
    """
    found = TWO_OF.search(text)
    if found is None or found[1] not in FACES or found[2] not in FACES:
        return
    twice, once = FACES[found[1]], FACES[found[2]]
    other = as_dice((twice, twice, once))
    called = {"", *(figure_of(book, other, from_hand=way).category for way in (True, False))}
    if other != claim.dice and claim.figure in called:
        raise MalformedRecord(
            f"{words!r} may be {'-'.join(map(str, claim.dice))} or {'-'.join(map(str, other))}; "
            "say the dice as digits"
        )


def _taken(text: str, pattern: re.Pattern[str]) -> tuple[str, re.Match[str] | None]:
    """Take the first match out of a text."""
    found = pattern.search(text)
    if found is None:
        return text, None
    return " ".join((text[: found.start()] + text[found.end() :]).split()), found


def _options(book: RuleBook, claim: _Claim, throws: int) -> dict[bool, str]:
    """What the dice are from the hand (True) and assembled (False), as far as either can be."""
    options: dict[bool, str] = {True: figure_of(book, claim.dice, from_hand=True).category}
    # Where only ones may be put out, dice without a one cannot have been put together.
    if throws > 1 and (book.keep != "only_ones" or 1 in claim.dice):
        options[False] = figure_of(book, claim.dice, from_hand=False).category
    return options


def _way(options: Mapping[bool, str], claim: _Claim, book: RuleBook, words: str) -> bool:
    """Whether all three dice were in one throw, as was said or as the figure says.

    Raises:
        MalformedRecord: the words contradict each other, or leave open which figure it is.
    """
    left = {way: fig for way, fig in options.items() if claim.figure in ("", fig)}
    if not left:
        raise MalformedRecord(
            f"{words!r}: by the book {book.key!r} {'-'.join(map(str, claim.dice))} cannot be "
            f"{claim.figure or 'thrown'} like that; say the dice, in which throw, and whether it "
            "was aus der Hand or gebastelt"
        )
    if len(set(left.values())) > 1:
        raise MalformedRecord(
            f"{words!r} is {left[True]} aus der Hand, but {left[False]} gebastelt; say which it was"
        )
    return False not in left


def _claimed(text: str) -> _Claim | None:
    """What the words say without throw and manner; None if they are no dice."""
    for read in _FORMS:
        if (claim := read(text)) is not None:
            return claim
    if (bare := SAYS_NOTHING.sub(" ", text)) != text:
        return _claimed(" ".join(bare.split()))
    return None


def _schock_aus(text: str) -> _Claim | None:
    known = re.fullmatch(r"(?:schock ?)?(?:aus|out)", text)
    return _Claim((1, 1, 1), "schock_aus") if known else None


def _jule(text: str) -> _Claim | None:
    return _Claim((4, 2, 1), "jule") if re.fullmatch(r"jule(?: 4 ?2 ?1)?", text) else None


def _schock(text: str) -> _Claim | None:
    found = re.fullmatch(rf"(?:schock|max) ?({NUMBER}|doof)", text)
    if found is None:
        return None
    value = 2 if found[1] == "doof" else NUMBERS[found[1]]
    return _Claim(as_dice((value, 1, 1)), "schock")


def _general(text: str) -> _Claim | None:
    word = r"(?:general|pasch|drei dicke|jenny)"
    found = re.fullmatch(rf"{word} ?({NUMBER})", text) or re.fullmatch(rf"({NUMBER}) ?{word}", text)
    return None if found is None else _Claim((NUMBERS[found[1]],) * 3, "general")


def _counted(text: str) -> _Claim | None:
    """Dice by their number: "zwei Einsen, eine Fünf"; how they were thrown they do not tell."""
    words = [word for word in text.split() if word not in ("und", "and")]
    dice: list[int] = []
    for count, kind in zip(words[::2], words[1::2], strict=False):
        one = COUNTS.get(count) == 1
        face = KINDS.get(kind) or (FACES.get(kind) if one else None)
        if face is None or count not in COUNTS:
            return None
        dice += [face] * COUNTS[count]
    fits = len(dice) == DICE_PER_PLAYER and len(words) % 2 == 0
    return _Claim(as_dice(dice)) if fits else None


def _strasse(text: str) -> _Claim | None:
    if text in STRASSEN_NAMES:
        return _Claim(STRASSEN_NAMES[text], "strasse")
    rest, word = _taken(text, re.compile(r"\bstra(?:ß|ss)e\b|\bstraight\b"))
    dice = _three(rest) if word else None
    return None if dice is None else _Claim(dice, "strasse")


def _hausnummer(text: str) -> _Claim | None:
    """A number as it is read: "sechs zweiundfünfzig", "Hausnummer 6-5-2"."""
    rest, word = _taken(text, re.compile(r"\b(?:hausnummer|100er|einfacher wurf|normale zahl)\b"))
    read = NUMBERS_READ.get(re.sub(" |hundert", "", rest).replace("zwo", "zwei"))
    dice = read or (_three(rest) if word else None)
    # 4-5-6 is "sechs vierundfünfzig", too (002 L247): the number alone does not say which it is.
    return None if dice is None else _Claim(dice, "hausnummer" if word else "")


def _plain(text: str) -> _Claim | None:
    dice = _three(text)
    return None if dice is None else _Claim(dice)


def _three(text: str) -> Dice | None:
    """Three dice, one by one: digits or words."""
    if re.fullmatch(r"(?:[1-6] ?){3}", text):
        return as_dice([int(digit) for digit in text if digit != " "])
    words = text.split()
    if len(words) == 3 and all(word in FACES for word in words):
        return as_dice([FACES[word] for word in words])
    return None


_FORMS: tuple[Callable[[str], _Claim | None], ...] = (
    _schock_aus, _jule, _schock, _general, _strasse, _counted, _hausnummer, _plain,
)  # fmt: skip
