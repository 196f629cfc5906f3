"""What the places of dice alone tell about how they stand, before anybody looks at one.

A tower leaves fewer dice to be seen apart than are in play. That is told as odds, by which what the
stance reader says about a die's looks is multiplied. What else its neighbours tell about a die that
reader sees itself.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.lying import DICE_IN_PLAY
from vision.scene_settings import SceneSettings
from vision.seats import seats_at
from vision.stance import STANCES

__all__ = ["stance_odds"]


def stance_odds(
    places_mm: Sequence[NDArray[np.float64]], settings: SceneSettings, in_play: Sequence[int] = ()
) -> NDArray[np.float64]:
    """How much likelier than by its looks alone each die lies flat, is a tower, is tilted.

    Args:
        places_mm: (2,) middles of all dice on the mat.
        settings: the dice's size, the odds, and the seats: everybody has dice of an own.
        in_play: how many dice may lie at every seat, or on the one mat that serves all; none: the
            usual number everywhere.

    Returns:
        (n, 3) factors in the order of `vision.stance.STANCES`; 1 says nothing.
    """
    odds = np.ones((len(places_mm), len(STANCES)))
    places = np.asarray(places_mm, float).reshape(-1, 2)
    away = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1)) / settings.die_mm
    np.fill_diagonal(away, np.inf)
    at_seats = np.array(seats_at(settings.seats, places.tolist()))
    for seat in set(at_seats.tolist()):
        here = at_seats == seat
        apart = (away[np.ix_(here, here)] >= settings.apart_dice).all()
        if here.sum() == (in_play[seat] if in_play else DICE_IN_PLAY) and apart:
            odds[here, STANCES.index("tower")] = settings.tower_odds
    return odds
