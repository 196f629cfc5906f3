"""The hub's door for tables that are to be paired: two requests, JSON in and out.

`POST /api/pairing {"offer": 7, "message": "…"}` answers `{"session": "…", "message": "…"}`, then
`POST /api/pairing {"session": "…", "proof": "…"}` answers `{"sealed": "…"}`; bytes as hexadecimal.
No PIN: who does not know the code gets nothing (`device.pairing_exchange`).
"""

from collections.abc import Mapping
from typing import Any, Protocol

from flask import Blueprint, Flask, Response, jsonify, request

from web_ui import security
from web_ui.errors import ActionRefused, RequestError
from web_ui.i18n import text
from web_ui.parsing import language
from web_ui.security import json_object
from web_ui.settings import with_defaults

PATH = "/api/pairing"

MOST_BYTES = 256
"""Of a message or proof; those of the exchange have 33 and 32."""


class PairingPort(Protocol):
    """Gives out pairings to those who know a code; both raise `ActionRefused`."""

    def begin(self, offer: int, message: bytes) -> tuple[str, bytes]:
        """Take a table's first message; session and answer."""

    def finish(self, session: str, proof: bytes) -> bytes:
        """Take its proof; the pairing, enciphered."""


def pairing_blueprint(port: PairingPort) -> Blueprint:
    """Make the door, to be registered with the hub's application."""
    blueprint = Blueprint("pairing", __name__)

    @blueprint.post(PATH)
    def pair() -> tuple[Response, int]:
        """Carry on an exchange: 200 with the next message, 409 with the reason when refused."""
        body = json_object(request)
        try:
            return jsonify(_carry_on(port, body)), 200
        except ActionRefused as refused:
            texts = {"text_de": refused.text_de, "text_en": refused.text_en}
            said = {"code": refused.code, "text": texts[f"text_{language()}"], **texts}
            return jsonify(error=said), 409

    return blueprint


def create_pairing_app(port: PairingPort) -> Flask:
    """Make an application that has this door alone, for a hub that is not running."""
    app = Flask(__name__, static_folder=None)
    app.config.update(with_defaults({}))
    security.install(app)
    app.register_blueprint(pairing_blueprint(port))
    app.register_error_handler(RequestError, _refused)
    return app


def _carry_on(port: PairingPort, body: Mapping[str, Any]) -> dict[str, str]:
    if "offer" in body:
        if type(body["offer"]) is not int:
            raise RequestError(400, "bad_request")
        session, message = port.begin(body["offer"], _bytes(body.get("message")))
        return {"session": session, "message": message.hex()}
    if not isinstance(body.get("session"), str):
        raise RequestError(400, "bad_request")
    return {"sealed": port.finish(body["session"], _bytes(body.get("proof"))).hex()}


def _bytes(said: object) -> bytes:
    """Read hexadecimal."""
    try:
        if isinstance(said, str) and len(said) <= 2 * MOST_BYTES:
            return bytes.fromhex(said)
    except ValueError:
        pass
    raise RequestError(400, "bad_request")


def _refused(error: RequestError) -> tuple[Response, int]:
    texts = {
        f"text_{lang}": text(lang, f"error.{error.code}", **error.values) for lang in ("de", "en")
    }
    return jsonify(error={"code": error.code, **texts}), error.status
