"""A table whose model the disk has damaged: it plays on by hand, and says why."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from device.frames import Frame
from models import ModelFileError
from vision.errors import ModelError
from vision.watcher import Watcher

MakeWatcher = Callable[[Frame, Sequence[str]], Watcher]
"""Makes a watcher for the mat that a frame shows, with these players around it."""


def or_sightless(
    load: Callable[[], tuple[MakeWatcher, str]], *, named: bool
) -> tuple[MakeWatcher, str, str | None]:
    """Load what reads pictures, or find out that nothing can be read.

    Args:
        load: how a watcher is made, and the version of the weights.
        named: the settings name weights; these are for a person to mend. Those that ship can only
            have been damaged by the disk.

    Returns:
        What `load` does, and why no picture can be read (None: they can).

    Raises:
        ModelFileError, ModelError: the weights that the settings name cannot be used.
    """
    try:
        return (*load(), None)
    except (ModelFileError, ModelError) as error:
        if named:
            raise
        damaged = error

    def cannot(frame: Frame, players: Sequence[str]) -> Watcher:
        raise damaged

    return cannot, "", str(damaged)
