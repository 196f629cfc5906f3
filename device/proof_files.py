"""The files of an evening, for `device.proof`: a folder, or the archive of an export.

An archive is a ZIP without compression, closed by a comment with the SHA-256 of everything before
it: names, times and padding that no file's digest covers count, too.
"""

from __future__ import annotations

import hashlib
import re
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Protocol

from device.errors import SourceError

CHUNK_BYTES = 2**20
SEAL = b"schockauge sha256 %s"
SEAL_BYTES = len(SEAL % bytes(64))
_SEALED = re.compile(rb"schockauge sha256 ([0-9a-f]{64})")


class UnreadableError(Exception):
    """A file that is there and cannot be read; the message says why."""


class Files(Protocol):
    """The files of an evening."""

    def names(self) -> list[str]:
        """Paths relative to the evening, with `/`."""

    def sha256(self, name: str) -> str:
        """Digest of a file; raises `UnreadableError`."""

    def read(self, name: str) -> bytes:
        """Content of a file; raises `UnreadableError`."""

    def problems(self) -> list[tuple[str, str]]:
        """What is wrong with them as a whole: expected and found."""


class FolderFiles:
    """The files below a folder.

    Raises:
        SourceError: there is no such folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        if not folder.is_dir():
            raise SourceError(f"{folder} is no folder. Name the one with the files of the evening.")

    def names(self) -> list[str]:
        """Paths relative to the folder, with `/`; links and devices are files, too."""
        found = (path for path in self._folder.rglob("*") if path.is_symlink() or not path.is_dir())
        return sorted(path.relative_to(self._folder).as_posix() for path in found)

    def sha256(self, name: str) -> str:
        """Digest of a file; raises `UnreadableError`."""
        try:
            with self._plain(name).open("rb") as file:
                return _digest(file)
        except OSError as error:
            raise UnreadableError(f"not to be read ({error.strerror})") from error

    def read(self, name: str) -> bytes:
        """Content of a file; raises `UnreadableError`."""
        try:
            return self._plain(name).read_bytes()
        except OSError as error:
            raise UnreadableError(f"not to be read ({error.strerror})") from error

    def problems(self) -> list[tuple[str, str]]:
        """A folder is no more than its files."""
        return []

    def _plain(self, name: str) -> Path:
        path = self._folder / name
        if path.is_symlink() or not path.is_file():
            raise UnreadableError("no plain file")
        return path


class ZipFiles:
    """The files of an archive.

    Raises:
        SourceError: it cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            with path.open("rb"):
                pass
        except OSError as error:
            raise SourceError(f"{path} cannot be read: {error.strerror}.") from error
        self._broken = ""
        try:
            self._archive: zipfile.ZipFile | None = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
            self._archive, self._broken = None, str(error)

    def names(self) -> list[str]:
        """Paths in the archive."""
        return sorted(self._archive.namelist()) if self._archive else []

    def sha256(self, name: str) -> str:
        """Digest of a file; raises `UnreadableError`."""
        return hashlib.sha256(self.read(name)).hexdigest()

    def read(self, name: str) -> bytes:
        """Content of a file; raises `UnreadableError`."""
        if self._archive is None:
            raise UnreadableError(self._broken)
        member = self._archive.getinfo(name)
        if member.compress_type != zipfile.ZIP_STORED or member.flag_bits & 1:
            raise UnreadableError("compressed or encrypted, which no export is")
        try:
            return self._archive.read(member)
        except (zipfile.BadZipFile, zlib.error, ValueError, OSError, NotImplementedError) as error:
            raise UnreadableError(f"not to be read ({error})") from error
        except EOFError as error:
            raise UnreadableError("cut off") from error

    def problems(self) -> list[tuple[str, str]]:
        """Whether the archive as a whole is as it was written."""
        found = [("a ZIP archive", self._broken)] if self._broken else []
        if self._archive is not None and len(set(self.names())) < len(self.names()):
            found.append(("every name once", "the same name twice"))
        with self._path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - SEAL_BYTES))
            seal = _SEALED.fullmatch(file.read())
            file.seek(0)
            digest = _digest(file, size - SEAL_BYTES)
        if seal is None:
            return [*found, ("the seal of an export at its end", "none")]
        if (sealed := seal[1].decode()) != digest:
            found.append((sealed, digest))
        return found

    def close(self) -> None:
        """Let the file go."""
        if self._archive is not None:
            self._archive.close()


def seal_archive(path: Path) -> None:
    """Write the digest of an archive into the comment at its end, which must have room for it."""
    with path.open("r+b") as file:
        size = file.seek(0, 2)
        file.seek(0)
        digest = _digest(file, size - SEAL_BYTES)
        file.seek(size - SEAL_BYTES)
        file.write(SEAL % digest.encode())


def _digest(file: IO[bytes], most_bytes: int | None = None) -> str:
    digest = hashlib.sha256()
    for chunk in _chunks(file, most_bytes):
        digest.update(chunk)
    return digest.hexdigest()


def _chunks(file: IO[bytes], most_bytes: int | None) -> Iterator[bytes]:
    left = most_bytes
    while chunk := file.read(CHUNK_BYTES if left is None else max(0, min(CHUNK_BYTES, left))):
        left = None if left is None else left - len(chunk)
        yield chunk
