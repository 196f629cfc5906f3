"""The settings of the log and of what is kept beside it: stills, clips, how long, how much."""

from __future__ import annotations

from device.setting import Setting

STORE_SETTINGS: tuple[Setting, ...] = (
    Setting("store.path", "schockauge.sqlite3", "", "File of the log; made when absent."),
    Setting(
        "store.evidence_dir",
        "evidence",
        "",
        "Folder of the stills and clips of throws; empty: none.",
    ),
    Setting(
        "store.pins_file",
        "",
        "",
        "File of the hashed PINs, readable by its owner alone; empty: schockauge-pins.json beside "
        "the log.",
    ),
    Setting(
        "store.evidence_margin_mm",
        30.0,
        "mm",
        "So much around the mat is in stills and clips, nothing beyond; a die that was told to lie "
        "off the mat lies within 26 mm, with less it may be cut off.",
        0,
    ),
    Setting(
        "store.evidence_days",
        30.0,
        "days",
        "Stills and clips older than this are deleted; those of questions, cases and corrections "
        "and exported ones stay. 0: no limit.",
        0,
    ),
    Setting(
        "store.evidence_most_mb",
        4000.0,
        "MB",
        "Above this the oldest stills and clips are deleted, with the same exceptions. 0: no "
        "limit.",
        0,
    ),
    Setting(
        "store.clip_before_s", 3.0, "s", "A clip begins so long before what it is evidence of.", 0
    ),
    Setting("store.clip_after_s", 2.0, "s", "It ends so long after it.", 0),
    Setting(
        "store.clip_fps",
        12.0,
        "1/s",
        "Pictures a second in clips; about that, as it divides the camera's. 0: no clips.",
        0,
    ),
    Setting(
        "store.ring_s",
        20.0,
        "s",
        "So long pictures are held in memory for clips; at least what a clip needs.",
        1,
    ),
    Setting("store.ring_mb", 32.0, "MB", "So much memory they may take.", 1),
)
