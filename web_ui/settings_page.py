"""The page on which the landlord changes settings; needs no JavaScript."""

from collections.abc import Mapping
from datetime import datetime
from functools import partial

from flask import Blueprint, current_app, redirect, request, url_for
from werkzeug.wrappers import Response

from web_ui import access
from web_ui.errors import RequestError
from web_ui.i18n import has, text
from web_ui.parsing import LONGEST_NAME, language, whole_number
from web_ui.rendering import render
from web_ui.roles import ADMIN
from web_ui.security import own_form
from web_ui.settings_port import (
    BadValues,
    Field,
    Mistake,
    SettingsSheet,
    TableSettings,
    table_settings,
)

blueprint = Blueprint("settings", __name__)

RESTART_S = 30
"""After so long a table that is started anew is looked for, where no script does so earlier."""

NO_SHEET = SettingsSheet(fields=(), versions=(), stamp="", file="")
Typed = dict[str, str | None]
Answer = str | tuple[str, int]


@blueprint.app_template_filter()
def is_said(key: str) -> bool:
    """Tell whether the catalogue knows a key: a section or unit may be newer than its words."""
    return has(language(), key)


@blueprint.get("/settings")
def page() -> Response | str:
    """Show all settings to the landlord."""
    if access.signed_in_as() != ADMIN:
        return redirect(url_for("signing_in.form", role=ADMIN, next="/settings", lang=language()))
    return _page(_sheet())


@blueprint.post("/settings")
def change() -> Answer:
    """Write what was changed; the form again, with what was typed, where it does not fit."""
    sheet = _asked()
    default = request.form.get("default", "")
    stamp = request.form.get("stamp", "")
    sent = _typed(_table().shown(stamp))
    wanted: Typed = {default: None} if default else sent
    try:
        done = _table().change(wanted, stamp=stamp, by=_by())
    except BadValues as error:
        return _page(sheet, typed=sent, mistakes=error.mistakes), 400
    left = {name: said for name, said in sent.items() if name not in wanted}
    return _page(_sheet(), typed=left, done=done, was_sent=True)


@blueprint.post("/settings/restore")
def restore() -> Answer:
    """Take an earlier version of the file back."""
    sheet = _asked()
    number = whole_number("version", request.form.get("version"), default=0)
    try:
        done = _table().restore(number, stamp=request.form.get("stamp", ""), by=_by())
    except BadValues as error:
        return _page(sheet, mistakes=error.mistakes), 400
    return _page(_sheet(), done=done, was_sent=True)


@blueprint.post("/settings/restart")
def restart() -> Answer:
    """Start the table anew, so that what waits for it counts."""
    sheet = _asked()
    try:
        _table().restart(by=_by())
    except BadValues as error:
        return _page(sheet, mistakes=error.mistakes, stays=True), 409
    return render("restarting.html", token=access.token(), wait_s=RESTART_S)


def moment(language: str, at_s: float) -> str:
    """Return a point in time as people of a language write it, in the appliance's own zone."""
    form = "%d.%m.%Y, %H:%M" if language == "de" else "%Y-%m-%d %H:%M"
    return f"{datetime.fromtimestamp(at_s):{form}}"


def _asked() -> SettingsSheet:
    """Let only the landlord pass, from our own page."""
    own_form(request)
    access.require(ADMIN, access.named_token(request))
    return _sheet()


def _table() -> TableSettings:
    table = table_settings()
    if table is None:
        raise RequestError(409, "no_settings")
    return table


def _sheet() -> SettingsSheet:
    table = table_settings()
    return NO_SHEET if table is None else table.sheet()


def _typed(shown: Mapping[str, str]) -> Typed:
    """What was typed and is not what the form showed; what nobody offers passes on, to be told."""
    return {
        name: plain
        for name, said in request.form.items()
        if "." in name and (plain := _plain(said)) != shown.get(name)
    }


def _plain(said: str) -> str:
    return said.replace("\r\n", "\n").strip()


def _by() -> str:
    """Who changes them; the role's name where nobody says."""
    said = _plain(request.form.get("by", ""))
    if len(said) > LONGEST_NAME or not said.isprintable():
        raise RequestError(400, "bad_by", found=said[:LONGEST_NAME], longest=LONGEST_NAME)
    return said or text(current_app.config["DEFAULT_LANGUAGE"], f"role.{ADMIN}")


def _page(
    sheet: SettingsSheet,
    *,
    typed: Mapping[str, str | None] | None = None,
    mistakes: tuple[Mistake, ...] = (),
    done: tuple[str, ...] = (),
    was_sent: bool = False,
    stays: bool = False,
) -> str:
    names = {field.name for field in sheet.fields}
    sections: dict[str, list[Field]] = {}
    for field in sheet.fields:
        sections.setdefault(field.section, []).append(field)
    return render(
        "settings.html",
        token=access.token(),
        sheet=sheet,
        sections=sections,
        typed=typed or {},
        wrong={mistake.name: mistake for mistake in mistakes if mistake.name in names},
        others=[mistake for mistake in mistakes if mistake.name not in names],
        done=done,
        was_sent=was_sent,
        stays=stays,
        restart=[f.name for f in sheet.fields if f.name in done and not f.at_once],
        waiting=[f for f in sheet.fields if f.running is not None],
        moment=partial(moment, language()),
        longest_name=LONGEST_NAME,
    )
