"""The dashboard's server on a port of this machine, and its page as a person sees it."""

import itertools
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver import ActionChains
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait
from test_web_ui_table import Table
from web_ui_access import PINS, known_pins
from web_ui_settings import KnownSettings
from werkzeug.serving import BaseWSGIServer, make_server

from web_ui import create_app
from web_ui.access import Access

PATIENCE_S = 15.0
MOST_TABS = 120

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


def need(name: str) -> str:
    """Return where a program is; without it skip, but never where CI relies on the test."""
    found = shutil.which(name)
    if found is None:
        reason = f"{name} is not installed (apt install chromium chromium-driver)"
        if os.environ.get("CI"):
            pytest.fail(f"{reason}, and CI must not go without the browser tests")
        pytest.skip(reason)
    return found


def start_chromium(profile: Path, *more_flags: str) -> webdriver.Chrome:
    """Start the browser; the caller quits it."""
    options = webdriver.ChromeOptions()
    options.binary_location = need("chromium")
    for flag in (*FLAGS, f"--user-data-dir={profile}", *more_flags):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=Service(need("chromedriver")))


class Server:
    """The dashboard of a table on a port of this machine; may be stopped and started again.

    Whoever reaches it may act at the table; a referee has to sign in.
    """

    def __init__(self, table: Table, **settings: Any) -> None:
        self.table = table
        quick = {"STREAM_HEARTBEAT_S": 0.2, "STREAM_RETRY_MS": 200}
        self.settings = {"TABLE_NEEDS_PIN": False} | quick | settings
        self._access = Access(known_pins())
        self.table_settings = self.settings.pop("table_settings", None) or KnownSettings()
        self.port = 0
        self._stopped = threading.Event()
        self.start()

    def start(self) -> None:
        self._stopped.clear()
        app = self.make_app()
        self._server: BaseWSGIServer = make_server(
            "127.0.0.1", self.port, self._until_stopped(app.wsgi_app), threaded=True
        )
        # Waiting for the viewers' threads would be waiting for the viewers.
        self._server.daemon_threads = True  # type: ignore[attr-defined]
        self._server.block_on_close = False  # type: ignore[attr-defined]
        self.port = self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def make_app(self) -> Flask:
        """The application that is served; made anew with every start."""
        look = getattr(self.table, "preview", None)
        act, settings = self.table.submit, self.settings
        seams = {"access": self._access, "preview": look, "table_settings": self.table_settings}
        seams |= {"setup": getattr(self.table, "setup", None)}
        health = getattr(self.table, "health", None)
        alarms = getattr(self.table, "alarms", tuple)
        return create_app(self.table.log, act, settings, monitor=health, alarms=alarms, **seams)

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


def deckel_shown(browser: webdriver.Chrome) -> dict[str, int]:
    """Deckel by player, read in one step: the page may be redrawn between two."""
    script = (
        "return [...document.querySelectorAll('[data-player][data-deckel]')]"
        ".map(row => [row.dataset.player, Number(row.dataset.deckel)])"
    )
    return dict(browser.execute_script(script))


UNUSED_YET = "was preloaded using link preload but not used within a few seconds"


