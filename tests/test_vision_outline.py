"""Whether a die ends where a flat one would: top faces placed by their pips, outlines judged."""

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from vision_faces import PIPS, quarter, turned
from vision_onnx import stance_model, value_model

import models
from vision.crops import CROP_PX, STEEP, held_back, held_views
from vision.errors import ModelError
from vision.outline import (
    BOTH_PX,
    LEANS_FROM,
    ODDS_PER_SINE,
    OUTLINE_DICE,
    OUTLINE_PX,
    QUARTERS,
    OutlineReader,
    Top,
    cut_outlines,
    in_picture,
    judged,
    top_of,
)
from vision.pips import Marks, value_chances

EDGE_PX, VIEW_PX = 36.0, 200
MAT_BGR = (60, 110, 70)


def seen(value: int, middle: tuple[float, float], turn_rad: float = 0.2) -> Marks:
    """The marks of a face that shows this value."""
    return Marks(turned(PIPS[value], turn_rad) * EDGE_PX + middle, np.full(value, 0.98))


def top_in(views: list[Marks]) -> Top | None:
    """What `top_of` says of these views."""
    chances = np.stack([value_chances(marks) for marks in views]).astype(np.float32)
    return top_of([marks.places for marks in views], chances)


def test_the_top_face_is_where_the_views_of_the_likeliest_value_show_it() -> None:
    top = top_in([seen(5, (50, 60)), seen(5, (52, 60)), seen(2, (90, 90)), seen(5, (51, 61))])
    assert top is not None
    assert top.turn_rad is not None
    assert top.middle_px == pytest.approx([51, 60])
    assert quarter(top.turn_rad - 0.2) == pytest.approx(0, abs=1e-6)


def test_turns_on_both_sides_of_an_eighth_do_not_cancel_out() -> None:
    top = top_in([seen(4, (50, 50), 0.77), seen(4, (50, 50), 0.80)])
    assert top is not None
    assert top.turn_rad is not None
    assert quarter(top.turn_rad - 0.785) == pytest.approx(0, abs=1e-3)


def test_where_no_pip_is_seen_no_top_face_is() -> None:
    nothing = Marks(np.zeros((0, 2)), np.zeros(0))
    assert top_in([nothing] * 4) is None


@pytest.mark.parametrize("toward", [(0.0, 0.0), (0.1, -0.2), (0.4, 0.1), (-0.3, -0.5), (0, STEEP)])
def test_what_a_held_view_shows_is_found_again_in_the_cut_out(toward: tuple[float, float]) -> None:
    crop = np.zeros((1, CROP_PX, CROP_PX, 3), np.uint8)
    cv2.circle(crop[0], (25, 38), 3, (255, 255, 255), -1)
    way = np.array(toward)
    for number, view in enumerate(held_views(crop, way[None])):
        rows, columns = np.nonzero(view.sum(axis=2) > 380)
        place = np.array([[columns.mean() + 0.5, rows.mean() + 0.5]]) / CROP_PX
        (back,) = held_back(place, way, number) * CROP_PX - 0.5
        assert back == pytest.approx([25, 38], abs=0.4), number


def die(
    lean: tuple[float, float], turn_rad: float, *, away: tuple[float, float] = (0, 0)
) -> tuple[np.ndarray, Top]:
    """A painted die seen from above: top and sides; `away`: the body is elsewhere, in edges."""
    view = np.full((VIEW_PX, VIEW_PX, 3), MAT_BGR, np.uint8)
    middle = np.array([103.0, 97.0])
    square = turned(np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * 0.5, turn_rad)
    top = square * EDGE_PX + middle
    base = top + EDGE_PX * (np.array(lean) + 2 * np.array(away))
    hull = cv2.convexHull(np.concatenate([top, base]).astype(np.float32))
    cv2.fillPoly(view, [np.round(hull * 16).astype(np.int32)], (120, 120, 130), cv2.LINE_AA, 4)
    cv2.fillPoly(view, [np.round(top * 16).astype(np.int32)], (225, 230, 235), cv2.LINE_AA, 4)
    for pip in turned(PIPS[5], turn_rad) * EDGE_PX + middle:
        at = (round(pip[0] * 16), round(pip[1] * 16))
        cv2.circle(view, at, round(0.09 * EDGE_PX * 16), (20, 20, 20), -1, cv2.LINE_AA, 4)
    return view, Top(middle + 0.5, turn_rad)


