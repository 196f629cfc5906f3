"""A table in a folder, to be backed up and brought back."""

import hashlib
import random
from pathlib import Path

from device.backup import back_up
from device.game import Game
from device.pin_file import PinFile
from device.random_play import random_action
from device.settings import load_settings
from device.store import SqliteLog

PAIRING = '{"table": "table-1", "password": "very secret"}\n'


class Table:
    """The files of a table in a folder; all names in its settings are relative to it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.settings_file = folder / "table.toml"
        (folder / "state" / "evidence").mkdir(parents=True)
        self.settings_file.write_text(
            f'# of the pub\n[store]\npath = "{folder}/state/evening.sqlite3"\n'
            f'evidence_dir = "{folder}/state/evidence"\n'
            f'[table]\nmat_file = "{folder}/state/mat.toml"\n'
            f'[hub]\npairing_file = "{folder}/state/pairing.json"\n'
            f'[game]\nbook = "{folder}/state/haus.toml"\n'
        )
        (folder / "state" / "mat.toml").write_text("die_mm = 16.0\n")
        (folder / "state" / "pairing.json").write_text(PAIRING)
        (folder / "state" / "haus.toml").write_text('based_on = "turnier"\n')
        PinFile(folder / "state" / "schockauge-pins.json").save({"secret_key": "k", "pins": {}})
        self.log = folder / "state" / "evening.sqlite3"

    def play(self, entries: int, seed: int = 1) -> None:
        chance = random.Random(seed)
        with SqliteLog(self.log) as log:
            game = Game(log, book="turnier", players=["A", "B", "C"], clock=lambda: 1.0)
            while len(log.read(limit=1_000_000)) < entries and not game.match.is_over:
                game.do(random_action(game.match, chance))

    def keep_still(self) -> Path:
        still = self.folder / "state" / "evidence" / "throw-1.jpg"
        still.write_bytes(b"picture")
        with SqliteLog(self.log) as log:
            digest = hashlib.sha256(b"picture").hexdigest()
            kept = {"seq": 1, "kind": "still", "file": still.name, "sha256": digest}
            log.append("evidence.kept", kept, at_s=2.0)
        return still

    def back_up(self, to: Path, **more: bool) -> Path:
        return back_up(load_settings(self.settings_file), self.settings_file, to, **more).path

    def contents(self) -> dict[str, bytes]:
        files = (path for path in self.folder.rglob("*") if path.is_file())
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in files}


def entries(path: Path) -> list[str]:
    with SqliteLog(path) as log:
        return [entry.hash for entry in log.read(limit=1_000_000)]
