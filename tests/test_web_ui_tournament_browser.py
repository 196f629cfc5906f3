"""The pages of a tournament in a browser: a whole one by clicks, the wall beside it, its load."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hall_scenes import (
    HubServer,
    act,
    drawn,
    opened,
    people,
)
from selenium import webdriver
from selenium.webdriver.support.ui import Select
from tournament_hall import MemoryHall
from web_ui_page import Page

from rules.tournament import Tournament

NAMES = ("Anna", "Ben", "Cem", "Dora", "Emil", "Fee", "Gero", "Hanna", "Ina")
StartHub = Callable[..., HubServer]


@pytest.fixture(autouse=True)
def wide(chromium: webdriver.Chrome) -> Iterator[None]:
    """A desk's screen; whoever wants another one says so."""
    sized(chromium, 1280, 1000)
    yield
    chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def sized(browser: webdriver.Chrome, width: int, height: int) -> None:
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def now(hall: MemoryHall) -> Tournament:
    tournament = hall.tournament()
    assert tournament is not None
    return tournament


# --- a whole tournament ----------------------------------------------------------------------


class Organiser:
    """Somebody at the desk who runs a tournament by clicks, and looks at the wall meanwhile."""

    def __init__(self, browser: webdriver.Chrome, server: HubServer, hall: MemoryHall) -> None:
        self.url, self.hall, self.browser = server.url, hall, browser
        self.desk = Page(browser, server.url)
        self.desk.sign_in("referee")
        self.at_desk = browser.current_window_handle
        browser.switch_to.new_window("window")
        self.at_wall = browser.current_window_handle
        self.wall = Page(browser, server.url + "tournament/wall?turn=1")
        browser.switch_to.window(self.at_desk)

    def close(self) -> None:
        self.browser.switch_to.window(self.at_wall)
        self.browser.close()
        self.browser.switch_to.window(self.at_desk)

    def wall_says(self, what: str) -> None:
        """Wait until it is on a page of the wall, and go back to the desk."""
        self.browser.switch_to.window(self.at_wall)
        said = "return document.getElementById('board').textContent.replace(/\\s+/g, ' ')"
        self.wall.wait(
            lambda: what in str(self.browser.execute_script(said)), f"{what} on the wall"
        )
        assert self.wall.complaints() == []
        self.browser.switch_to.window(self.at_desk)

    def go(self, at: str) -> None:
        self.browser.get(f"{self.url}tournament/desk?at={at}")

    def press(self, button: str) -> None:
        """Press a button of a form and wait for the next page."""
        before = self.desk.one("html")
        self.desk.tap(button)
        self.desk.wait(lambda: before.id != self.desk.one("html").id, f"a page after {button}")
        self.desk.wait(lambda: bool(self.desk.all("#board")), "the desk")

    def open(self) -> None:
        self.browser.get(f"{self.url}tournament/desk")
        self.desk.type_in("[name=name]", "Kirmes")
        self.desk.type_in("[name=seed]", "Los 7")
        Select(self.desk.one("[name=format]")).select_by_value("punkte_ko")
        self.press("#do-open")

    def register(self) -> None:
        self.desk.type_in("[name=names]", "\n".join(NAMES))
        self.press("#do-register")
        for name in NAMES:
            self.press(f"#entrants [data-player={name}] button[value=pay]")

    def is_done(self) -> bool:
        """Whether no round is left to be drawn, as the desk says."""
        return not self.desk.is_enabled("#do-draw")

    def draw(self) -> None:
        self.press("#do-draw")

    def hand_in_all(self) -> None:
        """The card of every table of the round, by tapping the names."""
        one = now(self.hall).round
        assert one is not None
        for number in one.waiting:
            self.go("cards")
            self.press(f"#card-{number}")
            seats = one.tables[number - 1]
            self.tap_out(1, 1, seats)
            self.tap_out(1, 2, seats[::-1])
            Select(self.desk.one("[name=g1loser]")).select_by_visible_text(seats[-1])
            self.press("#do-send")

    def tap_out(self, game: int, half: int, order: tuple[str, ...]) -> None:
        """All but the last: whoever is left has lost."""
        row = f'.game[data-game="{game}"] .taps[data-half="{half}"]'
        for name in order[:-1]:
            names = [text.split("\n")[0] for text in self.desk.texts(f"{row} button[data-at]")]
            at = next(n for n, text in enumerate(names) if text.split(" ")[0] == name)
            self.desk.tap(f"{row} button[data-at]", at)

    def play_off(self) -> None:
        """A Stechen, if one is needed: the players in their order."""
        while needed := now(self.hall).stechen_needed:
            self.go("end")
            self.wall_says("Stechen")
            for at, field in enumerate(self.desk.all("#form-stechen-1 [name=rank]"), start=1):
                Select(field).select_by_visible_text(str(at))
            assert len(needed[0].players) >= 2
            self.press("#do-stechen-1")


