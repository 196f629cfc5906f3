"""What the settings say of evidence: how clips are made, how long files are kept."""

from __future__ import annotations

from device.filming import FilmSettings
from device.retention import Rules
from device.settings import Settings


def film_settings(settings: Settings) -> FilmSettings | None:
    """What clips are like; None: none are made."""
    if not settings["store.clip_fps"]:
        return None
    return FilmSettings(
        before_s=settings["store.clip_before_s"],
        after_s=settings["store.clip_after_s"],
        fps=settings["store.clip_fps"],
        ring_s=settings["store.ring_s"],
        ring_bytes=round(settings["store.ring_mb"] * 1e6),
    )


def retention_rules(settings: Settings) -> Rules:
    """How long files are kept, and how many."""
    most_bytes = round(settings["store.evidence_most_mb"] * 1e6)
    return Rules(settings["store.evidence_days"], most_bytes)
