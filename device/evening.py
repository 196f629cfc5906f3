"""An evening in one folder or archive: log, rule books, stills and clips, and how to check them.

The log's last line is the export's own entry: it names every file that belongs to it. The same
entry stands in the table's log before the first file is copied, so that none is deleted there
meanwhile or later; an entry `evidence.export_failed` takes it back where the export was not
finished.
"""

from __future__ import annotations

import hashlib
import shutil
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from device.chain import LogEntry, as_line
from device.errors import SchockaugeError, SourceError, StoreError
from device.mentions import Mention, Mentions
from device.proof import EVIDENCE, LOG
from device.proof_files import SEAL, FolderFiles, UnreadableError, seal_archive
from device.store import SqliteLog

ARCHIVE = ".zip"
README = "LIESMICH.txt"
README_TEXT = """Ein Abend Schocken, aufgezeichnet von Schockauge.

log.jsonl   das Protokoll: ein Eintrag je Zeile, jeder mit der Prüfsumme des vorigen
evidence/   Bilder und Filme der Würfe; ihre Prüfsummen stehen im Protokoll
books/      die Regelwerke, nach denen gespielt wurde

Prüfen, ob nichts verändert wurde:   schockauge verify ORDNER_ODER_ARCHIV

An evening of Schocken, recorded by Schockauge. To check that nothing was changed:
schockauge verify FOLDER_OR_ARCHIVE
"""
PAGE_ENTRIES = 1000
FIRST_DAY = (1980, 1, 1, 0, 0, 0)
"""Files in an archive have no times of their own; the log has."""


@dataclass(frozen=True)
class Exported:
    """What an export has come to.

    Attributes:
        entries: how many the log has.
        files: how many files of evidence went along.
        lacking: names of those that are missing or were changed.
        seal: hash of the last entry.
    """

    entries: int
    files: int
    lacking: tuple[str, ...]
    seal: str


def export_evening(log_path: Path, evidence: Path | None, out: Path) -> Exported:
    """Write an evening.

    Args:
        log_path: the table's log; it may be playing.
        evidence: the folder of its stills and clips; None: they stay at home.
        out: an archive (`.zip`) or a folder, not there yet.

    Raises:
        SourceError: no log.
        StoreError: it is damaged, or cannot be written.
        SchockaugeError: `out` exists already, or cannot be written.
    """
    if not log_path.is_file():
        raise SourceError(f"The log {log_path} does not exist.")
    if out.exists():
        raise SchockaugeError(f"{out} exists already; an export is never overwritten.")
    with SqliteLog(log_path) as log:
        known = list(_entries(log))
        expected = Mentions.of(known).expected()
        lacking = tuple(_lacking(expected, evidence))
        others = {README: README_TEXT.encode(), **_books(known)}
        end = log.append(
            "evidence.exported",
            {
                "seq": known[-1].seq if known else 0,
                "files": sorted(set(expected) - set(lacking)),
                "others": {name: hashlib.sha256(c).hexdigest() for name, c in others.items()},
            },
            at_s=time.time(),
        )
        lines = [as_line(entry) + "\n" for entry in _entries(log) if entry.seq <= end.seq]
        contents = {LOG: "".join(lines).encode(), **others}
        going = sorted(name for name in expected if evidence and (evidence / name).is_file())
        files = {f"{EVIDENCE}{name}": Path(evidence or "", name) for name in going}
        with _taken_back(log, end):
            _write(out, contents, files)
    return Exported(end.seq, len(going), lacking, end.hash)


@contextmanager
def _taken_back(log: SqliteLog, end: LogEntry) -> Iterator[None]:
    """Note in the log where what is done inside fails that nothing was exported after all."""
    try:
        yield
    except BaseException as error:
        note = {"seq": end.seq, "reason": str(error) or type(error).__name__}
        with suppress(StoreError):  # the disk may be full; the error inside is the one to tell
            log.append("evidence.export_failed", note, at_s=time.time())
        raise


def _write(out: Path, contents: dict[str, bytes], files: dict[str, Path]) -> None:
    """Write an export under another name, and give it its own when it is complete."""
    part = out.with_name(f"{out.name}.part")
    write = _write_archive if out.suffix.lower() == ARCHIVE else _write_folder
    try:
        write(part, contents, files)
        part.rename(out)
    except OSError as error:
        raise SchockaugeError(f"{out} cannot be written: {error.strerror or error}.") from error
    finally:
        _remove(part)


def _entries(log: SqliteLog) -> Iterator[LogEntry]:
    seq = 0
    while page := log.read(seq, PAGE_ENTRIES):
        yield from page
        seq = page[-1].seq


def _lacking(expected: dict[str, Mention], evidence: Path | None) -> Iterator[str]:
    """Files that are not as the log says; all of them where there is no folder."""
    files = None if evidence is None else FolderFiles(evidence)
    for name, said in expected.items():
        if Path(name).name != name:
            raise StoreError(f"Entry {said.seq} names {name!r}, which is no plain file name.")
        try:
            if files is None or files.sha256(name) != said.sha256:
                yield name
        except UnreadableError:
            yield name


def _books(entries: list[LogEntry]) -> dict[str, bytes]:
    """The rule books that were played, as their authors wrote them."""
    found: dict[str, bytes] = {}
    for entry in entries:
        if entry.type != "match_started":
            continue
        own, name = str(entry.data.get("book_text") or ""), str(entry.data.get("book"))
        if own:
            digest = hashlib.sha256(own.encode()).hexdigest()
            found[f"books/own-{digest[:12]}.toml"] = own.encode()
        elif name.isidentifier():
            book = resources.files("rules.books") / f"{name}.toml"
            if book.is_file():
                found[f"books/{name}.toml"] = book.read_bytes()
    return found


def _write_folder(out: Path, contents: dict[str, bytes], files: dict[str, Path]) -> None:
    out.mkdir(parents=True)
    for name in [*contents, *files]:
        (out / name).parent.mkdir(exist_ok=True)
    for name, content in contents.items():
        (out / name).write_bytes(content)
    for name, path in files.items():
        shutil.copyfile(path, out / name)


def _write_archive(out: Path, contents: dict[str, bytes], files: dict[str, Path]) -> None:
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        archive.comment = SEAL % bytes(64)
        for name, content in contents.items():
            archive.writestr(zipfile.ZipInfo(name, FIRST_DAY), content)
        for name, path in files.items():
            member = zipfile.ZipInfo(name, FIRST_DAY)
            member.file_size = path.stat().st_size  # tells whether it needs the large form
            with archive.open(member, "w") as into, path.open("rb") as file:
                shutil.copyfileobj(file, into)
    seal_archive(out)


def _remove(part: Path) -> None:
    """Remove what could not be written to its end."""
    with suppress(OSError):
        if part.is_dir():
            shutil.rmtree(part)
        else:
            part.unlink(missing_ok=True)
