"""Takes the pictures of the set-up in docs/setup, with the simulated camera: `make screens`."""

import sys
import tempfile
from pathlib import Path

from desk_screens import PHONE, show
from setup_camera import FPS, bare, glare
from tv_screens import save
from web_ui_page import Page, Server, start_chromium
from web_ui_pages import Nothing

from device.frames import Frame
from device.settings import Settings
from device.setup_life import make_setup
from device.setup_table import TableSetup
from vision.light import SAMPLES


def lit(folder: Path) -> TableSetup:
    """A set-up whose camera sees a mat that glares."""
    options = {"store.path": str(folder / "log.sqlite3"), "table.camera_fov_deg": 34.5}
    settings = Settings(options)
    setup = make_setup(settings, folder / "table.toml", options, wanted=True, fresh=False)
    setup._progress.change(finished_at_s=1.0)  # not the first time
    picture = glare(bare(), 0.0)
    setup.take(iter([Frame(picture ^ (n % 2), n / FPS, n) for n in range(SAMPLES)]))
    return setup


def main(folder: Path) -> None:
    """Take every picture and write it as WebP."""
    with tempfile.TemporaryDirectory() as name:
        table = Nothing(Path(name))
        table.setup = lit(Path(name))  # type: ignore[assignment]
        browser = start_chromium(Path(name) / "profile", "--force-prefers-reduced-motion")
        server = Server(table, TABLE_NAME="Zum Goldenen Würfel")
        try:
            Page(browser, server.url).sign_in("admin")
            for step in ("mat", "seats", "light"):
                page = show(browser, server, f"setup/{step}", PHONE, "light")
                page.wait(
                    lambda page=page: set(page.each(".look", "it.naturalWidth")) == {640}, step
                )
                save(browser, folder / f"{step}.webp")
        finally:
            server.stop()
            browser.quit()


if __name__ == "__main__":
    Path(sys.argv[1]).mkdir(exist_ok=True)
    main(Path(sys.argv[1]))
