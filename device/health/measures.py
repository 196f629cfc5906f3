"""The measures of the checks: each looks at a subject and says what it has found."""

from __future__ import annotations

from importlib import metadata

from device.health import clock, machine, storing
from device.health.state import NOTHING, Measured, State
from device.health.subject import Subject
from device.health.vitals import Pulse, Spread, Watching
from device.troubles import TROUBLES

NOT_RUNNING = Measured(None, ("läuft hier gerade nicht", "not running here"))
TOO_EARLY = Measured(None, ("noch nicht gemessen", "not measured yet"))
RECORDING_OVER = Measured(None, ("die Aufnahme ist zu Ende", "the recording is over"), State.NOTED)
NO_PICTURES = Measured(None, ("keine Bilder", "no pictures"))
ALONE = Measured(None, ("der Tisch spielt für sich", "the table plays for itself"), State.NOTED)

JUMP_NEWS_S = 120.0
"""So long a jump is news for the table, after that a word on the page."""
GONE_S = 2.0
"""Without a picture for so long a camera is not slow but gone."""
FIRST_PICTURE_S = 15.0
"""So long a camera may take to come up."""


def _pulse(subject: Subject) -> Pulse | None:
    return None if subject.vitals is None else subject.vitals.pulse()


def watch(subject: Subject) -> Measured:
    """Seconds since the watch gave a sign of life."""
    pulse = _pulse(subject)
    if pulse is None:
        return NOT_RUNNING
    if pulse.watching is Watching.NOT_BEGUN:
        return Measured(None, ("noch nicht begonnen", "not begun yet"))
    return RECORDING_OVER if pulse.watching is Watching.OVER else Measured(pulse.silent_s)


def camera(subject: Subject) -> Measured:
    """Seconds since the last picture; a trouble that the dashboard shows is bad whatever it is."""
    pulse = _pulse(subject)
    if pulse is None or pulse.watching is not Watching.RUNS:
        return watch(subject)
    if pulse.trouble:
        return Measured(pulse.picture_s, TROUBLES.get(pulse.trouble), State.BAD)
    if pulse.picture_s is None:
        return TOO_EARLY if pulse.silent_s < FIRST_PICTURE_S else Measured(pulse.silent_s)
    return Measured(pulse.picture_s)


def frame_rate(subject: Subject) -> Measured:
    """Pictures a second; where none come at all, the check of the camera says so."""
    pulse = _pulse(subject)
    if pulse is None or pulse.watching is not Watching.RUNS:
        return watch(subject)
    gone = pulse.picture_s is not None and pulse.picture_s >= GONE_S
    return NO_PICTURES if gone or pulse.trouble else _or_early(pulse.fps)


def read_ms(subject: Subject) -> Measured:
    """Median of what the networks need for a picture, milliseconds."""
    pulse = _pulse(subject)
    return NOT_RUNNING if pulse is None else _spread(pulse.read)


def told_ms(subject: Subject) -> Measured:
    """Median from the picture that settles a throw to its entry, milliseconds."""
    pulse = _pulse(subject)
    return NOT_RUNNING if pulse is None else _spread(pulse.told)


def _or_early(value: float | None) -> Measured:
    return TOO_EARLY if value is None else Measured(value)


def _spread(spread: Spread | None) -> Measured:
    if spread is None:
        return TOO_EARLY
    tail = f"{spread.p95_ms:.0f} ms"
    return Measured(spread.median_ms, (f"19 von 20 höchstens {tail}", f"19 of 20 at most {tail}"))


def temperature(subject: Subject) -> Measured:
    """Of the processor, °C."""
    return Measured(machine.temperature_c(subject.root))


def power(subject: Subject) -> Measured:
    """Whether the voltage was too low: never, since boot, now."""
    flags = subject.power_flags()
    return NOTHING if flags is None else Measured(machine.when(flags, machine.UNDER_VOLTAGE))


def throttling(subject: Subject) -> Measured:
    """Whether the processor was slowed down: never, since boot, now."""
    flags = subject.power_flags()
    if flags is None or machine.throttled(subject.root, subject.ask) is None:
        return NOTHING  # the kernel's sensor alone tells of the voltage only
    return Measured(machine.when(flags, machine.CAPPED, machine.SLOWED, machine.SOFT_LIMIT))


