"""A clip of a throw in headless Chromium: it plays without plug-ins and can be scrubbed."""

import threading
from pathlib import Path

import numpy as np
import pytest
from selenium import webdriver
from selenium.webdriver.support.ui import WebDriverWait
from test_web_ui_table import Table
from werkzeug.serving import make_server

from device.evidence import Evidence
from device.film import webm
from device.images import jpeg
from device.ring import Shot
from web_ui import create_app

pytestmark = pytest.mark.slow

SHOWN = """
const video = document.createElement('video'), done = arguments[arguments.length - 1];
video.addEventListener('loadedmetadata', () => done(video.videoWidth));
video.addEventListener('error', () => done(video.error.message));
video.src = arguments[0];
document.body.append(video);
"""

LEVEL = """
const video = document.querySelector('video'), done = arguments[arguments.length - 1];
video.muted = true;
video.pause();
video.addEventListener('seeked', () => {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
  const paper = canvas.getContext('2d');
  paper.drawImage(video, 0, 0);
  done([paper.getImageData(5, 5, 1, 1).data[0], canvas.width, canvas.height, video.duration]);
}, {once: true});
video.currentTime = arguments[0];
"""


def test_chromium_plays_a_clip_and_jumps_in_it(
    chromium: webdriver.Chrome,
    tmp_path: Path,
) -> None:
    """The clip gets brighter by 4 levels with each of its 51 pictures, 10 a second."""
    evidence = Evidence(tmp_path)
    pictures = (np.full((120, 160, 3), 4 * n, np.uint8) for n in range(51))
    film = webm([Shot(n / 10, jpeg(picture)) for n, picture in enumerate(pictures)])
    name = evidence.keep_clip(film, t_s=0.0)["file"]
    table = Table()
    app = create_app(table.log, table.submit, {"EVIDENCE_DIR": str(tmp_path)})
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        chromium.get(f"http://127.0.0.1:{server.server_port}/signin")
        shown = chromium.execute_async_script(SHOWN, f"/evidence/{name}")
        assert shown == 160, "our own pages may show it, too"
        chromium.get(f"http://127.0.0.1:{server.server_port}/evidence/{name}")
        ready = "return document.querySelector('video')?.readyState >= 2"
        WebDriverWait(chromium, 20.0).until(lambda browser: browser.execute_script(ready))
        for at_s, level in ((4.05, 160), (1.05, 40), (3.05, 120)):
            seen, width, height, duration_s = chromium.execute_async_script(LEVEL, at_s)
            assert seen == pytest.approx(level, abs=6)
            assert (width, height) == (160, 120)
            assert duration_s == pytest.approx(5.1, abs=0.11)
        chromium.execute_script(
            "const v = document.querySelector('video'); v.currentTime = 0; v.play()"
        )
        played = "return document.querySelector('video').currentTime > 0.5"
        WebDriverWait(chromium, 20.0).until(lambda browser: browser.execute_script(played))
    finally:
        server.shutdown()
        thread.join(10.0)
        server.server_close()
