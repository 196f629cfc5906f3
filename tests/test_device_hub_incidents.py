"""What the desk is told of refused messages, and how often."""

from device.hub.incidents import TEXTS, Incident, IncidentBook


def test_every_kind_of_incident_is_told_in_both_languages() -> None:
    for kind in TEXTS:
        german, english = Incident(kind, "table-7", seq=3).texts()
        assert "table-7" in german
        assert "table-7" in english
        assert german != english


def test_a_flood_of_incidents_is_written_once_a_minute_with_its_count() -> None:
    book = IncidentBook()
    for n in range(1000):
        book.note(Incident("stranger", f"table-{n}"))
        book.note(Incident("forged", "table-1"))
    assert [(data["kind"], data["count"]) for data in book.due(0.0)] == [
        ("stranger", 1000),
        ("forged", 1000),
    ]
    book.written(0.0)
    book.note(Incident("forged", "table-1"))
    book.note(Incident("forged", "table-2"))
    assert [data["table"] for data in book.due(1.0)] == ["table-2"]
    book.written(1.0)
    assert book.waiting()
    assert [data["table"] for data in book.due(60.0)] == ["table-1"]
    book.written(60.0)
    assert not book.waiting()
