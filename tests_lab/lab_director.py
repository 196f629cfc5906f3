"""Games that are directed at the simulated table, for its tests."""

import numpy as np

from device.simulate_disturbances import Disturbed
from device.simulate_game import letters, play
from device.simulate_play import Director
from device.simulate_table import plan_of

FPS = 15.0
CALM = Disturbed((), 1)
SHARED = plan_of(letters(3))


def directed(seed=207, rounds=None, fps=FPS, layout="shared", disturbed=CALM):
    director = Director(plan_of(letters(3), layout), fps, np.random.default_rng([seed, 1]))
    disturbed.begin(director.stage)
    director.play(play("turnier", letters(3), seed=seed, rounds=rounds))
    return director
