"""Whatever a file holds, the answer is a picture or a sentence, in bounded time and memory."""

import io
import os
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from conftest import Run
from device_help import FixedReader, lines, picture
from PIL import Image

from device.errors import SourceError
from device.image_pixels import to_bgr, upright
from device.images import MAX_FILE_BYTES, MAX_SIDE_PX, load_image, load_photo

RED, GREEN = (200, 10, 20), (10, 200, 20)
NOISE = np.random.default_rng(7).integers(0, 256, (24, 32, 3), np.uint8)


def png_chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def black_png(path: Path, width: int, height: int, *, rows: int | None = None) -> Path:
    """A black RGB picture, packed row by row; with fewer `rows` than its height it is cut short."""
    packer = zlib.compressobj(1)
    packed = [
        packer.compress(bytes(3 * width + 1)) for _ in range(height if rows is None else rows)
    ]
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = (b"IHDR", head), (b"IDAT", b"".join(packed) + packer.flush()), (b"IEND", b"")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(png_chunk(*part) for part in parts))
    return path


def says(path: Path) -> str:
    """The sentence that a bad picture gets; it names the file."""
    with pytest.raises(SourceError) as caught:
        load_photo(path)
    assert path.name[:100] in str(caught.value)
    return str(caught.value)


class TestNoPicture:
    def test_an_empty_file(self, tmp_path: Path) -> None:
        (tmp_path / "a.jpg").touch()
        assert "the file is empty" in says(tmp_path / "a.jpg")

    def test_text_with_the_name_of_a_picture(self, tmp_path: Path) -> None:
        (tmp_path / "a.jpg").write_text("six, two, one")
        assert "is no picture that can be read; expected JPEG" in says(tmp_path / "a.jpg")

    def test_a_document_that_pillow_would_start_a_program_for(self, tmp_path: Path) -> None:
        (tmp_path / "a.jpg").write_text("%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n")
        assert "is no picture that can be read" in says(tmp_path / "a.jpg")

    @pytest.mark.parametrize(("brand", "kind"), [(b"heic", "HEIC"), (b"avif", "AVIF")])
    def test_what_a_phone_takes_instead_of_jpeg(
        self, tmp_path: Path, brand: bytes, kind: str
    ) -> None:
        (tmp_path / "a.jpg").write_bytes(b"\0\0\0\x18ftyp" + brand + bytes(100))
        assert f"is a {kind} picture" in says(tmp_path / "a.jpg")
        assert "Save it as JPEG first" in says(tmp_path / "a.jpg")

    def test_a_pipe_is_refused_before_it_is_opened(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "a.jpg")  # opening it would wait for a writer
        assert "it is a pipe or a device" in says(tmp_path / "a.jpg")

    def test_a_folder_a_loop_of_links_and_names_that_cannot_be(self, tmp_path: Path) -> None:
        (tmp_path / "folder.jpg").mkdir()
        (tmp_path / "loop.jpg").symlink_to("loop.jpg")
        assert "it is a folder" in says(tmp_path / "folder.jpg")
        assert "Too many levels of symbolic links" in says(tmp_path / "loop.jpg")
        assert "name too long" in says(tmp_path / ("a" * 300 + ".jpg"))
        with pytest.raises(SourceError, match="null"):
            load_photo(Path("a\0.jpg"))

    def test_what_the_system_forbids(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*args: object, **kwargs: object) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr("device.images.Image.open", refuse)
        path = picture(tmp_path / "a.jpg")
        assert says(path) == f"{path} cannot be read: Permission denied."

    def test_memory_that_is_not_there(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def starve(*args: object, **kwargs: object) -> None:
            raise MemoryError

        monkeypatch.setattr("device.images.to_bgr", starve)
        assert "there is not enough memory" in says(picture(tmp_path / "a.png"))


class TestDamaged:
    @pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF", "BMP", "GIF"])
    def test_a_file_that_is_cut_or_changed_is_read_or_named(
        self, tmp_path: Path, kind: str
    ) -> None:
        buffer = io.BytesIO()
        Image.fromarray(NOISE).save(buffer, kind)
        whole, path = buffer.getvalue(), tmp_path / "a.jpg"
        random = np.random.default_rng(3)
        for _ in range(60):
            data = bytearray(whole[: random.integers(1, len(whole))])
            for place in random.integers(0, len(data), random.integers(0, 4)):
                data[place] = random.integers(0, 256)
            path.write_bytes(data)
            text = ""
            try:
                load_photo(path)
            except SourceError as error:
                text = str(error)
            assert not text or str(path) in text

    def test_half_a_png_is_an_error(self, tmp_path: Path) -> None:
        path = tmp_path / "a.png"
        Image.fromarray(NOISE).save(path)
        path.write_bytes(path.read_bytes()[:1200])
        assert "cannot be read" in says(path)

    def test_a_damaged_exif_block_does_not_spoil_the_picture(self, tmp_path: Path) -> None:
        path = tmp_path / "a.jpg"
        Image.fromarray(NOISE).save(path, exif=b"Exif\0\0II*\0\xff\xff\xff\xff no directory")
        assert load_image(path).shape == (24, 32, 3)


class TestSize:
    @pytest.mark.parametrize("size", [(1, 1), (3, 2), (1, 5000), (20000, 10)])
    def test_tiny_and_thin_pictures_are_pictures(
        self, tmp_path: Path, size: tuple[int, int]
    ) -> None:
        path = tmp_path / "a.png"
        Image.new("RGB", size, RED).save(path)
        image = load_photo(path).image_bgr
        assert image.shape == (size[1], size[0], 3)
        assert (image == RED[::-1]).all()

    def test_too_many_pixels_are_refused_unseen(self, tmp_path: Path) -> None:
        text = says(black_png(tmp_path / "a.png", 30000, 30000, rows=9))
        assert "30000 x 30000 pixels (900 million)" in text
        assert "at most 120 million" in text
        assert "Scale it down first" in text

    def test_a_side_that_no_jpeg_can_hold_is_refused(self, tmp_path: Path) -> None:
        assert f"sides up to {MAX_SIDE_PX}" in says(black_png(tmp_path / "a.png", 70000, 1))

    def test_webp_has_a_limit_of_its_own(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("device.images.MAX_PIXELS_WEBP", 700)
        Image.fromarray(NOISE).save(tmp_path / "a.webp")
        assert "are read from a WebP" in says(tmp_path / "a.webp")

    def test_an_endless_file_is_refused_unread(self, tmp_path: Path) -> None:
        path = picture(tmp_path / "a.webp")
        os.truncate(path, MAX_FILE_BYTES + 1)
        assert "512 MiB" in says(path)

    @pytest.mark.parametrize("name", ["a.jpg", "a.png", "a.tif"])
    @pytest.mark.parametrize(("detail", "shrunk"), [(41 * 30, 1), (41 * 30 - 1, 2), (100, 4)])
    def test_more_than_a_look_can_use_is_shrunk(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, detail: int, shrunk: int
    ) -> None:
        monkeypatch.setattr("device.images.DETAIL_PIXELS", detail)
        image = Image.new("RGB", (41, 30), RED)
        image.paste(GREEN, (20, 0, 41, 30))
        image.save(tmp_path / name, quality=95)
        photo = load_photo(tmp_path / name)
        assert photo.shrunk == shrunk
        assert photo.image_bgr.shape == (-(-30 // shrunk), -(-41 // shrunk), 3)
        assert photo.image_bgr[1, 1, 2] > 150
        assert photo.image_bgr[1, -2, 1] > 150
        assert load_image(tmp_path / name).shape == (30, 41, 3), "for calibration: as it is"

    def test_strips_join_without_a_seam(self, monkeypatch: pytest.MonkeyPatch) -> None:
        picture = Image.fromarray(NOISE)
        whole = {shrink: to_bgr(picture, shrink=shrink) for shrink in (1, 2, 4)}
        monkeypatch.setattr("device.image_pixels.STRIP_PIXELS", 150)
        assert (whole[1] == NOISE[:, :, ::-1]).all()
        for shrink, expected in whole.items():
            assert (to_bgr(picture, shrink=shrink) == expected).all()

    @pytest.mark.skipif(sys.platform != "linux", reason="asks /proc for the peak")
    @pytest.mark.parametrize(("name", "most_mb"), [("a.png", 280), ("a.jpg", 100)])
    def test_a_phones_48_megapixels_take_bounded_memory(
        self, tmp_path: Path, name: str, most_mb: int
    ) -> None:
        path = tmp_path / name
        if name == "a.png":
            black_png(path, 8000, 6000)
        else:
            path.write_bytes(cv2.imencode(".jpg", np.zeros((6000, 8000, 3), np.uint8))[1])
        code = (
            "import re, sys\n"
            "from pathlib import Path\n"
            "from device.images import load_photo\n"
            "def peak_kb():\n"
            "    text = Path('/proc/self/status').read_text()\n"
            "    return int(re.search(r'VmHWM:\\s+(\\d+) kB', text)[1])\n"
            "before = peak_kb()\n"
            "assert load_photo(Path(sys.argv[1])).image_bgr.shape == (3000, 4000, 3)\n"
            "print((peak_kb() - before) // 1024)\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, path], capture_output=True, text=True, check=True
        )
        assert int(done.stdout) < most_mb


class TestForm:
    @pytest.mark.parametrize("orientation", range(1, 9))
    @pytest.mark.parametrize("name", ["a.jpg", "a.png", "a.tif", "a.webp"])
    def test_every_exif_orientation_is_undone(
        self, tmp_path: Path, name: str, orientation: int
    ) -> None:
        seen = np.zeros((16, 24, 3), np.uint8)
        seen[:8, :8] = 250  # the corner at the top left, as a person sees it
        stored = seen
        if orientation in (2, 3, 6, 7):  # undo what `upright` does, backwards
            stored = stored[:, ::-1]
        if orientation in (3, 4, 7, 8):
            stored = stored[::-1]
        if orientation in (5, 6, 7, 8):
            stored = stored.transpose(1, 0, 2)
        exif = Image.Exif()
        exif[0x0112] = orientation
        Image.fromarray(np.ascontiguousarray(stored)).save(tmp_path / name, exif=exif)
        image = load_image(tmp_path / name)
        assert image.shape == seen.shape
        assert (abs(image.astype(int) - seen) < 60).all()

    def test_a_phone_held_upright_stores_six(self) -> None:
        # Exif: 6 = "the 0th row is the visual right-hand side, the 0th column the visual top".
        stored = np.zeros((2, 3, 3), np.uint8)
        stored[0, :, 0] = 1
        stored[:, 0, 1] = 1
        turned = upright(stored, 6)
        assert turned[:, -1, 0].tolist() == [1, 1, 1]
        assert turned[0, :, 1].tolist() == [1, 1]

    @pytest.mark.parametrize("name", ["a.gif", "a.webp", "a.png", "a.tif", "a.mpo"])
    def test_of_several_frames_or_pages_the_first_is_read(self, tmp_path: Path, name: str) -> None:
        first, second = (Image.new("RGB", (16, 16), colour) for colour in (RED, GREEN))
        first.save(tmp_path / name, save_all=True, append_images=[second])
        image = load_photo(tmp_path / name).image_bgr
        assert abs(image[8, 8].astype(int) - RED[::-1]).max() < 12

    def test_cmyk_without_the_mark_of_its_maker(self, tmp_path: Path) -> None:
        path = tmp_path / "a.jpg"
        Image.new("RGB", (16, 16), RED).convert("CMYK").save(path)
        data = path.read_bytes()
        start = data.index(b"\xff\xee")
        length = struct.unpack(">H", data[start + 2 : start + 4])[0]
        path.write_bytes(data[:start] + data[start + 2 + length :])
        assert load_image(path).shape == (16, 16, 3)

    @pytest.mark.parametrize("alpha", [0, 255])
    def test_a_palette_with_a_transparent_colour(self, tmp_path: Path, alpha: int) -> None:
        image = Image.new("P", (8, 8), 1)
        image.putpalette([0, 0, 0, *RED])
        image.save(tmp_path / "a.png", transparency=bytes([255, alpha]))
        expected = RED[::-1] if alpha else (128, 128, 128)
        assert tuple(load_image(tmp_path / "a.png")[4, 4]) == expected

    def test_floating_grey_with_holes(self, tmp_path: Path) -> None:
        values = np.linspace(0, 1000, 64, dtype=np.float32).reshape(8, 8)
        values[3, 3] = np.nan
        Image.fromarray(values).save(tmp_path / "a.tif")
        image = load_image(tmp_path / "a.tif")
        assert image[0, 0, 0] == image[3, 3, 0] == 0
        assert image[7, 7, 0] == 255


def test_reading_goes_on_after_every_kind_of_bad_picture(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.bootstrap_readers.photo_reader", lambda settings: FixedReader())
    (tmp_path / "empty.jpg").touch()
    (tmp_path / "folder.jpg").mkdir()
    (tmp_path / "link.jpg").symlink_to("link.jpg")
    os.mkfifo(tmp_path / "pipe.jpg")
    black_png(tmp_path / "huge.png", 30000, 30000, rows=1)
    picture(tmp_path / "zz_good.png")
    status, out, err = run("read", tmp_path, "--json")
    *bad, good = lines(out)
    assert status == 1
    assert [Path(line["file"]).stem for line in bad] == ["empty", "folder", "huge", "link", "pipe"]
    assert all(set(line) == {"file", "error"} for line in bad)
    assert good["dice"]
    assert "schockauge: error: 5 of 6 files unreadable" in err
