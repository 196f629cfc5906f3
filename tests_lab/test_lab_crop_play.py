"""Dice held upright: the point below the camera comes to lie downwards, surely or about so."""

import json
import math
from pathlib import Path

import cv2
import numpy as np
import pytest
import torch

from models.lab.crop_play import held_upright, places, plain, played, upright
from models.lab.value_crops import cut

WAYS = torch.tensor([[1.0, 0.0], [0.0, 1.0], [-0.7, 0.0], [0.5, -0.5]])


def seen_way(ways: torch.Tensor, turns: torch.Tensor) -> torch.Tensor:
    """Where a step from the middle of the kept crop along each way comes to lie; (N, 2)."""
    crops = torch.zeros(len(ways), 3, 92, 92)
    _, theta = plain(crops, turns)
    return places(ways[:, None, :], theta)[:, 0]


def test_turned_upright_the_way_to_below_the_camera_points_down() -> None:
    way = seen_way(WAYS, upright(WAYS))
    torch.testing.assert_close(way[:, 0], torch.zeros(4), atol=1e-5, rtol=0)
    assert (way[:, 1] > 0).all()


def test_unturned_a_crop_is_only_cut_closer() -> None:
    crops = torch.rand(2, 3, 92, 92, generator=torch.Generator().manual_seed(1))
    pictures, theta = plain(crops)
    assert pictures.shape == (2, 3, 64, 64)
    torch.testing.assert_close(pictures, plain(crops, torch.zeros(2))[0])
    torch.testing.assert_close(theta[0, :, :2], torch.eye(2) * 1.35 / 2)


def off(slope: float) -> torch.Tensor:
    """How far dice seen at this tangent are held from upright, radians; (4000,)."""
    ways = torch.tensor([[0.0, slope]]).expand(4000, 2)
    return held_upright(ways, torch.Generator().manual_seed(2)).abs()


def test_the_more_aslant_a_die_is_seen_the_nearer_to_upright() -> None:
    assert float((off(1.5) < math.radians(12)).float().mean()) > 0.9
    assert float((off(0.5) < math.radians(43)).float().mean()) > 0.9
    assert float((off(0.5) < math.radians(20)).float().mean()) < 0.6
    assert float((off(0.1) > math.pi / 2).float().mean()) == pytest.approx(0.5, abs=0.03)
    assert float((off(1.5) > math.pi / 2).float().mean()) == pytest.approx(0.04, abs=0.015)


def test_play_takes_the_turns_it_is_told() -> None:
    crops = torch.zeros(4, 3, 92, 92)
    _, theta = played(crops, torch.Generator().manual_seed(3), turns=upright(WAYS))
    way = places(WAYS[:, None, :], theta)[:, 0] - places(torch.zeros(4, 1, 2), theta)[:, 0]
    assert (way[:, 1] > 0.6).all()
    assert (way[:, 0].abs() < 0.3).all(), "no more than its stretching bends"


def test_cut_outs_know_the_way_to_below_the_camera(tmp_path: Path) -> None:
    for kind in ("images", "labels", "standing"):
        (tmp_path / kind / "train").mkdir(parents=True)
    cv2.imwrite(str(tmp_path / "images/train/a.jpg"), np.full((100, 100, 3), 90, np.uint8))
    # Two dice of 20 px; the second reaches 5 px beyond the picture, where its label is clipped.
    (tmp_path / "labels/train/a.txt").write_text("3 0.3 0.3 0.2 0.2\n1 0.925 0.5 0.15 0.2\n")
    ground = [[0.0, 2.0], [-2.0, 0.0]]
    told = [
        {"box": [20.2, 19.8, 40.1, 40.0], "ground": ground, "lean": [0.6, 0.8]},
        {"box": [85.0, 40.0, 105.0, 60.0], "ground": ground, "lean": [0.0, 0.5]},
    ]
    (tmp_path / "standing/train/a.json").write_text(json.dumps(told))
    crops = cut(tmp_path, "train")
    dice = crops.classes < 6
    np.testing.assert_allclose(crops.toward[dice], [[0.8, -0.6], [0.5, 0.0]], atol=1e-6)
    assert not crops.toward[~dice].any()
