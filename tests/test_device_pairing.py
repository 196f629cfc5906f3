"""Pairing: by code, by QR code, by file; codes hold once, ten minutes, and cannot be guessed."""

import json
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hub_wires import KEY
from hypothesis import given
from hypothesis import strategies as st

from device.errors import SchockaugeError
from device.hub.pairing import MOST_BEGUN, MOST_WRONG, SESSION_S, VALID_S, Offer, PairingDesk
from device.pairing_client import Invitation, ask_for_pairing
from device.pairing_exchange import Code, HubExchange, TableExchange, WrongCodeError
from device.pairing_file import BrokerAccess, Pairing, load_pairing, save_pairing
from device.server import DashboardServer
from web_ui.errors import ActionRefused
from web_ui.pairing import PATH, create_pairing_app

Run = Callable[..., tuple[int, str, str]]

SOME = Pairing("table-7", BrokerAccess("192.168.1.5", 8883, "table-7", "secret", "PEM"), KEY)


class Desk:
    """A pairing desk with a clock that is set by hand.

    Attributes:
        issued: tables that got a pairing.
        reports: what the desk has told.
    """

    def __init__(self) -> None:
        self.now_s = 0.0
        self.issued: list[str] = []
        self.reports: list[str] = []
        self.desk = PairingDesk(self._issue, self.reports.append, lambda: self.now_s)

    def _issue(self, table: str) -> Pairing:
        self.issued.append(table)
        return SOME

    def attempt(self, code: Code) -> Pairing:
        """What a table does, without a network between."""
        table = TableExchange(code)
        session, message = self.desk.begin(code.offer, table.message)
        return Pairing.from_json(table.open(self.desk.finish(session, table.proof(message))))

    def refused(self, code: Code) -> str:
        with pytest.raises(ActionRefused) as refusal:
            self.attempt(code)
        return refusal.value.code


@pytest.fixture
def desk() -> Desk:
    return Desk()


def wrong(offer: Offer) -> Code:
    digits = f"{(int(offer.code.digits) + 1) % 1_000_000:06d}"
    return Code(offer.code.offer, digits)


def test_who_knows_the_code_gets_the_pairing_once(desk: Desk) -> None:
    offer = desk.desk.offer("table-7")
    assert desk.attempt(offer.code) == SOME
    assert desk.desk.is_paired(offer)
    assert desk.refused(offer.code) == "pairing_void"
    assert desk.issued == ["table-7"]


