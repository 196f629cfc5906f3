"""What the network of outlines learns from: top faces in their places, a flat die drawn there."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
import torch

from models.lab import outline_set, train_outline
from models.lab.networks import Stance
from models.lab.outline_crops import KEPT_PX, REMEMBERED, Tops, kept, shown, tops_of
from models.lab.outline_net import Outline
from models.lab.outline_set import read_rows
from models.lab.physics import make_bank
from models.lab.train_outline import Deal
from vision.outline import (
    BOTH_PX,
    OUTLINE_DICE,
    OUTLINE_PX,
    QUARTERS,
    OutlineReader,
    Top,
    cut_outlines,
)

EDGE_PX = OUTLINE_PX / OUTLINE_DICE


def dice(classes: list[int], tilts: list[float]) -> Tops:
    """Dark pictures, each with a light top face turned by 0.3 in its middle."""
    image = np.full((KEPT_PX, KEPT_PX, 3), 30, np.uint8)
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * EDGE_PX / 2
    cos, sin = np.cos(0.3), np.sin(0.3)
    square = corners @ np.array([[cos, sin], [-sin, cos]]) + KEPT_PX / 2 - 0.5
    cv2.fillPoly(image, [np.round(square * 16).astype(np.int32)], (230,) * 3, cv2.LINE_AA, 4)
    n, bare = len(classes), np.full_like(image, 30)
    return Tops(
        torch.from_numpy(np.stack([image] * n)),
        torch.tensor([[0.3, -0.1]]).repeat(n, 1),
        torch.full((n,), 0.3),
        torch.tensor([[0.2, 0.0]]).repeat(n, 1),
        torch.tensor(classes),
        torch.tensor(tilts),
        torch.from_numpy(np.stack([bare] * n)),
    )


@pytest.mark.parametrize("quarter", range(QUARTERS))
def test_what_measures_lies_where_the_reader_will_see_it(quarter: int) -> None:
    some = dice([0] * 3, [0.0] * 3)
    looks = shown(some, torch.Generator().manual_seed(1), quarter=quarter)
    top = Top(np.full(2, KEPT_PX / 2), 0.3)
    image, leans = some.pictures[0].numpy(), some.leans[:1].numpy().astype(float)
    _, as_read = cut_outlines(image, [top], leans, edge_px=EDGE_PX)
    for picture, told, ways in zip(*looks, strict=True):
        assert told.numpy() == pytest.approx(as_read[quarter], abs=1e-5)
        rows, columns = np.nonzero(picture[0].numpy() > 0.5)
        assert rows.max() < OUTLINE_PX, "below lies the mat without it"
        wanted = OUTLINE_PX / 2 - 0.5 - EDGE_PX / 2 * told[:2].numpy()
        assert columns.mean() == pytest.approx(wanted[0], abs=0.7)
        assert rows.mean() == pytest.approx(wanted[1], abs=0.7)
        assert np.ptp(columns) == pytest.approx(EDGE_PX, abs=2), "it lies upright"
        assert float(ways.norm()) == pytest.approx(0.2, abs=1e-5)


def test_the_mat_is_remembered_by_most_in_about_the_same_light() -> None:
    both, _, _ = shown(dice([0] * 400, [0.0] * 400), torch.Generator().manual_seed(1))
    seen, bare = both.split(OUTLINE_PX, 2)
    unknown = (seen == bare).flatten(1).all(1)
    assert unknown.float().mean() == pytest.approx(1 - REMEMBERED, abs=0.06)
    corner = (bare - seen)[~unknown, :, :6, :6].mean((1, 2, 3)).abs()
    assert (corner < 0.1).float().mean() > 0.6, "the mat beside the die"


def test_it_learns_from_all_eight_ways() -> None:
    _, told, _ = shown(dice([0] * 300, [0.0] * 300), torch.Generator().manual_seed(1))
    away = told[:, :2].numpy() @ np.array([1, 1j])
    octants = np.floor(np.angle(away) / (np.pi / 4)).astype(int)
    assert len(set(octants.tolist())) == 8


def test_a_flat_die_is_drawn_from_its_top_to_the_ground() -> None:
    network = Outline()
    told = torch.tensor([[0.0, 0.0, 1.0], [0.5, 0.0, 1.0], [0.5, 0.0, 0.0]])
    outline, top = (network.drawn(told) + 0.5).unbind(1)
    area = EDGE_PX**2
    assert outline[0].sum() == pytest.approx(area, rel=0.02)
    assert torch.allclose(outline[0], top[0])
    assert outline[1].sum() == pytest.approx(1.5 * area, rel=0.03)
    columns = torch.nonzero(top[1].amax(0) > 0.5)[:, 0]
    assert columns.float().mean() == pytest.approx(OUTLINE_PX / 2 - 0.5 - EDGE_PX / 4, abs=0.6)
    assert outline[2].sum() == pytest.approx(1.5 * area, rel=0.1), "of the same size, but round"


def test_it_begins_with_what_the_stance_network_knows_of_dice() -> None:
    network, stance = Outline(), Stance()
    network.start_from(stance.state_dict())
    first, own = stance.body[0].weight, network.body[0].weight
    assert torch.equal(own[: len(first), :3], first[:, :3])
    assert not own[: len(first), 3:].any()
    assert torch.equal(network.body[6].body[0].weight, stance.body[6].body[0].weight)


def test_what_an_earlier_one_was_not_shown_begins_without_a_say() -> None:
    """Before, there were half as many features in the first layer, and nothing of the bare mat."""
    network, earlier = Outline().eval(), Outline().state_dict()
    half = len(earlier["body.0.weight"]) // 2
    earlier["body.0.weight"] = earlier["body.0.weight"][:half, :5]
    for name in ("body.3.body.0.weight", "body.3.short.0.weight"):
        earlier[name] = earlier[name][:, :half]
    for name in ("weight", "bias", "running_mean", "running_var"):
        earlier[f"body.1.{name}"] = earlier[f"body.1.{name}"][:half]
    network.start_from(earlier)
    seen, told = torch.rand(4, 3, OUTLINE_PX, OUTLINE_PX), torch.tensor([[0.1, 0.2, 1.0]] * 4)
    with torch.no_grad():
        known, unknown = (
            network(torch.cat([seen, bare], 2), told)[0] for bare in (torch.rand_like(seen), seen)
        )
    assert torch.allclose(known, unknown)
    assert known.std() > 0


def test_of_a_hidden_die_it_sees_what_differs_from_the_mat_alone() -> None:
    network, told = Outline().eval(), torch.tensor([[0.1, 0.2, 1.0]] * 2)
    seen, bare = (torch.rand(2, 3, OUTLINE_PX, OUTLINE_PX) / 2 for _ in range(2))
    both = [torch.cat([seen + light, bare + light], 2) for light in (0.0, 0.25)]
    with torch.no_grad():
        shown_to, hidden_from = (
            [network(one, told, torch.tensor([hides] * 2))[0] for one in both]
            for hides in (False, True)
        )
    assert torch.allclose(*hidden_from, atol=1e-5)
    assert not torch.allclose(*shown_to, atol=1e-5)


def test_all_ways_of_standing_are_dealt_out_where_there_are_any() -> None:
    deal = Deal(dice([0] * 50 + [2] * 3, [0.0] * 50 + [14.0, 40.0, 40.0]))
    some = deal.dealt(2000, torch.Generator().manual_seed(1))
    share = (some.classes == 2).float().mean()
    assert share == pytest.approx(0.35 / 0.85, abs=0.05)
    assert ((some.tilts == 14.0).sum() / (some.classes == 2).sum()) > 0.5


def test_a_kept_picture_has_the_scale_of_what_is_seen() -> None:
    image = np.full((300, 300, 3), 30, np.uint8)
    image[100:180, 120:200] = 230
    picture = kept(image, np.array([160.0, 140.0]), 80.0)
    rows, columns = np.nonzero(picture[..., 0] > 130)
    assert np.ptp(rows) == pytest.approx(EDGE_PX, abs=2)
    assert columns.mean() == pytest.approx(KEPT_PX / 2 - 0.5, abs=0.6)


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank of 30 heaps."""
    file = tmp_path_factory.mktemp("bank") / "bank.npz"
    make_bank(file, count=30, seed=5, fewest=3)
    return file


