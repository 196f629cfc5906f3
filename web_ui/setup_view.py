"""What the pages of the set-up show."""

import time
from collections.abc import Callable, Mapping
from typing import Any

from flask import current_app
from werkzeug.datastructures import MultiDict

from web_ui import access
from web_ui.i18n import LANGUAGES, text
from web_ui.players import LONGEST_PLAYER
from web_ui.roles import ADMIN, LEAST_DIGITS, MOST_DIGITS, TABLE
from web_ui.setup_deeds import ENOUGH_THROWS
from web_ui.setup_ports import (
    CAMERA,
    LIGHT,
    MAT,
    OPEN,
    PIN,
    RULES,
    SEATS,
    SHOWN_PX,
    SKIPPED,
    STEPS,
    THROW,
    Measured,
    SetUp,
    State,
    TestThrow,
    Words,
)
from web_ui.starting import DAYS, books_on_offer

PLACES = 8
"""Places for names: as many seats as a mat may have."""

View = dict[str, Any]
Form = MultiDict[str, str]


def present_overview(state: State, lang: str) -> View:
    """Return what the overview shows.

    Args:
        state: of the set-up.
        lang: language of the texts.

    Returns:
        `is_on`, `is_due`, `problem`, `steps` (each `key`, `number`, `state`, `title`, `word`,
        `consequence` where it was skipped), `next` (the first open step, or "").
    """
    steps = [
        {
            "key": key,
            "number": number,
            "title": text(lang, f"setup.{key}.title"),
            "state": state.steps[key],
            "word": text(lang, f"setup.state.{state.steps[key]}"),
            "consequence": _consequence(key, state.steps[key], lang),
        }
        for number, key in enumerate(STEPS, start=1)
    ]
    first = next((key for key in STEPS if state.steps[key] == OPEN), "")
    return {
        "is_on": state.is_on,
        "is_due": state.is_due,
        "problem": state.problem,
        "steps": steps,
        "next": first,
    }


def present_step(setup: SetUp, step: str, lang: str, typed: Form) -> View:
    """Return what a step shows.

    Args:
        setup: of the table.
        step: one of `STEPS`.
        lang: language of the texts.
        typed: what was sent and refused; empty otherwise.

    Returns:
        `number`, `count`, `title`, `text`, `state`, `skip` (what follows from skipping), `before`
        and `after` (the steps beside it), `stamp` (makes the address of a picture a new one), and
        what is the step's own.
    """
    at = STEPS.index(step)
    return {
        "number": at + 1,
        "count": len(STEPS),
        "title": text(lang, f"setup.{step}.title"),
        "text": text(lang, f"setup.{step}.text"),
        "state": setup.state().steps[step],
        "skip": text(lang, f"setup.{step}.skipped"),
        "before": STEPS[at - 1] if at else "",
        "after": STEPS[at + 1] if at + 1 < len(STEPS) else "",
        "stamp": int(10 * time.monotonic()),
        **_OWN[step](setup, lang, typed),
    }


def _consequence(step: str, state: str, lang: str) -> str:
    return text(lang, f"setup.{step}.skipped") if state == SKIPPED else ""


def _pin(setup: SetUp, lang: str, typed: Form) -> View:
    return {
        "least": LEAST_DIGITS[ADMIN],
        "least_table": LEAST_DIGITS[TABLE],
        "most": MOST_DIGITS,
        "has_table": access.door().pins.has(TABLE),
    }


def _camera(setup: SetUp, lang: str, typed: Form) -> View:
    facts = setup.camera()
    return {
        "source": facts.source,
        "devices": facts.devices,
        "fov": typed.get("fov", f"{facts.fov_deg:g}"),
        "size": facts.size_px,
        "problem": None if facts.problem is None else facts.problem[lang],
    }


