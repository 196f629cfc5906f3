"""What the page is told of the table's settings: at the start, and when they are changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from device.evidence import Evidence
from device.server import SPARE_THREADS
from rules.book import RuleBook

HOUR_S = 3600.0


def at_once(settings: Mapping[str, Any]) -> dict[str, Any]:
    """What the page looks up with every request, by its own names: a change counts at once.

    These are the settings that are `at_once`; a test compares them.
    """
    signed_in_s = settings["web.signed_in_h"] * HOUR_S
    return {
        "TABLE_NEEDS_PIN": settings["web.table_needs_pin"],
        "SIGNED_IN_S": signed_in_s,
        "PERMANENT_SESSION_LIFETIME": signed_in_s,
        "DEFAULT_LANGUAGE": settings["web.language"],
        "TABLE_NAME": settings["web.table_name"],
        "PUBLIC_URL": settings["web.public_url"],
    }


def page_settings(
    settings: Mapping[str, Any], evidence: Evidence | None, books: Sequence[RuleBook]
) -> dict[str, Any]:
    """All that the page is told at the start.

    Args:
        settings: of the table.
        evidence: where stills and clips lie; None: nowhere.
        books: the pub's own.
    """
    return at_once(settings) | {
        "HOST_NAMES": settings["web.host_names"],
        "EVIDENCE_DIR": None if evidence is None else str(evidence.folder),
        "HOUSE_BOOKS": books,
        "WEEKDAY": settings["game.weekday"],
        "LAYOUT": settings["table.layout"],
        "FIXED_SEATS": tuple(settings["table.seats"]),
        "STREAM_LIMIT": max(1, settings["web.threads"] - SPARE_THREADS),
    }
