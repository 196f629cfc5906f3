"""Is this a rule book? Every key and value of its TOML, with the line in which it is wrong.

What is checked here is the form: names that exist, values that fit, a source for each. Whether the
decisions go together is for `RuleBook` to say, and `contradictions` for what people get wrong most.
"""

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any, get_type_hints

from rules.book import (
    BASES,
    DERIVED_PENALTIES,
    DOOFMANN_TOPICS,
    PLAIN_FIELDS,
    TOPICS,
    CategoryNames,
    RuleBook,
    decision_fields,
    fits,
    wanted,
)
from rules.errors import BookError
from rules.judge_faults import COMPUTED
from rules.judge_table import SAME_EVENT
from rules.ranking import KOENIGSWURF_THROW

TABLES = ("names", "fields", "sections", "penalties")
HEAD = (PLAIN_FIELDS - {"names", "sources", "penalties", "text"}) | {"based_on"}
HINTS = get_type_hints(RuleBook)


def check_form(text: str, data: Mapping[str, Any]) -> None:
    """Check a book's data, as `tomllib` read it from this text.

    Raises:
        BookError: the first thing that is wrong: its line, what was expected, what to do.
    """
    for name, value in data.items():
        if name not in TABLES:
            _known(text, "", name, sorted(HEAD))
            if name == "aliases":
                if not isinstance(value, list) or not all(isinstance(x, str) for x in value):
                    raise _wrong(text, "", name, f"must be a list of texts, but is {value!r}")
            elif not isinstance(value, str) or not value.strip():
                raise _wrong(text, "", name, f"must be text, but is {value!r}")
    for table in TABLES:
        entries = data.get(table, {})
        if not isinstance(entries, Mapping):
            raise _wrong(text, "", table, f"must be a table [{table}], but is {entries!r}")
        for name, entry in entries.items():
            _CHECKS[table](text, name, entry)


def contradictions(book: RuleBook) -> list[str]:
    """Decisions that cannot both be meant, each as a sentence; none for the books that ship."""
    no_league, koenigswurf = book.champions_league == "off", "koenigswurf" in book.tie_break
    wrong = {
        "keep = 'only_ones' leaves turn_keep_side = 'any' nothing to keep": (
            book.keep == "only_ones" and book.turn_keep_side == "any"
        ),
        "jule_one_throw = true needs jule_421 = true": book.jule_one_throw and not book.jule_421,
        "koenigswurf_any_count = true needs 'koenigswurf' in tie_break": (
            book.koenigswurf_any_count and not koenigswurf
        ),
        "tie_break has 'hand' and 'koenigswurf'; the second is part of the first": (
            koenigswurf and "hand" in book.tie_break
        ),
        f"tie_break has 'koenigswurf', which is a throw {KOENIGSWURF_THROW}, but max_throws is "
        f"{book.max_throws}; leave it out, or say koenigswurf_any_count = true": (
            koenigswurf and not book.koenigswurf_any_count and book.max_throws < KOENIGSWURF_THROW
        ),
        "voluntary_take_source = 'stock_then_winner' needs voluntary_take = true": (
            book.voluntary_take_source == "stock_then_winner" and not book.voluntary_take
        ),
        "three_dice_start_fee_eur is for a start with one die, but start = 'three_dice_round'": (
            book.three_dice_start_fee_eur > 0 and book.start == "three_dice_round"
        ),
        "cl_fee_per_schock_aus_eur needs champions_league on some weekday": (
            no_league and book.cl_fee_per_schock_aus_eur != 0
        ),
        "cl_adds_to_loss_fee = true needs champions_league on some weekday": (
            no_league and book.cl_adds_to_loss_fee
        ),
    }
    amounts = [name for name in decision_fields() if name.endswith(("_eur", "prize_places"))]
    below = [f"{name} is below 0" for name in amounts if getattr(book, name) < 0]
    return [*(problem for problem, found in wrong.items() if found), *below, *_same_names(book)]


def _same_names(book: RuleBook) -> list[str]:
    """Figures that nobody could tell apart, because the book calls them alike."""
    called: dict[str, list[str]] = {}
    for field in fields(CategoryNames):
        if field.name != "from_hand" and (field.name != "jule" or book.jule_421):
            name = getattr(book.names, field.name).strip().casefold()
            called.setdefault(name, []).append(field.name)
    return [
        f"{' and '.join(figures)} have the same name {name!r}"
        for name, figures in called.items()
        if len(figures) > 1
    ]