def _mat(setup: SetUp, lang: str, typed: Form) -> View:
    facts = setup.mat()
    names = [text(lang, f"setup.marker.{n}") for n in range(4) if n not in facts.seen]
    width, height = facts.size_mm
    next_tap = len(facts.taps) if len(facts.taps) < 4 else None
    return {
        "seen": len(facts.seen),
        "missing": ", ".join(names),
        "problem": facts.problem,
        "width": typed.get("width", f"{width:g}"),
        "height": typed.get("height", f"{height:g}"),
        "taps": [{"x": round(x), "y": round(y)} for x, y in facts.taps],
        "corner": "" if next_tap is None else text(lang, f"setup.marker.{next_tap}"),
        "numbers": [_measured(number, lang) for number in facts.numbers],
        "upside_down": facts.upside_down,
        "is_saved": facts.is_saved,
        "shown_px": SHOWN_PX,
    }


def _seats(setup: SetUp, lang: str, typed: Form) -> View:
    facts = setup.seats()
    names = [*(typed.getlist("player") or facts.names), *[""] * PLACES][:PLACES]
    return {
        "layout": typed.get("layout", facts.layout),
        "shown_layout": facts.layout,
        "places": names,
        "problem": facts.problem,
        "longest": LONGEST_PLAYER,
    }


def _light(setup: SetUp, lang: str, typed: Form) -> View:
    facts = setup.light()
    found = [_measured(finding, lang) for finding in facts.findings]
    for finding in found:
        known = finding["verdict"] in ("usable", "bad")
        finding["says"] = text(lang, f"setup.light.{finding['name']}") if known else ""
    return {
        "findings": found,
        "wrong": [finding for finding in found if finding["says"]],
        "is_bad": any(finding["verdict"] == "bad" for finding in found),
        "waits": facts.samples_missing > 0,
        "can_look": facts.can_look,
    }


def _throw(setup: SetUp, lang: str, typed: Form) -> View:
    facts = setup.throw()
    return {
        "is_watching": facts.is_watching,
        "throws": [_test_throw(one, lang) for one in reversed(facts.throws)],
        "thrown": len(facts.throws),
        "enough": ENOUGH_THROWS,
        "is_enough": len(facts.throws) >= ENOUGH_THROWS,
        "wrong": any(one.verdict == "wrong" for one in facts.throws),
        "problem": None if facts.problem is None else facts.problem[lang],
    }


def _rules(setup: SetUp, lang: str, typed: Form) -> View:
    facts = setup.rules()
    books = books_on_offer(current_app.config["HOUSE_BOOKS"], None).values()
    titles = [(b.key, b.title_en if lang == "en" else b.title_de) for b in books]
    return {
        "books": titles,
        "book": typed.get("book", facts.book),
        "days": [(day, text(lang, f"day.{day}")) for day in DAYS],
        "weekday": typed.get("weekday", facts.weekday),
        "languages": [(code, text(lang, f"setup.language.{code}")) for code in LANGUAGES],
        "language": typed.get("language", facts.language),
        "name": typed.get("table_name", facts.table_name),
    }


def _test_throw(one: TestThrow, lang: str) -> View:
    return {
        "number": one.number,
        "kind": one.kind,
        "dice": one.dice,
        "sure": one.sure,
        "reason": _in(one.reason, lang),
        "verdict": one.verdict,
    }


def _measured(number: Measured, lang: str) -> View:
    verdict = number.verdict
    return {
        "name": number.name,
        "title": number.title[lang],
        "value": number.value,
        "verdict": verdict,
        "word": text(lang, f"setup.verdict.{verdict or 'unknown'}"),
        "advice": number.advice[lang],
    }


def _in(words: Words | None, lang: str) -> str:
    return "" if words is None else words[lang]


_OWN: Mapping[str, Callable[[SetUp, str, Form], View]] = {
    PIN: _pin,
    CAMERA: _camera,
    MAT: _mat,
    SEATS: _seats,
    LIGHT: _light,
    THROW: _throw,
    RULES: _rules,
}
