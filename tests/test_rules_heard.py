"""Results as players say them."""

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import MalformedRecord, all_books, find_book
from rules.dice import ALL_MULTISETS
from rules.heard import heard
from rules.ranking import Result, figure_of, sort_key
from rules.spoken import spoken_de, spoken_en

TURNIER, JULE, STATUTEN = (find_book(name) for name in ("turnier", "jule", "statuten"))


@pytest.mark.parametrize(
    ("words", "dice", "throws", "from_hand"),
    [
        ("A: 6-5-5 im Dritten", (6, 5, 5), 3, False),
        ("A: 655", (6, 5, 5), 1, True),
        ("A: 5 6 5, im Zweiten aus der Hand", (6, 5, 5), 2, True),
        ("Anna Berta: Schock Fünf", (5, 1, 1), 1, True),
        ("A: max 3 im zweiten gebastelt", (3, 1, 1), 2, False),
        ("A: Schock doof", (2, 1, 1), 1, True),
        ("A: Schock zwo im 2. Wurf", (2, 1, 1), 2, False),
        ("A: Schock aus im Dritten aus dem Rohr", (1, 1, 1), 3, True),
        ("A: Schock-Out in einem!", (1, 1, 1), 1, True),
        ("A: drei Einsen", (1, 1, 1), 1, True),
        ("A: zwei Einsen, eine Fünf", (5, 1, 1), 1, True),
        ("A: zwei Sechser, ein Zweier im Zweiten", (6, 6, 2), 2, False),
        ("A: two sixes, a one", (6, 6, 1), 1, True),
        ("A: eine Eins eine Zwei eine Drei", (3, 2, 1), 1, True),
        ("A: eine Straße 4-5-6", (6, 5, 4), 1, True),
        ("A: General Vier", (4, 4, 4), 1, True),
        ("A: Vierer-General", (4, 4, 4), 1, True),
        ("A: Pasch 6er", (6, 6, 6), 1, True),
        ("A: drei dicke 2", (2, 2, 2), 1, True),
        ("A: Straße 4-5-6", (6, 5, 4), 1, True),
        ("A: Straße eins zwei drei", (3, 2, 1), 1, True),
        ("A: 6-5-4 in the second from the hand", (6, 5, 4), 2, True),
        ("A: Hausnummer 6-5-2", (6, 5, 2), 1, True),
        ("A: sechs zweiundfünfzig im Zweiten", (6, 5, 2), 2, False),
        ("A: Autobahn", (6, 5, 4), 1, True),
        ("A: eine Allee im Zweiten", (5, 4, 3), 2, True),
        ("A: Landstraße im Ersten", (4, 3, 2), 1, True),
        ("A: Gasse", (3, 2, 1), 1, True),
        ("A: zwei Einsen und eine Fünf im Dritten", (5, 1, 1), 3, False),
        ("A: two ones and a five", (5, 1, 1), 1, True),
        ("A: zwo Sechsen und eine Eins", (6, 6, 1), 1, True),
        ("A: zwo einundzwanzig", (2, 2, 1), 1, True),
        ("A: drei zwoundzwanzig im Zweiten", (3, 2, 2), 2, False),
        ("A: zwei zwei eins", (2, 2, 1), 1, True),
        ("A: Straße zwei drei vier", (4, 3, 2), 1, True),
        ("A: Hausnummer zwei eins fünf", (5, 2, 1), 1, True),
        ("A: sechs zwei eins", (6, 2, 1), 1, True),
        ("A: sechs zwei und fünfzig, blind im Ersten", (6, 5, 2), 1, True),
        ("A: sechseinundzwanzig im Dritten", (6, 2, 1), 3, False),
        ("A: sechshundertfünfundsechzig mit zwei Würfen", (6, 6, 5), 2, False),
    ],
)
def test_what_is_said_is_heard(words, dice, throws, from_hand):
    player = words.partition(":")[0]
    wanted = Result(player=player, dice=dice, throws=throws, from_hand=from_hand)
    assert heard(words, TURNIER) == wanted