class Page:
    """What a person sees and does.

    The page may be redrawn at any moment. What is there is therefore read in one step, by a script;
    an element that was found (`one`, `all`) may be gone before it is asked, outside of a `wait`.
    """

    def __init__(self, browser: webdriver.Chrome, url: str) -> None:
        self.browser = browser
        browser.get("about:blank")  # The page before may be calling a server that is gone.
        browser.get_log("browser")
        browser.get(url)
        browser.execute_script("window.notReloaded = true")
        hidden = "return document.getElementById('connection')?.hidden ?? true"
        self.wait(
            lambda: bool(browser.execute_script(hidden)), "the stream is open, if there is one"
        )

    def sign_in(self, role: str, pin: str = "") -> None:
        """By the form, as a person does; with the tests' PIN of that role, or another one."""
        self.tap("a.account")
        self.wait(lambda: self.is_shown("[name=pin]"), "the form")
        self.tap(f"[name=role][value={role}]")
        self.type_in("[name=pin]", (pin or PINS[role]) + "\n")
        self.wait(lambda: self.is_shown("#board"), "the dashboard again")

    def wait(
        self, condition: Callable[[], bool], what: str, patience_s: float = PATIENCE_S
    ) -> None:
        waiting = WebDriverWait(
            self.browser, patience_s, poll_frequency=0.05, ignored_exceptions=[Exception]
        )
        waiting.until(lambda _: condition(), message=what)

    def one(self, selector: str) -> WebElement:
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> list[WebElement]:
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def tap(self, selector: str, number: int = 0) -> None:
        """On the element of that number; once more where it was redrawn under the finger."""

        def tapped() -> bool:
            self.all(selector)[number].click()
            return True

        self.wait(tapped, f"a tap on {selector}")

    def is_focused(self, selector: str) -> bool:
        focused = "return document.activeElement.matches(arguments[0])"
        return bool(self.browser.execute_script(focused, selector))

    def tab_to(self, selector: str) -> None:
        """Go there with Tab alone, as somebody without a mouse."""
        for _ in range(MOST_TABS):
            if self.is_focused(selector):
                return
            self.keys(Keys.TAB)
        raise AssertionError(f"{selector} cannot be reached by Tab")

    def keys(self, *typed: str) -> None:
        """Type wherever the focus is."""
        for key in typed:
            ActionChains(self.browser).send_keys(key).perform()

    def type_in(self, selector: str, *typed: str) -> None:
        """Type into a place; once more where it was redrawn before the first key."""

        def taken() -> bool:
            try:
                self.one(selector).send_keys(*typed)
            except (NoSuchElementException, StaleElementReferenceException):
                return False
            return True

        self.wait(taken, f"a place to type in: {selector}")

    def each(self, selector: str, what: str, *more: str) -> list[Any]:
        """Of all such elements what an expression says of one (`it`), in one step."""
        found = "[...document.querySelectorAll(arguments[0])]"
        script = f"return {found}.map(it => {what})"
        return list(self.browser.execute_script(script, selector, *more))

    def attributes(self, selector: str, name: str) -> list[str]:
        return self.each(selector, "it.getAttribute(arguments[1])", name)

    def texts(self, selector: str) -> list[str]:
        return [text.strip() for text in self.each(selector, "it.innerText")]

    def text(self, selector: str) -> str:
        return self.texts(selector)[0]

    def is_enabled(self, selector: str) -> bool:
        return not self.each(selector, "it.disabled")[0]

    def is_shown(self, selector: str) -> bool:
        return self.one(selector).is_displayed()

    def deckel(self) -> dict[str, int]:
        return deckel_shown(self.browser)

    def stock(self) -> int:
        return int(self.attributes("#stock", "data-deckel")[0])

    def seq(self) -> int:
        return int(self.attributes("#board .board", "data-seq")[0])

    def answer(self) -> list[str]:
        return self.attributes(".answer-die", "data-value")

    def complaints(self) -> list[dict[str, Any]]:
        """What the browser has against the page.

        That a font was fetched early and not used within seconds is said on a slow machine of every
        page in a tab behind another: nothing is drawn there.
        """
        log: list[dict[str, Any]] = self.browser.get_log("browser")
        loud = [line for line in log if line["level"] in ("SEVERE", "WARNING")]
        return [line for line in loud if UNUSED_YET not in line["message"]]


def press(page: Page, key: str) -> None:
    """A key, wherever the page listens."""
    page.type_in("body", key)


@contextmanager
def more_tabs(browser: webdriver.Chrome) -> Iterator[str]:
    """Close what is opened meanwhile; yields the tab there was, which is in front afterwards."""
    first = browser.current_window_handle
    try:
        yield first
    finally:
        for handle in browser.window_handles:
            if handle != first:
                browser.switch_to.window(handle)
                browser.close()
        browser.switch_to.window(first)


StartServer = Callable[..., Server]
