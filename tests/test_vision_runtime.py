import os
import platform
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from vision_onnx import detector_model, value_model

import models
from vision.errors import ModelError
from vision.runtime import Network, _has_tiles, precision
from vision.stance import TOLD_OF

COLOURS = np.eye(3)


@pytest.fixture
def open_network(tmp_path):
    def write(content: bytes) -> Network:
        path = tmp_path / "model.onnx"
        path.write_bytes(content)
        return Network(path, threads=1)

    return write


def picture(blue: int, green: int, red: int, *, height: int = 64, width: int = 64) -> np.ndarray:
    return np.full((1, height, width, 3), (blue, green, red), np.uint8)


def test_a_network_tells_its_input(open_network):
    network = open_network(value_model(COLOURS, sides=("height", "width")))
    assert network.input_name == "crops"
    assert network.input_shape == (None, 3, None, None)
    assert open_network(value_model(COLOURS)).input_shape == (None, 3, 64, 64)
    assert open_network(detector_model([])).input_shape == (1, 3, None, None)


def test_a_picture_comes_in_as_red_green_blue_from_0_to_1(open_network):
    (answer,) = open_network(value_model(COLOURS)).run(picture(0, 51, 255))
    assert answer.dtype == np.float32
    assert answer == pytest.approx(np.array([[1.0, 0.2, 0.0]]), abs=1e-5)


def test_pictures_of_any_size_and_number_follow_one_another(open_network):
    network = open_network(value_model(COLOURS, sides=("height", "width")))
    for height, width, count in [(32, 32, 1), (64, 160, 3), (32, 32, 2), (7, 5, 1), (64, 160, 1)]:
        pictures = np.repeat(picture(height, width, 100, height=height, width=width), count, axis=0)
        (answer,) = network.run(pictures)
        assert answer == pytest.approx(np.array([[100, width, height]] * count) / 255, abs=1e-5)


def test_a_picture_need_not_lie_in_one_piece(open_network):
    whole = np.arange(64 * 128 * 6, dtype=np.uint32).astype(np.uint8).reshape(1, 64, 128, 6)
    network = open_network(value_model(COLOURS))
    part = whole[:, :, ::2, ::-2]
    assert network.run(part)[0] == pytest.approx(network.run(part.copy())[0])


def test_an_answer_stays_as_it_was_given(open_network):
    network = open_network(value_model(COLOURS))
    (first,) = network.run(picture(0, 0, 255))
    network.run(picture(255, 0, 0))
    assert first == pytest.approx(np.array([[1.0, 0.0, 0.0]]))


@pytest.mark.parametrize("side_px", [128, 640])
def test_a_run_after_memory_was_given_back_says_the_same(side_px, monkeypatch):
    """A large run gives back what it reckoned in; no answer may hang on that."""
    noise = np.random.default_rng(7).integers(0, 256, (1, side_px, 160, 3)).astype(np.uint8)
    answers = []
    for kept_px in (0, 10**9):
        monkeypatch.setattr("vision.runtime.KEPT_PX", kept_px)
        network = Network(models.weights("finder"), threads=1, halves=True)
        first = network.run(noise)[0]
        network.run(noise[:, :64])
        answers += [first, network.run(noise)[0]]
    assert all(np.array_equal(answers[0], other) for other in answers[1:])


def test_only_a_large_run_gives_its_memory_back(open_network):
    network, given_back = open_network(value_model(COLOURS, sides=("height", "width"))), []
    network._compiled = SimpleNamespace(release_memory=lambda: given_back.append(1))
    network.run(picture(0, 0, 0, height=200, width=200))
    assert given_back == []
    network.run(picture(0, 0, 0, height=200, width=201))
    assert given_back == [1]


def test_two_threads_may_ask_one_network(open_network):
    network = open_network(value_model(COLOURS))
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda blue: network.run(picture(blue, 0, 0))[0], range(40)))
    assert [round(float(answer[0, 2]) * 255) for answer in answers] == list(range(40))


def test_pictures_of_a_size_that_does_not_fit_are_refused(open_network):
    network = open_network(value_model(COLOURS))
    with pytest.raises(ModelError, match="cannot look at pictures of the form"):
        network.run(picture(0, 0, 0, height=32))
    assert network.run(picture(255, 0, 0))[0][0, 2] == pytest.approx(1)


