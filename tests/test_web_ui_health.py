"""The pages of health: what watchers, Prometheus and people are told."""

import re
from typing import Any

import pytest
from test_web_ui_table import Table
from web_ui_pages import SomeHealth

from web_ui import create_app
from web_ui.health_view import SIGNS, present_health


class Health(SomeHealth):
    """One that may fail."""

    reasons: tuple[str, ...] = ()

    def failing(self) -> list[str]:
        return list(self.reasons)


@pytest.fixture
def health() -> Health:
    return Health()


@pytest.fixture
def table() -> Table:
    table = Table()
    table.play_opening()
    return table


@pytest.fixture
def client(table: Table, health: Health) -> Any:
    return create_app(table.log, table.submit, monitor=health).test_client()


def test_healthz_tells_states_and_values(client: Any) -> None:
    answer = client.get("/healthz")
    told = answer.get_json()
    assert (answer.status_code, told["status"], told["reasons"]) == (200, "degraded", [])
    assert told["checks"]["temperature"] == {"state": "warn", "value": 77.0, "unit": "°C"}
    assert told["checks"]["clock"] == {"state": "unknown", "value": None, "unit": ""}


def test_healthz_fails_with_reasons(client: Any, health: Health) -> None:
    health.reasons = ("watch",)
    answer = client.get("/healthz")
    assert (answer.status_code, answer.get_json()["status"]) == (503, "failed")
    assert answer.get_json()["reasons"] == ["watch"]


def test_a_warning_alone_is_still_well(client: Any, health: Health, monkeypatch: Any) -> None:
    rows = [row for row in health.rows() if row.state != "bad"]
    monkeypatch.setattr(health, "rows", lambda: rows)
    assert client.get("/healthz").get_json()["status"] == "ok"
    page = client.get("/health?lang=en").get_data(as_text=True)
    assert "One thing is worth keeping an eye on." in page


def test_nobody_is_named_in_what_anybody_may_read(client: Any, table: Table) -> None:
    for path in ("/healthz", "/metrics", "/health", "/health/board"):
        told = client.get(path).get_data(as_text=True)
        for player in table.match.players:
            assert player not in told, path


@pytest.mark.parametrize("lang", ["de", "en"])
def test_every_row_has_a_word_a_sign_and_what_to_do(client: Any, lang: str) -> None:
    page = client.get(f"/health?lang={lang}").get_data(as_text=True)
    rows = re.findall(r'<tr class="is-(\w+)" data-check="(\w+)".*?</tr>', page, re.S)
    assert [key for _, key in rows] == [
        "camera", "frame_rate", "temperature", "uptime", "clock", "hub_link",
    ]  # fmt: skip
    view = present_health(SomeHealth().rows(), lang)
    shown = {row.key: row for section in view.sections for row in section.rows}
    words = {row.state: row.word for row in shown.values()}
    assert len(set(words.values())) == len(words) == len(SIGNS)
    for key, row in shown.items():
        assert bool(row.todo) == (row.state in ("warn", "bad")), key
        line = re.search(rf'data-check="{key}".*?</tr>', page, re.S)
        assert line is not None
        for told in (row.title, row.word, row.said, row.sign):
            assert told in line[0].replace("&#39;", "'"), (key, told)


def test_the_worst_gives_the_whole_its_state(client: Any) -> None:
    page = client.get("/health").get_data(as_text=True)
    assert 'data-state="bad"' in page
    assert "Eines ist in Ordnung zu bringen." in page


def test_metrics_are_text_of_the_port(client: Any) -> None:
    answer = client.get("/metrics")
    assert answer.get_data(as_text=True) == "# nothing\n"
    assert answer.content_type.startswith("text/plain")


def test_where_nothing_is_measured_that_is_said(table: Table) -> None:
    client = create_app(table.log, table.submit).test_client()
    assert "Hier wird nichts gemessen." in client.get("/health").get_data(as_text=True)
    assert "checks" not in client.get("/healthz").get_json()
    assert client.get("/metrics").get_data() == b""


def test_a_stranger_s_host_name_reads_nothing(client: Any) -> None:
    for path in ("/healthz", "/metrics", "/health"):
        assert client.get(path, headers={"Host": "evil.example.org"}).status_code == 400