def memory(subject: Subject) -> Measured:
    """What the appliance takes, MB."""
    return NOT_RUNNING if subject.vitals is None else Measured(machine.memory_mb(subject.root))


def memory_free(subject: Subject) -> Measured:
    """What the machine has left, MB."""
    return Measured(machine.memory_free_mb(subject.root))


def uptime(subject: Subject) -> Measured:
    """Since the appliance was started, hours."""
    if subject.vitals is None:
        return NOT_RUNNING
    return Measured((subject.steady() - subject.began_s) / 3600.0)


def version(subject: Subject) -> Measured:
    """Of the program."""
    told = metadata.version("schockauge")
    return Measured(None, (told, told), State.NOTED)


def log(subject: Subject) -> Measured:
    """1: the log can be written; 0: it cannot."""
    if subject.is_holding():
        return Measured(0, ("nein: Einträge warten", "no: entries wait"))
    why = storing.why_not_writable(subject.log_path)
    if why is None:
        return Measured(1, ("ja", "yes"))
    return Measured(0, (f"nein: {why[0]}", f"no: {why[1]}"))


def file_system(subject: Subject) -> Measured:
    """How many errors the kernel has met in the log's file system."""
    count = storing.file_system_errors(subject.log_path, subject.root)
    if count == 0:
        return Measured(0, ("keine Fehler", "no errors"))
    words = f"{count} Fehler", f"{count} error{'s' if count != 1 else ''}"
    return NOTHING if count is None else Measured(count, words)


def disk(subject: Subject) -> Measured:
    """Free space, MB."""
    return Measured(storing.free_mb(subject.log_path))


def disk_days(subject: Subject) -> Measured:
    """How long the disk lasts, days of running."""
    if subject.vitals is None:
        return NOT_RUNNING
    return subject.pace.days(storing.free_mb(subject.log_path))


def backup(subject: Subject) -> Measured:
    """Age of the last backup, days."""
    try:
        last = storing.last_backup(subject.log_path)
    except ValueError:
        said = "der Vermerk darüber ist beschädigt", "the note of it is damaged"
        return Measured(None, said, State.WARN)
    if last is None:
        return Measured(None, ("noch keine", "none yet"), State.WARN)
    age_days = max(0.0, subject.wall() - last.at_s) / storing.DAY_S
    size = f"{last.bytes / 1e6:.0f} MB"
    if last.same_disk:
        said = f"{size}, auf derselben Speicherkarte", f"{size}, on the same disk"
        return Measured(age_days, said, State.WARN)
    return Measured(age_days, (size, size))


def weights(subject: Subject) -> Measured:
    """1: the networks are those of the manifest; 0: they are not."""
    return subject.weights.look()


def clock_set(subject: Subject) -> Measured:
    """1: the network keeps the clock right; 0: nobody does."""
    found = clock.is_synchronised(subject.root, subject.ask, subject.kernel_clock)
    return NOTHING if found is None else Measured(int(found))


def clock_jump(subject: Subject) -> Measured:
    """The largest jump of the last half hour, seconds, whichever way."""
    if subject.vitals is None:
        return NOT_RUNNING
    jump_s, age_s = subject.clock.jump()
    way = ("vor", "forwards") if jump_s > 0 else ("zurück", "backwards")
    state = State.WARN if age_s > JUMP_NEWS_S else None
    return Measured(abs(jump_s), way if jump_s else None, state)


def hub(subject: Subject) -> Measured:
    """1: the hub's broker is there; 0: it is not."""
    if not subject.settings["hub.pairing_file"]:
        return ALONE
    return NOT_RUNNING if subject.link is None else Measured(int(subject.link.is_connected()))


def outbox(subject: Subject) -> Measured:
    """How many entries the hub does not have yet."""
    if not subject.settings["hub.pairing_file"]:
        return ALONE
    return NOT_RUNNING if subject.link is None else Measured(subject.link.waiting())
