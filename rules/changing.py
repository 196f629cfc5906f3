"""Copies of frozen values with some fields changed: what a match does thousands of times a game."""

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from types import MappingProxyType
from typing import Any, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


def frozen(mapping: Mapping[Key, Value]) -> Mapping[Key, Value]:
    """Return a copy of a mapping that nobody can change."""
    return MappingProxyType(dict(mapping))


def changed(value: Value, **changes: Any) -> Value:
    """Return a copy of a frozen dataclass with these fields changed.

    As `dataclasses.replace`, but for classes that check nothing when they are made: the fields are
    copied as they are, in a tenth of the time.

    Raises:
        TypeError: the class has no such field, or it checks its fields.
    """
    kind: type = type(value)
    if not changes.keys() <= _names(kind):
        unknown = ", ".join(sorted(changes.keys() - _names(kind)))
        raise TypeError(f"{kind.__name__} has no field {unknown}")
    copy: Value = object.__new__(kind)
    copy.__dict__.update(value.__dict__)
    copy.__dict__.update(changes)
    return copy


@cache
def _names(kind: type) -> frozenset[str]:
    if hasattr(kind, "__post_init__"):
        raise TypeError(f"{kind.__name__} checks its fields; use dataclasses.replace")
    return frozenset(field.name for field in fields(kind))
