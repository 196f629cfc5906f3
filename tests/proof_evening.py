"""A small evening with evidence, its exports, and what `verify` finds in them."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from device.commands.verify import _prove
from device.evening import export_evening
from device.evidence import Evidence
from device.game import Game
from device.proof import Finding, Proof
from device.store import SqliteLog
from rules.actions import ThrowDice

CLIP = b"\x1a\x45\xdf\xa3 a film"


def write_evening(folder: Path) -> Path:
    """A log, its evidence, and both forms of its export: `export` and `export.zip`."""
    write_log(folder)
    log, evidence = folder / "evening.sqlite3", folder / "evidence"
    export_evening(log, evidence, folder / "export")
    export_evening(log, evidence, folder / "export.zip")
    return folder


def write_log(folder: Path) -> None:
    """Three throws without a game: few bytes, and every kind of entry that names a file."""
    evidence = Evidence(folder / "evidence")
    with SqliteLog(folder / "evening.sqlite3") as log:
        for n in range(3):
            still = {"still": f"throw-{n}.jpg"}
            content = bytes([255, 216, n]) * 5
            (evidence.folder / still["still"]).write_bytes(content)
            digest = hashlib.sha256(content).hexdigest()
            entry = log.append(
                "table.throw_seen",
                {"dice": [6, 5, n + 1], "by": "Jörg", **still, "sha256": digest},
                at_s=1000.0 + n,
            )
            clip = evidence.keep_clip(CLIP + bytes([entry.seq]), t_s=5.0 * n)
            span = {"from_s": 5.0 * n - 3.0, "to_s": 5.0 * n + 2.0}
            kept = {"seq": entry.seq, "kind": "clip", **clip, **span}
            log.append("evidence.kept", kept, at_s=1000.5)
        name = str(clip["file"])
        (evidence.folder / name).unlink()
        log.append("evidence.dropped", {"files": [name], "rule": "days"}, at_s=2000)


def write_played(folder: Path) -> Path:
    """The archive of an evening with a game and its book."""
    with SqliteLog(folder / "evening.sqlite3") as log:
        game = Game(log, book="turnier", players=["Anna", "Jörg"], clock=lambda: 1e9)
        for player, dice in (("Anna", (6, 5, 2)), ("Jörg", (6, 5, 1)), ("Jörg", (4, 2, 1))):
            game.do(ThrowDice(player, dice))
    export_evening(folder / "evening.sqlite3", None, folder / "evening.zip")
    return folder / "evening.zip"


def proof_of(path: Path) -> Proof:
    """What `schockauge verify PATH` finds."""
    return _prove(path, None)


def names(findings: Iterable[Finding]) -> set[str | int | None]:
    """Files, and numbers of entries, that are named."""
    return {f.name or f.seq for f in findings}
