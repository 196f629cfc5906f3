"""Photographs of every kind arrive upright as 8-bit BGR, and bad ones are named."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from device.errors import SourceError
from device.images import list_images, load_image

RED, GREEN = (200, 10, 20), (10, 200, 20)


def two_tone(size: tuple[int, int] = (40, 20)) -> Image.Image:
    """Left half red, right half green."""
    image = Image.new("RGB", size, RED)
    image.paste(GREEN, (size[0] // 2, 0, *size))
    return image


def test_colours_come_as_bgr(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    two_tone().save(path)
    image = load_image(path)
    assert image.shape == (20, 40, 3)
    assert image.dtype == np.uint8
    assert tuple(image[5, 5]) == RED[::-1]
    assert tuple(image[5, 35]) == GREEN[::-1]


def test_exif_orientation_is_applied(tmp_path: Path) -> None:
    path = tmp_path / "phone.jpg"
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was turned: show it a quarter turn clockwise
    two_tone().save(path, exif=exif, quality=95)
    image = load_image(path)
    assert image.shape == (40, 20, 3)
    assert image[5, 10, 2] > 150  # red is on top now


@pytest.mark.parametrize("mode", ["L", "P", "CMYK", "1", "RGBA", "LA"])
def test_every_mode_becomes_three_channels(tmp_path: Path, mode: str) -> None:
    path = tmp_path / ("a.jpg" if mode == "CMYK" else "a.png")
    two_tone().convert(mode).save(path)
    assert load_image(path).shape == (20, 40, 3)


def test_cmyk_keeps_its_colours(tmp_path: Path) -> None:
    path = tmp_path / "print.jpg"
    two_tone().convert("CMYK").save(path, quality=95)
    blue, green, red = load_image(path)[5, 5]
    assert red > 150
    assert green < 60
    assert blue < 60


def test_transparent_pixels_become_grey(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    Image.new("RGBA", (8, 8), (255, 255, 255, 0)).save(path)
    assert tuple(load_image(path)[4, 4]) == (128, 128, 128)


def test_sixteen_bits_are_scaled_not_clipped(tmp_path: Path) -> None:
    path = tmp_path / "deep.png"
    values = np.linspace(0, 65535, 64).astype(np.uint16).reshape(8, 8)
    Image.fromarray(values).save(path)
    image = load_image(path)
    assert image[0, 0, 0] == 0
    assert image[7, 7, 0] == 255
    assert 120 <= image[4, 0, 0] <= 135


def test_a_corrupt_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "broken.jpg"
    path.write_bytes(b"\xff\xd8 no picture at all")
    with pytest.raises(SourceError, match=r"broken\.jpg is no picture that can be read"):
        load_image(path)


def test_a_file_cut_short_is_an_error_not_half_a_picture(tmp_path: Path) -> None:
    path = tmp_path / "short.jpg"
    noise = np.random.default_rng(1).integers(0, 255, (200, 200, 3), np.uint8)
    Image.fromarray(noise).save(path)
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(SourceError, match=r"short\.jpg cannot be read: .*truncated"):
        load_image(path)


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="does not exist"):
        load_image(tmp_path / "none.jpg")
    with pytest.raises(SourceError, match="cannot be read"):
        load_image(tmp_path)


def test_words_become_files_in_the_order_given(tmp_path: Path) -> None:
    for name in ("b.jpg", "a.PNG", "notes.txt", "z.jpg"):
        (tmp_path / name).touch()
    missing = str(tmp_path / "missing.jpg")
    names = [p.name for p in list_images([str(tmp_path / "z.jpg"), str(tmp_path), missing])]
    assert names == ["z.jpg", "a.PNG", "b.jpg", "z.jpg", "missing.jpg"]
    assert [p.name for p in list_images([str(tmp_path / "*.jpg")])] == ["b.jpg", "z.jpg"]


def test_an_empty_folder_and_an_idle_pattern_are_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="holds no picture"):
        list_images([str(tmp_path)])
    with pytest.raises(SourceError, match="No file fits"):
        list_images([str(tmp_path / "*.jpg")])
