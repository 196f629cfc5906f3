"""A whole evening by clicks alone in a real browser: from the start page to the lost final."""

from collections.abc import Callable

import pytest
from selenium import webdriver
from web_ui_access import PINS
from web_ui_desk import DeskTable
from web_ui_page import Page, Server, more_tabs

pytestmark = pytest.mark.slow

OPENING = (("Anna", "652"), ("Ben", "642"), ("Cem", "221"), ("Dora", "643"))
FIRST_ROUND = (
    ("Cem", "641", "keep-1", "66", "turn-6", "5"),  # Schock 5 in the third
    ("Dora", "642", "stop"),
    ("Anna", "653", "stop"),
    ("Ben", "221", "stop"),
)
SECOND_ROUND = (
    ("Ben", "221", "stop"),
    ("Cem", "111"),
    ("Dora", "642"),
    ("Anna", "653"),
)
SECOND_HALF = (("Ben", "642", "stop"), ("Cem", "111"), ("Dora", "221"), ("Anna", "653"))
FINAL = (("Ben", "111", "stop"), ("Dora", "642"))
"""Turn by turn: who, and what is entered: dice, or the button of a move."""

LOST = ["Dora", "hat das Spiel verloren"]


class Evening:
    """Somebody with a finger at the table's page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def play(self, *turns: tuple[str, ...]) -> None:
        for player, *moves in turns:
            for move in moves:
                self.move(player, move)

    def move(self, player: str, move: str) -> None:
        """Tap what is shown, and wait until the page shows what came of it."""
        page = self.page
        page.wait(lambda: self.turn() == player, f"{player}'s turn")
        before = page.seq()
        if move.isdigit():
            page.wait(lambda: self.places() == ["0"] * len(move), f"places for {move}")
            for value in move:
                page.tap(f"#hand-key-{value}")
            page.wait(lambda: self.places() == list(move), move)
            page.tap("#hand-send")
        else:
            page.tap(f"#deed-{move if '-' in move else move + '-0'}")
        page.wait(lambda: page.seq() > before, f"{player}: {move}")

    def turn(self) -> str:
        return self.page.attributes(".board", "data-turn")[0]

    def part(self) -> str:
        return self.page.attributes(".board", "data-part")[0]

    def reaches(self, part: str, deckel: list[int]) -> None:
        """Wait for a part of the game, and for the Deckel in the order in which all sit."""

        def reached() -> bool:
            return self.part() == part and list(self.page.deckel().values()) == deckel

        self.page.wait(reached, f"{part} with {deckel}")

    def places(self) -> list[str]:
        return self.page.attributes("#hand .slot", "data-value")


def begin(page: Page) -> None:
    """Sign in at the start page, seat three regulars and a guest, and begin."""
    page.tap(".pages a[href^='/start']")
    page.wait(lambda: page.is_shown("#start"), "the form")
    page.tap("#start a[href^='/signin']")
    page.wait(lambda: page.is_shown("[name=pin]"), "the PIN")
    page.type_in("[name=pin]", PINS["table"])
    page.tap("main form .send")
    page.wait(lambda: page.is_shown("#start button[value=start]"), "the form of who may begin")
    for number, name in enumerate(("Anna", "Ben", "Cem"), start=1):
        page.tap(f"#start button[value='tap:{name}']")
        page.wait(lambda expected=number: len(seated(page)) == expected, f"{name} sits")
    page.type_in("input[name=player]:placeholder-shown", "Dora")
    page.tap("#start button[value=more]")
    page.wait(lambda: page.is_shown("button[value='out:3']"), "Dora sits")
    assert seated(page) == ["Anna", "Ben", "Cem", "Dora"]
    page.tap("[name=book][value=turnier]")
    page.tap("#start button[value=start]")


def seated(page: Page) -> list[str]:
    return [name for name in page.each("input[name=player]", "it.value") if name]


def test_an_evening_from_the_start_page_to_the_lost_final_by_clicks_alone(
    chromium: webdriver.Chrome, start: Callable[..., Server]
):
    """Ben loses the first half, Dora the second and the final; the wall looks on."""
    server = start(DeskTable("Anna", "Ben", "Cem").served, TABLE_NEEDS_PIN=True)
    wall = Page(chromium, server.url + "tv")
    with more_tabs(chromium) as on_the_wall:
        chromium.switch_to.new_window("tab")
        page = Page(chromium, server.url)
        begin(page)
        page.wait(lambda: page.is_shown("#hand"), "the table")
        page.browser.execute_script("window.notReloaded = true")
        evening = Evening(page)
        evening.reaches("opening", [0, 0, 0, 0])
        evening.play(*OPENING)
        evening.reaches("half1", [0, 0, 1, 0])
        evening.play(*FIRST_ROUND)
        evening.reaches("half1", [0, 5, 1, 0])
        evening.play(*SECOND_ROUND)
        evening.reaches("half2", [0, 0, 0, 0])
        assert page.texts("[data-player=Ben] .badge.half1") == ["1. Hälfte"]
        evening.play(*SECOND_HALF)
        evening.reaches("final", [0, 0, 0, 0])
        assert page.texts("[data-player=Dora] .badge.half2") == ["2. Hälfte"]
        evening.play(*FINAL)
        page.wait(lambda: evening.part() == "over", "the end")
        assert page.texts(".turn .turn-name, .turn .turn-hint") == [
            "Dora",
            "hat das Spiel verloren",
        ]
        assert page.browser.execute_script("return window.notReloaded") is True
        assert page.complaints() == []
        chromium.switch_to.window(on_the_wall)
        wall.wait(lambda: wall.attributes(".wall", "data-mode") == ["over"], "the end")
        assert wall.texts(".felt .turn-name, .felt .said") == LOST
        assert wall.texts("[data-leader=Dora] .lost") == ["1"]
        assert wall.browser.execute_script("return window.notReloaded") is True
