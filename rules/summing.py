"""Values that are added field by field: what two games come to is the sum of what each does."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Self, TypeVar

Key = TypeVar("Key")


class Summed:
    """Base of frozen dataclasses whose fields all know `+`; mappings are added by key."""

    def __add__(self, other: Self) -> Self:
        """Add every field of another one to this one's."""
        names = [field.name for field in fields(self)]  # type: ignore[arg-type]
        return type(self)(*(_sum(getattr(self, name), getattr(other, name)) for name in names))


def _sum(one: Any, other: Any) -> Any:
    if isinstance(one, Mapping):
        return added(one, other)
    return one + other


def added(one: Mapping[Key, Any], other: Mapping[Key, Any]) -> dict[Key, Any]:
    """Add two mappings by key; what only one of them has stays as it is."""
    both = dict(one)
    for key, value in other.items():
        both[key] = both[key] + value if key in both else value
    return both
