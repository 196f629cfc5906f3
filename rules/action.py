"""The base of what somebody does at the table; the actions are in `rules.actions`."""

from dataclasses import dataclass
from typing import Any, ClassVar

from rules import wire


@dataclass(frozen=True)
class Action:
    """Base of all actions; `type` names the kind in JSON."""

    type: ClassVar[str] = ""

    def to_json(self) -> dict[str, Any]:
        """Return the action as a JSON-able object with the key `type`."""
        return wire.to_json(self)
