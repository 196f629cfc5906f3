"""The composition root of the eye: which weights the readers get, and whether they are tuned."""

from __future__ import annotations

import time
from functools import lru_cache
from pathlib import Path
from typing import Any

import models
from device.settings import Settings
from vision.confidence import Confidence
from vision.detector import Detector
from vision.eye import Eye
from vision.glimpse import Glimpse
from vision.last_stage import LastStage, load_last_stage, sha256_of
from vision.outline import OutlineReader
from vision.outline_judge import OutlineJudge
from vision.reader import PhotoReader, ReaderSettings
from vision.readers import Namer, PipCounter
from vision.stance import StanceReader

AT_TABLE = "table_"
"""Before the names of networks that learned dice as a table's camera sees them."""
TABLE_NAMER, TABLE_PIPS = f"{AT_TABLE}namer", f"{AT_TABLE}pips"
OUTLINE = "outline"


def manifest(settings: Settings) -> models.Manifest:
    """What is known of the weights that the settings name, or of ours.

    Raises:
        ModelFileError: the manifest is missing or damaged.
    """
    return models.manifest(_model_folder(settings))


def _weights(settings: Settings, name: str) -> Path:
    """Weights of a network of the folder that the settings name, or of ours.

    A folder without networks of the table's own has those of photographs read there, too.
    """
    folder = _model_folder(settings)
    shared = name.removeprefix(AT_TABLE)
    return models.weights(name if name in models.manifest(folder).networks else shared, folder)


def check_weights(settings: Settings) -> None:
    """Compare every file of the manifest with its digest.

    Raises:
        ModelFileError: one is missing or damaged.
    """
    for name in manifest(settings).networks:
        models.weights(name, _model_folder(settings))


def finder(settings: Settings) -> Detector:
    """The finder with the weights that the settings name, or ours.

    Raises:
        ModelFileError: they are missing or damaged.
        ModelError: the file is another network.
    """
    return Detector(_weights(settings, "finder"), threads=settings["model.threads"])


def namer(settings: Settings) -> Namer:
    """The first witness of photographs; errors as above."""
    return Namer(_weights(settings, "namer"), threads=settings["model.threads"])


def table_namer(settings: Settings) -> Namer:
    """The first witness at the table, which learned dice seen from above; tuned if settings say so.

    Raises:
        ModelFileError: the weights are missing or damaged.
        ModelError: the file is another network, or the last stage is not one of its.
    """
    weights = _weights(settings, TABLE_NAMER)
    return Namer(weights, threads=settings["model.threads"], last_stage=own_dice(settings))


def own_dice(settings: Settings) -> LastStage | None:
    """The namer's last stage tuned to the table's own dice; None when the settings name none.

    Raises:
        ModelError: the file named is missing, damaged or something else.
    """
    named = settings["model.own_dice_file"]
    return load_last_stage(Path(named)) if named else None


def namer_sha256(settings: Settings, *, at_table: bool = True) -> str:
    """Digest of a namer's weights: of the table's, to which a last stage belongs, or the other's.

    Raises:
        ModelFileError: they are missing or damaged.
    """
    return sha256_of(_weights(settings, TABLE_NAMER if at_table else "namer"))


def detector(settings: Settings) -> Eye:
    """The finder and the table's namer as one; errors as above."""
    return Eye(finder(settings).in_few_sizes(), table_namer(settings))


def counter(settings: Settings) -> PipCounter:
    """The second witness of photographs, which learned dice held upright; errors as above."""
    return PipCounter(_weights(settings, "pips"), threads=settings["model.threads"])


def second_reader(settings: Settings) -> PipCounter | OutlineJudge:
    """The second witness at the table, which judges outlines as well; errors as above.

    A folder of weights from before 0.19.0 has no network for these: pips are counted alone.
    """
    threads = settings["model.threads"]
    counter = PipCounter(_weights(settings, TABLE_PIPS), threads=threads)
    if OUTLINE not in _table_networks(settings):
        return counter
    return OutlineJudge(counter, OutlineReader(_weights(settings, OUTLINE), threads=threads))


def stance_reader(settings: Settings) -> StanceReader:
    """The third witness with the weights that the settings name, or ours; errors as above."""
    return StanceReader(_weights(settings, "stance"), threads=settings["model.threads"])


Readers = tuple[Eye, PipCounter | OutlineJudge, StanceReader]
"""All that look at a table."""
NETWORKS = ("finder", TABLE_NAMER, TABLE_PIPS, "stance")


def _table_networks(settings: Settings) -> tuple[str, ...]:
    """The networks that look at a table: of outlines, if the folder has one."""
    return (*NETWORKS, *({OUTLINE} & manifest(settings).networks.keys()))


def table_readers(settings: Settings) -> Readers:
    """All that look at a table; errors as above.

    The same ones again as long as the files and what the settings say of them are the same:
    appliance, test throws and the appliance after a set-up share them.
    """
    files = [_weights(settings, name) for name in _table_networks(settings)]
    if own := settings["model.own_dice_file"]:
        own_dice(settings)  # tells better than a digest what is wrong with the file
        files.append(Path(own))
    model = {name: value for name, value in settings.items() if name.startswith("model.")}
    return _built(tuple(model.items()), tuple(map(sha256_of, files)))


@lru_cache(maxsize=1)
def _built(model: tuple[tuple[str, Any], ...], digests: tuple[str, ...]) -> Readers:
    """Made of the settings of the model, for files of these digests."""
    settings = Settings(dict(model))
    return detector(settings), second_reader(settings), stance_reader(settings)


def photo_reader(settings: Settings) -> PhotoReader:
    """The reader of photographs.

    Raises:
        ModelFileError, ModelError: see `finder`, `namer` and `counter`.
    """
    finds, names = finder(settings), namer(settings)
    return PhotoReader(
        finds,
        names,
        counter(settings),
        clock=time.perf_counter,
        confidence=confidence(settings),
        glimpse=glimpse_of(finds, names),
    )


def confidence(settings: Settings) -> Confidence:
    """How words become probabilities, as the manifest has it; errors as above."""
    return Confidence.of(manifest(settings).reading)


def glimpse_of(finds: Detector, names: Namer) -> Glimpse | None:
    """Who looks for parts of dice; nobody where the networks are older than that."""
    able = finds.sees_parts and names.knows_parts
    return Glimpse(finds, names, die_px=ReaderSettings().die_px) if able else None


def model_version(settings: Settings) -> str:
    """What the log notes beside every throw: the version of the set of weights.

    A last stage tuned to the table's own dice is named by the beginning of its digest.
    """
    version = manifest(settings).version
    own = settings["model.own_dice_file"]
    return f"{version}, own dice {sha256_of(Path(own))[:12]}" if own else version


def _model_folder(settings: Settings) -> Path:
    return Path(settings["model.folder"] or models.FOLDER)
