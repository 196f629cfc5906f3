"""Results as players say them."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import MalformedRecord, all_books
from rules.heard import heard
from rules.ranking import Result
from rules.valuation import describe


@pytest.mark.parametrize(
    ("words", "dice", "throws", "from_hand"),
    [
        ("A: 6-5-5 im Dritten", (6, 5, 5), 3, False),
        ("A: 655", (6, 5, 5), 1, True),
        ("A: 5 6 5, im Zweiten aus der Hand", (6, 5, 5), 2, True),
        ("Anna Berta: Schock Fünf", (5, 1, 1), 1, True),
        ("A: max 3 im zweiten gebastelt", (3, 1, 1), 2, False),
        ("A: Schock doof", (2, 1, 1), 1, True),
        ("A: Schock aus im Dritten aus dem Rohr", (1, 1, 1), 3, True),
        ("A: General Vier", (4, 4, 4), 1, True),
        ("A: drei dicke 2", (2, 2, 2), 1, True),
        ("A: Straße 4-5-6", (6, 5, 4), 1, True),
        ("A: Jule im Zweiten", (4, 2, 1), 2, False),
        ("A: six? no", None, 0, False),
        ("A: 6-5-4 in the second from the hand", (6, 5, 4), 2, True),
    ],
)
def test_what_is_said_is_heard(words, dice, throws, from_hand):
    if dice is None:
        with pytest.raises(MalformedRecord):
            heard(words)
        return
    player = words.partition(":")[0]
    assert heard(words) == Result(player=player, dice=dice, throws=throws, from_hand=from_hand)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("6-5-5 im Dritten", "names no player"),
        (": 655", "names no player"),
        ("A: 65", "no throw of three dice"),
        ("A: 6-5-7", "no throw of three dice"),
        ("A: Schock 9", "no throw of three dice"),
        ("A: 655 gebastelt", "cannot be assembled"),
        ("A: 655 im Dritten gebastelt aus der Hand", "it is one"),
        ("", "names no player"),
    ],
)
def test_what_is_no_result_is_told_with_an_example(words, problem):
    with pytest.raises(MalformedRecord, match=problem):
        heard(words)


@given(st.text(max_size=40))
def test_any_words_are_heard_or_refused(words):
    with suppress(MalformedRecord):
        assert len(heard(words).dice) == 3


@given(
    st.sampled_from(all_books()),
    st.lists(st.integers(1, 6), min_size=3, max_size=3),
    st.integers(1, 3),
    st.booleans(),
)
def test_dice_and_throw_come_back_as_they_were_said(book, dice, throws, from_hand):
    result = Result(
        player="A", dice=tuple(sorted(dice, reverse=True)), throws=throws,
        from_hand=from_hand or throws == 1,
    )  # fmt: skip
    times = ("Ersten", "Zweiten", "Dritten")[throws - 1]
    how = " aus der Hand" if result.from_hand else ""
    words = f"A: {'-'.join(map(str, result.dice))} im {times}{how}"
    assert heard(words) == result
    assert describe(book, heard(words)).dice == result.dice


def test_the_pocket_calculator(run):
    status, out, _ = run(
        "judge", "--book", "statuten", "A: 6-5-5 im Dritten", "B: 6-5-5 im Zweiten aus der Hand",
        "C: 2-2-1", "--stock", 5, "--holding", "A=4", "--holding", "B=4",
    )  # fmt: skip
    assert status == 0
    assert out.splitlines()[:3] == [
        "1. B: sechs fünfundfünfzig im Zweiten",
        "2. A: sechs fünfundfünfzig im Dritten",
        "3. C: zwei einundzwanzig im Ersten",
    ]
    assert "C bekommt 1 Deckel, B war am höchsten." in out
    assert "Danach: A 4, B 4, C 1" in out
    assert "§13a" in out


def test_the_pocket_calculator_says_what_it_cannot_take(run):
    for words in (
        ("A: 6-5-9", "B: 655"),
        ("A: 655", "A: 654"),
        ("A: 655", "B: 654", "--holding", "A:3"),
        ("A: 655", "B: 654", "--holding", "A=30"),
        ("A: 655", "B: 654", "--book", "poker"),
    ):
        status, _, err = run("judge", *words)
        assert status != 0
        assert "error" in err
        assert "Traceback" not in err


def test_the_pocket_calculator_knows_a_pubs_own_book(run, tmp_path):
    own = tmp_path / "krug.toml"
    own.write_text(
        'based_on = "turnier"\nkey = "krug"\ntitle_de = "Krug"\ntitle_en = "Jug"\n'
        'document = "Krug"\n[fields]\nschock2_above_general = { value = true, text = "Tafel" }\n'
    )
    said = ("A: General Sechs", "B: Schock doof", "--stock", 9)
    assert run("judge", *said)[1].startswith("1. A")
    status, out, _ = run("judge", "--book", own, *said)
    assert (status, out.splitlines()[0]) == (0, "1. B: Schock Zwei aus der Hand")
    assert "im Stock bleiben 7" in out
    own.write_text("based_on = 3\n")
    status, _, err = run("judge", "--book", own, *said)
    assert status == 1
    assert "line 1: based_on must be text" in err
