"""How every page is made of its template: what all of them say and need."""

from functools import partial

from flask import current_app, render_template

from web_ui.i18n import text
from web_ui.parsing import language


def render(template: str, **values: object) -> str:
    """Return a page, or a part of one, in the language of the request.

    Args:
        template: its file.
        values: what it needs besides the language (`lang`), the texts (`t`) and the name of the
            table (`table_name`).
    """
    lang = language()
    return render_template(
        template,
        lang=lang,
        t=partial(text, lang),
        table_name=current_app.config["TABLE_NAME"],
        **values,
    )
