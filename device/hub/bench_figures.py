"""From what was noted to figures, for `schockauge bench hub`. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

Seen = Sequence[tuple[int, float]]
"""Numbers of the hall and moments, both rising."""


def quantiles(name: str, values: Sequence[float]) -> dict[str, float]:
    """Return median, 99 of 100 and the largest, under a name; nothing where there are no values."""
    if not len(values):
        return {}
    p50, p99, most = np.quantile(values, (0.5, 0.99, 1.0))
    return {
        f"{name}_p50": round(float(p50), 1),
        f"{name}_p99": round(float(p99), 1),
        f"{name}_max": round(float(most), 1),
    }


def screen_ms(feed: Seen, screens: Sequence[Seen]) -> list[float]:
    """How long each entry took until a screen was told of it, or of a later one; milliseconds.

    Args:
        feed: number in the hall and moment of writing, of every entry.
        screens: numbers that each was told, and when.

    Returns:
        A value for each entry and screen; infinite where the screen never came so far.
    """
    if not feed:
        return []
    numbers, written_s = np.array(feed).T
    ms: list[float] = []
    for seen in screens:
        told, at_s = np.array([*seen, (np.inf, np.inf)]).T
        ms += (1000 * (at_s[np.searchsorted(told, numbers)] - written_s)).tolist()
    return ms
