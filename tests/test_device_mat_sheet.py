"""What is printed is turned back into pixels, measured, and calibrated from."""

from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest

from device.errors import SettingsError
from device.lens_board import board_pdf
from device.mat_sheet import Tile, mat_pdf, tiles
from vision.calibration import calibrate_from_markers
from vision.charuco import corner_places_mm, find_board
from vision.lying import Zones
from vision.markers import find_markers, marker_centres_mm
from vision.mat_view import rectify

MAT_MM = (420.0, 315.0)
DPI = 127
PX_PER_MM = DPI / 25.4


def pages(pdf: bytes) -> list[np.ndarray]:
    """Every page as (H, W, 3) BGR at 5 pixels a millimetre."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [page.render(scale=DPI / 72).to_numpy()[:, :, :3].copy() for page in document]
    finally:
        document.close()


def text_of(pdf: bytes) -> list[str]:
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [page.get_textpage().get_text_range() for page in document]
    finally:
        document.close()


def test_one_a2_page_is_at_true_scale_and_calibrates():
    (page,) = pages(mat_pdf(MAT_MM, "a2"))
    assert page.shape[:2] == pytest.approx((420 * PX_PER_MM, 594 * PX_PER_MM), abs=1.5)
    markers = find_markers(page)
    for quad in markers.values():
        sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1) / PX_PER_MM
        assert sides == pytest.approx(20.0, abs=0.25)
    middles = np.array([markers[i].mean(axis=0) for i in range(4)]) / PX_PER_MM
    places = marker_centres_mm(MAT_MM)
    assert middles - middles[0] == pytest.approx(places - places[0], abs=0.2)
    mat = calibrate_from_markers(page)
    page_mm = mat.corners_px() / PX_PER_MM
    assert page_mm[2] - page_mm[0] == pytest.approx(np.array(MAT_MM), abs=0.2)


def test_the_strip_has_its_line_where_the_zones_meet():
    (page,) = pages(mat_pdf(MAT_MM, "a2"))
    mat = calibrate_from_markers(page)
    view = rectify(page, mat, scale_px_per_mm=4.0)[100 * 4 : 110 * 4].mean(axis=(0, 2))
    dark = np.flatnonzero(view[20 * 4 : 400 * 4] < 200) / 4 + 20
    line_mm = Zones.of_mat(MAT_MM).line_mm
    assert line_mm == 325
    assert dark.mean() == pytest.approx(line_mm, abs=0.4)


def assembled(size_mm: tuple[float, float]) -> np.ndarray:
    """The tiles cut along their borders and laid side by side, as a person does it."""
    _, parts = tiles(size_mm)
    shown = pages(mat_pdf(size_mm, "a4"))
    assert len(shown) == len(parts)
    mat = np.full((round(size_mm[1] * PX_PER_MM), round(size_mm[0] * PX_PER_MM), 3), 9, np.uint8)
    for tile, page in zip(parts, shown, strict=True):
        left, top, right, bottom = (round(side * PX_PER_MM) for side in tile.box_mm)
        x, y = round(12 * PX_PER_MM), round(12 * PX_PER_MM)
        mat[top:bottom, left:right] = page[y : y + bottom - top, x : x + right - left]
    return mat


@pytest.mark.parametrize("size_mm", [MAT_MM, (600.0, 400.0), (250.0, 160.0)])
def test_tiles_that_are_glued_together_make_the_mat(size_mm):
    on_table = cv2.copyMakeBorder(assembled(size_mm), 40, 40, 40, 40, cv2.BORDER_CONSTANT)
    mat = calibrate_from_markers(on_table, mat_size_mm=size_mm)
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * size_mm * PX_PER_MM + 40
    assert mat.corners_px() == pytest.approx(corners, abs=1.5)


def test_four_tiles_make_the_usual_mat_and_each_says_who_comes_beside_it():
    page_mm, parts = tiles(MAT_MM)
    assert page_mm == (297.0, 210.0)
    assert [(tile.name, tile.right, tile.below) for tile in parts] == [
        ("A1", "A2", "B1"),
        ("A2", "", "B2"),
        ("B1", "B2", ""),
        ("B2", "", ""),
    ]


@pytest.mark.parametrize("size_mm", [MAT_MM, (600.0, 400.0), (1500.0, 1500.0), (240.0, 160.0)])
def test_tiles_cover_the_mat_and_fit_on_the_page(size_mm):
    page_mm, parts = tiles(size_mm)
    area = sum((t.box_mm[2] - t.box_mm[0]) * (t.box_mm[3] - t.box_mm[1]) for t in parts)
    assert area == pytest.approx(size_mm[0] * size_mm[1])
    for tile in parts:
        left, top, right, bottom = tile.printed_mm
        assert right - left <= page_mm[0] - 24
        assert bottom - top <= page_mm[1] - 42


def test_the_glue_strip_is_outside_the_tile():
    tile = Tile("A1", (0.0, 0.0, 210.0, 157.5), "A2", "")
    assert tile.printed_mm == (0.0, 0.0, 220.0, 157.5)


def test_every_page_says_in_both_languages_how_to_print():
    for pdf in (mat_pdf(MAT_MM, "a4"), mat_pdf(MAT_MM, "a2"), board_pdf()):
        for text in text_of(pdf):
            assert "Tatsächliche Größe" in text
            assert "actual size" in text
    assert "Rausgelegt" in text_of(mat_pdf(MAT_MM, "a2"))[0]
    assert "hierüber kommt A2" in text_of(mat_pdf(MAT_MM, "a4"))[0]


def test_the_ruler_is_a_hundred_millimetres_long():
    (page,) = pages(board_pdf())
    foot = page[round(178 * PX_PER_MM) : round(187 * PX_PER_MM)]
    longest = 0
    for row in foot[:, :, 0] < 128:
        edges = np.flatnonzero(np.diff(np.r_[0, row.astype(np.int8), 0])).reshape(-1, 2)
        longest = max(longest, *(int(b - a) for a, b in edges), 0)
    assert longest / PX_PER_MM == pytest.approx(100.0, abs=0.6)


def test_the_board_for_the_lens_is_found_where_it_was_printed():
    (page,) = pages(board_pdf())
    corners, ids = find_board(page)
    assert len(ids) == 40
    places = corner_places_mm()[ids]
    seen_mm = corners / PX_PER_MM
    assert seen_mm - seen_mm[0] == pytest.approx(places - places[0], abs=0.2)
    assert not find_markers(page), "the board would be taken for a mat"


def test_the_same_sheet_is_the_same_file():
    assert mat_pdf(MAT_MM, "a4") == mat_pdf(MAT_MM, "a4")


@pytest.mark.parametrize(
    ("size_mm", "paper", "words"),
    [
        ((200.0, 315.0), "a4", "expected 240 x 160"),
        ((420.0, 2000.0), "a4", "cannot be printed"),
        ((600.0, 400.0), "a2", "--paper a4"),
    ],
)
def test_mats_that_cannot_be_printed(size_mm, paper, words):
    with pytest.raises(SettingsError, match=words):
        mat_pdf(size_mm, paper)


def test_the_command_writes_both_and_says_so_in_json(run, tmp_path: Path):
    sheet, board = tmp_path / "mat.pdf", tmp_path / "board.pdf"
    words = ("--sheet", sheet, "--board", board, "--paper", "a2", "--size", "500x330", "--json")
    status, out, _ = run("calibrate", *words)
    assert status == 0
    assert '"wrote": "sheet"' in out
    assert '"wrote": "board"' in out
    mat = calibrate_from_markers(pages(sheet.read_bytes())[0], mat_size_mm=(500.0, 330.0))
    width = np.linalg.norm(mat.corners_px()[1] - mat.corners_px()[0]) / PX_PER_MM
    assert width == pytest.approx(500, abs=0.3)


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ((), 2, "Name the SOURCE"),
        (("--sheet", "x.pdf", "--size", "big"), 2, "expected WxH"),
        (("--sheet", "x.pdf", "--size", "20x20"), 2, "50 x 50 mm or more"),
        (("--sheet", "/nowhere/x.pdf"), 1, "cannot be written"),
    ],
)
def test_what_cannot_be_printed_is_said(run, words, status, said):
    assert run("calibrate", *words)[0] == status
    assert said in run("calibrate", *words)[2]
