"""Questions answered without a mouse, and a focus that stays where somebody left it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.keys import Keys
from test_web_ui_table import Table
from web_ui_desk import DeskTable, opened
from web_ui_page import Page, Server

pytestmark = pytest.mark.slow

LIKELY = ((6, 5, 4), (6, 6, 4))


def ask(table: DeskTable) -> None:
    table.see("unsure", LIKELY[0], sure=False, reason="values", candidates=LIKELY)


def test_a_question_on_the_scoreboard_is_answered_by_keyboard(
    chromium: webdriver.Chrome, start: Callable[..., Server]
):
    table = Table()
    table.ask("q1")
    page = Page(chromium, start(table).url)
    page.tab_to(".answer-die")
    page.keys(Keys.SPACE)
    assert page.answer() == ["1", "5", "2"]
    page.tab_to(".candidate:last-child")
    page.keys(Keys.ENTER)
    assert page.answer() == ["6", "6", "2"]
    page.tab_to(".confirm")
    table.log.append("note", {})
    page.wait(lambda: page.seq() == table.last_seq(), "an event meanwhile")
    assert page.is_focused(".confirm")
    page.keys(Keys.ENTER)
    page.wait(lambda: not page.all("[data-question]"), "the question is gone")
    assert [action["dice"] for action in table.submitted] == [[6, 6, 2]]
    assert page.complaints() == []


def test_questions_on_the_tables_page_are_answered_by_keyboard(
    chromium: webdriver.Chrome, start: Callable[..., Server], tmp_path: Path
):
    """The first by one of the likely throws, the second by typing another."""
    table = opened(DeskTable("Anna", "Ben", "Cem", folder=tmp_path))
    ask(table)
    page = Page(chromium, start(table.served, EVIDENCE_DIR=str(tmp_path)).url + "table")
    page.tab_to(".likely-throw:last-child")
    page.keys(Keys.ENTER)
    page.wait(lambda: not page.all("[data-question]"), "the question is gone")
    assert table.state["throws"][-1]["dice"] == [6, 6, 4]
    table.say("cleared")
    ask(table)
    page.wait(lambda: page.is_shown("[data-question]"), "the next question")
    page.tab_to(".otherwise summary")
    page.keys(Keys.ENTER)
    page.tab_to(".question .slot")
    page.keys("5", "3", Keys.BACKSPACE, "2", "1")
    page.tab_to(".question .send-dice")
    page.keys(Keys.ENTER)
    page.wait(lambda: not page.all("[data-question]"), "the question is gone")
    assert table.state["throws"][-1]["dice"] == [5, 2, 1]
    assert page.complaints() == []


def test_the_first_link_skips_to_the_hand_and_the_log_keeps_the_focus(
    chromium: webdriver.Chrome, start: Callable[..., Server]
):
    table = Table()
    table.play_opening()
    server = start(table)
    page = Page(chromium, server.url + "table")
    page.keys(Keys.TAB)
    assert page.is_focused(".skip")
    page.keys(Keys.ENTER, Keys.TAB)
    assert page.is_focused("#hand *"), "past the head of the page"
    page = Page(chromium, server.url)
    page.tab_to("#log-lines")
    table.log.append("note", {})
    page.wait(lambda: page.seq() == table.last_seq(), "an event")
    assert page.is_focused("#log-lines"), "arrows go on scrolling"
