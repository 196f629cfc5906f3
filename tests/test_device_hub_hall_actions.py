"""Whatever is asked of the hall is done or refused with words; nothing of it is an error."""

from typing import Any

import pytest
from hall_play import NAMES, HallInMemory
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.tournament_actions import ACTION_TYPES
from web_ui.tournament_ports import HALL_ACTIONS

FIELDS = (
    "book", "by", "device", "eur", "format", "format_text", "name", "order", "player", "reason",
    "result", "round", "seed", "table", "tables", "team",
)  # fmt: skip
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(("", "Anna", "table-1", "x")),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), inner),
    max_leaves=5,
)
KINDS = st.sampled_from((*ACTION_TYPES, *HALL_ACTIONS, "", "no such thing"))


@pytest.fixture(scope="module")
def halls() -> list[HallInMemory]:
    """Before a tournament, at its registration, and with a round drawn."""
    empty, opened, drawn = (HallInMemory(2) for _ in range(3))
    for hall in (opened, drawn):
        hall.open("werl", NAMES[:7])
    drawn.do("draw_round")
    drawn.bring()
    return [empty, opened, drawn]


@settings(max_examples=600)
@given(kind=KINDS, fields=st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=6))
def test_anything_is_allowed_or_refused_in_both_languages(
    halls: list[HallInMemory], kind: str, fields: dict[str, Any]
) -> None:
    for hall in halls:
        refused = hall.hall.refusal({**fields, "type": kind}, by="R")
        assert refused is None or (refused.text_de and refused.text_en and refused.code)


@pytest.mark.parametrize("tables", [None, 1, "1", [None], ["1"], [True], [0], [99], [-1]])
def test_tables_that_are_none_are_refused(halls: list[HallInMemory], tables: Any) -> None:
    asked = {"type": "collect", "tables": tables, "reason": "Zeit"}
    refused = halls[-1].hall.refusal(asked, by="R")
    assert refused is not None
    assert refused.code in ("malformed", "no_device")