def test_a_network_of_one_size_says_the_same_and_sees_no_other():
    free = Network(models.weights("finder"), threads=1)
    own = free.of_one_size(128, 160)
    noise = np.random.default_rng(7).integers(0, 256, (1, 192, 160, 3)).astype(np.uint8)
    for picture_bgr in (noise[:, :128], noise[:, 64:]):
        free.run(noise)
        answers = [own.run(picture_bgr), free.run(picture_bgr)]
        assert all(np.array_equal(*both) for both in zip(*answers, strict=True))
    with pytest.raises(ModelError, match="cannot look at pictures of the form"):
        own.run(noise)
    assert np.array_equal(own.run(noise[:, 64:])[0], answers[0][0])


def test_a_second_input_of_a_network_of_one_size_stays_as_it_was():
    free = Network(models.weights("stance"), threads=1, also=TOLD_OF)
    own = free.of_one_size(96, 96)
    crop, told = np.full((1, 96, 96, 3), 80, np.uint8), np.zeros((1, 2), np.float32)
    assert np.array_equal(own.run(crop, told)[0], free.run(crop, told)[0])


def test_a_size_that_a_network_cannot_have_is_refused():
    """It halves its picture five times, and puts what it saw at two of these scales together."""
    network = Network(models.weights("finder"), threads=1)
    with pytest.raises(ModelError, match="cannot look at pictures of 40 x 160, its input is"):
        network.of_one_size(40, 160)
    assert len(network.run(np.zeros((1, 128, 160, 3), np.uint8))[0]) == 1


def test_our_detector_answers_with_single_precision():
    """Half precision would give other scores on another processor."""
    network = Network(models.weights("finder"), threads=1)
    noise = np.random.default_rng(7).integers(0, 256, (1, 128, 160, 3)).astype(np.uint8)
    first, again = network.run(noise)[0], network.run(noise)[0]
    assert first.shape == (1, 300, 6)
    assert np.array_equal(first, again)
    precision = network._request.get_compiled_model().get_property("INFERENCE_PRECISION_HINT")
    assert precision.to_string() == "f32"


def test_the_runtime_prints_nothing_keeps_nothing_and_calls_nobody(tmp_path, root):
    (tmp_path / "model.onnx").write_bytes(value_model(COLOURS))
    home = tmp_path / "home"
    home.mkdir()
    code = f"""
import socket, sys
from pathlib import Path
import numpy as np
def refuse(*words, **more):
    raise AssertionError("a connection")
socket.socket = socket.create_connection = refuse
from vision.runtime import Network
Network(Path({str(tmp_path / "model.onnx")!r})).run(np.zeros((1, 64, 64, 3), np.uint8))
assert not [name for name in sys.modules if name.startswith("openvino_telemetry.")]
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=root,
        env={**os.environ, "HOME": str(home)},
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert list(home.rglob("*")) == []


def test_no_runtime_is_loaded_before_a_network_is_opened(root: Path):
    code = "import sys, vision.detector; assert 'openvino' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=root)


@pytest.mark.parametrize(
    ("able", "halves", "architecture", "tiles", "expected"),
    [
        (["BF16", "FP32", "FP16", "INT8"], True, "intel64", True, "bf16"),
        (["BF16", "FP32", "FP16", "INT8"], True, "intel64", False, "f32"),
        (["FP32", "INT8"], True, "intel64", False, "f32"),
        (["FP32", "FP16", "INT8"], True, "arm64", False, "f16"),
        (["BF16", "FP32", "FP16"], True, "arm64", False, "bf16"),
        (["BF16", "FP32", "FP16"], False, "intel64", True, "f32"),
    ],
)
def test_sixteen_bits_are_taken_where_they_are_faster(
    able: list[str], halves: bool, architecture: str, tiles: bool, expected: str
):
    told = precision(able, halves=halves, architecture=architecture, tiles=tiles)
    assert told == expected


@pytest.mark.parametrize(
    ("says", "has"),
    [
        ("flags : fpu avx512_bf16 amx_bf16 amx_tile\n", True),
        ("flags : fpu avx512_bf16\n", False),
        ("Features : fp asimd asimdhp\n", False),
        (None, False),
    ],
)
def test_linux_says_whether_a_processor_has_tiles(tmp_path: Path, says: str | None, has: bool):
    file = tmp_path / "cpuinfo"
    if says is not None:
        file.write_text(says)
    assert _has_tiles(file) == has


def test_a_network_in_sixteen_bits_reckons_in_what_this_processor_is_fast_in():
    network = Network(models.weights("stance"), threads=1, also=TOLD_OF, halves=True)
    taken = network._request.get_compiled_model().get_property("INFERENCE_PRECISION_HINT")
    assert taken.to_string() in (
        ("bf16" if _has_tiles() else "f32",) if platform.machine() == "x86_64" else ("bf16", "f16")
    )
