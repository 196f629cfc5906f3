"""What lies there unseen must not be learned as the bare mat."""

import numpy as np
import pytest

from vision.known_mat import KnownMat, LearnSettings
from vision.lying import Zones
from vision.motion import BareMat
from vision.table import SceneState

MAT = np.full((100, 120, 3), 90, np.uint8)
SMALL = np.full((50, 60), 90, np.float32)
FAINT = SMALL.copy()
FAINT[10:18, 10:18] += 20


def known() -> KnownMat:
    mat = KnownMat(BareMat(600.0, 150.0), [Zones()], scale_px_per_mm=1.0, margin_mm=0.0)
    mat.searched(0.0)
    for at_s in (0.0, 0.6):
        mat.learn(lambda: MAT, SMALL, [SceneState(at_s)])
        mat.searched(at_s)
    assert mat.bare.look(SMALL).bare == (True,)
    return mat


@pytest.mark.parametrize("traces", [True, False])
def test_faint_traces_are_learned_only_after_a_long_quiet(traces: bool) -> None:
    mat, begun_s = known(), 1.0
    mat.searched(begun_s)
    times = np.arange(begun_s, begun_s + LearnSettings().anew_s - 0.5, 0.1)
    for at_s in times:
        state = SceneState(float(at_s), looks_bare=True, traces=traces)
        mat.learn(lambda: MAT, FAINT, [state])
    assert mat.bare.look(FAINT).traces == (traces,)
    later_s = float(times[-1]) + LearnSettings().anew_s
    mat.searched(later_s)
    mat.learn(lambda: MAT, FAINT, [SceneState(later_s, looks_bare=True, traces=traces)])
    assert mat.bare.look(FAINT).traces == (False,)
