"""The settings of the log and of what is kept beside it: stills, clips, how long, how much."""

from __future__ import annotations

from device.setting import Setting

STORE_SETTINGS: tuple[Setting, ...] = (
    Setting(
        "store.path",
        "schockauge.sqlite3",
        "",
        "File of the log, made when absent; an open match goes on.",
        help_de="Datei des Protokolls; wird angelegt, wo keine ist. Ein offenes Spiel geht weiter.",
        locked="place",
    ),
    Setting(
        "store.evidence_dir",
        "evidence",
        "",
        "Folder of the stills and clips of throws; empty: none.",
        help_de="Ordner der Bilder und Filme von Würfen; leer: keine.",
        locked="place",
    ),
    Setting(
        "store.pins_file",
        "",
        "",
        "File of the hashed PINs, readable by its owner alone; empty: schockauge-pins.json beside "
        "the log.",
        help_de="Datei mit den PINs, gehasht und nur für ihren Besitzer lesbar; leer: "
        "schockauge-pins.json neben dem Protokoll.",
        locked="place",
    ),
    Setting(
        "store.evidence_margin_mm",
        30.0,
        "mm",
        "So much around the mat is in stills and clips, nothing beyond; a die that was told to lie "
        "off the mat lies within 26 mm, with less it may be cut off.",
        0,
        help_de="So viel rund um die Matte ist auf Bildern und Filmen, darüber hinaus nichts; "
        "ein Würfel, der neben der Matte liegt, liegt höchstens 26 mm daneben, mit "
        "weniger ist er womöglich abgeschnitten.",
    ),
    Setting(
        "store.evidence_days",
        30.0,
        "days",
        "Stills and clips older than this are deleted; those of questions, cases and corrections "
        "and exported ones stay. 0: no limit.",
        0,
        help_de="Ältere Bilder und Filme werden gelöscht; die von Fragen, Fällen und "
        "Berichtigungen und was exportiert wurde bleiben. 0: ohne Grenze.",
    ),
    Setting(
        "store.evidence_most_mb",
        4000.0,
        "MB",
        "Above this the oldest stills and clips are deleted, with the same exceptions. 0: no "
        "limit.",
        0,
        help_de="Darüber werden die ältesten Bilder und Filme gelöscht, mit denselben "
        "Ausnahmen. 0: ohne Grenze.",
    ),
    Setting(
        "store.clip_before_s",
        3.0,
        "s",
        "A clip begins so long before what it is evidence of.",
        0,
        help_de="So lange vor dem, was er belegt, beginnt ein Film.",
        most=600,
    ),
    Setting(
        "store.clip_after_s",
        2.0,
        "s",
        "It ends so long after it.",
        0,
        help_de="So lange danach endet er.",
        most=600,
    ),
    Setting(
        "store.clip_fps",
        12.0,
        "1/s",
        "Pictures a second in clips; about that, as it divides the camera's. 0: no clips.",
        0,
        help_de="Bilder je Sekunde in Filmen; ungefähr, je nachdem, wie sich die der Kamera "
        "teilen. 0: keine Filme.",
        most=120,
    ),
    Setting(
        "store.ring_s",
        20.0,
        "s",
        "So long pictures are held in memory for clips; at least what a clip needs.",
        1,
        help_de="So lange bleiben Bilder für Filme im Speicher; mindestens so lange, wie ein "
        "Film braucht.",
        most=3600,
    ),
    Setting(
        "store.ring_mb",
        32.0,
        "MB",
        "So much memory they may take.",
        1,
        help_de="So viel Speicher dürfen sie belegen.",
        most=65_536,
    ),
)
