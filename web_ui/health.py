"""How the appliance is: a page for people, `/healthz` for a watcher, `/metrics` for Prometheus.

Whoever may look at the table may look here: there are no names of players and no secrets in it.
"""

from typing import Any

from flask import Blueprint, Response, current_app, jsonify

from web_ui.context import context
from web_ui.health_view import present_health
from web_ui.parsing import language
from web_ui.ports import HealthRow
from web_ui.rendering import render

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
def healthz() -> tuple[Response, int]:
    """Say `ok` (200), `degraded` with what is wrong (200), or `failed` with the reasons (503)."""
    try:
        board = context().projection.board()
    except Exception:
        # Whatever the log ran into, the answer to "are you well?" has to arrive.
        current_app.logger.exception("The log cannot be read.")
        return jsonify(status="failed", seq=None, faults=["log"]), 503
    faults = [str(fault.get("what", "")) for fault in board.faults]
    if board.broken is not None:
        faults.append("replay")
    rows, reasons = context().health.rows(), list(context().health.failing())
    measured: dict[str, Any] = {}
    if rows:
        measured = {"reasons": reasons, "checks": {row.key: _told(row) for row in rows}}
    wrong = bool(faults) or any(row.state == "bad" for row in rows)
    status = "failed" if reasons else "degraded" if wrong else "ok"
    answer = jsonify(status=status, seq=board.seq, faults=faults, **measured)
    return answer, 503 if reasons else 200


def _told(row: HealthRow) -> dict[str, Any]:
    return {"state": row.state, "value": row.value, "unit": row.unit}


@blueprint.get("/metrics")
def metrics() -> Response:
    """Return everything that is measured as text for Prometheus."""
    text, kind = context().health.metrics()
    return Response(text, content_type=kind)


@blueprint.get("/health")
def page() -> str:
    """Show how the appliance is, and what to do."""
    return _render("health.html")


@blueprint.get("/health/board")
def fragment() -> str:
    """Return what changes on the page, as a fragment of HTML."""
    return _render("health_board.html")


def _render(template: str) -> str:
    return render(template, view=present_health(context().health.rows(), language()))