@pytest.mark.slow
def test_a_tournament_of_nine_is_run_by_clicks_while_the_wall_follows(
    chromium: webdriver.Chrome, hub: StartHub
):
    hall = MemoryHall(clock_s=time.time)
    desk = Organiser(chromium, hub(hall), hall)
    try:
        desk.open()
        desk.wall_says("Anmeldung läuft")
        desk.register()
        desk.wall_says("9 Spieler")
        assert all(one.paid_eur == 10 for one in now(hall).state.entrants.values())
        while not now(hall).is_over:
            desk.play_off()
            desk.go("round")
            if desk.is_done():
                desk.go("end")
                desk.press("#do-finish")
                break
            desk.draw()
            one = now(hall).round
            assert one is not None
            desk.wall_says(f"Tisch 1 {one.tables[0][0]}")
            desk.hand_in_all()
            assert not now(hall).round.waiting  # type: ignore[union-attr]
        first = now(hall).standings[0]
        desk.wall_says("Endstand")
        desk.wall_says(f"1. {first.player} {first.reason_de}")
        assert [one.kind for one in now(hall).state.rounds] == ["points", "points", "final"]
        assert desk.desk.complaints() == []
    finally:
        desk.close()


# --- the overview and the desk ---------------------------------------------------------------


def test_the_overview_follows_and_remembers_whom_its_owner_looks_for(
    chromium: webdriver.Chrome, hub: StartHub
):
    hall = opened(people(6))
    server = hub(hall)
    page = Page(chromium, server.url + "tournament?name=Cem")
    act(hall, type="draw_round", by="R")
    page.wait(lambda: "Tisch" in page.text(".found"), "the table")
    assert page.one("#search-name").get_attribute("value") == "Cem"
    again = Page(chromium, server.url + "tournament")
    assert again.one("#search-name").get_attribute("value") == "Cem"
    again.type_in("#search-name", "il")
    act(hall, type="start_clock")
    again.wait(lambda: again.seq() == hall.seq, "the newest board")
    assert again.one("#search-name").get_attribute("value") == "Cemil"
    assert again.is_focused("#search-name")
    assert again.complaints() == []


def test_what_is_typed_at_the_desk_stays_while_others_act(
    chromium: webdriver.Chrome, hub: StartHub
):
    hall = opened(people(6))
    server = hub(hall)
    Page(chromium, server.url).sign_in("referee")
    page = Page(chromium, server.url + "tournament/desk?at=players")
    page.type_in("[name=names]", "Xaver\nYvonne")
    page.type_in("#filter", "fat")
    assert [name for name, is_off in shown_rows(page) if not is_off] == [people(6)[5]]
    act(hall, type="register", player="Zoe", team="")
    page.wait(lambda: "Zoe" in page.text("#piece-latest"), "what another desk did")
    assert page.one("[name=names]").get_attribute("value") == "Xaver\nYvonne"
    page.one("#filter").clear()
    page.type_in("#filter", "zo")
    assert [name for name, is_off in shown_rows(page) if not is_off] == ["Zoe"]
    assert page.complaints() == []


def shown_rows(page: Page) -> list[Any]:
    return page.each("#entrants > li", "[it.dataset.player, it.hidden]")


def test_a_card_by_tapping_can_be_begun_anew_and_leaves_out_who_is_gone(
    chromium: webdriver.Chrome, hub: StartHub
):
    hall = drawn(people(5))
    seats = now(hall).round.tables[0]  # type: ignore[union-attr]
    act(hall, type="leave", player=seats[1], reason="krank")
    server = hub(hall)
    Page(chromium, server.url).sign_in("referee")
    page = Page(chromium, server.url + "tournament/card/1/1")
    row = '.game[data-game="1"] .taps[data-half="1"]'
    tapped = f"{row} button[data-at]"
    assert page.each(tapped, "it.hidden") == [False, True, False, False, False]
    for at in (0, 2, 3):
        page.tap(tapped, at)
    half = (
        'return [...document.querySelectorAll(\'.game[data-game="1"] select[data-half="1"]\')]'
        ".map((it) => it.value)"
    )
    assert chromium.execute_script(half) == ["1", "", "2", "3", "L"]
    page.tap(f"{row} .again")
    assert chromium.execute_script(half) == [""] * 5
    page.tap(tapped, 4)
    assert chromium.execute_script(half) == ["", "", "", "", "1"]
    assert page.complaints() == []


def test_the_pages_say_that_the_hub_is_gone_and_come_back(
    chromium: webdriver.Chrome, hub: StartHub
):
    hall = opened(people(4))
    server = hub(hall)
    page = Page(chromium, server.url + "tournament/wall")
    server.stop()
    page.wait(lambda: page.is_shown("#connection"), "the banner")
    act(hall, type="register", player="Zoe", team="")
    server.start()
    page.wait(lambda: not page.is_shown("#connection"), "the stream again")
    page.wait(lambda: "Zoe" in page.text("#board"), "what happened meanwhile")
