"""Order players by one criterion after the other, and say for every place what decided it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rules.tournament_state import Playoff

Group = tuple[str, ...]
"""Equals, or all players before anything has been compared."""
Words = tuple[str, str]
"""German and English."""

NAMES_TOLD = 3
"""How many opponents a reason names; more of them are counted."""


@dataclass(frozen=True, kw_only=True)
class Criterion:
    """One thing by which equals are told apart.

    Attributes:
        code: machine-readable, for example `points`.
        split: cuts a group of equals into groups, the best first.
        told: what is said of a player in any case; None for nothing.
        decided: what is said where it decided: of a player, with those just ahead of him and just
            behind him.
    """

    code: str
    split: Callable[[Group], Sequence[Group]]
    told: Callable[[str], Words | None]
    decided: Callable[[str, Group, Group], Words | None]


@dataclass(frozen=True, kw_only=True)
class Ranked:
    """A player's place.

    Attributes:
        place: 1 for the best; equals share the best of their places.
        player: who.
        equals: the others of that place.
        codes: the criteria that decided between him and his neighbours.
        words: what the place rests on, in the order of the criteria.
    """

    place: int
    player: str
    equals: Group
    codes: tuple[str, ...]
    words: tuple[Words, ...]

    @property
    def reason_de(self) -> str:
        """Why this place, in German."""
        return self._reason(0, "geteilt mit")

    @property
    def reason_en(self) -> str:
        """Why this place, in English."""
        return self._reason(1, "shared with")

    def _reason(self, language: int, shared: str) -> str:
        said = [words[language] for words in self.words]
        if self.equals:
            said.append(f"{shared} {named(self.equals)[language]}")
        return ", ".join(said)


def ranked(players: Iterable[str], criteria: Sequence[Criterion]) -> tuple[Ranked, ...]:
    """Order players.

    Args:
        players: whom; equals to the end keep this order.
        criteria: the most important first; `told` must be known for every player.
    """
    groups: list[Group] = [tuple(players)]
    said: dict[str, list[Words]] = {name: [] for name in groups[0]}
    codes: dict[str, list[str]] = {name: [] for name in groups[0]}
    for criterion in criteria:
        parts = [[part for part in criterion.split(group) if part] for group in groups if group]
        for split in parts:
            for at, part in enumerate(split):
                ahead = split[at - 1] if at else ()
                behind = split[at + 1] if at + 1 < len(split) else ()
                _say(criterion, part, ahead, behind, said, codes)
        groups = [part for split in parts for part in split]
    places: list[Ranked] = []
    for group in groups:
        place = len(places) + 1
        for name in group:
            equals = tuple(other for other in group if other != name)
            places.append(
                Ranked(
                    place=place, player=name, equals=equals, codes=tuple(codes[name]),
                    words=tuple(said[name]),
                )
            )  # fmt: skip
    return tuple(places)


def _say(
    criterion: Criterion,
    part: Group,
    ahead: Group,
    behind: Group,
    said: dict[str, list[Words]],
    codes: dict[str, list[str]],
) -> None:
    for name in part:
        words = criterion.told(name)
        if ahead or behind:
            codes[name].append(criterion.code)
            words = criterion.decided(name, ahead, behind) or words
        if words is not None:
            said[name].append(words)


def by_key(
    code: str,
    key: Callable[[str], Any],
    *,
    told: Callable[[str], Words | None] | None = None,
    decided: Callable[[str, Group, Group], Words | None] | None = None,
) -> Criterion:
    """A criterion by a key that is smaller for the better."""

    def split(group: Group) -> Sequence[Group]:
        keys: dict[Any, list[str]] = {}
        for name in group:
            keys.setdefault(key(name), []).append(name)
        return [tuple(keys[one]) for one in sorted(keys)]

    return Criterion(
        code=code,
        split=split,
        told=told or (lambda name: None),
        decided=decided or (lambda name, ahead, behind: None),
    )


def by_playoffs(playoffs: Sequence[Playoff]) -> Criterion:
    """The results of every Stechen that all of a group of equals have played."""

    def decided(name: str, ahead: Group, behind: Group) -> Words:
        german, english = [], []
        if behind:
            whom_de, whom_en = named(behind)
            german.append(f"Stechen gegen {whom_de} gewonnen")
            english.append(f"play-off against {whom_en} won")
        if ahead:
            whom_de, whom_en = named(ahead)
            german.append(f"Stechen gegen {whom_de} verloren")
            english.append(f"play-off against {whom_en} lost")
        return ", ".join(german), ", ".join(english)

    return Criterion(
        code="stechen",
        split=lambda group: split_by_playoffs(group, playoffs),
        told=lambda name: None,
        decided=decided,
    )


def split_by_playoffs(group: Group, playoffs: Sequence[Playoff]) -> list[Group]:
    """Cut equals by every Stechen in which all of them took part, the earliest first."""
    for at, playoff in enumerate(playoffs):
        if len(group) > 1 and playoff.players >= set(group):
            parts = [tuple(n for n in one if n in group) for one in playoff.order]
            later = playoffs[at + 1 :]
            return [part for one in parts if one for part in split_by_playoffs(one, later)]
    return [group]


def against(text: Words, ahead: Group, behind: Group) -> Words:
    """Add to a criterion's words who is behind and who ahead by it."""
    german, english = text
    if behind:
        whom_de, whom_en = named(behind)
        german, english = f"{german}, vor {whom_de}", f"{english}, ahead of {whom_en}"
    if ahead:
        whom_de, whom_en = named(ahead)
        german, english = f"{german}, hinter {whom_de}", f"{english}, behind {whom_en}"
    return german, english


def named(group: Group) -> Words:
    """Name a few players, or count many."""
    if len(group) > NAMES_TOLD:
        return f"{len(group)} anderen", f"{len(group)} others"
    *others, last = group
    german = f"{', '.join(others)} und {last}" if others else last
    english = f"{', '.join(others)} and {last}" if others else last
    return german, english
