"""The settings of the table: what watches it, the mat, the seats."""

from __future__ import annotations

from device.setting import Setting
from vision.seats import ASIDE_MM

TABLE_SETTINGS: tuple[Setting, ...] = (
    Setting(
        "table.source",
        "camera:0",
        "",
        "What is watched: a Raspberry Pi's camera (picamera:0), a USB camera (camera:0), one in "
        "the network (rtsp://...), a clip or a folder; hostile:PLAN:SOURCE plays its faults.",
        help_de="Wem zugesehen wird: der Kamera des Raspberry Pi (picamera:0), einer USB-Kamera "
        "(camera:0), einer im Netz (rtsp://...), einem Film oder einem Bilderordner.",
    ),
    Setting(
        "table.mat_file",
        "",
        "",
        "Calibration written by `schockauge calibrate`: corners, lens and size of the dice; where "
        "all markers are to be seen they tell where the mat is. Empty: the markers alone do.",
        help_de="Kalibrierung aus `schockauge calibrate`: Ecken, Objektiv und Größe der Würfel; wo "
        "alle Marken zu sehen sind, sagen sie, wo die Matte liegt. Leer: die Marken allein.",
        locked="file",
    ),
    Setting(
        "table.mat_width_mm",
        420.0,
        "mm",
        "Width of the mat.",
        50,
        help_de="Breite der Matte.",
        most=5000,
    ),
    Setting(
        "table.mat_height_mm",
        315.0,
        "mm",
        "Height of the mat.",
        50,
        help_de="Höhe der Matte.",
        most=5000,
    ),
    Setting(
        "table.layout",
        "shared",
        "",
        "One throwing zone for all (shared), or a part of the mat for every player (seats), who "
        "then may all shake at once; a mat with seats should measure 600 x 450 mm or more.",
        choices=("shared", "seats"),
        help_de="Eine Wurffläche für alle (shared), oder ein Teil der Matte für jeden (seats), so "
        "dass alle zugleich schütteln dürfen; dann sollte die Matte 600 x 450 mm oder mehr messen.",
    ),
    Setting(
        "table.seats",
        [],
        "",
        "Who has a seat, 2 to 8 names; empty: the players.",
        help_de="Wer einen Platz hat, 2 bis 8 Namen; leer: die Spieler.",
        distinct=True,
    ),
    Setting(
        "table.seat_angles_deg",
        [],
        "deg",
        "Where each of them sits: 0 at the picture's lower edge, 90 at its left one, clockwise as "
        "seen from above; empty: evenly around, in the order of the names.",
        of_numbers=True,
        help_de="Wo jeder von ihnen sitzt: 0 an der unteren Kante des Bildes, 90 an der linken, im "
        "Uhrzeigersinn von oben gesehen; leer: gleichmäßig verteilt, in der Folge der Namen.",
    ),
    Setting(
        "table.seat_aside_mm",
        ASIDE_MM,
        "mm",
        "Dice so near to the middle of the mat, in the direction of their seat, are put aside.",
        1,
        help_de="Würfel, die so nah an der Mitte der Matte liegen, in Richtung ihres Platzes, "
        "gelten als herausgelegt.",
        most=5000,
    ),
    Setting(
        "table.camera_fov_deg",
        66.0,
        "deg",
        "Horizontal field of view of the camera as its picture is cut; Raspberry Pi Camera Module "
        "3: 66, its wide one: 102, half of the picture's width cut out: 36 and 63. With a false "
        "one flat dice look tilted and are asked about.",
        20,
        help_de="Waagerechter Bildwinkel der Kamera, so wie ihr Bild beschnitten ist; Raspberry Pi "
        "Camera Module 3: 66, mit Weitwinkel 102, bei halber Bildbreite 36 und 63. Mit einem "
        "falschen sehen flache Würfel gekippt aus, und es wird nachgefragt.",
        most=179,
    ),
)
