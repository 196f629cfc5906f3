"""The settings of the networks that read the dice."""

from __future__ import annotations

from device.setting import Setting

MODEL_SETTINGS: tuple[Setting, ...] = (
    Setting(
        "model.folder",
        "",
        "",
        "Folder with manifest.json and weights; empty: those that ship.",
        help_de="Ordner mit manifest.json und Gewichten; leer: die mitgelieferten.",
        locked="file",
    ),
    Setting(
        "model.own_dice_file",
        "",
        "",
        "Last stage tuned to the table's own dice by `schockauge learn tune`; empty: none.",
        help_de="Letzte Stufe, mit `schockauge learn tune` auf die eigenen Würfel abgestimmt; "
        "leer: keine.",
        locked="file",
    ),
    Setting(
        "model.threads",
        2,
        "threads",
        "Processor threads a model may use.",
        1,
        help_de="So viele Rechenfäden des Prozessors darf ein Modell benutzen.",
        most=64,
    ),
)