@pytest.mark.parametrize(
    ("book", "words", "from_hand"),
    [
        # A General and a Straße that count in one throw only were one throw: the word says so.
        (TURNIER, "A: General 5 im Dritten", True),
        (TURNIER, "A: Straße 4-5-6 im Zweiten", True),
        (TURNIER, "A: Hausnummer 6-5-4 im Zweiten", False),
        # Where they count assembled, too, the words say nothing about it.
        (JULE, "A: Drei Dicke 5 im Dritten", False),
        (JULE, "A: Jule im Zweiten", False),
        (JULE, "A: Jule im Zweiten aus dem Rohr", True),
        # Only ones may lie outside: without a one all three dice were in the cup (§10a).
        (STATUTEN, "A: 6-5-5 im Dritten", True),
        (STATUTEN, "A: 6-5-1 im Dritten", False),
    ],
)
def test_a_figure_says_how_it_was_thrown(book, words, from_hand):
    assert heard(words, book).from_hand is from_hand


@pytest.mark.parametrize(
    ("book", "words"),
    [
        (TURNIER, "A: 6-5-4 im Zweiten"),
        (TURNIER, "A: drei Sechsen im Dritten"),
        (STATUTEN, "A: 3-2-1 im Zweiten"),
    ],
)
def test_what_could_be_two_figures_is_asked_about(book, words):
    with pytest.raises(MalformedRecord, match="say which it was"):
        heard(words, book)


@pytest.mark.parametrize(
    ("book", "words"),
    [
        (JULE, "A: Drei Dicke 1"),
        (JULE, "A: Schock 1"),
        (JULE, "A: Straße 1-2-4"),
        (JULE, "A: Straße 1-1-1"),
        (TURNIER, "A: Straße 6-5-3"),
        (TURNIER, "A: Hausnummer 6-5-4"),
        (TURNIER, "A: General 4 gebastelt im Zweiten"),
        (TURNIER, "A: Jule"),
        (STATUTEN, "A: 6-5-5 gebastelt im Dritten"),
    ],
)
def test_words_that_contradict_each_other_are_refused(book, words):
    with pytest.raises(MalformedRecord, match="cannot be"):
        heard(words, book)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("6-5-5 im Dritten", "names no player"),
        (": 655", "names no player"),
        ("A: 65", "no throw of three dice"),
        ("A: 6-5-7", "no throw of three dice"),
        ("A: Schock 9", "no throw of three dice"),
        ("A: six? no", "no throw of three dice"),
        ("A: General", "no throw of three dice"),
        ("A: General doof", "no throw of three dice"),
        ("A: drei eins", "no throw of three dice"),
        ("A: 2 Einsen 5", "no throw of three dice"),
        ("A: zwei Sechsen zwei Einsen", "no throw of three dice"),
        ("A: 6-5-5 im Vierten", "no throw of three dice"),
        ("A: 655 gebastelt", "cannot be assembled"),
        ("A: 655 im Dritten gebastelt aus der Hand", "it is one"),
        ("", "names no player"),
    ],
)
def test_what_is_no_result_is_told_with_an_example(words, problem):
    with pytest.raises(MalformedRecord, match=problem):
        heard(words, TURNIER)


@pytest.mark.parametrize(
    ("words", "readings"),
    [
        ("A: zwei sechs eins", "6-2-1 or 6-6-1"),
        ("A: zwei eins fünf im Zweiten", "5-2-1 or 5-1-1"),
        ("A: two six one", "6-2-1 or 6-6-1"),
        ("A: Hausnummer zwei sechs eins", "6-2-1 or 6-6-1"),
    ],
)
def test_two_of_a_kind_or_three_dice_is_asked_about(words, readings):
    with pytest.raises(MalformedRecord, match=readings):
        heard(words, TURNIER)


def test_a_koenigswurf_is_heard_where_there_is_one():
    blog = find_book("blog2019")
    wanted = Result("A", (1, 1, 1), 3, from_hand=True)
    for words in ("A: Königswurf", "A: ein Königswurf im Dritten", "A: Koenigswurf aus der Hand"):
        assert heard(words, blog) == wanted
    for words, problem in (
        ("A: Königswurf im Zweiten", "is a throw 3"),
        ("A: Königswurf gebastelt im Dritten", "it is one"),
    ):
        with pytest.raises(MalformedRecord, match=problem):
            heard(words, blog)
    with pytest.raises(MalformedRecord, match="has no Königswurf"):
        heard("A: Königswurf", TURNIER)
    any_count = replace(blog, koenigswurf_any_count=True)
    assert heard("A: Königswurf im Zweiten", any_count).throws == 2
    with pytest.raises(MalformedRecord, match="in which throw"):
        heard("A: Königswurf", any_count)