@pytest.fixture(scope="module")
def rendered(bank: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A set of three throws, made in two goes."""
    folder = tmp_path_factory.mktemp("outline")
    for count in (2, 3):
        words = ["--bank", str(bank), "--count", str(count), "--seed", "8", "--processes", "1"]
        outline_set.main([str(folder), *words, "--heaps", "plain"])
    return folder


def test_a_set_goes_on_where_it_stopped(rendered: Path) -> None:
    throws = read_rows(rendered)
    assert len(throws) == len({throw["throw"] for throw in throws}) == 3
    for row in (row for throw in throws for row in throw["dice"]):
        image, bare = (cv2.imread(str(rendered / row[name])) for name in ("name", "bare"))
        assert image is not None
        assert bare is not None
        assert image.shape == bare.shape
        middle = np.array(row["pips"]).mean(axis=0).astype(int)
        around = slice(middle[1] - 9, middle[1] + 9), slice(middle[0] - 9, middle[0] + 9)
        assert np.abs(image[around].astype(int) - bare[around]).mean() > 8, "the die is gone"
        assert row["kind"] == "flat"
        assert len(row["pips"]) == row["value"]
        assert ((np.array(row["pips"]) > 0) & (np.array(row["pips"]) < image.shape[1::-1])).all()
        assert row["up"][2] == pytest.approx(1, abs=0.01)


def test_only_dice_that_stand_so_are_rendered(bank: Path, tmp_path: Path) -> None:
    words = ["--bank", str(bank), "--count", "4", "--seed", "8", "--processes", "1"]
    outline_set.main([str(tmp_path), *words, "--heaps", "tower", "--only", "tower"])
    throws = read_rows(tmp_path)
    assert len(throws) == 4
    rows = [row for throw in throws for row in throw["dice"] if row["kind"] == "tower"]
    names = [row[which] for row in rows for which in ("name", "bare")]
    assert names
    assert sorted(names) == sorted(file.name for file in tmp_path.glob("*.webp"))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_training_ends_in_a_network_that_reads(rendered: Path, tmp_path: Path) -> None:
    assert len(tops_of([rendered], held_out=False))
    train_outline.main([str(rendered), "--out", str(tmp_path), "--minutes", "0.02", "--batch", "8"])
    facts = json.loads((tmp_path / "metrics.json").read_text())
    assert facts["passes"] >= 8
    reader = OutlineReader(tmp_path / "outline.onnx", threads=1)
    crops = np.zeros((8, *BOTH_PX, 3), np.uint8)
    words = reader.stances(crops, np.zeros((8, 3), np.float32))
    assert words.sum(axis=1) == pytest.approx([1, 1])


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_what_a_training_would_begin_with_is_kept(rendered: Path, tmp_path: Path) -> None:
    """It may be averaged with what it ends with."""
    begun, out = tmp_path / "begun.pt", tmp_path / "out"
    network = Outline()
    network.start_from(network.state_dict())
    torch.save({"model": network.state_dict()}, begun)
    train_outline.main([str(rendered), "--out", str(out), "--minutes", "0", "--begin", str(begun)])
    kept = torch.load(out / "last.pt", weights_only=True)
    assert kept["passes"] == 0
    wanted = network.state_dict().items()
    assert all(torch.equal(kept["model"][name], value) for name, value in wanted)


def test_without_dice_nothing_is_learned(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="no dice to learn from"):
        train_outline.main([str(tmp_path), "--out", str(tmp_path / "run")])
