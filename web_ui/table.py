"""The table's own page: the state and hand entry of everything, for a phone or a tablet."""

from functools import partial

from flask import Blueprint, current_app, render_template

from web_ui.context import context
from web_ui.i18n import text
from web_ui.parsing import LONGEST_NAME, LONGEST_TEXT, language
from web_ui.tabling import present_table

blueprint = Blueprint("table", __name__)


def _render(template: str) -> str:
    lang = language()
    return render_template(
        template,
        lang=lang,
        t=partial(text, lang),
        view=present_table(context().projection.board(), lang),
        longest_name=LONGEST_NAME,
        longest_text=LONGEST_TEXT,
        table_name=current_app.config["TABLE_NAME"],
    )


@blueprint.get("/table")
def page() -> str:
    """Show the table's page."""
    return _render("table.html")


@blueprint.get("/table/board")
def board() -> str:
    """Return what changes on the table's page, as a fragment of HTML."""
    return _render("table_board.html")