@pytest.mark.parametrize("edge_px", [EDGE_PX, 20.0])
@pytest.mark.parametrize("turn_rad", [0.0, 0.4, -0.7])
def test_every_cut_out_shows_the_top_where_what_is_told_says(
    turn_rad: float, edge_px: float
) -> None:
    lean = np.array([0.35, -0.2])
    view, top = die((0.35, -0.2), turn_rad)
    factor = edge_px / EDGE_PX
    view = np.asarray(cv2.resize(view, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA))
    moved = Top(top.middle_px * view.shape[0] / VIEW_PX, top.turn_rad)
    crops, told = cut_outlines(view, [moved], lean[None], edge_px=edge_px)
    assert crops.shape == (4, *BOTH_PX, 3)
    assert told.shape == (4, 3)
    assert len({tuple(row) for row in told.round(4).tolist()}) == 4
    for crop, (lean_x, lean_y, known) in zip(crops, told, strict=True):
        rows, columns = np.nonzero(crop[:OUTLINE_PX, :, 0] > 170)
        half = OUTLINE_PX / OUTLINE_DICE / 2
        wanted = OUTLINE_PX / 2 - 0.5 - half * np.array([lean_x, lean_y])
        assert (columns.min() + columns.max()) / 2 == pytest.approx(wanted[0], abs=1.6)
        assert (rows.min() + rows.max()) / 2 == pytest.approx(wanted[1], abs=1.6)
        assert columns.max() - columns.min() == pytest.approx(2 * half, abs=3), "it lies upright"
        assert known == 1
        assert np.hypot(lean_x, lean_y) == pytest.approx(np.hypot(*lean), abs=1e-5)


@pytest.mark.parametrize("turn_rad", [0.0, 0.3, -0.6])
def test_a_one_is_turned_as_its_edges_are(turn_rad: float) -> None:
    view, top = die((0.1, 0.0), turn_rad)
    lean = np.array([[0.1, 0.0]])
    by_edges = cut_outlines(view, [Top(top.middle_px, None)], lean, edge_px=EDGE_PX)
    by_pips = cut_outlines(view, [Top(top.middle_px, turn_rad)], lean, edge_px=EDGE_PX)
    assert by_edges[1][:, 2].all()
    ways = {tuple(row) for row in by_pips[1].round(2).tolist()}
    assert all(min(np.abs(np.array(w) - row).max() for w in ways) < 0.02 for row in by_edges[1])


@pytest.mark.parametrize("shape", ["round", "nothing"])
def test_a_one_without_edges_is_shown_in_all_turns_and_told_to_be_so(shape: str) -> None:
    view = np.full((VIEW_PX, VIEW_PX, 3), 90, np.uint8)
    if shape == "round":
        cv2.circle(view, (100, 100), 18, (200, 200, 200), -1, cv2.LINE_AA)
    top = Top(np.array([100.5, 100.5]), None)
    crops, told = cut_outlines(view, [top], np.zeros((1, 2)), edge_px=EDGE_PX)
    assert len(crops) == 4
    assert not told[:, 2].any()


def test_nothing_to_be_seen_is_cut_out_of_no_die() -> None:
    crops, told = cut_outlines(die((0, 0), 0)[0], [], np.zeros((0, 2)), edge_px=EDGE_PX)
    assert crops.shape == (0, *BOTH_PX, 3)
    assert told.shape == (0, 3)


