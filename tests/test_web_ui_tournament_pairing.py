"""The organiser's page of codes, and the hub's door at which tables ask for their pairings."""

import re
from typing import Any

import pytest
import segno
from flask.testing import FlaskClient
from hall_client import organiser, visitor, words
from hall_scenes import drawn, opened, status
from hub_wires import KEY
from test_device_pairing import SOME
from tournament_hall import MemoryHall

from device.errors import HubError
from device.hub.pairing import MOST_WRONG, VALID_S, PairingDesk
from device.hub.pairing_office import Office, pages_url
from device.pairing_client import Invitation
from device.pairing_exchange import Code, TableExchange
from device.pairing_file import Pairing
from web_ui.pairing import PATH

PAGE = "/tournament/pairing"
URL = "http://192.168.1.20:8090/"


class Paired:
    """A hall with an office, whose time a test sets."""

    def __init__(self, hall: MemoryHall | None = None, url: str = URL) -> None:
        self.now_s, self.issued, self.reports = 0.0, list[str](), list[str]()
        self.broken = False
        self.url = url
        desk = PairingDesk(self._issue, self.reports.append, lambda: self.now_s)
        self.office = Office(desk, lambda: self.url, lambda: self.now_s)
        self.hall = hall or opened()
        self.hall.office = self.office
        self.client = organiser(self.hall)

    def _issue(self, table: str) -> Pairing:
        if self.broken:
            raise HubError("The disk is full.")
        self.issued.append(table)
        return SOME

    def press(self, do: str, table: str, **more: Any) -> Any:
        return self.client.post(f"{PAGE}?lang=en", data={"do": do, "table": table, **more})

    def code(self) -> Code:
        """As it stands on the page, to be read aloud."""
        (digits,) = re.findall(r'<p class="digits">([^<]+)</p>', self.client.get(PAGE).text)
        return Code.read(digits)


@pytest.fixture
def at() -> Paired:
    return Paired()


def ask(client: FlaskClient, code: Code) -> Any:
    """A table asks, as `schockauge pair` does; the answer of the last request."""
    table = TableExchange(code)
    first = client.post(PATH, json={"offer": code.offer, "message": table.message.hex()})
    if first.status_code != 200:
        return first
    proof = table.proof(bytes.fromhex(first.json["message"]))
    last = client.post(PATH, json={"session": first.json["session"], "proof": proof.hex()})
    if last.status_code == 200:
        assert Pairing.from_json(table.open(bytes.fromhex(last.json["sealed"]))) == SOME
    return last


def wrong(code: Code) -> Code:
    return Code(code.offer, f"{(int(code.digits) + 1) % 1_000_000:06d}")


def test_the_organiser_reads_a_code_and_a_stranger_who_knows_it_is_paired_once(at: Paired) -> None:
    assert at.press("offer", "table-7").status_code == 303
    code = at.code()
    page = at.client.get(f"{PAGE}?lang=en")
    assert f"schockauge pair {URL} {code}" in words(page)
    assert "Holds for another 10:00 minutes" in words(page)
    table = visitor(at.hall)  # the device at the table has no PIN
    assert ask(table, code).status_code == 200
    assert at.issued == ["table-7"]
    assert "digits" not in at.client.get(PAGE).text, "it holds once"
    assert ask(table, code).json["error"]["code"] == "pairing_void"


def test_the_qr_code_is_what_a_tables_camera_understands(at: Paired) -> None:
    at.press("offer", "table-7")
    drawn_here = segno.make(Invitation(URL, at.code()).to_text(), error="m", micro=False)
    lines = re.findall(r' d="(M[^"]+)"', drawn_here.svg_inline(omitsize=True))
    assert lines[-1] in at.client.get(PAGE).text


def test_only_the_organiser_sees_codes_or_has_one_shown(at: Paired) -> None:
    at.press("offer", "table-7")
    digits = at.code().digits
    stranger, player = visitor(at.hall), organiser(at.hall, "table")
    for client, seen, done in ((stranger, 401, 401), (player, 403, 403)):
        assert client.get(PAGE).status_code == 302
        assert client.get(f"{PAGE}/board").status_code == seen
        assert client.post(PAGE, data={"do": "offer", "table": "evil"}).status_code == done
        for path in (PAGE, f"{PAGE}/board", "/tournament", "/api/tournament", "/tournament/wall"):
            assert digits not in client.get(path, follow_redirects=True).text
    elsewhere = {"Origin": "http://evil.example"}
    form = {"do": "offer", "table": "evil"}
    assert at.client.post(PAGE, data=form, headers=elsewhere).status_code == 403
    at.client.environ_base.pop("HTTP_X_CSRF_TOKEN")
    assert at.press("offer", "evil").status_code == 403
    assert [one.table for one in at.office.codes()] == ["table-7"]


