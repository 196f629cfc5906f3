"""The pages /tv and /overlay as they are sent: facts, markup, themes, and how much it is."""

import re
from urllib.parse import urljoin

import pytest
from flask.testing import FlaskClient
from test_web_ui_table import Table
from web_ui_scenes import evening, mid_round, names

from rules.actions import ThrowDice
from web_ui import create_app

BUDGET_BYTES = 150_000
PATHS = ["/tv", "/tv/board", "/overlay", "/overlay/board"]


def client_of(table: Table, **settings: object) -> FlaskClient:
    return create_app(table.log, table.submit, settings).test_client()


def page_of(table: Table, path: str = "/tv") -> str:
    response = client_of(table).get(path)
    assert response.status_code == 200, response.text
    return response.text


def playing(count: int = 4) -> Table:
    """A round under way."""
    table = Table(names(count))
    mid_round(table)
    return table


def test_the_player_with_the_turn_is_marked_and_no_other():
    table = playing(6)
    page = page_of(table)
    rows = re.findall(r'<li class="seat ([^"]*)"\s+data-player="([^"]+)"', page)
    assert [name for classes, name in rows if "on" in classes.split()] == [
        table.match.current_player
    ]
    assert page.count('aria-current="true"') == 1
    assert f'data-turn="{table.match.current_player}"' in page


@pytest.mark.parametrize("count", range(2, 11))
def test_every_deckel_is_a_disc(count: int):
    table = playing(count)
    page = page_of(table, "/tv/board")
    assert len(re.findall(r"data-player=", page)) == count
    assert page.count('href="#deckel"') == 13
    assert page.count('href="#deckel-empty"') == 13 - table.match.stock


def test_the_marker_of_half_one_lies_at_its_loser():
    table = playing(5)
    page = page_of(table)
    (row,) = [row for row in page.split('<li class="seat')[1:] if "data-marker" in row]
    assert f'data-player="{table.match.state.half1_loser}"' in row
    assert 'data-marker="half1"' in row


def test_covered_and_open_cups_are_drawn():
    page = page_of(playing(6))
    cups = re.findall(r'data-cup="(\w+)"', page)
    assert sorted(cups) == ["covered", "open", "open", "turn", "waits", "waits"]


def test_after_the_game_the_leaderboard_stands_with_the_loser_above():
    table = Table(names(4), start_s=30.0)  # a clip's time is one evening, whatever the hour
    evening(table, games=2)
    page = page_of(table)
    assert 'data-mode="over"' in page
    assert re.findall(r'data-leader="([^"]+)"', page)[0] != table.match.state.game_loser
    assert f">{table.match.state.game_loser}</p>" in page


def test_both_languages():
    table = playing()
    assert "Am Zug" in page_of(table)
    assert "To throw" in page_of(table, "/tv?lang=en")
    assert 'data-board-url="/tv/board?lang=en"' in page_of(table, "/tv?lang=en")


@pytest.mark.parametrize(
    ("asked", "scheme", "light"),
    [
        ("", "dark light", ' media="(prefers-color-scheme: light)"'),
        ("?theme=light", "light", ""),
        ("?theme=dark", "dark", None),
        ("?theme=%22%3E", "dark light", ' media="(prefers-color-scheme: light)"'),
    ],
)
def test_the_theme_is_the_devices_or_the_one_asked_for(asked: str, scheme: str, light: str | None):
    page = page_of(Table(), f"/tv{asked}")
    assert f'<meta name="color-scheme" content="{scheme}">' in page
    found = re.search(r'css/light\.css"([^>]*)>', page)
    assert (found and found[1]) == light


@pytest.mark.parametrize("corner", ["bottom-left", "bottom-right", "top-left", "top-right"])
def test_the_overlay_sits_in_the_corner_asked_for(corner: str):
    assert f'<body class="{corner}"' in page_of(playing(), f"/overlay?corner={corner}")


def test_an_unknown_corner_is_the_lower_left_one():
    assert '<body class="bottom-left"' in page_of(playing(), "/overlay?corner=%3Cscript%3E")


def test_the_overlay_tells_turn_dice_result_and_deckel():
    table = playing(4)
    page = page_of(table, "/overlay")
    assert f'data-turn="{table.match.current_player}"' in page
    now = page[page.index('class="now') : page.index('class="holdings')]
    assert re.findall(r"#die-(\d)", now) == ["6", "4", "1"]
    assert "sechs einundvierzig im Ersten" in now
    held = dict(re.findall(r'data-player="([^"]+)"\s+data-deckel="(\d+)"', page))
    assert held == {name: str(count) for name, count in table.match.holdings.items()}


MARKUP = "<img src=x onerror=alert(1)>&\"'"


@pytest.mark.parametrize("path", PATHS)
def test_markup_in_a_name_is_only_a_name(path: str):
    table = Table([MARKUP, "{{ 7*7 }}", "</li><script>alert(1)</script>"])
    for dice in [(6, 5, 2), (5, 4, 4), (2, 2, 1)]:
        table.do(ThrowDice(str(table.match.current_player), dice))
    table.do(ThrowDice(str(table.match.current_player), (1, 1, 1)))
    table.ask("q1", player=MARKUP)
    page = page_of(table, path)
    assert "<img src=x" not in page
    assert "<script>" not in page
    assert "&lt;img src=x onerror=alert(1)&gt;&amp;&#34;&#39;" in page
    assert "{{ 7*7 }}" in page


@pytest.mark.parametrize("path", ["/tv", "/overlay"])
def test_nothing_inline_and_nothing_from_elsewhere(path: str):
    response = client_of(playing(), PUBLIC_URL="http://192.168.1.20/").get(path)
    assert "unsafe" not in response.headers["Content-Security-Policy"]
    assert " style=" not in response.text
    assert "<style" not in response.text
    assert not re.search(r"\son[a-z]+=", response.text)
    scripts = re.findall(r"<script[^>]*>", response.text)
    assert scripts == [f'<script src="/static{path}.js" type="module">']
    assert "//" not in response.text.replace("<!doctype", "")


def everything_loaded(client: FlaskClient, path: str) -> dict[str, int]:
    """What the page makes a browser fetch, to the last font: bytes by address."""
    found: dict[str, int] = {}
    waiting = [path]
    while waiting:
        address = waiting.pop()
        if address in found:
            continue
        assert address.startswith("/"), f"{address} leaves the machine"
        assert not address.startswith("//"), f"{address} leaves the machine"
        with client.get(address) as response:
            assert response.status_code == 200, address
            found[address] = len(response.data)
            kind = response.mimetype
            text = response.data.decode("utf-8", "replace")
        patterns = {
            "text/html": r'(?:src|href)="([^"#]+)"',
            "text/css": r'(?:url\(|@import )"?([^")]+)',
            "text/javascript": r'from "([^"]+)"',
        }
        for name in re.findall(patterns.get(kind, "$^"), text):
            waiting.append(urljoin(address, name))
    return found


@pytest.mark.parametrize("path", ["/tv", "/tv?theme=light", "/overlay"])
def test_the_first_view_is_below_150_kilobytes(path: str):
    table = Table(names(10, long=True))
    mid_round(table)
    client = client_of(table, PUBLIC_URL="http://192.168.1.20:8080/")
    found = everything_loaded(client, path)
    found |= everything_loaded(client, "/join.svg")
    kinds = {address.rpartition(".")[2] for address in found}
    assert {"css", "js", "woff2", "svg"} <= kinds
    assert "/static/live.js" in found, "what a script imports counts too"
    assert sum(found.values()) < BUDGET_BYTES, found
