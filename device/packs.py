"""Packs: an evening's known throws in one zip file, for the next training and for tuning.

    README.md          what this is, who agreed, and that no name is in it
    pack.json          form, consent, date, rule books, digests of the weights, numbers
    labels.jsonl       one line a throw: file, dice with box, true value and what was read
    pictures/0001.jpg  the mat and nothing around it

The same evening always gives the same bytes: times in the zip are fixed, names are numbers.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from device.errors import SchockaugeError, SourceError
from device.image_pixels import Picture
from device.known import HOW, Box

FORM = "schockauge pack 1"
EARLIEST = (1980, 1, 1, 0, 0, 0)
"""Every file of a pack bears this date, the first that a zip knows."""
MOST_BYTES = 64_000_000
"""A file of a pack that unpacks to more is none of ours."""

README = """# Pack of {throws} throws, {dice} dice

Dice on a mat with the values that people told, collected by `schockauge learn collect` for training
a camera referee. The pictures show the mat and nothing around it. No player is named.

* Consent / Einwilligung: {consent}
* Date / Datum: {date}
* Rule book / Regelbuch: {books}
* Files: labels.jsonl (one line a throw, boxes in pixels), pictures/, pack.json

Würfel auf einer Matte mit den Augen, die Menschen genannt haben, gesammelt, damit die Kamera besser
lesen lernt. Die Bilder zeigen die Matte und nichts darum herum. Es steht kein Name darin außer dem
der Einwilligung. Wer sie zurückzieht, löscht diese Datei.
"""


@dataclass(frozen=True)
class PackedDie:
    """A die; `box` in pixels of the pack's picture, `value` None where it is not clear."""

    box: Box
    value: int | None
    read: int


@dataclass(frozen=True)
class PackedThrow:
    """A throw; see `device.known.KnownThrow`.

    Attributes:
        picture: a JPEG file's bytes.
        dice: those that were thrown.
        others: boxes of dice without a known value.
        how: one of `device.known.HOW`.
        model: version of the weights that read it.
    """

    picture: bytes
    dice: tuple[PackedDie, ...]
    others: tuple[Box, ...]
    how: str
    model: str

    @property
    def sha256(self) -> str:
        """Digest of the picture."""
        return hashlib.sha256(self.picture).hexdigest()

    def image(self) -> Picture:
        """The picture, (H, W, 3) uint8 BGR.

        Raises:
            SourceError: it cannot be read.
        """
        image = cv2.imdecode(np.frombuffer(self.picture, np.uint8), cv2.IMREAD_COLOR)
        if image is None:
            raise SourceError("A picture of the pack cannot be read; collect it again.")
        return np.asarray(image, dtype=np.uint8)


@dataclass(frozen=True)
class Pack:
    """A pack's content; `about` is what `pack.json` says."""

    throws: tuple[PackedThrow, ...]
    about: Mapping[str, Any]

    def values(self) -> Counter[int]:
        """How many dice show each value."""
        return Counter(d.value for t in self.throws for d in t.dice if d.value is not None)

    def how(self) -> dict[str, int]:
        """How many throws came to be known in which way."""
        counted = Counter(throw.how for throw in self.throws)
        return {how: counted[how] for how in HOW if counted[how]}


def about(
    throws: Sequence[PackedThrow],
    *,
    consent: str,
    date: str,
    books: Sequence[str],
    models: Mapping[str, str],
) -> dict[str, Any]:
    """What `pack.json` says.

    Args:
        throws: the content.
        consent: who agreed, and when.
        date: of the evening, 2026-01-31.
        books: rule books.
        models: digest by network.
    """
    return {
        "form": FORM,
        "consent": consent,
        "date": date,
        "books": list(books),
        "models": dict(models),
        "throws": len(throws),
        "dice": sum(die.value is not None for throw in throws for die in throw.dice),
    }


