"""Dice are cut out for their outlines from what lies around them, wherever that is."""

import cv2
import numpy as np
import pytest

from vision.outline import Top, cut_outlines

VIEW_PX = 200


@pytest.mark.parametrize("edge_px", [24.0, 35.2, 52.0])
def test_a_die_looks_the_same_wherever_it_lies_and_whatever_lies_elsewhere(edge_px: float) -> None:
    rng = np.random.default_rng(6)
    piece = rng.integers(0, 256, (240, 240, 3)).astype(np.uint8)
    piece = np.asarray(cv2.GaussianBlur(piece, (0, 0), 4), np.uint8)
    leans, cut = np.array([[0.4, -0.3]]), []
    for left, top in ((40, 30), (153, 77), (300, 210)):
        view = rng.integers(0, 256, (480, 640, 3)).astype(np.uint8)
        view[top : top + 240, left : left + 240] = piece
        face = Top(np.array([left + 120.0, top + 120.0]), 0.3)
        cut.append(cut_outlines(view, [face], leans, edge_px=edge_px, bare_bgr=view)[0])
    for other in cut[1:]:
        assert np.abs(other.astype(int) - cut[0]).max() <= 2


@pytest.mark.parametrize("at", [(0.0, 0.0), (-5.0, 20.0), (210.0, 90.0), (199.9, 199.9)])
def test_a_top_face_at_the_edge_of_the_picture_is_cut_out(at: tuple[float, float]) -> None:
    view = np.full((VIEW_PX, VIEW_PX, 3), 90, np.uint8)
    crops, _ = cut_outlines(view, [Top(np.array(at), 0.2)], np.zeros((1, 2)), edge_px=40.0)
    assert (crops == 90).all(), "beyond the edge the border is repeated"
