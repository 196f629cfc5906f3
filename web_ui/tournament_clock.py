"""The clock of a round: the server's time alone counts, a page only counts on from it."""

from typing import Any

from rules.tournament_format import Format
from rules.tournament_state import Round
from web_ui.i18n import text
from web_ui.tournament_context import now_s
from web_ui.tournament_ports import RoundClock

MINUTE_S = 60


def clock_view(
    clock: RoundClock | None, one: Round, made: Format, lang: str
) -> dict[str, Any] | None:
    """Return what a page needs to count on.

    Returns:
        `now_ms`, `from_ms` and `to_ms` (Unix time; `to_ms` 0: the round has no end), whether it
        was `started`, and how it reads now (`shown`); None without a clock.
    """
    if clock is None or clock.round != one.number:
        return None
    minutes = made.round_minutes if one.kind == "points" else made.ko_minutes
    begun_s = clock.started_at_s or clock.drawn_at_s
    now = now_s()
    to_s = begun_s + MINUTE_S * minutes if minutes else 0.0
    return {
        "now_ms": round(1000 * now),
        "from_ms": round(1000 * begun_s),
        "to_ms": round(1000 * to_s),
        "started": bool(clock.started_at_s),
        "drawn_ago_s": now - clock.drawn_at_s,
        "over": bool(minutes) and now >= to_s,
        "shown": shown(to_s - now if minutes else now - begun_s),
        "label": text(lang, "hall.clock.left" if minutes else "hall.clock.since"),
        "over_label": text(lang, "hall.clock.over"),
    }


def shown(seconds: float) -> str:
    """Return a time as people read it; what is past its end counts up."""
    whole = int(abs(seconds))
    return f"{whole // MINUTE_S}:{whole % MINUTE_S:02d}"
