"""What keeps a table's log from being used at the start, in words for who stands before the table.

Neither a full card nor a damaged log is a mistake in the settings: the page of safe mode then says
what it is, that nothing is recorded meanwhile, and what to do; the file is left alone.
"""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from device.errors import LogDamagedError, NewerLogError
from device.health.state import Words
from device.health.storing import FULL, LOCKED, PRIMARY_CODE, READ_ONLY, why_not_writable
from device.settings import Settings

TODO: Mapping[Words, Words] = {
    FULL: (
        "Die Speicherkarte ist voll. Wer den Rechner betreut, schafft Platz (`df -h` zeigt, wo es "
        "voll ist); wenige Megabyte genügen. Der Tisch geht dann von selbst da weiter, wo er war.",
        "The disk is full. Whoever looks after the machine makes room (`df -h` shows where it is "
        "full); a few megabytes are enough. The table then goes on by itself where it was.",
    ),
    READ_ONLY: (
        "Die Speicherkarte lässt sich nur noch lesen; sie ist wohl am Ende. Den Abend sichern "
        "(`schockauge backup`), die Karte tauschen, die Sicherung einspielen.",
        "The disk can only be read; it is probably at its end. Back the evening up (`schockauge "
        "backup`), change the card, restore the backup.",
    ),
    LOCKED: (
        "Ein anderes Programm schreibt gerade in das Protokoll. Läuft Schockauge zweimal? Sobald "
        "das andere endet, beginnt der Tisch von selbst.",
        "Another program is writing to the log. Does Schockauge run twice? As soon as the other "
        "one ends, the table begins by itself.",
    ),
}
OF_THE_DISK = {errno.ENOSPC: FULL, errno.EDQUOT: FULL, errno.EROFS: READ_ONLY}
DAMAGED: Words = (
    "Das Protokoll ist beschädigt ({error}). Nichts daran wurde verändert. Eine Sicherung "
    "einspielen: `schockauge restore`.",
    "The log is damaged ({error}). Nothing of it was changed. Restore a backup: `schockauge "
    "restore`.",
)
UNUSABLE: Words = (
    "Das Protokoll ist nicht zu öffnen ({error}). Kommt es nach Aus- und Einschalten wieder, ist "
    "die Speicherkarte wohl am Ende: Karte tauschen, Sicherung einspielen (`schockauge restore`).",
    "The log cannot be opened ({error}). If that comes back after switching off and on, the card "
    "is probably at its end: change it and restore a backup (`schockauge restore`).",
)
NEWER: Words = (
    "Das Protokoll hat eine neuere Version von Schockauge geschrieben. Diese wieder starten: "
    "`schockauge update --rollback`. ({error})",
    "{error}",
)


@dataclass(frozen=True)
class StoreTrouble:
    """Why the log cannot be used.

    Attributes:
        said: what it is and what to do, German and English.
        log: to be looked at for whether it is over; None: only another start tells.
    """

    said: Words
    log: Path | None = None

    @property
    def is_over(self) -> bool:
        """Whether it makes sense to start the table again."""
        return self.log is not None and why_not_writable(self.log) is None


def store_trouble(error: Exception, settings: Settings) -> StoreTrouble | None:
    """Tell why the log cannot be used; None: that is not what is wrong.

    Args:
        error: why the table has not started.
        settings: as far as they can be read.
    """
    if not isinstance(error, OSError):
        return None
    if not isinstance(error, LogDamagedError | NewerLogError):
        log = Path(settings["store.path"])
        why = why_not_writable(log)
        if why is not None and why in TODO:
            return StoreTrouble(TODO[why], log)
    words = next(filter(None, map(_words, _causes(error))), None)
    if words is None:
        return None
    german, english = (text.format(error=error) for text in words)
    return StoreTrouble((german, english))


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """An error, what it came from, and so on."""
    while error is not None:
        yield error
        error = error.__cause__


def _words(error: BaseException) -> Words | None:
    """What an error says of the log or its disk; None: nothing."""
    if isinstance(error, NewerLogError):
        return NEWER
    if isinstance(error, LogDamagedError) or type(error) is sqlite3.DatabaseError:
        return DAMAGED
    if isinstance(error, sqlite3.Error):
        # A file that is not to be found is named by the settings.
        nowhere = getattr(error, "sqlite_errorcode", 0) & PRIMARY_CODE == sqlite3.SQLITE_CANTOPEN
        return None if nowhere else UNUSABLE
    if isinstance(error, OSError) and error.errno in OF_THE_DISK:
        return TODO[OF_THE_DISK[error.errno]]  # of PINs or pictures on another disk
    return None
