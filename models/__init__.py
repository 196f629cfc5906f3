"""The weights that Schockauge reads dice with, and what is known about them.

    from models import manifest, weights
    weights("finder")   # path of models/weights/finder.onnx, checked against the manifest

`models.lab` holds the laboratory that made them; nothing at run time imports it.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

__all__ = ["FOLDER", "Manifest", "ModelFile", "ModelFileError", "manifest", "weights"]

FOLDER = Path(__file__).parent


class ModelFileError(Exception):
    """A weights file is missing, changed or unknown."""


@dataclass(frozen=True)
class ModelFile:
    """One network.

    Attributes:
        file: path below `models/`.
        sha256: hexadecimal digest of the file.
        role: what it is for, one sentence.
        recipe: how it was trained: command, data, passes.
        metrics: figures measured in the laboratory.
    """

    file: str
    sha256: str
    role: str
    recipe: dict[str, Any]
    metrics: dict[str, Any]


@dataclass(frozen=True)
class Manifest:
    """What `manifest.json` says.

    Attributes:
        version: version of the set of weights; events name it beside each throw.
        licence: licence of the weights.
        networks: by name, "finder", "namer", "pips", and those of a table alone, "stance",
            "outline", "table_namer" and "table_pips".
        reading: how their words become probabilities (`vision.confidence.Confidence`).
    """

    version: str
    licence: str
    networks: dict[str, ModelFile]
    reading: dict[str, Any]


@lru_cache(maxsize=4)
def manifest(folder: Path = FOLDER) -> Manifest:
    """Read the manifest.

    Raises:
        ModelFileError: it is missing or not readable.
    """
    file = folder / "manifest.json"
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        networks = {name: ModelFile(**entry) for name, entry in data["networks"].items()}
        reading = dict(data.get("reading", {}))
        return Manifest(str(data["version"]), str(data["licence"]), networks, reading)
    except FileNotFoundError as error:
        raise ModelFileError(
            f"the model's manifest {file} is missing: install Schockauge again, or make the "
            "weights with models.lab as models/CARD.md says"
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        raise ModelFileError(f"the model's manifest {file} is damaged ({error})") from error


def weights(name: str, folder: Path = FOLDER) -> Path:
    """Path of a network's file, after its digest was compared with the manifest's.

    Raises:
        ModelFileError: no such network, file missing, or another file than the manifest's.
    """
    known = manifest(folder).networks
    if name not in known:
        raise ModelFileError(f"no network {name!r}; expected one of {', '.join(sorted(known))}")
    file = folder / known[name].file
    if not file.is_file():
        raise ModelFileError(
            f"the weights {file} are missing: install Schockauge again, or name another folder "
            "with --models"
        )
    found = hashlib.sha256(file.read_bytes()).hexdigest()
    if found != known[name].sha256:
        raise ModelFileError(
            f"{file} is not the file of the manifest: its sha256 is {found[:12]}…, expected "
            f"{known[name].sha256[:12]}…; install Schockauge again, or update the manifest with "
            "models.lab.export"
        )
    return file
