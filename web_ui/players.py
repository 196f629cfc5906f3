"""Who plays: names as somebody types them, checked before they go into a log for good."""

import unicodedata
from collections.abc import Iterable, Sequence

from web_ui.errors import RequestError

FEWEST_PLAYERS, MOST_PLAYERS = 2, 10
"""Nobody plays alone; and as many as the pages are laid out for."""

LONGEST_PLAYER = 30
"""Characters of a player's name; a wall screen shows them from across the room."""

_SIGNS = frozenset(" .'’-&+()")
"""What a name may have besides letters and digits."""


def tidied(name: str) -> str:
    """Return a name in one form: composed letters, single spaces, none around it."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def same_name(one: str, other: str) -> bool:
    """Tell whether people would hear the same name."""
    return one.casefold() == other.casefold()


def checked_players(names: object, *, known: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the names of those who play, tidied.

    Args:
        names: as they were sent.
        known: names of those who play already; whatever they are called, they stay.

    Raises:
        RequestError: 400, naming what was found and what is expected.
    """
    if not (isinstance(names, list | tuple) and all(isinstance(name, str) for name in names)):
        raise RequestError(400, "bad_players", found=str(names)[:60])
    if len(names) > MOST_PLAYERS:
        raise RequestError(400, "too_many_players", found=len(names), most=MOST_PLAYERS)
    kept = frozenset(known)
    players = [name if name in kept else _checked(tidied(name)) for name in names]
    if len(players) < FEWEST_PLAYERS:
        raise RequestError(400, "too_few_players", found=len(players), least=FEWEST_PLAYERS)
    for at, name in enumerate(players):
        if any(same_name(name, other) for other in players[:at]):
            raise RequestError(400, "player_twice", found=name)
    return tuple(players)


def _checked(name: str) -> str:
    if not any(_is_letter(char) for char in name):
        raise RequestError(400, "player_nameless", found=name[:LONGEST_PLAYER])
    if len(name) > LONGEST_PLAYER:
        shown = f"{name[:LONGEST_PLAYER]}…"
        raise RequestError(
            400, "player_too_long", found=shown, length=len(name), most=LONGEST_PLAYER
        )
    strange = [char for char in name if not (_is_letter(char) or char in _SIGNS)]
    if strange:
        raise RequestError(400, "player_signs", found=name, sign=strange[0])
    return name


def _is_letter(char: str) -> bool:
    """Letters with their marks, and digits, of any script."""
    return unicodedata.category(char)[0] in "LMN"


def seated(names: Iterable[str]) -> list[str]:
    """Return the names without empty places."""
    return [name for name in map(tidied, names) if name]


def toggled(names: Sequence[str], name: str) -> list[str]:
    """Seat somebody at the end, or let him go where he sits already."""
    left = [other for other in names if not same_name(other, name)]
    return left if len(left) < len(names) else [*names, tidied(name)]


def moved_up(names: Sequence[str], at: int) -> list[str]:
    """Let somebody change seats with the one before; the first goes to the end."""
    if not 0 <= at < len(names):
        return list(names)
    left = [*names[:at], *names[at + 1 :]]
    place = at - 1 if at else len(left)
    return [*left[:place], names[at], *left[place:]]
