"""What has changed on the mat, and whether it is bare."""

import numpy as np
import pytest

from vision.motion import BareMat, MotionGate, thumb


def test_the_motion_gate_sums_up_slow_change_and_ignores_noise():
    gate, rng = MotionGate(), np.random.default_rng(5)
    view = np.full((660, 880, 3), 90, np.uint8)

    def noisy(picture):
        grain = rng.normal(0, 6, picture.shape)
        return thumb(np.clip(picture + grain, 0, 255).astype(np.uint8), 2.2)

    assert gate.changed_mm2(noisy(view)) == float("inf")
    gate.accept(noisy(view))
    assert gate.changed_mm2(noisy(view)) < 20
    changes = []
    for level in range(90, 130, 4):
        view[100:200, 100:200] = level
        changes.append(gate.changed_mm2(noisy(view)))
    assert changes[0] < 20
    assert changes[-1] == pytest.approx((100 / 2.2) ** 2, rel=0.1)


def test_the_bare_mat_knows_things_from_a_lamp_that_dims():
    bare = BareMat(600.0, 150.0)
    rng = np.random.default_rng(6)
    mat = rng.integers(60, 120, (165, 220)).astype(np.float32)
    assert bare.look(mat).bare[0] is None
    bare.learn(mat)
    assert bare.look(mat * 0.8).bare[0] is True
    covered = mat.copy()
    covered[50:90, 50:90] = 220
    assert bare.look(covered).bare[0] is False
    assert bare.look(mat[:100]).bare[0] is None


def test_faint_things_leave_traces_where_the_mat_still_looks_bare():
    bare, rng = BareMat(600.0, 150.0), np.random.default_rng(6)
    mat = rng.integers(60, 120, (165, 220)).astype(np.float32)
    assert not bare.look(mat).traces[0]
    bare.learn(mat)
    noisy = mat * 0.9 + rng.normal(0, 2, mat.shape)
    assert not bare.look(noisy.astype(np.float32)).traces[0]
    faint = noisy.astype(np.float32)
    faint[50:57, 50:57] += 20
    assert bare.look(faint).bare[0] is True
    assert bare.look(faint).traces[0]
