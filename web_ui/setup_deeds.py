"""What the buttons of the set-up's steps do; each tells whether the next step is up."""

from collections.abc import Callable, Mapping
from math import isfinite
from typing import get_args

from flask import current_app
from werkzeug.datastructures import MultiDict

from rules.book import Weekday
from rules.library import all_books
from web_ui import access
from web_ui.errors import RequestError
from web_ui.i18n import LANGUAGES, text
from web_ui.parsing import LONGEST_NAME, language
from web_ui.pins import is_fit
from web_ui.players import checked_players, seated, tidied
from web_ui.roles import ADMIN, LEAST_DIGITS, MOST_DIGITS, TABLE
from web_ui.setup_ports import (
    CAMERA,
    DONE,
    LIGHT,
    MAT,
    PIN,
    RULES,
    SEATS,
    SHOWN_PX,
    SKIPPED,
    THROW,
    RuleFacts,
    SetUp,
)

Form = MultiDict[str, str]
Deed = Callable[[SetUp, Form, str], bool]
"""Does what a button says; gets the set-up, the form and what stands behind the button's name."""

LAYOUTS = ("shared", "seats")
ENOUGH_THROWS = 3
SIDES_MM = (150.0, 2000.0)
"""Smallest and largest side of a mat that somebody may mean."""
LONGEST_SOURCE = 200
FOV_DEG = (20.0, 140.0)
"""Narrowest and widest lens that a camera above a table may have."""


def carry_out(setup: SetUp, step: str, form: Form) -> bool:
    """Do what a button of a step says; whether the next step is up.

    Raises:
        RequestError: 400, what was filled in cannot be; 404 there is no such button.
        ActionRefused: not now.
    """
    if "tap.x" in form:  # the picture itself was the button
        return DEEDS[step]["tap"](setup, form, "")
    do, _, what = form.get("do", "").partition(":")
    deed = {**DEEDS[step], "skip": _skip(step)}.get(do)
    if deed is None:
        raise RequestError(404, "not_found")
    return deed(setup, form, what)


def _skip(step: str) -> Deed:
    return lambda setup, form, what: _marked(setup, step, SKIPPED)


def _marked(setup: SetUp, step: str, state: str) -> bool:
    setup.mark(step, state, text(language(), "question.by"))
    return True


def _set_pins(setup: SetUp, form: Form, what: str) -> bool:
    """The admin's own PIN instead of the generated one; the table's, or that it needs none."""
    own, table, needed = form.get("pin", ""), form.get("table_pin", ""), "free" not in form
    new = {ADMIN: own, **({TABLE: table} if table else {})}
    if unfit := [role for role, pin in new.items() if not is_fit(role, pin)]:
        least = LEAST_DIGITS[unfit[0]]
        raise RequestError(400, "bad_pin", least=least, most=MOST_DIGITS)
    with access.pins_at_hand() as pins:
        setup.need_table_pin(needed=needed)  # may be refused, and then no PIN has changed either
        for role, pin in new.items():
            pins.set(role, pin)
    access.sign_in(ADMIN, own)  # by the new one; the session of the old one has ended
    for role in new:
        access.door().note("access.pin_changed", {"role": role})
    return _marked(setup, PIN, DONE)


def _choose_camera(setup: SetUp, form: Form, what: str) -> bool:
    fov_deg = _number(form.get("fov", ""), "fov", *FOV_DEG)
    setup.choose_camera(form.get("source", "")[:LONGEST_SOURCE], fov_deg)
    return False


def _seen_by_camera(setup: SetUp, form: Form, what: str) -> bool:
    return _marked(setup, CAMERA, SKIPPED if setup.camera().size_px is None else DONE)


def _size_mat(setup: SetUp, form: Form, what: str) -> bool:
    setup.size_mat(*(_number(form.get(side, ""), side, *SIDES_MM) for side in ("width", "height")))
    return False


def _tap(setup: SetUp, form: Form, what: str) -> bool:
    most = 4.0 * SHOWN_PX
    point = [_number(form.get(f"tap.{axis}", ""), axis, 0.0, most) for axis in ("x", "y")]
    if any(point):  # a key on the picture instead of a finger points nowhere
        setup.tap([(point[0], point[1])])
    return False