@given(st.text(max_size=40), st.sampled_from(all_books()))
def test_any_words_are_heard_or_refused(words, book):
    with suppress(MalformedRecord):
        assert len(heard(words, book).dice) == 3


@pytest.mark.parametrize("book", all_books(), ids=lambda book: book.key)
@pytest.mark.parametrize("speak", [spoken_de, spoken_en])
def test_what_the_book_says_itself_is_heard_as_the_same_result(book, speak):
    for dice in ALL_MULTISETS:
        for throws, from_hand in ((1, True), (2, True), (2, False), (3, True), (3, False)):
            if book.keep == "only_ones" and not from_hand and 1 not in dice:
                continue  # there is no such result
            figure = figure_of(book, dice, from_hand=from_hand)
            words = f"A: {speak(book, figure, throws=throws, from_hand=from_hand)}"
            result, wanted = heard(words, book), Result("A", dice, throws, from_hand)
            assert sort_key(book, result, 0) == sort_key(book, wanted, 0), words
            assert figure_of(book, result.dice, from_hand=result.from_hand) == figure, words
            if "hand" in book.tie_break:  # otherwise it may make no difference
                assert result == wanted, words


def test_a_pubs_own_words_are_heard():
    names = {
        "general": "Trio",
        "schock": "Pott",
        "schock_aus": "Pott-Aus",
        "from_hand": "aus einem",
    }
    pub = replace(JULE, key="pub", names=replace(JULE.names, **names))
    for words, dice, from_hand in (
        ("A: Trio Fünf im Zweiten", (5, 5, 5), False),
        ("A: ein Pott 6 aus einem im Dritten", (6, 1, 1), True),
        ("A: Pott aus im Dritten", (1, 1, 1), False),
        ("A: Schock aus im Dritten", (1, 1, 1), False),
    ):
        result = heard(words, pub)
        assert (result.dice, result.from_hand) == (dice, from_hand), words


@pytest.mark.parametrize("hand", ["Hand", "Rohr", "in einem Wurf geworfen"])
def test_a_pubs_own_word_for_the_hand_leaves_the_others(hand):
    pub = replace(JULE, key="pub", names=replace(JULE.names, from_hand=hand))
    for said in ("aus der Hand", "aus dem Rohr", "in einem Wurf", hand):
        assert heard(f"A: Max 5 {said} im Dritten", pub) == Result("A", (5, 1, 1), 3, True), said


def test_equal_numbers_of_which_one_is_from_the_hand_are_said_differently():
    for book, hand in ((STATUTEN, "aus der Hand"), (JULE, "aus dem Rohr")):
        figure = figure_of(book, (2, 2, 1), from_hand=True)
        said = [spoken_de(book, figure, throws=3, from_hand=way) for way in (True, False)]
        assert said == [f"zwei einundzwanzig {hand} im Dritten", "zwei einundzwanzig im Dritten"]
        assert spoken_de(book, figure, throws=1, from_hand=True) == "zwei einundzwanzig im Ersten"


def test_an_assembled_number_that_would_have_been_more_at_once_is_said_to_be_assembled():
    figure = figure_of(TURNIER, (6, 5, 4), from_hand=False)
    said = [speak(TURNIER, figure, throws=2, from_hand=False) for speak in (spoken_de, spoken_en)]
    assert said == [
        "sechs vierundfünfzig gebastelt im Zweiten",
        "six fifty-four assembled in the second",
    ]


def test_more_throws_than_the_book_knows_are_refused():
    two = replace(TURNIER, max_throws=2)
    assert heard("A: 652 im Zweiten", two).throws == 2
    with pytest.raises(MalformedRecord, match="nobody has more than 2 throws"):
        heard("A: 652 im Dritten", two)


@given(
    st.sampled_from(all_books()),
    st.lists(st.integers(1, 6), min_size=3, max_size=3),
    st.integers(1, 3),
)
def test_dice_and_throw_come_back_as_they_were_said(book, dice, throws):
    wanted = Result("A", tuple(sorted(dice, reverse=True)), throws, from_hand=True)
    times = ("Ersten", "Zweiten", "Dritten")[throws - 1]
    words = f"A: {'-'.join(map(str, wanted.dice))} im {times} aus der Hand"
    assert heard(words, book) == wanted
