"""Which parts of the mat need no look: nothing has changed there since they were looked at well."""

import numpy as np
from numpy.typing import NDArray

Flags = NDArray[np.bool_]
MOST_RESTS = 4
"""What has not changed for long rests for so many `rest_s`: slow change adds up and wakes it."""
SEARCH_LOOKS = 8
"""Where something lies and nothing is found it is looked at so often, framed anew each time."""


class Resting:
    """Remembers how each part of the mat was looked at.

    A part must have been looked at as it is now while nothing moved: what is seen at the end of a
    movement may be the sleeve that is just leaving.

    Args:
        count: of the parts.
        still_mm2: up to so much change a part counts as unchanged.
        rest_s: one that has just come to rest is looked at again after this; each time that
            nothing has changed it may rest twice as long, up to `MOST_RESTS` times this.
    """

    def __init__(self, count: int, *, still_mm2: float, rest_s: float) -> None:
        self._still_mm2, self._rest_s = still_mm2, rest_s
        self._rests_s = np.full(count, rest_s)
        self._looked_s = np.full(count, -np.inf)
        self._coarsely = np.zeros(count, np.bool_)
        self._still_looks = np.zeros(count, np.int64)

    def may_rest(
        self,
        changed_mm2: NDArray[np.float64],
        settled: list[bool],
        strange: list[bool],
        now_s: float,
    ) -> Flags:
        """(count,) which parts need no look now.

        Args:
            changed_mm2: (count,) what has changed since they were looked at.
            settled: whether another look would teach nothing about what lies there.
            strange: whether something lies there and nothing was found.
            now_s: the time.
        """
        unchanged = (changed_mm2 <= self._still_mm2) & np.array(settled)
        lately = now_s - self._looked_s < self._rests_s
        enough = self._still_looks >= np.where(strange, SEARCH_LOOKS, 1)
        return np.asarray(unchanged & lately & ~self._coarsely & enough)

    def looked(
        self, which: Flags, changed_mm2: NDArray[np.float64], now_s: float, *, coarsely: bool
    ) -> None:
        """Parts, given as (count,), were looked at; a coarse look spoils no fine one before."""
        still = changed_mm2 <= self._still_mm2
        rested = np.isfinite(self._looked_s) & (now_s - self._looked_s >= self._rests_s)
        longer_s = np.minimum(self._rests_s * np.where(rested, 2, 1), MOST_RESTS * self._rest_s)
        self._rests_s[which] = np.where(still, longer_s, self._rest_s)[which]
        self._looked_s[which] = now_s
        self._coarsely[which] = (coarsely & (~still | self._coarsely))[which]
        self._still_looks[which] = np.where(still, self._still_looks + 1, 0)[which]
