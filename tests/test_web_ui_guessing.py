"""Ten thousand guesses lead nowhere, and the guesser locks out himself alone."""

import threading
from typing import Any

import pytest
from flask.testing import FlaskClient
from test_web_ui_table import Table
from web_ui_access import PINS, THROW, Clock, begin, guarded, known_pins, sign_in, signed_in

from web_ui.guessing import EACH, FORGET_S, STRANGERS, Guesses, TooManyTries, network
from web_ui.pins import Pins
from web_ui.roles import PIN_ROLES


class CountingPins:
    """The real PINs; counts how often one is really looked at."""

    def __init__(self) -> None:
        self.pins = known_pins()
        self.looked = 0
        matches = self.pins.matches

        def counting(role: str, pin: str) -> bool:
            self.looked += 1
            return matches(role, pin)

        self.pins.matches = counting  # type: ignore[method-assign]


def guess(client: FlaskClient, role: str, pin: str, address: str) -> Any:
    body = {"role": role, "pin": pin}
    return client.post("/api/session", json=body, environ_overrides={"REMOTE_ADDR": address})


@pytest.mark.parametrize("addresses", [1, 200])
def test_ten_thousand_guesses_lead_nowhere_and_the_table_goes_on(addresses: int):
    """One a second, and every PIN of four digits is among them."""
    clock, table, counting = Clock(), Table(), CountingPins()
    app = guarded(table, clock=clock, pins=counting.pins)
    device, attacker = signed_in(app, "table"), app.test_client()
    begin(attacker)
    counting.looked = 0
    answers: dict[int, int] = {}
    for number in range(10_000):
        clock.now_s += 1.0
        from_where = f"10.0.0.{number % addresses}" if addresses > 1 else "10.0.0.1"
        answer = guess(attacker, "table", f"{number:04d}", from_where)
        answers[answer.status_code] = answers.get(answer.status_code, 0) + 1
        if number == 5_000:
            assert device.post("/api/actions", json=THROW).status_code == 200
    assert 200 not in answers
    assert answers[401] == counting.looked < 70
    assert answers[429] > 9_900
    assert len(table.log.read(0, 100_000)) < 100
    assert guess(device, "table", PINS["table"], "10.0.0.1").status_code == 200, (
        "the table's own device, signed out by accident, behind the attacker's very address"
    )


def test_a_new_device_gets_in_while_one_address_guesses():
    clock, table = Clock(), Table()
    app = guarded(table, clock=clock)
    attacker, guest = app.test_client(), app.test_client()
    begin(attacker)
    for number in range(1_000):
        guess(attacker, "table", f"{number:04d}", "10.0.0.66")
    where = {"environ_overrides": {"REMOTE_ADDR": "10.0.0.7"}}
    assert sign_in(guest, "table", **where).status_code == 200


def test_the_wait_is_told_and_doubles():
    clock, table = Clock(), Table()
    client = guarded(table, clock=clock).test_client()
    begin(client)
    waits = []
    for _ in range(EACH.free + 3):
        answer = sign_in(client, "referee", "000001")
        if answer.status_code == 429:
            waits.append(int(answer.headers["Retry-After"]))
            assert f"in {waits[-1]} Sekunden" in answer.get_json()["error"]["text_de"]
            clock.now_s += waits[-1]
            assert sign_in(client, "referee", "000001").status_code == 401
    assert waits == [10, 20, 40]


def test_knowing_one_pin_does_not_help_to_guess_another():
    """A guest who knows the table's PIN signs in between, and again from a clean browser."""
    clock, table, counting = Clock(), Table(), CountingPins()
    app = guarded(table, clock=clock, pins=counting.pins)
    counting.looked = tried = 0
    for _ in range(30):
        client = app.test_client()
        assert sign_in(client, "table").status_code == 200
        for number in range(10):
            sign_in(client, "referee", f"{number:06d}")
            tried += 1
    assert counting.looked - 30 == EACH.free
    assert tried == 300


def test_many_guesses_at_once_are_counted_like_one_after_the_other():
    guesses, passed = Guesses(Clock()), []

    def attempt() -> None:
        try:
            guesses.begin("table", address="10.0.0.1", device=None)
        except TooManyTries:
            return
        passed.append(1)

    threads = [threading.Thread(target=attempt) for _ in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(passed) == EACH.free


def test_what_failed_is_forgotten_after_a_day():
    clock = Clock()
    guesses = Guesses(clock)
    for _ in range(EACH.free):
        guesses.begin("table", address="10.0.0.1", device=None)
    with pytest.raises(TooManyTries):
        guesses.begin("table", address="10.0.0.1", device=None)
    clock.now_s += FORGET_S + 1
    for _ in range(EACH.free):
        guesses.begin("table", address="10.0.0.1", device=None)


def test_strangers_are_held_up_together_and_devices_are_not():
    guesses = Guesses(Clock())
    for number in range(STRANGERS.free):
        guesses.begin("table", address=f"10.0.{number}.1", device=None)
    with pytest.raises(TooManyTries):
        guesses.begin("table", address="10.9.9.9", device=None)
    guesses.begin("table", address="10.9.9.9", device="known")
    guesses.begin("referee", address="10.9.9.9", device=None)


def test_a_day_of_guessing_is_a_matter_of_hundreds():
    clock = Clock()
    guesses, passed = Guesses(clock), 0
    end_s = clock.now_s + 86_400
    number = 0
    while clock.now_s < end_s:
        number += 1
        try:
            guesses.begin("table", address=f"10.{number >> 8 & 255}.{number & 255}.1", device=None)
            passed += 1
        except TooManyTries as error:
            clock.now_s += error.wait_s
    assert passed < 200


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2001:db8::1", "2001:db8::ffff:1"),
        ("fe80::1%eth0", "fe80::2"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("?", "?"),
    ],
)
def test_one_guesser_is_one_whatever_his_address(one: str, other: str):
    assert network(one) == network(other)
    assert network("10.0.0.1") != network("10.0.0.2")


def test_every_role_with_a_pin_is_guarded():
    for role in PIN_ROLES:
        pins: Pins = known_pins()
        client = guarded(Table(), pins=pins).test_client()
        codes = [sign_in(client, role, "555555").status_code for _ in range(EACH.free + 1)]
        assert codes == [401] * EACH.free + [429]


def test_guesses_at_once_take_no_more_than_two_threads_from_the_table():
    """Each PIN takes a while to be looked at; the others are sent away, not kept waiting."""
    counting, table = CountingPins(), Table()
    app = guarded(table, pins=counting.pins)
    device = signed_in(app, "table")
    looking, go_on = threading.Semaphore(0), threading.Event()

    def slow(role: str, pin: str) -> bool:
        looking.release()
        return not go_on.wait(30)

    counting.pins.matches = slow  # type: ignore[method-assign]
    strangers = [app.test_client() for _ in range(5)]
    for client in strangers:
        begin(client)
    slow_ones = [
        threading.Thread(target=guess, args=(client, "table", "1111", f"10.0.0.{number}"))
        for number, client in enumerate(strangers[:2])
    ]
    for thread in slow_ones:
        thread.start()
    for _ in slow_ones:
        assert looking.acquire(timeout=30)
    answers = [guess(client, "table", "1111", "10.0.1.1") for client in strangers[2:]]
    assert [answer.get_json()["error"]["code"] for answer in answers] == ["busy"] * 3
    assert device.post("/api/actions", json=THROW).status_code == 200
    go_on.set()
    for thread in slow_ones:
        thread.join()
    assert guess(strangers[4], "table", "1111", "10.0.1.1").status_code == 401
