"""Whatever happens on the mat: no crash, no event out of order, no lifted cup without an answer."""

from hypothesis import given, settings
from hypothesis import strategies as st
from vision_table import Table, types

PLACES = [(60, 60), (60, 200), (110, 130), (170, 60), (170, 220), (240, 130), (280, 220), (375, 90)]
KINDS = [1, 2, 3, 4, 5, 6, "tower", "burning"]
ANSWERS = {"throw_seen", "tower", "burning", "off_mat", "unsure"}


@st.composite
def dice(draw, *, least=0, most=5):
    """Things at places far enough apart to be told from one another."""
    places = draw(st.lists(st.sampled_from(PLACES), unique=True, min_size=least, max_size=most))
    return [(draw(st.sampled_from(KINDS)), x, y) for x, y in places]


cups = st.lists(st.sampled_from([(90, 90), (150, 150), (230, 230)]), unique=True, max_size=2)
moments = st.tuples(st.floats(0.1, 2.5), dice(), cups, st.booleans(), st.sampled_from([None, 0, 1]))


@settings(max_examples=40, deadline=None)
@given(st.lists(moments, min_size=1, max_size=6))
def test_events_come_in_order_whatever_lies_there(script):
    table, now_s = Table(), 0.0
    for wait_s, things, standing, busy, bare in script:
        looks_bare = None if bare is None else bool(bare)
        table.at(now_s, things, parked=standing, busy=busy, looks_bare=looks_bare)
        now_s += wait_s
    events = table.play(until_s=now_s, fps=10)
    assert [event.t_s for event in events] == sorted(event.t_s for event in events)
    for event in events:
        assert event.sure == (event.type != "unsure")
        assert bool(event.reason) == (event.type == "unsure")
        assert 0 <= event.started_at_s <= event.ended_at_s == event.t_s
    down = [kind for kind in types(events) if kind in ("cup_down", "cup_up")]
    assert down == ["cup_down", "cup_up"] * (len(down) // 2) + ["cup_down"] * (len(down) % 2)


@settings(max_examples=40, deadline=None)
@given(dice(least=1), st.integers(1, 9), st.booleans())
def test_a_lifted_cup_gets_an_answer_within_six_seconds(things, blinks, trembles):
    """Whatever is under it, even where one finding blinks and another trembles."""
    under = [thing for thing in things if thing[1] < 330] or [(3, 110, 130)]
    table = Table().at(0.0).at(0.5, cup=(150, 150))
    for step in range(90):
        seen = under[1:] if step % 10 >= blinks else under
        shift = 4 * (step // 2 % 2) if trembles else 0
        first = [(kind, x + shift, y) for kind, x, y in seen[:1]]
        table.at(2.0 + step / 15, [*first, *seen[1:]], looks_bare=False)
    told = types(table.play(until_s=8.0))
    assert ANSWERS & set(told), told
