"""What is shown of a fact: its still with boxes, its clip, and what was read how surely."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from web_ui.evidence import is_clip_name, is_picture_name
from web_ui.facts import Fact
from web_ui.i18n import has, text
from web_ui.wording import dice_of

Json = Mapping[str, Any]

VALUES, STANCES = 6, ("die", "tower", "burning")
NOTHING: Mapping[str, Any] = {"seq": 0, "still": "", "clip": "", "boxes": (), "readings": ()}
"""What is shown where the camera saw nothing of it."""


def evidence_view(fact: Fact | None, lang: str) -> dict[str, Any]:
    """Return what a page shows of a fact.

    Args:
        fact: what the camera saw, or None.
        lang: language of the texts.

    Returns:
        `seq` (0: no fact), `still`, `clip` (names, or ""), `note` on what is missing, `size` of
        the still in pixels and `boxes` in it (`x`, `y`, `width`, `height`, `value`, `percent`,
        `aside`), `readings` of single dice (`value`, `percent`, `sure`, `rows` with a `name` and
        `bars` of percent for 1 to 6, and `stands`: words on how it stands, or ""), `read` dice and
        `sure`: nobody had to be asked.
    """
    if fact is None:
        return {**NOTHING, "note": text(lang, "seen.nothing"), "read": (), "sure": False}
    lying = fact.data.get("lying")
    lying = lying if isinstance(lying, Mapping) else {}
    dice = [die for die in _list(lying.get("dice")) if _is_boxed(die)]
    mat = _numbers(lying.get("mat"))
    still = fact.still if is_picture_name(fact.still) else ""
    clip = fact.clip if is_clip_name(fact.clip) else ""
    return {
        "seq": fact.seq,
        "still": still,
        "clip": clip,
        "note": _note(fact, still, clip, lang),
        "size": (round(mat[0] + mat[2]), round(mat[1] + mat[3])) if len(mat) == 4 else (),
        "boxes": [_box(die) for die in dice],
        "readings": _readings(fact, dice, lang),
        "read": fact.dice,
        "sure": bool(fact.data.get("sure")) and fact.data.get("type") != "unsure",
    }


def _note(fact: Fact, still: str, clip: str, lang: str) -> str:
    if not clip and fact.clip_awaited:
        return text(lang, "seen.clip.awaited")
    if not clip and fact.clip_missing:
        key = f"seen.clip.{fact.clip_missing}"
        return text(lang, key if has(lang, key) else "seen.clip.failed")
    return "" if still or clip else text(lang, "seen.no_picture")


def _box(die: Json) -> dict[str, Any]:
    left, top, right, bottom = _numbers(die["box"])
    value, percent = _likeliest(_numbers(die["probabilities"]))
    return {
        "x": left,
        "y": top,
        "width": round(right - left, 1),
        "height": round(bottom - top, 1),
        "value": value,
        "percent": percent,
        "aside": bool(die.get("aside")),
    }


def _readings(fact: Fact, dice: Sequence[Json], lang: str) -> list[dict[str, Any]]:
    """Both witnesses where the log has their words, else what they came to together."""
    told = [_reading(one, lang) for one in _list(fact.data.get("readings")) if _is_reading(one)]
    return told or [_together(die, lang) for die in dice]


def _reading(one: Json, lang: str) -> dict[str, Any]:
    rows = [
        {"name": text(lang, f"seen.{witness}"), "bars": _bars(_numbers(one.get(witness)))}
        for witness in ("detector", "second")
        if _numbers(one.get(witness))
    ]
    return {
        "value": one["value"],
        "percent": round(100 * float(one["probability"])),
        "sure": bool(one.get("sure")),
        "rows": rows,
        "stands": _stands(_numbers(one.get("stands")), lang),
    }


def _stands(shares: Sequence[float], lang: str) -> str:
    """How likely a die lies flat, is a tower, is tilted, the likeliest first; "" if not told."""
    if len(shares) != len(STANCES):
        return ""
    ranked = sorted(zip(shares, STANCES, strict=True), reverse=True)
    words = [
        f"{text(lang, f'seen.stands.{name}')} {round(100 * share)} %" for share, name in ranked
    ]
    return text(lang, "seen.stands", shares=", ".join(words))


def _together(die: Json, lang: str) -> dict[str, Any]:
    shares = _numbers(die["probabilities"])
    value, percent = _likeliest(shares)
    row = {"name": text(lang, "seen.together"), "bars": _bars(shares)}
    sure = percent >= _SURE_PERCENT
    return {"value": value, "percent": percent, "sure": sure, "rows": [row], "stands": ""}


_SURE_PERCENT = 90
"""Above it a bar is drawn as sure; that decides nothing."""


def _bars(shares: Sequence[float]) -> list[int]:
    return [max(0, min(100, round(100 * share))) for share in shares[:VALUES]]


def _likeliest(shares: Sequence[float]) -> tuple[int, int]:
    best = max(range(len(shares)), key=shares.__getitem__)
    return best + 1, round(100 * shares[best])


def _is_boxed(die: object) -> bool:
    """Whether something of the log is a die with its place and what it was read as."""
    if not isinstance(die, Mapping) or len(_numbers(die.get("box"))) != 4:
        return False
    return len(_numbers(die.get("probabilities"))) == VALUES


def _is_reading(one: object) -> bool:
    if not isinstance(one, Mapping):
        return False
    valued = dice_of([one.get("value")]) != ()
    return valued and isinstance(one.get("probability"), int | float)


def _list(value: object) -> Iterable[Any]:
    return value if isinstance(value, list | tuple) else ()


def _numbers(value: object) -> tuple[float, ...]:
    """The numbers of a list; none where it holds anything else."""
    found = tuple(_list(value))
    right = all(isinstance(n, int | float) and not isinstance(n, bool) for n in found)
    return tuple(float(n) for n in found) if right else ()
