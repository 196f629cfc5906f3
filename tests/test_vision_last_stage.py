"""A tuned last stage: what it may change, to which model it belongs, when it is not taken."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from vision_onnx import value_model

import models
from vision.confirmed import ConfirmedDice, Figures
from vision.crop_changes import die_pictures
from vision.crops import cut_crop, four_views
from vision.errors import ModelError
from vision.last_stage import LastStage, load_last_stage, save_last_stage, sha256_of, shares
from vision.readers import Namer
from vision.tuning import TuningSettings, too_little, tune

QUICK = TuningSettings(folds=4, strengths=(1.0, 0.1), steps=40)


def stage(weights: np.ndarray | None = None, **changed: object) -> LastStage:
    given = np.zeros((3, 6), np.float32) if weights is None else weights.astype(np.float32)
    fields = {"bias": np.zeros(6, np.float32), "temperature": 1.0, "base_sha256": "a" * 64}
    return LastStage(given, **{**fields, **changed})  # type: ignore[arg-type]


def dice_of(
    count: int, *, classes: int = 7, known: float = 0.0, told: int = 0, seed: int = 1
) -> ConfirmedDice:
    """Dice whose features name the value; the network says so `known` strongly.

    `told`: what people say is this much more than what the features show, going round.
    """
    rng = np.random.default_rng(seed)
    values = np.arange(count) % 6
    features = rng.normal(0, 0.1, (count, 5, 6)).astype(np.float32)
    features[np.arange(count), :, values] += 1
    logits = np.concatenate([known * features, np.zeros((count, 5, classes - 6))], axis=2)
    truth = (values + told * (rng.random(count) < 0.7)) % 6
    return ConfirmedDice(logits.astype(np.float32), features, truth, np.arange(count) // 3)


# --- the stage itself ----------------------------------------------------------------------------


@settings(max_examples=30)
@given(st.integers(7, 11), st.integers(0, 2**32 - 1))
def test_a_stage_never_makes_a_tilted_die_flat(classes: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    logits = rng.normal(0, 4, (5, classes)).astype(np.float32)
    features = rng.normal(0, 2, (5, 3)).astype(np.float32)
    tuned = stage(rng.normal(0, 3, (3, 6)), temperature=1 + rng.random()).apply(logits, features)
    assert np.allclose(shares(tuned)[:, 6:], shares(logits)[:, 6:], atol=1e-4)


def test_zeros_at_temperature_1_are_the_shipped_reader() -> None:
    logits = np.random.default_rng(1).normal(0, 3, (4, 9)).astype(np.float32)
    assert np.allclose(stage().apply(logits, np.ones((4, 3), np.float32)), logits, atol=1e-5)


def test_heat_only_cools_the_values() -> None:
    logits = np.array([[3, 0, 0, 0, 0, 0, 1]], np.float32)
    cooled = stage(temperature=2.0).apply(logits, np.zeros((1, 3), np.float32))
    assert shares(cooled)[0, 0] < shares(logits)[0, 0]
    assert shares(cooled)[0].argmax() == 0


@pytest.mark.parametrize(
    "changed",
    [
        {"temperature": 0.5},
        {"temperature": float("nan")},
        {"bias": np.zeros(7, np.float32)},
        {"weights": np.zeros((3, 7))},
        {"weights": np.full((3, 6), np.inf)},
    ],
)
def test_a_stage_that_cannot_be_is_refused(changed: dict[str, object]) -> None:
    with pytest.raises(ModelError, match="A last stage has"):
        stage(**changed)  # type: ignore[arg-type]


def test_a_stage_is_written_and_read_and_always_has_the_same_bytes(tmp_path: Path) -> None:
    made = stage(np.arange(18).reshape(3, 6), temperature=1.5, notes={"throws": 12})
    save_last_stage(tmp_path / "a.npz", made)
    save_last_stage(tmp_path / "b.npz", made)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    back = load_last_stage(tmp_path / "a.npz")
    assert np.array_equal(back.weights, made.weights)
    assert (back.temperature, back.base_sha256) == (1.5, "a" * 64)
    assert back.notes == {"throws": 12}


def test_files_that_are_no_stage_are_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"none\.npz does not exist"):
        load_last_stage(tmp_path / "none.npz")
    with pytest.raises(ModelError, match="cannot be written"):
        save_last_stage(tmp_path / "no" / "stage.npz", stage())
    path = tmp_path / "stage.npz"
    save_last_stage(path, stage())
    whole = path.read_bytes()
    for content in (b"", b"no stage", whole[: len(whole) // 2]):
        path.write_bytes(content)
        with pytest.raises(ModelError, match=r"stage\.npz is no last stage"):
            load_last_stage(path)
    np.savez(path, weights=np.zeros((3, 6)))
    with pytest.raises(ModelError, match="is no last stage"):
        load_last_stage(path)


# --- in the namer --------------------------------------------------------------------------------


def test_the_namer_answers_by_its_last_stage(tmp_path: Path) -> None:
    path = tmp_path / "namer.onnx"
    path.write_bytes(value_model(np.zeros((3, 9)), features=True))
    weights = np.zeros((3, 6))
    weights[0, 4] = 9.0  # red is a five
    tuned = Namer(path, last_stage=stage(weights, base_sha256=sha256_of(path)))
    red = np.zeros((2, 64, 64, 3), np.uint8)
    red[..., 2] = 255
    assert Namer(path).shows(red)[0] == pytest.approx(1 / 9)
    assert tuned.shows(red).argmax(axis=1).tolist() == [4, 4]
    assert tuned.shows(red)[0, 6:] == pytest.approx(1 / 9)
    assert tuned.shows(red[:0]).shape == (0, 9)
    logits, features = tuned.logits_and_features(red)
    assert (logits.shape, features.tolist()) == ((2, 9), [[1, 0, 0], [1, 0, 0]])
    many = np.repeat(red, 65, axis=0)  # more than one run of the network
    assert tuned.shows(many).shape == (130, 9)
    assert len(tuned.logits_and_features(many)[1]) == 130


def test_our_own_namer_has_features_and_zeros_change_nothing() -> None:
    path = models.weights("namer")
    crops = np.random.default_rng(1).integers(0, 255, (3, 64, 64, 3), dtype=np.uint8)
    logits, features = Namer(path).logits_and_features(crops)
    assert logits.shape == (3, 9)
    zeros = stage(np.zeros((features.shape[1], 6)), base_sha256=sha256_of(path))
    assert Namer(path, last_stage=zeros).shows(crops) == pytest.approx(
        Namer(path).shows(crops), abs=1e-5
    )


def test_a_stage_of_another_model_and_a_model_without_features_are_refused(
    tmp_path: Path,
) -> None:
    path = tmp_path / "namer.onnx"
    path.write_bytes(value_model(np.zeros((3, 9)), features=True))
    with pytest.raises(ModelError, match="was tuned for the namer aaaa"):
        Namer(path, last_stage=stage())
    wide = stage(np.zeros((5, 6)), base_sha256=sha256_of(path))
    with pytest.raises(ModelError, match="tuned for 5 features, but the network gives 3"):
        Namer(path, last_stage=wide).shows(np.zeros((1, 64, 64, 3), np.uint8))
    path.write_bytes(value_model(np.zeros((3, 9))))
    with pytest.raises(ModelError, match="this model has no features"):
        Namer(path, last_stage=stage(base_sha256=sha256_of(path)))
    with pytest.raises(ModelError, match="this model has no features"):
        Namer(path).logits_and_features(np.zeros((1, 64, 64, 3), np.uint8))


# --- tuning --------------------------------------------------------------------------------------


@pytest.mark.parametrize("classes", [7, 9])
def test_dice_that_the_network_cannot_read_are_learned(classes: int) -> None:
    dice = dice_of(36, classes=classes)
    done = tune(dice, "b" * 64, QUICK)
    assert done.kept
    assert done.reason == ("", "")
    assert done.after.log_loss < done.before.log_loss
    assert done.after.right == 36
    assert done.stage.base_sha256 == "b" * 64
    strange = dice_of(60, classes=classes, seed=2)
    assert Figures.of(strange.beliefs(done.stage), strange.value_ids, 0.7).right == 60


def test_where_the_network_is_right_already_nothing_gets_worse() -> None:
    done = tune(dice_of(36, known=12.0), "b" * 64, QUICK)
    assert done.after.right == done.before.right == 36
    assert done.after.clearly_wrong == 0


def test_values_that_people_made_up_teach_nothing() -> None:
    rng = np.random.default_rng(3)
    dice = dice_of(36, known=3.0)
    made_up = ConfirmedDice(
        dice.logits, rng.normal(0, 1, dice.features.shape).astype(np.float32),
        dice.value_ids, dice.throws,
    )  # fmt: skip
    done = tune(made_up, "b" * 64, QUICK)
    assert not done.kept
    assert all(done.reason)


def test_a_stage_is_never_surer_than_what_was_left_out_allows() -> None:
    # Seven of ten dice are told one too high: the stage must not be sure of either.
    dice = dice_of(72, known=1.0, told=1)
    done = tune(dice, "b" * 64, QUICK)
    strange = dice_of(300, known=1.0, told=1, seed=9)
    beliefs = strange.beliefs(done.stage if done.kept else None)[:, :6]
    share_right = (beliefs.argmax(axis=1) == strange.value_ids).mean()
    assert beliefs.max(axis=1).mean() <= share_right + 0.1


def test_tuning_needs_enough_throws_of_every_value() -> None:
    ids, throws = np.arange(36) % 6, np.arange(36) // 3
    assert too_little(ids, throws, QUICK) is None
    assert "Only 5 confirmed throws, 8 are needed" in str(too_little(ids[:15], throws[:15], QUICK))
    rare = np.where(ids == 3, 2, ids)
    assert "Confirmed too rarely: 4." in str(too_little(rare, throws, QUICK))
    with pytest.raises(ValueError, match="Only 3 confirmed throws"):
        tune(dice_of(9), "b" * 64, QUICK)


def test_confirmed_dice_check_their_shapes() -> None:
    dice = dice_of(6)
    with pytest.raises(ValueError, match="logits and features must be"):
        ConfirmedDice(dice.logits[0], dice.features, dice.value_ids, dice.throws)
    with pytest.raises(ValueError, match="6 dice need as many values"):
        ConfirmedDice(dice.logits, dice.features, dice.value_ids[:5], dice.throws)
    with pytest.raises(ValueError, match=r"value_ids must be 0\.\.5"):
        ConfirmedDice(dice.logits, dice.features, dice.value_ids + 1, dice.throws)


def test_a_die_is_shown_as_reading_sees_it_and_then_changed() -> None:
    rng = np.random.default_rng(1)
    picture = rng.integers(0, 255, (120, 160, 3), dtype=np.uint8)
    box = (40.0, 30.0, 76.0, 66.0)
    crops = die_pictures(picture, box, varied=5, rng=np.random.default_rng(2))
    assert crops.shape == (9, 64, 64, 3)
    assert np.array_equal(crops[:4], four_views(cut_crop(picture, box)[None]))
    assert len({crop.tobytes() for crop in crops}) == 9
    assert np.array_equal(crops, die_pictures(picture, box, varied=5, rng=np.random.default_rng(2)))
