"""What can go wrong around the table, each with a sentence for the person who must mend it.

Every class is also the builtin that fits, so that a caller who knows nothing of us can catch it.
`device.cli` turns each of them into `schockauge: error: ...` and exit status 1.
"""


class SchockaugeError(Exception):
    """Base of all failures that the command line reports without a traceback."""


class SourceError(SchockaugeError, OSError):
    """A camera, clip, folder or photograph gives no (more) pictures."""


class DriverHangsError(SourceError):
    """A camera's driver does not return, and the camera cannot be opened anew before it does."""


class CameraStuckError(SchockaugeError, RuntimeError):
    """Only a new process can open the camera again: the table is to be started anew."""


class SettingsError(SchockaugeError, ValueError):
    """A settings file or option holds something that cannot be used."""


class StoreError(SchockaugeError, OSError):
    """The log cannot be opened, read or written, or has been changed."""


class LogDamagedError(StoreError):
    """The log's hash chain is broken: an entry is missing or was changed."""


class NewerLogError(StoreError):
    """A later version has written the log in a form that this one does not know."""


class LogTakenError(StoreError):
    """Another program plays on the same log: waiting does not help."""


class PortInUseError(SchockaugeError, OSError):
    """Another program listens on the port that the dashboard wants."""


class AddressError(SchockaugeError, OSError):
    """This machine has no such address, or a program like this may not listen at that port."""


class UsageError(SchockaugeError, ValueError):
    """The command line asks for something that makes no sense: exit status 2."""


class ForgedMessageError(SchockaugeError, ValueError):
    """A message between table and hub is not by whom it says it is, or no message at all."""


class HubError(SchockaugeError, OSError):
    """The hub's database or broker cannot be reached or used."""


class DatabaseAwayError(HubError):
    """The hub's database does not answer now; it may come back: trying again makes sense."""