def _type_corners(setup: SetUp, form: Form, what: str) -> bool:
    most = 4.0 * SHOWN_PX
    xs, ys = ([_number(v, axis, 0.0, most) for v in form.getlist(axis)] for axis in ("x", "y"))
    if len(xs) != 4 or len(ys) != 4:
        raise RequestError(400, "bad_corners")
    setup.tap(())
    setup.tap(list(zip(xs, ys, strict=True)))
    return False


def _clear_taps(setup: SetUp, form: Form, what: str) -> bool:
    setup.tap(())
    return False


def _save_mat(setup: SetUp, form: Form, what: str) -> bool:
    setup.save_mat()
    return _marked(setup, MAT, DONE)


def _save_seats(setup: SetUp, form: Form, what: str) -> bool:
    layout, names = form.get("layout", ""), seated(form.getlist("player"))
    if layout not in LAYOUTS:
        raise RequestError(400, "bad_layout", found=layout[:LONGEST_NAME], known=", ".join(LAYOUTS))
    setup.save_seats(layout, checked_players(names))
    return _marked(setup, SEATS, DONE)


def _show_seats(setup: SetUp, form: Form, what: str) -> bool:
    _save_seats(setup, form, what)
    return False


def _go_on_in_light(setup: SetUp, form: Form, what: str) -> bool:
    found = setup.light().findings
    fit = bool(found) and all(finding.verdict != "bad" for finding in found)
    return _marked(setup, LIGHT, DONE if fit else SKIPPED)


def _look_again(setup: SetUp, form: Form, what: str) -> bool:
    setup.look_again()
    return False


def _watch(setup: SetUp, form: Form, what: str) -> bool:
    setup.watch_throws(on=True)
    return False


def _stop(setup: SetUp, form: Form, what: str) -> bool:
    setup.watch_throws(on=False)
    return False


def _judge(verdict: str) -> Deed:
    def judge(setup: SetUp, form: Form, what: str) -> bool:
        number = int(what) if what.isascii() and what.isdigit() and len(what) < 6 else 0
        setup.judge_throw(number, verdict)
        return False

    return judge


def _thrown(setup: SetUp, form: Form, what: str) -> bool:
    setup.watch_throws(on=False)
    throws = setup.throw().throws
    enough = len(throws) >= ENOUGH_THROWS and all(one.verdict != "wrong" for one in throws)
    return _marked(setup, THROW, DONE if enough else SKIPPED)


def _save_rules(setup: SetUp, form: Form, what: str) -> bool:
    book, day, lang = (form.get(name, "") for name in ("book", "weekday", "language"))
    offered = {one.key for one in (*all_books(), *current_app.config["HOUSE_BOOKS"])}
    if book not in offered:
        raise RequestError(400, "bad_book", found=book[:LONGEST_NAME])
    if day not in ("", *get_args(Weekday)):
        known = ", ".join(get_args(Weekday))
        raise RequestError(400, "bad_weekday", found=day[:LONGEST_NAME], known=known)
    if lang not in LANGUAGES:
        raise RequestError(400, "bad_language", found=lang[:LONGEST_NAME])
    name = tidied(form.get("table_name", ""))
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise RequestError(400, "bad_table_name", longest=LONGEST_NAME)
    setup.save_rules(RuleFacts(book, day, lang, name))
    return _marked(setup, RULES, DONE)


def _number(raw: str, name: str, least: float, most: float) -> float:
    """A number that somebody typed, with a comma or a point.

    Raises:
        RequestError: 400, it is none, or out of bounds.
    """
    try:
        value = float(raw.replace(",", "."))
    except ValueError:
        value = float("nan")
    if not (isfinite(value) and least <= value <= most):
        raise RequestError(
            400, "bad_measure", name=name, found=raw[:20], least=f"{least:g}", most=f"{most:g}"
        )
    return value


DEEDS: Mapping[str, Mapping[str, Deed]] = {
    PIN: {"set": _set_pins},
    CAMERA: {"choose": _choose_camera, "next": _seen_by_camera},
    MAT: {
        "size": _size_mat,
        "tap": _tap,
        "corners": _type_corners,
        "clear": _clear_taps,
        "save": _save_mat,
    },
    SEATS: {"show": _show_seats, "save": _save_seats},
    LIGHT: {"look": _look_again, "next": _go_on_in_light},
    THROW: {
        "watch": _watch,
        "stop": _stop,
        "right": _judge("right"),
        "wrong": _judge("wrong"),
        "next": _thrown,
    },
    RULES: {"save": _save_rules},
}
"""By step and by the name of the button; every step can be skipped besides."""