@pytest.mark.parametrize("edge_px", [EDGE_PX, 20.0])
def test_below_it_lies_the_same_place_without_dice(edge_px: float) -> None:
    view, top = die((0.3, 0.1), 0.4)
    bare = np.full_like(view, 60)
    bare[:, 110:] = 190
    moved = Top(top.middle_px * edge_px / EDGE_PX, top.turn_rad)
    lean = np.array([[0.3, 0.1]])
    factor = edge_px / EDGE_PX
    both = [
        np.asarray(cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA))
        for image in (view, bare)
    ]
    crops, _ = cut_outlines(both[0], [moved], lean, edge_px=edge_px, bare_bgr=both[1])
    of_bare, _ = cut_outlines(both[1], [moved], lean, edge_px=edge_px)
    of_view, _ = cut_outlines(both[0], [moved], lean, edge_px=edge_px)
    assert (crops[:, :OUTLINE_PX] == of_view[:, :OUTLINE_PX]).all()
    assert (crops[:, OUTLINE_PX:] == of_bare[:, :OUTLINE_PX]).all()
    assert (of_view[:, :OUTLINE_PX] == of_view[:, OUTLINE_PX:]).all(), "nobody knows it"


def outline_model(
    colours: np.ndarray, away: np.ndarray | None, *, high_px: int = BOTH_PX[0]
) -> bytes:
    """Logits and leans by the mean colour alone, whatever is told."""
    told = np.zeros((3, colours.shape[1]))
    return stance_model(colours, told, sides_px=(high_px, OUTLINE_PX), away=away)


@pytest.fixture
def open_reader(tmp_path: Path) -> Callable[[bytes], OutlineReader]:
    def write(content: bytes) -> OutlineReader:
        path = tmp_path / "outline.onnx"
        path.write_bytes(content)
        return OutlineReader(path, threads=1)

    return write


def test_the_reader_answers_each_die(open_reader: Callable[[bytes], OutlineReader]) -> None:
    reader = open_reader(outline_model(9 * np.eye(3), np.zeros((3, 2))))
    crops = np.zeros((8, *BOTH_PX, 3), np.uint8)
    crops[:4, ..., 2], crops[4:, ..., 0] = 255, 255
    words = reader.stances(crops, np.zeros((8, 3), np.float32))
    assert words.argmax(axis=1).tolist() == [0, 2]
    assert words.sum(axis=1) == pytest.approx(1)
    assert reader.stances(crops[:0], np.zeros((0, 3), np.float32)).shape == (0, 3)


def test_one_of_before_sees_the_die_alone(open_reader: Callable[[bytes], OutlineReader]) -> None:
    crops = np.zeros((4, *BOTH_PX, 3), np.uint8)
    crops[:, :OUTLINE_PX, :, 2], crops[:, OUTLINE_PX:, :, 0] = 100, 255
    for high_px, likeliest in ((OUTLINE_PX, 0), (BOTH_PX[0], 2)):
        reader = open_reader(outline_model(9 * np.eye(3), np.zeros((3, 2)), high_px=high_px))
        (words,) = reader.stances(crops, np.zeros((4, 3), np.float32))
        assert words.argmax() == likeliest


def test_another_network_is_refused(open_reader: Callable[[bytes], OutlineReader]) -> None:
    with pytest.raises(ModelError, match="told"):
        open_reader(value_model(np.eye(3)))
    with pytest.raises(ModelError, match="one version"):
        open_reader(outline_model(np.ones((3, 3)), None))
    crops = np.zeros((4, *BOTH_PX, 3), np.uint8)
    for stances, leans in ((4, 2), (3, 3)):
        reader = open_reader(outline_model(np.ones((3, stances)), np.ones((3, leans))))
        with pytest.raises(ModelError, match="outline reader"):
            reader.stances(crops, np.zeros((4, 3), np.float32))


