"""An evening whose questions were answered, for `learn`, and networks that know nothing."""

import hashlib
import json
from pathlib import Path

import numpy as np
from conftest import Run
from vision_onnx import detector_model, heat_model, value_model

from device.images import jpeg
from device.store import SqliteLog

COLOURS = {
    1: (40, 40, 220), 2: (40, 220, 40), 3: (220, 40, 40),
    4: (220, 220, 40), 5: (220, 40, 220), 6: (40, 220, 220),
}  # fmt: skip
BOXES = ((60.0, 60.0, 100.0, 100.0), (160.0, 60.0, 200.0, 100.0), (260.0, 90.0, 300.0, 130.0))
MAT = (20.0, 20.0, 340.0, 180.0)
THROWS = [(n % 6 + 1, (n + 2) % 6 + 1, (n + 4) % 6 + 1) for n in range(12)]


def painted(values: tuple[int, ...], number: int = 0) -> np.ndarray:
    """A still: a mat in grey, whatever is around it in white, dice as coloured squares."""
    picture = np.full((200, 360, 3), 255, np.uint8)
    picture[20:180, 20:340] = 100 + number
    for value, (left, top, right, bottom) in zip(values, BOXES, strict=True):
        picture[int(top) : int(bottom), int(left) : int(right)] = COLOURS[value]
    return picture


def belief(read: int, true: int) -> list[float]:
    """What the camera thought: the truth came second where it is not what was read."""
    shares = {true: 0.4, read: 0.5} if read != true else {read: 0.95}
    return [shares.get(face, 0.01) for face in range(1, 7)]


def write_evening(folder: Path, throws: list[tuple[int, ...]], *, misread: int = 1) -> Path:
    """A log with its stills: a question and an answer for every throw."""
    stills = folder / "stills"
    stills.mkdir(exist_ok=True)
    path = folder / "evening.sqlite3"
    path.unlink(missing_ok=True)
    with SqliteLog(path) as log:
        log.append("match_started", {"book": "turnier", "players": ["Anna", "Bert"]}, at_s=1e9)
        for number, values in enumerate(throws):
            data = jpeg(painted(values, number))
            name = f"throw-{number:03}.jpg"
            (stills / name).write_bytes(data)
            read = [misread, *values[1:]]
            dice = [
                {"box": list(box), "aside": False, "probabilities": belief(seen, true)}
                for seen, true, box in zip(read, values, BOXES, strict=True)
            ]
            seen = {"dice": read, "sure": False, "model": "0.1.0", "still": name,
                    "sha256": hashlib.sha256(data).hexdigest(),
                    "lying": {"mat": list(MAT), "dice": dice}}  # fmt: skip
            question = {"question_id": f"{number}-1", "player": "Anna"}
            log.append("table.unsure", seen, at_s=1e9)
            log.append("question.asked", {**question, "still": name}, at_s=1e9)
            log.append(
                "question.answered", {**question, "dice": list(values), "by": "Bert"}, at_s=1e9
            )
    return path


def collect_words(run: Run, log: Path, out: Path, *more: object) -> tuple[int, str, str]:
    stills, consent = log.parent / "stills", "Wirtin, 2026-01-31"
    words = ("--store", log, "--stills", stills, "--out", out, "--consent", consent, *more)
    return run("learn", "collect", *words)


def model_folder(folder: Path, *, features: bool) -> Path:
    """Write tiny networks: nothing is found, nothing is named, no pips are seen."""
    folder.mkdir()
    contents = {
        "finder": detector_model([]),
        "namer": value_model(np.zeros((3, 9)), features=features),
        "pips": heat_model(np.full((1, 1, 32, 32), -20.0)),
    }
    networks = {}
    for name, content in contents.items():
        (folder / f"{name}.onnx").write_bytes(content)
        digest = hashlib.sha256(content).hexdigest()
        networks[name] = {
            "file": f"{name}.onnx", "sha256": digest, "role": "", "recipe": {}, "metrics": {},
        }  # fmt: skip
    manifest = {"version": "9.9-blind", "licence": "none", "networks": networks}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder
