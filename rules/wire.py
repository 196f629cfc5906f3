"""Frozen dataclasses to JSON objects and back, without loss.

Every record that leaves this package (actions, events) is a frozen dataclass of
plain field types. This module turns one into `{"type": …, field: …}` and reads
it back strictly: an unknown field, a missing one or a wrong type is an error
that names the field, because a log that is read loosely cannot be trusted.
"""

import dataclasses
from collections.abc import Callable, Mapping
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from rules.errors import MalformedRecord

Read = Callable[[Any], Any]
"""Reads one value; what is wrong with it is raised as `_WrongError`."""

BARE = frozenset({str, int, float, bool, type(None)})
"""What JSON has as it is: looked up first, as most values are that."""


class _WrongError(Exception):
    """What is wrong with a value, to be read after what it is; on its way up it learns where."""


def to_json(record: Any) -> dict[str, Any]:
    """Turn a record with a class attribute `type` into a JSON-able object."""
    return {"type": record.type, **plain(record)}


def from_json(kinds: Mapping[str, type[Any]], data: Any, *, what: str) -> Any:
    """Read a record of one of the known kinds.

    Args:
        kinds: record class by the value of `type`.
        data: the JSON object.
        what: what is being read, for the messages ("action", "event").

    Raises:
        MalformedRecord: `data` is not exactly such a record.
    """
    if not isinstance(data, Mapping):
        raise MalformedRecord(f"an {what} must be a JSON object, but got {data!r}")
    kind = data.get("type")
    if not isinstance(kind, str) or kind not in kinds:
        known = ", ".join(sorted(kinds))
        raise MalformedRecord(f"unknown {what} type {kind!r}; known types: {known}")
    body = {key: value for key, value in data.items() if key != "type"}
    record: type = kinds[kind]
    try:
        return _record_reader(record)(body)
    except _WrongError as wrong:
        raise MalformedRecord(f"{what} {kind!r}{wrong}") from None


def plain(value: Any) -> Any:
    """Turn a record, or what is in one, into plain JSON-able values without the key `type`."""
    kind: type = type(value)
    if kind in BARE:
        return value
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    names = _field_names(kind)
    if names is not None:
        return {name: plain(getattr(value, name)) for name in names}
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    return str(value) if isinstance(value, str) else value  # an enum's member as its bare value


@cache
def _field_names(kind: type) -> tuple[str, ...] | None:
    """Of a dataclass; None of another class."""
    if not dataclasses.is_dataclass(kind):
        return None
    return tuple(field.name for field in dataclasses.fields(kind))


# --- reading: a reader per type is made once, as a match reads thousands of records ---------------


@cache
def _record_reader(cls: type) -> Read:
    hints = get_type_hints(cls)
    readers = {field.name: _reader(hints[field.name]) for field in dataclasses.fields(cls)}
    needed = [f.name for f in dataclasses.fields(cls) if f.default is dataclasses.MISSING]

    def read(body: Mapping[str, Any]) -> Any:
        values = {}
        for name, value in body.items():
            if name not in readers:
                raise _WrongError(f" has no field {name!r}; it has {', '.join(readers)}")
            try:
                values[name] = readers[name](value)
            except _WrongError as wrong:
                raise _WrongError(f", field {name!r}{wrong}") from None
        for name in needed:
            if name not in values:
                raise _WrongError(f" lacks the field {name!r}")
        return cls(**values)

    return read


def _reader(hint: Any) -> Read:
    """What reads a value as the type that `hint` names; see `plain` for the other way."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _union_reader(inner)
    if origin is Literal:
        return _literal_reader(inner)
    if origin is tuple:
        return _tuple_reader(_reader(inner[0]))
    if origin is not None and issubclass(origin, Mapping):
        return _mapping_reader(_reader(inner[1]))
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return _object_reader(_record_reader(hint))
    return _scalar_reader(hint)


def _union_reader(options: tuple[Any, ...]) -> Read:
    readers = [_reader(option) for option in options]

    def read(value: Any) -> Any:
        for reader in readers:
            try:
                return reader(value)
            except _WrongError:
                continue
        raise _WrongError(f" has the wrong type: {value!r}")

    return read


def _literal_reader(allowed: tuple[Any, ...]) -> Read:
    def read(value: Any) -> Any:
        if value in allowed and not isinstance(value, bool):
            return value
        raise _WrongError(f" must be one of {allowed}, but got {value!r}")

    return read


def _tuple_reader(item: Read) -> Read:
    def read(value: Any) -> Any:
        if not isinstance(value, (list, tuple)):
            raise _WrongError(f" must be a list, but got {value!r}")
        return tuple([item(one) for one in value])

    return read


def _mapping_reader(item: Read) -> Read:
    def read(value: Any) -> Any:
        if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
            raise _WrongError(f" must be an object, but got {value!r}")
        return {key: item(one) for key, one in value.items()}

    return read


def _object_reader(record: Read) -> Read:
    def read(value: Any) -> Any:
        if not isinstance(value, Mapping):
            raise _WrongError(f" must be an object, but got {value!r}")
        return record(value)

    return read


def _scalar_reader(kind: type[Any]) -> Read:
    if kind is type(None):

        def read_null(value: Any) -> Any:
            if value is None:
                return None
            raise _WrongError(f" must be null, but got {value!r}")

        return read_null

    def read(value: Any) -> Any:
        if isinstance(value, kind) and isinstance(value, bool) == (kind is bool):
            return value
        raise _WrongError(f" must be of type {kind.__name__}, but got {value!r}")

    return read
