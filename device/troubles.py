"""Everything that can keep a table from being read, in words for the people at it."""

from __future__ import annotations

from collections.abc import Mapping

BY_HAND = ("Bitte von Hand weiterspielen", "Please go on by hand")

TROUBLES: Mapping[str, tuple[str, str]] = {
    "camera": (
        f"Die Kamera liefert keine Bilder. {BY_HAND[0]} und das Kabel prüfen.",
        f"The camera sends no pictures. {BY_HAND[1]} and check the cable.",
    ),
    "frozen": (
        f"Das Kamerabild steht still. {BY_HAND[0]}; hilft Warten nicht, die Kamera aus- und "
        "wieder einstecken.",
        f"The camera's picture is frozen. {BY_HAND[1]}; if it stays so, unplug the camera and plug "
        "it in again.",
    ),
    "black": (
        f"Das Kamerabild ist schwarz: Licht oder Objektiv prüfen. {BY_HAND[0]}.",
        f"The camera's picture is black: check the light and the lens. {BY_HAND[1]}.",
    ),
    "order": (
        f"Die Kamerabilder kommen durcheinander an. {BY_HAND[0]} und Kabel oder Netz prüfen.",
        f"The camera's pictures arrive out of order. {BY_HAND[1]} and check cable or network.",
    ),
    "resized": (
        f"Die Kamera hat die Bildgröße gewechselt; die Matte wird neu gesucht. {BY_HAND[0]}, bis "
        "alle vier Marken zu sehen sind.",
        "The camera has changed the size of its pictures; the mat is looked for anew. "
        f"{BY_HAND[1]} until all four markers are visible.",
    ),
    "moved": (
        "Matte oder Kamera ist verrutscht. Einen Augenblick nicht würfeln und alle vier Marken "
        "frei machen; dann geht es von selbst weiter.",
        "The mat or the camera was moved. Do not throw for a moment and uncover all four markers; "
        "then it goes on by itself.",
    ),
    "hidden": (
        f"Die Matte ist verdeckt oder nicht zu erkennen. {BY_HAND[0]}, bis ihre Marken wieder zu "
        "sehen sind.",
        f"The mat is covered or cannot be made out. {BY_HAND[1]} until its markers are visible "
        "again.",
    ),
    "mat": (
        "Die Matte ist nicht zu finden: alle vier Marken müssen zu sehen sein.",
        "The mat cannot be found: all four markers must be visible.",
    ),
}
"""Why no throw is read now: code -> what to tell the table, German and English."""

UNWATCHED = (
    "Die Matte hat weder Marken noch deutliche Ecken: Verrutscht sie, ist es nicht zu merken.",
    "The mat has neither markers nor clear corners: should it be moved, nobody will notice.",
)
"""Said of a mat that `vision.drift` cannot follow; throws are read all the same."""
GOOD_AGAIN = ("Das Bild ist wieder gut.", "The picture is good again.")
