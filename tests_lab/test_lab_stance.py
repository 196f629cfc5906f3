"""What the stance network learns from: dice at the table's scale, and where the camera is."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
import torch
from torch.nn import functional

import models
from models.lab import stance_crops, train_stance
from models.lab.crop_play import CHANGES, lit
from models.lab.networks import Stance
from models.lab.photo_pips import believed
from models.lab.scenes import Composed, Placed
from models.lab.stance_crops import KEPT_DICE, KEPT_PX, StanceCrops, rectified
from models.lab.standing import standing
from models.lab.things import Camera, Die, Scene
from models.lab.train_stance import SHARES, Deal, Shown, figures, turns
from vision.stance import STANCE_DICE, STANCE_PX


def test_a_foreshortened_die_becomes_a_square_again() -> None:
    ground = np.array([[3.0, -1.2], [1.0, -2.0]])
    middle, edge = np.array([150.0, 140.0]), 14.0
    corners = np.array([[-7, -7], [7, -7], [7, 7], [-7, 7]]) @ ground.T + middle
    image = np.full((300, 300, 3), 30, np.uint8)
    cv2.fillConvexPoly(image, corners.round().astype(int), (220, 220, 220))
    crop = rectified(image, middle, ground, edge)
    assert crop.shape == (KEPT_PX, KEPT_PX, 3)
    rows, columns = np.nonzero(crop[..., 0] > 120)
    side = KEPT_PX / KEPT_DICE
    assert np.sqrt(len(rows)) == pytest.approx(side, rel=0.05)
    assert np.ptp(rows) == pytest.approx(side, abs=2)
    assert np.ptp(columns) == pytest.approx(side, abs=2)
    assert pytest.approx(STANCE_PX / STANCE_DICE, rel=0.01) == KEPT_PX / KEPT_DICE


def test_standing_tells_where_the_camera_is_seen_from_every_die(a_look) -> None:
    dice = [
        Die(
            position_mm=(x, 0.0, 8.0),
            rotation=np.eye(3),
            size_mm=16.0,
            look=a_look,
            values=(3, 4, 2, 5, 1, 6),
        )
        for x in (0.0, 100.0)
    ]
    placed = (Placed(0, "flat", 1, 0), Placed(1, "burning", 1, 1))
    camera = Camera(position_mm=(0.0, 0.0, 508.0), up=(0.0, 1.0, 0.0), fov_deg=40.0)
    scene = Scene(
        floor_rgb=np.zeros((4, 4, 3), np.float32), floor_size_mm=(600.0, 600.0), dice=dice
    )
    rows = standing(Composed(scene, camera, placed, "felt", 20.0, 0.0), (320, 320), (320, 320))
    assert [row["kind"] for row in rows] == ["flat", "burning"]
    assert rows[0]["lean"] == pytest.approx([0, 0], abs=0.01)
    assert rows[1]["lean"] == pytest.approx([-0.2, 0], abs=0.01)
    assert rows[0]["box"][0] + rows[0]["box"][2] == pytest.approx(320, abs=1)
    scale = abs(np.linalg.det(np.array(rows[0]["ground"]))) ** 0.5
    assert scale == pytest.approx(160 / np.tan(np.radians(20)) / 500, rel=0.03)


def test_cut_outs_are_turned_towards_the_camera() -> None:
    leans = torch.tensor([[0.3, 0.0], [0.0, 0.4], [-0.2, -0.2]])
    ahead = torch.bmm(turns(leans), torch.tensor([[1.0], [0.0]]).expand(3, 2, 1))[:, :, 0]
    assert torch.allclose(ahead, leans / leans.norm(dim=1, keepdim=True), atol=1e-6)


def test_figures_count_faults_above_the_flat_dice_that_raise_an_alarm() -> None:
    shares = np.array([[0.99, 0.0, 0.01]] * 99 + [[0.5, 0.4, 0.1]] + [[0.1, 0.8, 0.1]] * 4)
    classes = np.array([0] * 100 + [1, 1, 1, 2])
    assert figures(shares, classes)["tower at 1.0%"] == 1.0


def test_other_light_keeps_form_and_range_and_is_the_same_for_the_same_chance() -> None:
    crops = torch.rand(40, 3, 64, 64, generator=torch.Generator().manual_seed(1))
    one, again = (lit(crops.clone(), torch.Generator().manual_seed(5)) for _ in range(2))
    assert one.shape == crops.shape
    assert 0 <= float(one.min()) <= float(one.max()) <= 1
    assert torch.equal(one, again)
    for _, change in CHANGES:
        one_of_each = change(crops[:2], torch.arange(2), torch.Generator().manual_seed(2))
        assert one_of_each.shape == (2, 3, 64, 64)


def test_dice_of_one_throw_are_lit_alike() -> None:
    """One that is as light as another stays so, and one that is lighter is not evened out."""
    pattern = torch.rand(1, 3, 16, 16, generator=torch.Generator().manual_seed(1))
    faces = 0.3 + 0.2 * functional.interpolate(pattern, size=64, mode="bilinear")
    crops = torch.cat([faces, faces, 1.5 * faces]).repeat(200, 1, 1, 1)
    throws = torch.arange(200).repeat_interleave(3)
    lights = {
        name: lit(crops.clone(), torch.Generator().manual_seed(5), of).mean((2, 3)).view(200, 3, 3)
        for name, of in (("together", throws), ("alone", None))
    }
    apart = {name: (one[:, 0] - one[:, 1]).abs().mean() for name, one in lights.items()}
    lighter = {name: (one[:, 0] - one[:, 2]).abs().mean() for name, one in lights.items()}
    assert apart["together"] < 0.2 * apart["alone"]
    assert apart["together"] < 0.5 * lighter["together"]


@pytest.mark.parametrize(
    ("marks", "value", "told"),
    [
        ([(10, 10), (10, 22), (22, 10), (22, 22), (16, 16)], 5, True),
        ([(10, 10), (10, 22), (22, 10), (16, 26), (13, 16)], 5, False),
        ([(10, 10), (10, 22), (22, 10)], 5, False),
        ([(16, 16)], 1, True),
        ([(3, 3)], 1, False),
    ],
)
def test_pips_of_a_photograph_are_believed_where_they_lie_as_pips_do(marks, value, told) -> None:
    heat = np.full((32, 32), 0.001, np.float32)
    for x, y in marks:
        heat[y, x] = 0.5
    places = believed(heat, value)
    assert (places is not None) == told
    if places is not None:
        assert sorted((places * 32 - 0.5).round().astype(int).tolist()) == sorted(map(list, marks))


def some_crops(count: int) -> StanceCrops:
    rng = np.random.default_rng(count)
    coarse = rng.integers(0, 255, (count, 6, 6, 3)).astype(np.uint8)
    pictures = [
        cv2.resize(one, (KEPT_PX, KEPT_PX), interpolation=cv2.INTER_CUBIC) for one in coarse
    ]
    return StanceCrops(
        np.array(pictures),
        rng.normal(0, 0.2, (count, 2)).astype(np.float32),
        np.arange(count) % 3,
        rng.uniform(0, 30, count).astype(np.float32),
        np.arange(count) % 3 == 0,
    )


def shown(classes: list[int], first: list[bool]) -> Shown:
    """Cut-outs whose pictures are as light as their number."""
    n = len(classes)
    pictures = torch.arange(n, dtype=torch.uint8)[:, None, None, None].expand(n, 2, 2, 3)
    return Shown(pictures, torch.zeros(n, 2), torch.tensor(classes), torch.tensor(first))


def test_throws_are_dealt_whole_and_all_stances_weigh_by_their_shares() -> None:
    crops = shown([0, 0, 2, 0, 0, 0, 1, 0], [True, False, False, True, False, False, True, False])
    deal = Deal(crops, lonely=0.0)
    some, number = deal.dealt(3000, torch.Generator().manual_seed(1))
    assert len(some) == len(number) == 3000
    whole = {frozenset({0, 1, 2}), frozenset({3, 4, 5}), frozenset({6, 7})}
    own = some.pictures[:, 0, 0, 0]
    for one in range(int(number.max())):  # the last one may be cut short
        assert frozenset(own[number[:, 0] == one].tolist()) in whole
    weighed = torch.zeros(3).index_add(0, some.classes, deal.weights[some.classes])
    assert (weighed / weighed.sum()).tolist() == pytest.approx(SHARES, abs=0.03)


def test_a_lonely_die_is_seen_beside_none() -> None:
    deal = Deal(shown([0, 1, 2], [True, False, False]), lonely=1.0)
    _, number = deal.dealt(30, torch.Generator().manual_seed(1))
    assert len(number.unique()) == 30


def test_stances_that_a_set_lacks_weigh_nothing() -> None:
    weights = Deal(shown([0, 0, 2], [True, False, False]), lonely=0.0).weights
    assert weights[1] == 0
    assert (weights[[0, 2]] > 0).all()


def test_dice_of_one_throw_see_one_another_and_no_others() -> None:
    torch.manual_seed(1)
    network = Stance().eval()
    torch.nn.init.normal_(network.compare[-1].weight)
    dice = torch.rand(5, 3, 32, 32)
    told = torch.tensor([[0.1, 7], [0.2, 7], [0.3, 8], [0.1, 7], [0.2, 9]])
    with torch.no_grad():
        said = network(dice, told)
        assert torch.allclose(network(dice[[3, 0, 1]], told[[3, 0, 1]]), said[[3, 0, 1]], atol=1e-5)
        assert torch.allclose(network(dice[[2]], told[[2]]), said[[2]], atol=1e-5)
        alone = network(dice[[0]], told[[0]])
    assert not torch.allclose(alone, said[[0]], atol=1e-3)


def test_others_begin_without_a_say() -> None:
    network, dice = Stance().eval(), torch.rand(2, 3, 32, 32)
    with torch.no_grad():
        beside, apart = (network(dice, torch.tensor([[0.1, 1], [0.2, n]])) for n in (1, 2))
    assert torch.allclose(beside, apart)


def test_cut_outs_are_kept_small_for_a_training_elsewhere(tmp_path: Path) -> None:
    crops = some_crops(9)
    crops.save(tmp_path / "train.npz", quality=95)
    crops.save(tmp_path / "val.npz", quality=95)
    assert (tmp_path / "train.npz").stat().st_size < crops.pictures.nbytes / 10
    again = stance_crops.stance_crops([tmp_path, tmp_path], "train")
    assert len(again.classes) == 18
    assert np.abs(again.pictures[9:].astype(float) - crops.pictures).mean() < 4
    for name in ("leans", "classes", "tilts", "first"):
        assert (getattr(again, name)[:9] == getattr(crops, name)).all()
    nothing = tmp_path / "nothing"
    nothing.mkdir()
    none = stance_crops.stance_crops([nothing], "train")
    none.save(nothing / "train.npz", quality=95)
    assert len(stance_crops.stance_crops([nothing], "train").classes) == 0


@pytest.mark.filterwarnings("ignore")  # torch's exporter announces its own successor
def test_a_training_by_the_clock_begins_with_the_shipped_namer_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for split in ("train", "val"):
        some_crops(12).save(tmp_path / f"{split}.npz", quality=95)
    namer = str(models.FOLDER / "lab" / "checkpoints" / "namer.pt")
    words = ["train_stance", str(tmp_path), "--wide", "--batch", "2", "--minutes", "0.05"]
    words += ["--namer", namer, "--out", str(tmp_path / "runs")]
    monkeypatch.setattr("sys.argv", words)
    train_stance.main()
    state = torch.load(tmp_path / "runs" / "last.pt", weights_only=True)
    assert state["done"] == 1
    told = json.loads((tmp_path / "runs" / "metrics.json").read_text())
    assert told["passes"] == state["passes"] > 0
    assert (tmp_path / "runs" / "stance.onnx").stat().st_size > 4e6
    train_stance.main()  # nothing left to do
    assert torch.load(tmp_path / "runs" / "last.pt", weights_only=True)["passes"] == told["passes"]


def test_a_training_without_dice_says_what_to_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["train_stance", str(tmp_path / "sett"), "--out", str(tmp_path / "runs")]
    monkeypatch.setattr("sys.argv", words)
    with pytest.raises(SystemExit, match=r"no dice to learn from in .*sett: name sets"):
        train_stance.main()
