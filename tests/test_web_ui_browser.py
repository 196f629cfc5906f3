"""The page in a real browser: headless Chromium, a real server, a log that grows meanwhile."""

import itertools
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait
from test_web_ui_table import Table
from werkzeug.serving import BaseWSGIServer, make_server

from rules.actions import ThrowDice
from web_ui import create_app

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1280,800",
)
PATIENCE_S = 15.0

pytestmark = pytest.mark.slow


def need(name: str) -> str:
    """Return where a program is; without it skip, but never where CI relies on the test."""
    found = shutil.which(name)
    if found is None:
        reason = f"{name} is not installed (apt install chromium chromium-driver)"
        if os.environ.get("CI"):
            pytest.fail(f"{reason}, and CI must not go without the browser tests")
        pytest.skip(reason)
    return found


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    options.binary_location = need("chromium")
    for flag in FLAGS:
        options.add_argument(flag)
    options.add_argument(f"--user-data-dir={tmp_path_factory.mktemp('chromium')}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options=options, service=Service(need("chromedriver")))
    yield browser
    browser.quit()


class Server:
    """The dashboard of a table on a port of this machine; may be stopped and started again."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.port = 0
        self._stopped = threading.Event()
        self.start()

    def start(self) -> None:
        settings = {"STREAM_HEARTBEAT_S": 0.2, "STREAM_RETRY_MS": 200}
        self._stopped.clear()
        app = create_app(self.table.log, self.table.submit, settings)
        self._server: BaseWSGIServer = make_server(
            "127.0.0.1", self.port, self._until_stopped(app.wsgi_app), threaded=True
        )
        # Waiting for the viewers' threads would be waiting for the viewers.
        self._server.daemon_threads = True  # type: ignore[attr-defined]
        self._server.block_on_close = False  # type: ignore[attr-defined]
        self.port = self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def _until_stopped(self, app: Any) -> Any:
        """Cut the live streams when the server stops, as the end of its process would."""

        def cut(environ: Any, start_response: Any) -> Iterator[bytes]:
            with closing(app(environ, start_response)) as body:
                yield from itertools.takewhile(lambda _: not self._stopped.is_set(), body)

        return cut

    def stop(self) -> None:
        self._stopped.set()
        self._server.shutdown()
        self._thread.join(timeout=PATIENCE_S)
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def server(table: Table) -> Iterator[Server]:
    running = Server(table)
    yield running
    running.stop()


class Page:
    """What a person sees and does."""

    def __init__(self, browser: webdriver.Chrome, url: str) -> None:
        self.browser = browser
        browser.get_log("browser")
        browser.get(url)
        browser.execute_script("window.notReloaded = true")
        self.wait(lambda: not self.is_shown("#connection"), "the stream is open")

    def wait(self, condition: Callable[[], bool], what: str) -> None:
        waiting = WebDriverWait(
            self.browser, PATIENCE_S, poll_frequency=0.05, ignored_exceptions=[Exception]
        )
        waiting.until(lambda _: condition(), message=what)

    def one(self, selector: str) -> WebElement:
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> list[WebElement]:
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def attributes(self, selector: str, name: str) -> list[str]:
        """In one step: the page may be redrawn between two."""
        found = "[...document.querySelectorAll(arguments[0])]"
        script = f"return {found}.map(element => element.getAttribute(arguments[1]))"
        return list(self.browser.execute_script(script, selector, name))

    def is_shown(self, selector: str) -> bool:
        return self.one(selector).is_displayed()

    def deckel(self) -> dict[str, int]:
        script = (
            "return [...document.querySelectorAll('[data-player]')]"
            ".map(row => [row.dataset.player, Number(row.dataset.deckel)])"
        )
        return dict(self.browser.execute_script(script))

    def stock(self) -> int:
        return int(self.attributes("#stock", "data-deckel")[0])

    def seq(self) -> int:
        return int(self.attributes("#board .board", "data-seq")[0])

    def answer(self) -> list[str]:
        return self.attributes(".answer-die", "data-value")

    def complaints(self) -> list[dict[str, Any]]:
        log: list[dict[str, Any]] = self.browser.get_log("browser")
        return [line for line in log if line["level"] in ("SEVERE", "WARNING")]


def last_seq(table: Table) -> int:
    return len(table.log.read(0, 100_000))


def test_deckel_on_the_page_change_without_a_reload(
    chromium: webdriver.Chrome, server: Server, table: Table
):
    page = Page(chromium, server.url)
    assert page.deckel() == {"Anna": 0, "Ben": 0, "Cem": 0}
    assert page.stock() == 13
    table.play_opening()
    page.wait(lambda: page.deckel() == {"Anna": 0, "Ben": 0, "Cem": 1}, "the opening's Deckel")
    assert page.stock() == 12
    assert page.attributes("#board .board", "data-turn") == ["Cem"]
    table.play_round()
    page.wait(lambda: page.seq() == last_seq(table), "the last entry")
    assert page.deckel() == dict(table.match.holdings)
    assert len(page.all("[data-player='Ben'] .deckel")) == 4
    assert page.browser.execute_script("return window.notReloaded") is True
    assert page.complaints() == []


def test_a_burst_of_events_ends_in_the_right_state(
    chromium: webdriver.Chrome, server: Server, table: Table
):
    page = Page(chromium, server.url)
    table.play_opening()
    for number in range(300):
        table.log.append("note", {"n": number})
    page.wait(lambda: page.seq() == last_seq(table), "the last of 300 entries")
    fetches = "return performance.getEntriesByType('resource').filter(e => /board\\?/.test(e.name))"
    assert len(page.browser.execute_script(fetches)) < 60, "events are gathered into few fetches"


def test_an_unsure_throw_is_corrected_and_confirmed_by_taps(
    chromium: webdriver.Chrome, server: Server, table: Table
):
    page = Page(chromium, server.url)
    table.ask("q1")
    page.wait(lambda: page.is_shown("[data-question='q1']"), "the question")
    assert page.answer() == ["6", "5", "2"]
    page.all(".candidate")[1].click()
    assert page.answer() == ["6", "6", "2"]
    page.all(".answer-die")[0].click()
    page.all(".answer-die")[2].click()
    assert page.answer() == ["1", "6", "3"]
    assert page.one(".confirm").text.endswith("1-6-3")
    table.log.append("note", {})
    page.wait(lambda: page.seq() == last_seq(table), "another event meanwhile")
    assert page.answer() == ["1", "6", "3"], "what is being answered stays under the finger"
    page.one(".confirm").click()
    page.wait(lambda: not page.all("[data-question]"), "the question is gone")
    assert table.submitted == [
        {
            "type": "answer_question",
            "question_id": "q1",
            "dice": [1, 6, 3],
            "by": "am Bildschirm",
        }
    ]
    page.wait(lambda: page.attributes(".board", "data-turn") == ["Ben"], "Ben's turn")
    assert page.complaints() == []


def test_a_question_about_no_throw_at_all_is_answered_with_one_tap(
    chromium: webdriver.Chrome, server: Server, table: Table
):
    table.ask("q1")
    page = Page(chromium, server.url)
    assert [button.text for button in page.all(".verdict")] == [
        "Brennt: noch einmal werfen",
        "Kein Wurf",
    ]
    page.all(".verdict")[1].click()
    page.wait(lambda: not page.all("[data-question]"), "the question is gone")
    assert table.submitted == [
        {
            "type": "answer_question",
            "question_id": "q1",
            "verdict": "no_throw",
            "by": "am Bildschirm",
        }
    ]
    page.wait(lambda: "Das war kein Wurf" in page.one(".log").text, "the line in the log")


def test_a_die_the_camera_did_not_see_must_be_said_before_confirming(
    chromium: webdriver.Chrome, server: Server, table: Table
):
    table.ask("q1", dice=[6, 5], candidates=[])
    page = Page(chromium, server.url)
    assert page.answer() == ["6", "5", "0"]
    assert not page.one(".confirm").is_enabled()
    page.all(".answer-die")[2].click()
    assert page.answer() == ["6", "5", "1"]
    assert page.one(".confirm").is_enabled()


def test_a_refused_answer_says_why_in_the_language_of_the_page(
    chromium: webdriver.Chrome, server: Server, table: Table
):
    table.ask("q1")
    page = Page(chromium, server.url + "?lang=en")
    table.open_questions = set  # type: ignore[method-assign,assignment]  # the table has let go of it
    page.one(".confirm").click()
    page.wait(lambda: page.is_shown(".refusal"), "the reason")
    assert page.one(".refusal").text == "This question is no longer open."
    assert page.one(".confirm").is_enabled()


def test_after_a_restart_of_the_server_nothing_is_missing(
    chromium: webdriver.Chrome, server: Server, table: Table
):
    page = Page(chromium, server.url)
    server.stop()
    page.wait(lambda: page.is_shown("#connection"), "the banner")
    table.play_opening()
    server.start()
    page.wait(lambda: not page.is_shown("#connection"), "the banner is gone")
    page.wait(lambda: page.deckel() == {"Anna": 0, "Ben": 0, "Cem": 1}, "what happened meanwhile")
    assert page.browser.execute_script("return window.notReloaded") is True


def test_a_script_in_a_name_does_not_run(
    chromium: webdriver.Chrome,
):
    name = "<img src=x onerror=window.hacked=1><script>window.hacked=1</script>"
    table = Table([name, "Ben"])
    server = Server(table)
    try:
        page = Page(chromium, server.url)
        table.do(ThrowDice(name, (6, 5, 2)))
        page.wait(lambda: page.seq() == last_seq(table), "the throw")
        assert page.browser.execute_script("return window.hacked === undefined")
        assert name in page.deckel()
        assert not page.all("#board img")
    finally:
        server.stop()


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1920, 1080), (390, 844)])
def test_nothing_sticks_out_sideways(
    chromium: webdriver.Chrome, server: Server, table: Table, width: int, height: int
):
    table.play_opening()
    table.ask("q1")
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 800}
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        Page(chromium, server.url)
        wide = chromium.execute_script("return document.documentElement.scrollWidth")
        assert wide <= width
    finally:
        chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
