"""Frozen dataclasses to JSON objects and back, without loss.

Every record that leaves this package (actions, events) is a frozen dataclass of
plain field types. This module turns one into `{"type": …, field: …}` and reads
it back strictly: an unknown field, a missing one or a wrong type is an error
that names the field, because a log that is read loosely cannot be trusted.
"""

import dataclasses
from collections.abc import Mapping
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from rules.errors import MalformedRecord


def to_json(record: Any) -> dict[str, Any]:
    """Turn a record with a class attribute `type` into a JSON-able object."""
    body = {f.name: plain(getattr(record, f.name)) for f in dataclasses.fields(record)}
    return {"type": record.type, **body}


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
    return _read_fields(kinds[kind], body, path=f"{what} {kind!r}")


@cache
def _hints(cls: Any) -> dict[str, Any]:
    return get_type_hints(cls)


def _read_fields(cls: Any, body: Mapping[str, Any], *, path: str) -> Any:
    fields = {f.name: f for f in dataclasses.fields(cls)}
    for name in body:
        if name not in fields:
            raise MalformedRecord(f"{path} has no field {name!r}; it has {', '.join(fields)}")
    values = {}
    for name, field in fields.items():
        if name in body:
            values[name] = _read(_hints(cls)[name], body[name], path=f"{path}, field {name!r}")
        elif field.default is dataclasses.MISSING:
            raise MalformedRecord(f"{path} lacks the field {name!r}")
    return cls(**values)


def plain(value: Any) -> Any:
    """Turn a record, or what is in one, into plain JSON-able values without the key `type`."""
    if dataclasses.is_dataclass(value):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    return str(value) if isinstance(value, str) else value  # an enum's member as its bare value


def _read(hint: Any, value: Any, *, path: str) -> Any:
    """Read one value as the type that `hint` names; see `plain` for the other way."""
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return _read_union(get_args(hint), value, path=path)
    if origin is Literal:
        if value in get_args(hint) and not isinstance(value, bool):
            return value
        raise MalformedRecord(f"{path} must be one of {get_args(hint)}, but got {value!r}")
    if origin is tuple:
        if not isinstance(value, (list, tuple)):
            raise MalformedRecord(f"{path} must be a list, but got {value!r}")
        return tuple(_read(get_args(hint)[0], item, path=path) for item in value)
    if origin is not None and issubclass(origin, Mapping):
        if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
            raise MalformedRecord(f"{path} must be an object, but got {value!r}")
        return {key: _read(get_args(hint)[1], item, path=path) for key, item in value.items()}
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        if not isinstance(value, Mapping):
            raise MalformedRecord(f"{path} must be an object, but got {value!r}")
        return _read_fields(hint, value, path=path)
    return _read_scalar(hint, value, path=path)


def _read_union(options: tuple[Any, ...], value: Any, *, path: str) -> Any:
    for option in options:
        try:
            return _read(option, value, path=path)
        except MalformedRecord:
            continue
    raise MalformedRecord(f"{path} has the wrong type: {value!r}")


def _read_scalar(hint: Any, value: Any, *, path: str) -> Any:
    if hint is type(None):
        if value is None:
            return None
        raise MalformedRecord(f"{path} must be null, but got {value!r}")
    is_bool = isinstance(value, bool)
    if isinstance(value, hint) and is_bool == (hint is bool):
        return value
    raise MalformedRecord(f"{path} must be of type {hint.__name__}, but got {value!r}")
