"""What our reader sees on labelled photographs, before it decides: kept, since looking is slow."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tqdm import tqdm

from device.bootstrap_readers import photo_reader
from device.images import load_image
from device.photo_faults import AS_IT_IS, FAULTS, spoilt
from device.photo_labels import Photograph, find_sources, load_photographs
from device.settings import load_settings
from vision.images import as_bgr
from vision.testimony import Testimony


@dataclass(frozen=True, eq=False)
class Seen:
    """One photograph as it was looked at: clusters, both readers' words, size in pixels, fault."""

    source: str
    photo: Photograph
    clusters: list[Any]
    said: Testimony
    complete: bool
    size_px: tuple[int, int]
    fault: str = AS_IT_IS


def shown_as(number: int, ways: int) -> list[str]:
    """How a photograph is shown: as it is, and in the next of the faults, round and round."""
    names = list(FAULTS)
    return [AS_IT_IS, *(names[(number * ways + turn) % len(names)] for turn in range(ways))]


def _look(
    folder: Path, by_source: Path | None, models_dir: Path | None, ways: int
) -> Iterator[Seen]:
    """Look at every photograph with the networks that may."""
    for source in find_sources(folder):
        own = by_source / source.name if by_source else models_dir
        # As many threads as there are cores for this process: more of them wait for one another.
        changed = {"model.folder": str(own or ""), "model.threads": len(os.sched_getaffinity(0))}
        settings = load_settings(None).with_values(changed)
        reader = photo_reader(settings)
        photographs = tqdm(load_photographs(source), unit="photograph", desc=source.name)
        for number, photo in enumerate(photographs):
            bare = as_bgr(load_image(photo.path))
            for fault in shown_as(number, ways):
                picture = spoilt(bare, fault)
                clusters, complete = reader.look(picture)
                said = reader.ask(picture, [cluster.box for cluster in clusters])
                size_px = (picture.shape[1], picture.shape[0])
                yield Seen(source.name, photo, clusters, said, complete, size_px, fault)


def seen(
    folder: Path,
    *,
    by_source: Path | None = None,
    models_dir: Path | None = None,
    ways: int = 0,
    cache: Path | None = None,
) -> list[Seen]:
    """Look at every photograph of every source.

    Args:
        folder: the sources.
        by_source: folder with a set of networks per source, each of which never saw it.
        models_dir: one set for all sources; neither: those that ship.
        ways: in how many of the faults of a camera and its light each is shown, too.
        cache: file that keeps the result; where it exists, nothing is looked at again.

    Raises:
        ValueError: the file keeps photographs shown in another number of ways.
    """
    if cache and cache.exists():
        pictures = list(pickle.loads(cache.read_bytes()))
        kept = len(pictures) / len({one.photo.path for one in pictures}) - 1
        if kept != ways:
            raise ValueError(
                f"{cache} keeps photographs spoilt in {kept:g} ways, but {ways} are asked for; "
                "name another file, or delete it to look anew."
            )
        return pictures
    pictures = list(_look(folder, by_source, models_dir, ways))
    if cache:
        cache.write_bytes(pickle.dumps(pictures))
    return pictures
