"""The table's own page: the state and hand entry of everything, for a phone or a tablet."""

from flask import Blueprint

from web_ui.context import context
from web_ui.parsing import LONGEST_NAME, LONGEST_TEXT, language
from web_ui.rendering import render
from web_ui.tabling import present_table

blueprint = Blueprint("table", __name__)


def _render(template: str) -> str:
    return render(
        template,
        view=present_table(context().projection.board(), language()),
        longest_name=LONGEST_NAME,
        longest_text=LONGEST_TEXT,
    )


@blueprint.get("/table")
def page() -> str:
    """Show the table's page."""
    return _render("table.html")


@blueprint.get("/table/board")
def board() -> str:
    """Return what changes on the table's page, as a fragment of HTML."""
    return _render("table_board.html")
