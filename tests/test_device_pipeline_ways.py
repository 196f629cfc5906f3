"""Whatever is played: asked about in the middle or switched off and on, it is the same game."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st
from pipeline_ways import Script, asked_about, outcome, switched_off

from rules import all_books

TURNS = 7


def played(book: str, chance: random.Random, *, seats: bool) -> Script:
    """Some turns as people play them: dice put aside and taken away, sometimes by the wrong one."""
    script = Script(book=book)
    script.lead()
    script.begin()
    for _ in range(TURNS):
        if script.game.player is not None:
            a_turn(script, chance, script.game.player, seats=seats)
        if seats and chance.random() < 0.15:
            script.say("cleared", seat=chance.choice("ABC"))
    return script


def a_turn(script: Script, chance: random.Random, player: str, *, seats: bool) -> None:
    seat, outside = player if seats else None, ()
    for _ in range(chance.choice((1, 1, 2, 3))):
        script.say("cup_down", seat=seat)
        script.say("cup_up", seat=seat)
        dice = sorted(chance.choices((1, 1, 2, 3, 4, 5, 6, 6), k=3 - len(outside)), reverse=True)
        script.say("throw_seen", dice, outside, seat=seat)
        if script.game.match.turn is None or script.game.player != player:
            break
        if 1 in dice and len(outside) < 2 and chance.random() < 0.5:
            outside = (*outside, 1)
            script.say("dice_kept", dice[:-1], outside, seat=seat)
    if not seats or chance.random() < 0.5:
        script.say("cleared", seat=seat)


@settings(max_examples=30, deadline=None)
@given(
    book=st.sampled_from([book.key for book in all_books()]),
    seed=st.integers(0, 10**6),
    seats=st.booleans(),
    reason=st.sampled_from(("kind", "values")),
    off=st.booleans(),
)
def test_it_is_the_same_game(book: str, seed: int, seats: bool, reason: str, off: bool) -> None:
    chance = random.Random(seed)
    live = played(book, chance, seats=seats)
    if live.pipeline.desk.questions:
        return  # its answers are not in the script
    steps = live.steps or []
    assert outcome(switched_off(live, chance.randrange(len(steps)))) == outcome(live)
    throws = [at for at, step in enumerate(steps) if step[1][0] == "throw_seen"]
    asked = asked_about(live, chance.choice(throws), reason, off=off)
    if asked is None or asked.state["covered"] != live.state["covered"]:
        return  # the answer waits for the showdown
    assert outcome(asked) == outcome(live)
