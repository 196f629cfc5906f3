"""The wall of a tournament: what it shows when, and on how many pages."""

import pytest
from hall_client import visitor, words
from hall_scenes import (
    act,
    between,
    drawn,
    opened,
    over,
    people,
    playing,
)
from web_ui_access import Clock, known_pins

from web_ui.access import Access
from web_ui.tournament_app import create_hub_app
from web_ui.tournament_wall import (
    DRAW_SHOWN_S,
    NAMES_A_PAGE,
    PLACES_A_PAGE,
    TABLES_A_PAGE,
    paged,
    present_tournament_wall,
)


def test_the_wall_shows_the_draw_until_the_clock_starts_or_a_while_has_passed():
    clock = Clock()
    hall = opened(people(9))
    hall.clock_s = clock
    act(hall, type="draw_round", by="R")
    app = create_hub_app(hall, access=Access(known_pins(), clock=clock))

    def shown() -> str:
        with app.test_request_context("/tournament/wall"):
            return str(present_tournament_wall(hall, "de", "")["shown"])

    assert shown() == "draw"
    clock.now_s += DRAW_SHOWN_S + 1
    assert shown() == "tables"
    clock.now_s -= DRAW_SHOWN_S + 1
    assert shown() == "draw"
    act(hall, type="start_clock")
    assert shown() == "tables"


def test_a_screen_can_be_held_at_something():
    hall = playing()
    assert "is-standings" in visitor(hall).get("/tournament/wall?show=standings").text
    assert "is-registration" in visitor(hall).get("/tournament/wall/board?show=registration").text
    assert "is-tables" in visitor(hall).get("/tournament/wall?show=nonsense").text
    assert "is-registration" in visitor(opened()).get("/tournament/wall?show=tables").text


def test_a_hall_of_ninety_six_fits_on_pages_of_the_wall():
    names = people(96)
    wall = visitor(opened(names)).get("/tournament/wall").text
    assert wall.count('class="page') == -(-96 // NAMES_A_PAGE)
    wall = visitor(drawn(names)).get("/tournament/wall").text
    assert wall.count('class="page') == 24 // TABLES_A_PAGE
    wall = visitor(between(names)).get("/tournament/wall").text
    assert wall.count('class="page') == -(-96 // PLACES_A_PAGE)
    for name in names:
        assert name in wall


@pytest.mark.parametrize(("count", "most"), [(0, 5), (1, 5), (5, 5), (6, 5), (11, 5), (96, 10)])
def test_pages_are_about_equally_long_and_lose_nobody(count: int, most: int):
    pages = paged(list(range(count)), most)
    assert [one for page in pages for one in page] == list(range(count))
    assert all(0 < len(page) <= most for page in pages)
    assert len(pages) == -(-count // most)


def test_the_final_ranking_tells_prizes_and_the_king():
    hall = over(seed=4)
    tournament = hall.tournament()
    assert tournament is not None
    page = words(visitor(hall).get("/tournament/wall"))
    assert "Wanderpokal" in page
    assert tournament.standings[0].player in page