def test_two_desks_have_one_code_and_either_withdraws_it(at: Paired) -> None:
    at.press("offer", "table-7")
    code = at.code()
    at.press("offer", "table-7")
    assert at.code() == code, "whoever reads it aloud at the other desk is not wrong"
    assert at.press("withdraw", "table-7").status_code == 303
    assert at.press("withdraw", "table-7").status_code == 303
    assert ask(visitor(at.hall), code).json["error"]["code"] == "pairing_void"


def test_a_code_that_is_over_is_gone_from_the_page(at: Paired) -> None:
    at.press("offer", "table-7")
    at.now_s = VALID_S
    assert "digits" not in at.client.get(PAGE).text


def test_ten_wrong_ones_void_all_and_the_desk_is_told(at: Paired) -> None:
    at.press("offer", "table-7")
    code, table = at.code(), visitor(at.hall)
    for _ in range(MOST_WRONG):
        assert ask(table, wrong(code)).json["error"]["code"] == "pairing_wrong"
    assert len(at.reports) == 1
    assert ask(table, code).json["error"]["code"] == "pairing_void"


def test_who_asks_for_offers_that_are_none_holds_up_nobody(at: Paired) -> None:
    at.press("offer", "table-7")
    code, table = at.code(), visitor(at.hall)
    for _ in range(100):
        answer = table.post(PATH, json={"offer": 99, "message": "00"})
        assert answer.json["error"]["code"] == "pairing_void"
    assert ask(table, code).status_code == 200


def test_a_pairing_that_cannot_be_kept_is_said_and_nothing_is_given_out(at: Paired) -> None:
    at.press("offer", "table-7")
    at.broken = True
    answer = ask(visitor(at.hall), at.code())
    assert answer.status_code == 409
    assert answer.json["error"]["code"] == "pairing_failed"
    assert KEY.hex() not in answer.text


@pytest.mark.parametrize("name", ["", "Tisch 7", "<img src=x>", "x" * 33, "-7", "ä"])
def test_what_no_table_can_be_called_is_refused_and_what_was_typed_stays(
    at: Paired, name: str
) -> None:
    answer = at.press("offer", name)
    assert answer.status_code == 409
    assert "such as table-7" in words(answer)
    assert "<img src=x>" not in answer.text
    assert not at.office.codes()
    assert at.press("dance", "table-7").status_code == 400


def test_a_free_name_is_proposed_and_a_paired_table_is_warned_of() -> None:
    at = Paired(drawn())
    at.hall.others = [status(1, ("A", "B"))]
    page = at.client.get(f"{PAGE}?lang=en")
    assert 'value="table-1"' in page.text
    assert "tisch-1" in words(page)
    at.press("offer", "tisch-1")
    assert "Once this code is used, its old pairing is void" in words(
        at.client.get(f"{PAGE}?lang=en")
    )
    at.press("offer", "table-1")
    assert 'value="table-2"' in at.client.get(PAGE).text


@pytest.mark.parametrize("lang", ["de", "en"])
def test_where_no_table_can_ask_the_page_says_what_to_set(lang: str) -> None:
    at = Paired(url="")
    page = at.client.get(f"{PAGE}?lang={lang}")
    assert "--host 0.0.0.0" in words(page)
    assert re.search(r'value="offer"[^>]*\sdisabled', page.text)
    assert at.press("offer", "table-7").status_code == 409
    assert not at.office.codes()


def test_without_a_broker_nothing_is_paired() -> None:
    hall = opened()
    client = organiser(hall)
    assert "No tables can be paired here" in words(client.get(f"{PAGE}?lang=en"))
    assert client.post(PAGE, data={"do": "offer", "table": "table-7"}).status_code == 409
    assert client.post(PAGE, data={"do": "withdraw", "table": "table-7"}).status_code == 303
    for body in ({"offer": 1, "message": "00"}, {"session": "x", "proof": "00"}):
        assert client.post(PATH, json=body).json["error"]["code"] == "no_pairing"


@pytest.mark.parametrize(
    ("host", "listens_on", "expected"),
    [
        ("192.168.1.5", "0.0.0.0", "http://192.168.1.5:8090/"),
        ("hub.local", "::", "http://hub.local:8090/"),
        ("fe80::1", "0.0.0.0", "http://[fe80::1]:8090/"),
        ("192.168.1.5", "127.0.0.1", ""),
        ("hub.local", "localhost", ""),
        ("127.0.0.1", "127.0.0.1", "http://127.0.0.1:8090/"),
    ],
)
def test_the_address_that_tables_are_told_is_one_that_they_reach(
    host: str, listens_on: str, expected: str
) -> None:
    assert pages_url(host, listens_on, 8090) == expected