def judged_alone(logits: tuple[float, ...], *leans: tuple[float, float]) -> np.ndarray:
    """What is said of one die, its leans in every quarter turn."""
    said = np.tile(np.array(logits, np.float32), (1, QUARTERS, 1))
    return judged(said, np.array([leans], np.float32))[0]


def quarters_of(x: float, y: float) -> list[tuple[float, float]]:
    """Where something is seen that is at (x, y) in the first quarter turn."""
    return [(x, y), (y, -x), (-x, -y), (-y, x)]


@given(st.floats(0, 0.5), st.floats(-3.2, 3.2))
def test_how_far_a_top_leans_speaks_for_burning_alone(sine: float, way_rad: float) -> None:
    leans = quarters_of(sine * np.cos(way_rad), sine * np.sin(way_rad))
    flat, tower, burning = judged_alone((2.0, 0.0, 2.0), *leans)
    speaks = ODDS_PER_SINE * max(sine - LEANS_FROM, 0)
    assert np.log(burning / flat) == pytest.approx(speaks, abs=1e-3)
    assert np.log(flat / tower) == pytest.approx(2, abs=1e-3)


def test_leans_that_do_not_turn_with_the_die_are_none() -> None:
    errs = judged_alone((0.0, 0.0, 0.0), *[(0.2, 0.1)] * 4)
    assert errs == pytest.approx(judged_alone((0.0, 0.0, 0.0), *[(0.0, 0.0)] * 4))


def test_a_lean_is_turned_as_a_cut_out_is() -> None:
    """What lies on one side of a face, and is cut out in every quarter turn."""
    view, top = die((0.0, 0.0), 0.3, away=(0.0, 0.0))
    way = turned(np.array([[0.3, 0.0]]), 0.3)[0]
    place = tuple(np.round(top.middle_px + EDGE_PX * way).astype(int).tolist())
    cv2.circle(view, place, 3, (0, 0, 255), -1)
    crops, _ = cut_outlines(view, [top], np.zeros((1, 2)), edge_px=EDGE_PX)
    seen_at = []
    for crop in crops[:, :OUTLINE_PX]:
        rows, columns = np.nonzero((crop[..., 2] > 200) & (crop[..., 0] < 60))
        seen_at.append(np.array([columns.mean(), rows.mean()]) - (OUTLINE_PX - 1) / 2)
    assert np.array(seen_at) == pytest.approx(np.array(quarters_of(*seen_at[0])), abs=1)
    assert np.hypot(*seen_at[0]) > 5


def test_marks_are_placed_in_the_picture() -> None:
    marks = [Marks(PIPS[5] + 0.5, np.full(5, 0.98))] * 4
    views = in_picture(marks, np.array([30.0, 40, 70, 80]), np.zeros(2))
    assert len(views) == 4
    for places in views:
        assert places.mean(axis=0) == pytest.approx([50, 60], abs=0.51)
        assert np.ptp(places[:, 0]) == pytest.approx(0.5 * 54)


@pytest.mark.parametrize("is_known", [True, False])
def test_the_shipped_network_sees_that_a_body_is_elsewhere(is_known: bool) -> None:
    """A painted die: flat where its body is, less so where it is elsewhere."""
    reader = OutlineReader(models.weights("outline"), threads=1)
    bare = np.full((VIEW_PX, VIEW_PX, 3), MAT_BGR, np.uint8) if is_known else None
    for turn_rad, lean in ((0.0, (0.2, 0.1)), (0.5, (-0.1, 0.3)), (-0.3, (0.0, -0.15))):
        flat = []
        for away in ((0.0, 0.0), (0.12, 0.0), (0.0, -0.2)):
            view, top = die(lean, turn_rad, away=away)
            leans = np.array([lean])
            looks = cut_outlines(view, [top], leans, edge_px=EDGE_PX, bare_bgr=bare)
            flat.append(float(reader.stances(*looks)[0, 0]))
        assert flat[0] > 0.9
        assert max(flat[1:]) < flat[0] - 0.2
