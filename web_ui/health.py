"""Whether the dashboard works, for whoever watches over the appliance."""

from flask import Blueprint, Response, current_app, jsonify

from web_ui.context import context

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
def healthz() -> tuple[Response, int]:
    """Say `ok` (200), `degraded` with the faults (200), or `failed` (503)."""
    try:
        board = context().projection.board()
    except Exception:
        # Whatever the log ran into, the answer to "are you well?" has to arrive.
        current_app.logger.exception("The log cannot be read.")
        return jsonify(status="failed", seq=None, faults=["log"]), 503
    faults = [str(fault.get("what", "")) for fault in board.faults]
    if board.broken is not None:
        faults.append("replay")
    return jsonify(status="degraded" if faults else "ok", seq=board.seq, faults=faults), 200