def write_pack(path: Path, pack: Pack) -> None:
    """Write a pack.

    Raises:
        SchockaugeError: the disk does not take it.
    """
    files: dict[str, bytes] = {
        "README.md": _readme(pack).encode(),
        "pack.json": (_line(dict(pack.about)) + "\n").encode(),
    }
    lines = []
    for number, throw in enumerate(pack.throws, start=1):
        name = f"pictures/{number:04}.jpg"
        files[name] = throw.picture
        lines.append(_line({"file": name, **_label(throw)}) + "\n")
    files["labels.jsonl"] = "".join(lines).encode()
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, EARLIEST)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            entry.create_system = 3
            archive.writestr(entry, files[name])
    try:
        path.write_bytes(whole.getvalue())
    except OSError as error:
        raise SchockaugeError(f"{path} cannot be written: {error.strerror}.") from error


def read_pack(path: Path) -> Pack:
    """Read a pack and check every picture against its digest.

    Raises:
        SourceError: missing, damaged, or no pack.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            told = json.loads(_file(archive, "pack.json"))
            if not isinstance(told, dict) or told.get("form") != FORM:
                raise ValueError(f"pack.json does not say {FORM!r}")
            lines = _file(archive, "labels.jsonl").decode().splitlines()
            throws = tuple(_throw(archive, json.loads(line)) for line in lines if line.strip())
            return Pack(throws, told)
    except FileNotFoundError as error:
        raise SourceError(f"The pack {path} does not exist.") from error
    except (
        OSError, ValueError, KeyError, TypeError, AttributeError, EOFError,
        zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, NotImplementedError, RuntimeError,
    ) as error:  # fmt: skip
        raise SourceError(
            f"{path} is no pack of `schockauge learn collect`, or is damaged: {error}."
        ) from error


def merged(packs: Iterable[Pack]) -> list[PackedThrow]:
    """The throws of several packs, each picture once."""
    by_digest = {throw.sha256: throw for pack in packs for throw in pack.throws}
    return list(by_digest.values())


def _readme(pack: Pack) -> str:
    told = pack.about
    return README.format(
        throws=told["throws"],
        dice=told["dice"],
        consent=told["consent"],
        date=told["date"],
        books=", ".join(told["books"]),
    )


def _label(throw: PackedThrow) -> dict[str, Any]:
    return {
        "sha256": throw.sha256,
        "how": throw.how,
        "model": throw.model,
        "dice": [{"box": list(d.box), "value": d.value, "read": d.read} for d in throw.dice],
        "others": [list(box) for box in throw.others],
    }


def _throw(archive: zipfile.ZipFile, label: dict[str, Any]) -> PackedThrow:
    picture = _file(archive, str(label["file"]))
    if hashlib.sha256(picture).hexdigest() != label["sha256"]:
        raise ValueError(f"{label['file']} was changed: its sha256 is another one")
    dice = tuple(
        PackedDie(_box(die["box"]), None if die["value"] is None else _face(die["value"]),
                  _face(die["read"]))
        for die in label["dice"]
    )  # fmt: skip
    if label["how"] not in HOW:
        raise ValueError(f"{label['how']!r} is no way in which a throw becomes known")
    others = tuple(_box(box) for box in label["others"])
    return PackedThrow(picture, dice, others, str(label["how"]), str(label["model"]))


def _file(archive: zipfile.ZipFile, name: str) -> bytes:
    if archive.getinfo(name).file_size > MOST_BYTES:
        raise ValueError(f"{name} is too large")
    return archive.read(name)


def _face(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 6:
        raise ValueError(f"a die shows 1 to 6, but got {value!r}")
    return value


def _box(numbers: Sequence[float]) -> Box:
    left, top, right, bottom = (float(number) for number in numbers)
    if not (np.isfinite([left, top, right, bottom]).all() and left < right and top < bottom):
        raise ValueError(f"{list(numbers)} is no box (left, top, right, bottom)")
    return (left, top, right, bottom)


def _line(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, sort_keys=True)