def _names_entry(text: str, name: str, entry: Any) -> None:
    _known(text, "names", name, [field.name for field in fields(CategoryNames)])
    if not isinstance(entry, str) or not entry.strip():
        raise _wrong(text, "names", name, f"must be text, but is {entry!r}")


def _field(text: str, name: str, entry: Any) -> None:
    _known(text, "fields", name, decision_fields())
    _sourced(text, "fields", name, entry)
    if "value" not in entry:
        raise _wrong(text, "fields", name, 'has no value; write { value = …, text = "…" }')
    raw = entry["value"]
    value = tuple(raw) if isinstance(raw, list) else raw
    if not fits(HINTS[name], value):
        raise _wrong(text, "fields", name, f"must be {wanted(HINTS[name])}, but is {raw!r}")


def _section(text: str, name: str, entry: Any) -> None:
    _known(text, "sections", name, (*TOPICS, *DOOFMANN_TOPICS))
    _sourced(text, "sections", name, entry)


def _penalty(text: str, name: str, entry: Any) -> None:
    if name in DERIVED_PENALTIES:
        raise _wrong(
            text, "penalties", name,
            f"is no penalty to be stated: it follows from {DERIVED_PENALTIES[name]}; state that",
        )  # fmt: skip
    if name in COMPUTED:
        raise _wrong(
            text, "penalties", name,
            "is no penalty to be stated: it is worked out from [fields]; state what differs there",
        )  # fmt: skip
    if name in SAME_EVENT:
        raise _wrong(text, "penalties", name, f"is another word for {SAME_EVENT[name]}; state that")
    _sourced(text, "penalties", name, entry)
    if not isinstance(entry.get("outcome"), Mapping):
        raise _wrong(text, "penalties", name, "has no outcome; write { outcome = { … }, text = … }")


def _sourced(text: str, table: str, name: str, entry: Any) -> None:
    told = isinstance(entry, Mapping) and [basis for basis in BASES if basis in entry]
    if not told or len(told) > 1 or not isinstance(entry[told[0]], str):
        raise _wrong(
            text, table, name,
            f"must say where it comes from, once: {{ …, text = \"…\" }}, or interpretation, or "
            f"default, but is {entry!r}",
        )  # fmt: skip


_CHECKS = {"names": _names_entry, "fields": _field, "sections": _section, "penalties": _penalty}


def with_lines(text: str, data: Mapping[str, Any], problem: str) -> str:
    """Name the lines of the fields that a problem between several of them speaks of."""
    lines = sorted(
        {
            line_of(text, table, name)
            for table in ("fields", "names")
            for name in data.get(table, {})
            if re.search(rf"\b{name}\b", problem)
        }
    )
    if not lines:
        return problem
    return f"line{'s' * (len(lines) > 1)} {', '.join(map(str, lines))}: {problem}"


def _known(text: str, table: str, name: str, names: Iterable[str]) -> None:
    if name not in names:
        near = difflib.get_close_matches(name, list(names), n=1)
        hint = f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(names)}"
        raise _wrong(text, table, name, f"is no entry of {table or 'a rule book'}{hint}")


def _wrong(text: str, table: str, name: str, problem: str) -> BookError:
    return BookError(f"line {line_of(text, table, name)}: {name} {problem}")


def line_of(text: str, table: str, name: str) -> int:
    """The line that a key stands in, 1 the first; the table's own if it is written otherwise."""
    here, begins = "", 1
    key = rf"[\"']?{re.escape(name)}[\"']?\s*[=.]"
    dotted = rf"\s*[\"']?{re.escape(table)}[\"']?\s*\.\s*{key}"
    for number, line in enumerate(text.splitlines(), start=1):
        if head := re.match(r"\s*\[([\w.\"-]+)\]", line):
            here = head[1]
            begins = number if here.split(".")[0] == table else begins
            if here == f"{table}.{name}" or (not table and here == name):
                return number
        elif re.match(rf"\s*{key}" if here == table else dotted, line) and here in ("", table):
            return number
        elif not here and table and re.match(rf"\s*{re.escape(table)}\s*=", line):
            begins = number
    return begins
