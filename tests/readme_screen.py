"""Takes the picture at the top of the README, the demo's clip beside its page: `make screens`."""

import sys
import tempfile
from pathlib import Path

import cv2
from desk_screens import show
from PIL import Image
from pipeline_table import Table
from tv_screens import picture_of, write
from web_ui_page import Server, start_chromium

from device import demo_material
from vision.events import TableEvent

AT_S = 91.5
"""A has thrown 5-2-1 in the second round and put the one out."""

HEIGHT_PX = 552
PAGE = (1280, 800)


class DemoTable(Table):
    """The table of the demo, told what truly happened in the clip."""

    def tell_until(self, until_s: float) -> None:
        for line in demo_material.truth():
            if line["type"] == "round" or line["t_s"] > until_s:
                continue
            dice, outside, t_s = tuple(line["dice"]), tuple(line["outside"]), line["t_s"]
            self.pipeline.receive(
                TableEvent(t_s, line["type"], None, dice, outside, True, t_s, t_s)
            )


class Served:
    """A table in the form in which the pages are given one."""

    def __init__(self, table: Table) -> None:
        self.log = table.log
        self.submit = table.pipeline.submit


def frame() -> Image.Image:
    """What the camera of the clip saw then."""
    capture = cv2.VideoCapture(str(demo_material.clip()))
    capture.set(cv2.CAP_PROP_POS_MSEC, AT_S * 1000)
    there, image = capture.read()
    capture.release()
    assert there, f"the clip has no picture at {AT_S} s"
    return Image.fromarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB))


def main(file: Path) -> None:
    """Take it and write it as WebP."""
    table = DemoTable("A", "B", "C")
    table.tell_until(AT_S)
    server = Server(Served(table))
    with tempfile.TemporaryDirectory() as profile:
        browser = start_chromium(Path(profile), "--force-prefers-reduced-motion")
        try:
            show(browser, server, "", PAGE, "light")
            halves = [scaled(frame()), scaled(picture_of(browser))]
        finally:
            server.stop()
            browser.quit()
    both = Image.new("RGB", (sum(half.width for half in halves), HEIGHT_PX))
    both.paste(halves[0], (0, 0))
    both.paste(halves[1], (halves[0].width, 0))
    write(both, file)


def scaled(picture: Image.Image) -> Image.Image:
    width = round(picture.width * HEIGHT_PX / picture.height)
    return picture.resize((width, HEIGHT_PX), Image.Resampling.LANCZOS)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
