"""The newest picture of the camera while a table is set up, and what is wrong with the pictures."""

from __future__ import annotations

import copy
import threading
from collections.abc import Mapping

from device.frame_watch import FrameWatch, Trouble
from device.frames import Frame, Missing
from device.image_pixels import Picture
from device.troubles import TROUBLES
from vision.light import LightSamples
from web_ui.setup_ports import Words

WAITS = {
    "de": "Noch ist kein Bild gekommen; die Kamera braucht einige Sekunden.",
    "en": "No picture has come yet; the camera needs some seconds.",
}
BLACK = {
    "de": "Das Bild ist schwarz: Deckel vom Objektiv nehmen und Licht machen.",
    "en": "The picture is black: take the cap off the lens and switch the light on.",
}
_OWN: Mapping[str, Words] = {"black": BLACK}


class Seen:
    """Takes in what the source gives; asked from other threads.

    Args:
        live: the pictures come from a camera (see `FrameWatch`).
    """

    def __init__(self, *, live: bool = True) -> None:
        self._lock = threading.Lock()
        self._live = live
        self.forget()

    def forget(self) -> None:
        """Begin anew, with another camera."""
        with self._lock:
            self._watch = FrameWatch(live=self._live)
            self._samples = LightSamples()
            self._missing = ""
            self._trouble: Trouble | None = None

    def receive(self, item: Frame | Missing) -> None:
        """Take in a frame, or that there is none."""
        with self._lock:
            self._watch.receive(item)
            self._trouble = self._watch.trouble
            if isinstance(item, Missing):
                self._missing = item.problem
                self._samples = LightSamples()
                return
            self._missing = ""
            self._samples.add(item.image_bgr)

    @property
    def picture(self) -> Picture | None:
        """(H, W, 3) uint8, the newest; None: there is none now."""
        with self._lock:
            return self._samples.newest

    @property
    def samples(self) -> LightSamples:
        """The last pictures as they are now, for `vision.light`."""
        with self._lock:
            return copy.deepcopy(self._samples)

    @property
    def problem(self) -> Words | None:
        """What is wrong with the pictures, for people; None: nothing."""
        with self._lock:
            trouble, missing, newest = self._trouble, self._missing, self._samples.newest
        if missing:
            german, english = TROUBLES["camera"]
            return {"de": f"{german} {missing}", "en": f"{english} {missing}"}
        if trouble is not None:
            german, english = TROUBLES[trouble.what]
            return _OWN.get(trouble.what, {"de": german, "en": english})
        return WAITS if newest is None else None
