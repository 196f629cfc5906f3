"""Read the input of a rule question strictly: every value is checked, nothing is guessed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.book import RuleBook
from rules.dice import DICE_PER_PLAYER, Dice, as_dice
from rules.errors import MalformedRecord
from rules.ranking import Result
from rules.results import Deckel


@dataclass(frozen=True)
class Fields:
    """The named values of a question; each method reads one and says what is wrong with it."""

    values: Mapping[str, Any]

    def has(self, name: str) -> bool:
        """Tell whether a value is given and is not null."""
        return self.values.get(name) is not None

    def need(self, name: str) -> Any:
        """Return a value that must be there.

        Raises:
            MalformedRecord: it is missing or null.
        """
        if not self.has(name):
            raise MalformedRecord(f"the question lacks {name!r}")
        return self.values[name]

    def text(self, name: str) -> str:
        """Return a value that must be a non-empty text."""
        value = self.need(name)
        if not isinstance(value, str) or not value:
            raise MalformedRecord(f"{name!r} must be a text, but got {value!r}")
        return value

    def optional_text(self, name: str) -> str | None:
        """Return a text, or None if it is missing or null."""
        return self.text(name) if self.has(name) else None

    def choice(self, name: str, options: Sequence[str]) -> str:
        """Return a text that must be one of the options."""
        value = self.text(name)
        if value not in options:
            known = ", ".join(options)
            raise MalformedRecord(f"{name!r} must be one of {known}, but got {value!r}")
        return value

    def number(self, name: str, *, least: int, most: int | None = None) -> int:
        """Return a whole number between `least` and `most`."""
        value = self.need(name)
        too_much = isinstance(value, int) and most is not None and value > most
        if isinstance(value, bool) or not isinstance(value, int) or value < least or too_much:
            upto = "" if most is None else f" to {most}"
            raise MalformedRecord(
                f"{name!r} must be a whole number from {least}{upto}, but got {value!r}"
            )
        return value

    def first(self, *names: str) -> str:
        """Return the first of these names that is given, else the first; the others are synonyms.

        Raises:
            MalformedRecord: two of them are given and differ.
        """
        given = [name for name in names if self.has(name)]
        if len({repr(self.values[name]) for name in given}) > 1:
            raise MalformedRecord(f"{' and '.join(map(repr, given))} contradict each other")
        return given[0] if given else names[0]

    def flag(self, name: str, *, default: bool | None = None) -> bool:
        """Return true or false; `default` None means that it must be given."""
        if not self.has(name) and default is not None:
            return default
        value = self.need(name)
        if not isinstance(value, bool):
            raise MalformedRecord(f"{name!r} must be true or false, but got {value!r}")
        return value

    def dice(self, name: str, *, least: int = 1, most: int = DICE_PER_PLAYER) -> Dice:
        """Return dice values, highest first."""
        return as_dice(self.need(name), least=least, most=most)

    def deckel(self, name: str) -> Deckel:
        """Return a number of Deckel, or "all"."""
        return "all" if self.need(name) == "all" else self.number(name, least=1)

    def objects(self, name: str) -> tuple["Fields", ...]:
        """Return a list of objects."""
        value = self.need(name)
        if not isinstance(value, (list, tuple)):
            raise MalformedRecord(f"{name!r} must be a list, but got {value!r}")
        for item in value:
            if not isinstance(item, Mapping):
                raise MalformedRecord(f"{name!r} must be a list of objects, but holds {item!r}")
        return tuple(Fields(item) for item in value)

    def names(self, name: str) -> tuple[str, ...]:
        """Return a list of different names."""
        value = self.need(name)
        if not isinstance(value, (list, tuple)) or not all(
            isinstance(item, str) and item for item in value
        ):
            raise MalformedRecord(f"{name!r} must be a list of names, but got {value!r}")
        if len(set(value)) != len(value) or not value:
            raise MalformedRecord(f"{name!r} must name everybody once, but got {value!r}")
        return tuple(value)

    def counts(self, name: str) -> dict[str, int]:
        """Return an object of whole numbers from 0, by player."""
        value = self.need(name)
        if not isinstance(value, Mapping) or not value:
            raise MalformedRecord(f"{name!r} must be an object, but got {value!r}")
        inner = Fields(value)
        return {str(player): inner.number(player, least=0) for player in value}

    def results(self, book: RuleBook) -> tuple[Result, ...]:
        """Return the results of a round in throwing order; nobody throws more than the book lets.

        Raises:
            MalformedRecord: there is none, or a part of one is missing or impossible.
        """
        entries = self.objects("results")
        if not entries:
            raise MalformedRecord("'results' must hold at least one result")
        return tuple(read_result(book, entry) for entry in entries)


def read_result(book: RuleBook, entry: Fields, *, player: str | None = None) -> Result:
    """Read one result; without `from_hand` a result of one throw is from the hand.

    Raises:
        MalformedRecord: a part is missing or impossible.
    """
    throws = entry.number("throws", least=1, most=book.max_throws) if entry.has("throws") else 1
    return Result(
        player=entry.text("player") if player is None else player,
        dice=entry.dice("dice", least=DICE_PER_PLAYER),
        throws=throws,
        from_hand=entry.flag("from_hand", default=True if throws == 1 else None),
    )


def read_fields(value: Any, what: str) -> Fields:
    """Read an object.

    Raises:
        MalformedRecord: it is none.
    """
    if not isinstance(value, Mapping):
        raise MalformedRecord(f"{what} must be a JSON object, but got {value!r}")
    return Fields(value)
