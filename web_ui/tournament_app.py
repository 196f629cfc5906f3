"""Puts the hub's application together: the hall, its pages, signing in."""

from collections.abc import Mapping
from typing import Any

from flask import Flask

from web_ui import (
    tournament_api,
    tournament_cards,
    tournament_desk,
    tournament_files,
    tournament_pages,
    tournament_referee,
)
from web_ui.access import Access
from web_ui.assembling import bare_app
from web_ui.pairing import pairing_blueprint
from web_ui.tournament_context import HallContext
from web_ui.tournament_pairing import NoPairing, PairingOffice, office_blueprint
from web_ui.tournament_ports import Hall
from web_ui.tournament_seam import LegibleHall

LARGEST_BODY = 131_072
"""Bytes: an organiser's own format, or a card of fifteen games, as a form sends it."""


def create_hub_app(
    hall: Hall,
    settings: Mapping[str, Any] | None = None,
    *,
    access: Access | None = None,
    pairing: PairingOffice | None = None,
) -> Flask:
    """Make the pages of a tournament.

    Args:
        hall: the tournament and its tables.
        settings: as for `web_ui.create_app`.
        access: the PINs of those who may act; None: there are none, so nobody may.
        pairing: where tables get their pairings; None: nowhere.

    Returns:
        The WSGI application. Each live viewer occupies a thread of the server.

    Raises:
        ValueError: a setting has a value it cannot have.
    """
    wanted = {"MAX_CONTENT_LENGTH": LARGEST_BODY} | dict(settings or {})
    app = bare_app(wanted, access or Access(), home="tournament.page")
    HallContext(LegibleHall(hall)).install(app.extensions)
    for module in (
        tournament_pages,
        tournament_desk,
        tournament_cards,
        tournament_referee,
        tournament_files,
        tournament_api,
    ):
        app.register_blueprint(module.blueprint)
    office = pairing or NoPairing()
    app.register_blueprint(office_blueprint(office))
    app.register_blueprint(pairing_blueprint(office))
    return app
