"""The way in for phones: an address they reach, or what to set."""

import re
from xml.etree import ElementTree

import pytest
from test_web_ui_table import Table

from web_ui import create_app
from web_ui.joining import is_reachable, join_view, qr_svg


@pytest.mark.parametrize(
    "url",
    [
        "http://192.168.1.20:8080/",
        "http://schockauge.local/",
        "https://pub.example/tisch/1",
        "http://[fd00::17]:8080/",
        "http://10.0.0.4",
    ],
)
def test_addresses_that_phones_reach(url: str):
    assert is_reachable(url)
    view = join_view(url, "http://localhost/", "de")
    assert (view["url"], view["problem"]) == (url, "")
    assert view["shown"] in url
    assert "//" not in view["shown"]


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:8080/",
        "http://LOCALHOST/",
        "http://table.localhost/",
        "http://127.0.0.1:8080/",
        "http://127.1.2.3/",
        "http://[::1]:8080/",
        "http://0.0.0.0:8080/",
        "http://[::]/",
        "ftp://192.168.1.20/",
        "192.168.1.20:8080",
        "http://",
        "http://a b/",
        "http://user:secret@host/",
        'http://host/"><script>',
        "http://[nonsense/",
        "http://" + "a" * 300,
        "javascript:alert(1)",
    ],
)
def test_addresses_that_lead_nowhere_say_what_to_set(url: str):
    assert not is_reachable(url)
    view = join_view(url, "http://192.168.1.20/", "en")
    assert view["url"] == ""
    assert "web.public_url" in view["problem"]
    assert url in view["problem"]


def test_without_a_setting_the_address_of_the_request_serves_or_the_screen_says_what_to_set():
    assert join_view("", "http://192.168.1.20:8080/", "de")["url"] == "http://192.168.1.20:8080/"
    problem = join_view("", "http://localhost:8080/", "de")["problem"]
    assert "web.public_url etwa auf http" in problem


def test_the_code_is_a_drawing_with_its_quiet_zone():
    drawn = ElementTree.fromstring(qr_svg("http://192.168.1.20:8080/"))
    size = int(str(drawn.get("viewBox")).split()[2])
    assert size >= 21 + 2 * 4, "smallest code and four modules of white around it"
    assert "width" not in drawn.attrib, "the page gives it its size"


def test_the_wall_screen_asked_under_localhost_shows_no_code():
    client = create_app(Table().log, lambda action: {}).test_client()
    page = client.get("/tv").text
    assert "data-join-problem" in page
    assert "join.svg" not in page
    assert client.get("/join.svg").status_code == 404


def test_the_setting_gives_every_screen_the_code():
    settings = {"PUBLIC_URL": "http://192.168.1.20:8080/"}
    client = create_app(Table().log, lambda action: {}, settings).test_client()
    page = client.get("/tv").text
    assert re.search(r'class="join-url">192\.168\.1\.20:8080<', page)
    response = client.get("/join.svg")
    assert response.status_code == 200
    assert response.mimetype == "image/svg+xml"
    assert response.data == qr_svg("http://192.168.1.20:8080/")


def test_a_forged_host_gets_no_code():
    client = create_app(Table().log, lambda action: {}).test_client()
    page = client.get("/tv", headers={"Host": 'x"><script>alert(1)</script>'}).text
    assert "<script>alert" not in page
    assert "join.svg" not in page