@pytest.mark.parametrize("is_kept", [True, False])
def test_a_code_holds_until_the_pairing_by_it_is_kept_or_cannot_be(
    is_kept: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever waits at the hub never sees it void in between: he would shut the door.

    The table is told which of both it is, the hub why.
    """
    seen: list[bool] = []

    def issue(_table: str) -> Pairing:
        seen.append(desk.desk.is_open(offer) and not desk.desk.is_paired(offer))
        if not is_kept:
            raise SchockaugeError("The disk is full.")
        return SOME

    desk = Desk()
    desk.desk = PairingDesk(issue, desk.reports.append, lambda: desk.now_s)
    offer = desk.desk.offer("table-7")
    if is_kept:
        assert desk.attempt(offer.code) == SOME
    else:
        assert desk.refused(offer.code) == "pairing_failed"
    assert seen == [True]
    assert (desk.desk.is_open(offer), desk.desk.is_paired(offer)) == (False, is_kept)
    assert ("The disk is full." in caplog.text) is not is_kept


def test_who_does_not_know_it_gets_nothing(desk: Desk) -> None:
    offer = desk.desk.offer("table-7")
    assert desk.refused(wrong(offer)) == "pairing_wrong"
    assert desk.refused(Code(50, offer.code.digits)) == "pairing_void"
    assert desk.issued == []
    assert desk.attempt(offer.code) == SOME, "one wrong guess costs the right one nothing"


def test_ten_wrong_codes_void_all_and_the_desk_is_told(desk: Desk) -> None:
    offers = [desk.desk.offer("table-7"), desk.desk.offer("table-8")]
    for _ in range(MOST_WRONG):
        assert desk.refused(wrong(offers[0])) == "pairing_wrong"
        desk.now_s += 10.0
    assert [desk.refused(offer.code) for offer in offers] == ["pairing_void"] * 2
    assert len(desk.reports) == 1
    assert desk.attempt(desk.desk.offer("table-7").code) == SOME


def test_a_code_holds_ten_minutes(desk: Desk) -> None:
    offer = desk.desk.offer("table-7")
    desk.now_s = VALID_S
    assert not desk.desk.is_open(offer)
    assert desk.refused(offer.code) == "pairing_void"


def test_a_table_that_has_begun_has_a_minute(desk: Desk) -> None:
    offer = desk.desk.offer("table-7")
    table = TableExchange(offer.code)
    session, message = desk.desk.begin(offer.code.offer, table.message)
    desk.now_s = SESSION_S
    with pytest.raises(ActionRefused):
        desk.desk.finish(session, table.proof(message))
    assert desk.attempt(offer.code) == SOME


def test_a_new_code_of_a_table_voids_the_one_before(desk: Desk) -> None:
    first, second = desk.desk.offer("table-7"), desk.desk.offer("table-7")
    assert not desk.desk.is_open(first)
    assert desk.attempt(second.code) == SOME


def test_nobody_can_keep_the_hub_busy(desk: Desk) -> None:
    offer = desk.desk.offer("table-7")
    for _ in range(MOST_BEGUN):
        desk.desk.begin(offer.code.offer, TableExchange(offer.code).message)
    assert desk.refused(offer.code) == "pairing_busy"
    desk.now_s = 60.0
    assert desk.attempt(offer.code) == SOME


def test_two_tables_at_once_get_their_own(desk: Desk) -> None:
    offers = [desk.desk.offer(name) for name in ("table-7", "table-8")]
    for offer in reversed(offers):
        desk.attempt(offer.code)
    assert desk.issued == ["table-8", "table-7"]


def test_a_stranger_in_the_hubs_place_is_found_out() -> None:
    table = TableExchange(Code(7, "123456"))
    stranger = HubExchange(Code(7, "654321"), table.message)
    assert not stranger.is_proved_by(table.proof(stranger.message))
    with pytest.raises(WrongCodeError, match="not our hub"):
        table.open(stranger.seal(SOME.to_json()))


@given(st.binary(max_size=80))
def test_what_is_no_message_is_refused(said: bytes) -> None:
    with suppress(WrongCodeError):
        hub = HubExchange(Code(7, "123456"), said)
        assert not hub.is_proved_by(said)
    table = TableExchange(Code(7, "123456"))
    for step in (table.proof, table.open):
        with pytest.raises(WrongCodeError):
            step(said)


@pytest.mark.parametrize("entered", ["7-482913", " 7 - 482 913 ", "7 482-913", "07-482913"])
def test_a_code_may_be_entered_as_people_write_it(entered: str) -> None:
    assert Code.read(entered) == Code(7, "482913")


@pytest.mark.parametrize("entered", ["", "482913", "7-48291", "7-4829133", "seven-482913"])
def test_what_is_no_code_is_said(entered: str) -> None:
    with pytest.raises(SchockaugeError, match="such as 7-482913"):
        Code.read(entered)


@pytest.fixture
def server(desk: Desk) -> Iterator[DashboardServer]:
    app = create_pairing_app(desk.desk)
    with DashboardServer(app, host="127.0.0.1", port=0, threads=4) as started:
        yield started


def test_over_the_network(desk: Desk, server: DashboardServer) -> None:
    offer = desk.desk.offer("table-7")
    with pytest.raises(SchockaugeError, match="refuses: The code is wrong"):
        ask_for_pairing(Invitation(server.url, wrong(offer)))
    assert ask_for_pairing(Invitation(server.url, offer.code)) == SOME
    with pytest.raises(SchockaugeError, match="does not hold"):
        ask_for_pairing(Invitation(server.url, offer.code))


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"offer": "7", "message": ""}, 400),
        ({"offer": True, "message": ""}, 400),
        ({"offer": 7, "message": "xyz"}, 400),
        ({"offer": 7, "message": "00" * 1000}, 400),
        ({"session": 3, "proof": ""}, 400),
        ({"session": "none", "proof": "00"}, 409),
        ({"offer": 7, "message": "00"}, 409),
        ([], 400),
    ],
)
def test_nonsense_is_refused_in_two_languages(desk: Desk, body: Any, status: int) -> None:
    client = create_pairing_app(desk.desk).test_client()
    answer = client.post(PATH, json=body)
    assert answer.status_code == status
    assert {"code", "text_de", "text_en"} <= answer.get_json()["error"].keys()


@pytest.mark.parametrize(
    "url", ["", "ftp://x/", "http://", "hub", "http://[::1/", "http://x:port/"]
)
def test_an_address_that_is_none_is_said(url: str) -> None:
    with pytest.raises(SchockaugeError, match="no address of a hub"):
        ask_for_pairing(Invitation(url, Code(7, "123456")))


def test_a_server_that_is_no_hub_is_said(start: Any) -> None:
    from web_ui_page import Table as Page

    page = start(Page())
    with pytest.raises(SchockaugeError, match=r"refuses|is no hub"):
        ask_for_pairing(Invitation(page.url, Code(7, "123456")))


def test_a_hub_that_is_not_there_is_said(server: DashboardServer) -> None:
    server.close()
    with pytest.raises(SchockaugeError, match="cannot be reached"):
        ask_for_pairing(Invitation(server.url, Code(7, "123456")))


def test_a_pairing_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "pairing.json"
    save_pairing(path, SOME)
    assert load_pairing(path) == SOME
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "secret" not in repr(SOME)
    assert KEY.hex() not in repr(SOME)


@pytest.mark.parametrize(
    "change",
    [{"key": "00"}, {"key": 3}, {"port": 0}, {"host": ""}, {"table": "Table 7"}, {"user": None}],
)
def test_a_damaged_pairing_is_said(tmp_path: Path, change: dict[str, Any]) -> None:
    path = tmp_path / "pairing.json"
    path.write_text(json.dumps({**SOME.to_json(), **change}))
    with pytest.raises(SchockaugeError, match=r"pairing\.json"):
        load_pairing(path)
