"""The set-up in a real browser: the appliance, a simulated camera, the models that ship."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from selenium import webdriver
from selenium.webdriver import ActionChains
from setup_camera import SimulatedCamera, bare, dark, flicker, glare, unmarked
from shipped_demo import free_port
from web_ui_page import Page

from device.cli import main
from device.settings_file import SettingsFile
from device.store import SqliteLog
from vision.calibration import calibrate_from_markers

pytestmark = pytest.mark.slow

OWN_PIN, TABLE_PIN = "271828", "2580"
START_S, END_S, THROWS_S = 60.0, 60.0, 240.0
FOV_DEG = "34.5"
"""Of the simulated camera."""
OPENING = ["5 3 2", "5 5 3", "3 2 1"]
"""What the players of the demo's clip throw first, until so many seconds of it:"""
ONE_THROW_S, THREE_THROWS_S = 9.5, 25.2

MARKED = """
const [selector, done] = arguments;
const shown = document.querySelector(selector);
const pixels = async (source) => {
  const image = new Image();
  image.src = source;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, canvas.width, canvas.height);
};
Promise.all([pixels(shown.src), pixels("/setup/look/throw?n=0")]).then(([marked, bare]) => {
  let [count, x, y] = [0, 0, 0];
  for (let at = 0; at < bare.data.length; at += 4) {
    let change = 0;
    for (let k = 0; k < 3; k += 1) change += Math.abs(marked.data[at + k] - bare.data[at + k]);
    if (change > 60) {
      count += 1;
      x += (at / 4) % bare.width;
      y += Math.floor(at / 4 / bare.width);
    }
  }
  done([count / (bare.width * bare.height), x / count / bare.width, y / count / bare.height]);
}, (error) => done([String(error)]));
"""
"""How much of a picture is marked, and where the middle of that is; shares of the picture."""


class Appliance:
    """`schockauge run` in a folder, at a simulated camera."""

    def __init__(self, folder: Path, camera: SimulatedCamera) -> None:
        self.folder, self.camera, self.port = folder, camera, free_port()
        self.status: list[int] = []

    def start(self, *words: str) -> None:
        said = ["run", "--port", str(self.port), *words]
        self.camera.ends = False
        self._thread = threading.Thread(target=lambda: self.status.append(main(said)), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self.camera.ends = True
        self._thread.join(END_S)
        assert not self._thread.is_alive()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def entries(self, kind: str) -> list[Any]:
        with SqliteLog(self.folder / "schockauge.sqlite3") as log:
            return [entry.data for entry in log.read(0, 100_000) if entry.type == kind]


@pytest.fixture
def camera(monkeypatch: pytest.MonkeyPatch) -> SimulatedCamera:
    simulated = SimulatedCamera()
    monkeypatch.setattr("device.setup_life.open_source", lambda spec, asked: simulated.open(spec))
    monkeypatch.setattr("device.setup_life.cameras_here", lambda: ["camera:0", "camera:1"])
    return simulated


@pytest.fixture
def appliance(
    tmp_path: Path, camera: SimulatedCamera, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Appliance]:
    """On a fresh folder."""
    monkeypatch.chdir(tmp_path)
    running = Appliance(tmp_path, camera)
    running.start()
    yield running
    running.stop()
    assert running.status == [0] * len(running.status)


def opened(chromium: webdriver.Chrome, appliance: Appliance) -> Page:
    """The page as soon as somebody answers; a new screen, nobody is signed in."""
    chromium.get("about:blank")
    page = Page(chromium, "about:blank")

    def answers() -> bool:
        chromium.get(appliance.url)
        return bool(page.all("h1"))

    page.wait(answers, "the appliance", START_S)
    return page


def sign_in(page: Page, pin: str = "") -> None:
    """By the form; with the PIN that stands on the appliance's own screen, or another one."""
    page.wait(lambda: page.is_shown("[name=pin]"), "the form")
    page.type_in("[name=pin]", (pin or page.text("#first-pin strong")) + "\n")
    page.wait(lambda: page.is_shown(".steps"), "the steps")


def step_is(page: Page, step: str) -> None:
    page.wait(lambda: page.each(".setup", "it.dataset.step") == [step], step)


def press(page: Page, do: str) -> None:
    page.tap(f".setup button[value='{do}']")


def states(page: Page) -> list[str]:
    return [name.removeprefix("step-") for name in page.each(".steps li", "it.className")]


def has_picture(page: Page, selector: str) -> None:
    page.wait(lambda: set(page.each(selector, "it.naturalWidth")) == {640}, "a picture")


def corners_seen() -> Any:
    """Where the mat's corners truly are, as shares of the picture."""
    picture = bare()
    height, width = picture.shape[:2]
    return calibrate_from_markers(picture).corners_px() / [width, height]


def tap_corners(page: Page) -> None:
    """With a finger, at the size at which the picture is shown."""
    for number, (x, y) in enumerate(corners_seen(), start=1):
        page.wait(lambda: page.is_shown("input[type=image]"), "a picture to tap")
        picture = page.one("input[type=image]")
        page.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", picture)
        dx, dy = ((x - 0.5) * picture.size["width"], (y - 0.5) * picture.size["height"])
        finger = ActionChains(page.browser)
        finger.move_to_element_with_offset(picture, round(dx), round(dy)).click().perform()
        page.wait(lambda number=number: taps_shown(page) == number, f"corner {number}")


def taps_shown(page: Page) -> int:
    return int(page.each("#facts", "it.dataset.state")[0].split("-")[1])


def seated(page: Page) -> list[str]:
    return [name for name in page.each("input[name=player]", "it.value") if name]


def look_at_light(page: Page, camera: SimulatedCamera, look: Any, kind: str) -> list[float]:
    """What is wrong is told and marked in the picture."""
    camera.show(look)
    finding = f"[data-finding={kind}]"
    page.wait(lambda: page.is_shown(finding), kind, 30.0)
    page.browser.get(page.browser.current_url)
    page.wait(lambda: page.is_shown(finding), kind)
    has_picture(page, f"{finding} img")
    assert page.text(f"{finding} .advice")
    return list(page.browser.execute_async_script(MARKED, f"{finding} img"))


def from_pin_to_camera(page: Page) -> None:
    assert states(page) == ["open"] * 7
    page.tap(".send.button")

    step_is(page, "pin")
    page.type_in("[name=pin]", OWN_PIN)
    page.type_in("[name=table_pin]", TABLE_PIN)
    press(page, "set")

    step_is(page, "camera")
    has_picture(page, ".look")
    page.browser.execute_script("document.querySelector('[name=fov]').value = ''")
    page.type_in("[name=fov]", FOV_DEG)
    press(page, "choose")
    step_is(page, "camera")
    press(page, "next")


def mat_and_seats(page: Page) -> None:
    step_is(page, "mat")
    page.wait(lambda: page.each("#facts", "it.dataset.state") == ["4-0"], "four markers")
    has_picture(page, ".look")
    verdicts = page.each(".numbers tr", "it.className")
    assert verdicts == ["verdict-usable", *["verdict-good"] * 3], "a die has 30 px"
    press(page, "save")

    step_is(page, "seats")
    for number, name in enumerate(("Anna", "Ben", "Cem")):
        page.browser.execute_script(
            f"document.querySelectorAll('[name=player]')[{number}].value = '{name}'"
        )
    press(page, "save")


def light(page: Page, camera: SimulatedCamera) -> None:
    """Three faults, each told and marked, then as it should be."""
    step_is(page, "light")
    page.wait(lambda: page.is_shown(".fine"), "good light")
    share, _, _ = look_at_light(page, camera, dark, "dark")
    assert share > 0.5, "all of the mat is marked"
    assert page.text(".setup [value=next]") == "Trotzdem weiter"
    share, x, y = look_at_light(page, camera, glare, "glare")
    assert 0.005 < share < 0.3
    assert (x, y) == pytest.approx((0.45, 0.5), abs=0.1), "where the lamp is mirrored"
    share, _, _ = look_at_light(page, camera, flicker, "flicker")
    assert 0.05 < share < 0.8, "bands"
    camera.show(None)
    page.wait(lambda: page.is_shown(".fine"), "good light again", 30.0)
    press(page, "next")


def three_throws(page: Page, camera: SimulatedCamera) -> None:
    step_is(page, "throw")
    press(page, "watch")
    page.wait(lambda: page.is_shown(".now"), "the mat is read")
    camera.play(THREE_THROWS_S)
    thrown = ".test-throws li[data-sure=true]"
    page.wait(
        lambda: page.each(thrown, "it.dataset.dice") == OPENING[::-1], "three throws", THROWS_S
    )
    has_picture(page, ".test-throws img")
    for number in (1, 2, 3):
        press(page, f"right:{number}")
        page.wait(
            lambda number=number: page.is_shown(f"[data-number='{number}'] .judged"), "judged"
        )
    press(page, "next")


def test_from_a_fresh_folder_to_the_first_counted_throw(
    chromium: webdriver.Chrome, appliance: Appliance, camera: SimulatedCamera, tmp_path: Path
) -> None:
    page = opened(chromium, appliance)
    sign_in(page)
    from_pin_to_camera(page)
    mat_and_seats(page)
    light(page, camera)
    three_throws(page, camera)

    step_is(page, "rules")
    page.tap("[name=book][value=turnier]")
    page.type_in("[name=table_name]", "Stammtisch")
    press(page, "save")
    page.wait(lambda: states(page) == ["done"] * 7, "all steps are done")
    assert appliance.entries("thrown") == [], "test throws count in no game"
    page.wait(lambda: camera.is_idle, "the mat is empty again", THROWS_S)
    page.tap("#finish button")

    page.wait(lambda: page.is_shown("#start"), "the start page", START_S)
    for number, name in enumerate(("Anna", "Ben", "Cem"), start=1):
        page.tap(f"#start button[value='tap:{name}']")
        page.wait(lambda number=number: len(seated(page)) == number, f"{name} sits")
    page.tap("#start button[value=start]")
    page.wait(lambda: page.is_shown("#hand"), "the table")
    assert page.text(".table-name") == "Stammtisch"
    camera.play(ONE_THROW_S)
    page.wait(lambda: len(appliance.entries("thrown")) == 1, "the first counted throw", THROWS_S)
    first = appliance.entries("thrown")[0]
    assert (first["player"], first["dice"]) == ("Anna", [5, 3, 2])
    assert [e["dice"] for e in appliance.entries("setup.test_throw")] == [
        [int(value) for value in dice.split()] for dice in OPENING
    ]
    assert camera.most_opened == 1
    settings = SettingsFile(tmp_path / "table.toml").load()
    assert settings["game.players"] == ["Anna", "Ben", "Cem"]
    assert settings["table.camera_fov_deg"] == 34.5
    assert Path(settings["table.mat_file"]) == tmp_path / "mat.toml"


def test_a_mat_without_markers_by_four_taps_left_and_taken_up_again(
    chromium: webdriver.Chrome, appliance: Appliance, camera: SimulatedCamera, tmp_path: Path
) -> None:
    camera.show(unmarked)
    page = opened(chromium, appliance)
    sign_in(page)
    page.tap(".steps li:nth-child(3) a")
    step_is(page, "mat")
    page.wait(lambda: page.is_shown("input[type=image]"), "no markers: corners to tap")
    tap_corners(page)
    has_picture(page, ".look")
    appliance.stop()  # somebody pulls the plug
    appliance.start()
    page = opened(chromium, appliance)
    page.wait(lambda: page.is_shown(".steps") or page.is_shown("[name=pin]"), "the set-up goes on")
    if not page.all(".steps"):
        sign_in(page)
    page.tap(".steps li:nth-child(3) a")
    step_is(page, "mat")
    page.wait(lambda: page.each("#facts", "it.dataset.state") == ["0-4"], "the taps are kept")
    press(page, "save")
    step_is(page, "seats")
    from device.calibrations import load_calibration

    mat = load_calibration(tmp_path / "mat.toml")
    assert mat.by_hand
    astray_px = np.abs(mat.corners_px() - corners_seen() * [960, 720])
    assert astray_px.max() < 4.0
    page.tap(".ways a:last-child")
    page.wait(lambda: "done" in states(page), "the steps")
    assert states(page)[2] == "done"


def test_without_a_script_and_a_camera(
    chromium: webdriver.Chrome, appliance: Appliance, camera: SimulatedCamera
) -> None:
    """Every step can be skipped, on a phone, in English; the table says what follows from it."""
    camera.lost = True
    page = opened(chromium, appliance)
    sign_in(page)
    chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    phone = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": False}
    chromium.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    try:
        chromium.get(f"{appliance.url}setup/pin?lang=en")
        for number in range(1, 8):
            said = f"Step {number} of 7"
            page.wait(lambda said=said: page.one(".which").text.startswith(said), said)
            if number == 2:
                page.wait(lambda: _reloaded(page, ".refusal"), "no picture", 30.0)
                assert "cable" in page.one("#facts").text
            button = page.one(".setup button[value=skip]")
            button.click()
        page.wait(lambda: len(page.all(".steps li.step-skipped")) == 7, "all are skipped")
        assert page.one(".steps .why").text != ""
        wide = page.one("html").get_property("scrollWidth")
        assert int(str(wide)) <= 390
        camera.lost = False
        page.one("#finish button").click()
        page.wait(lambda: bool(page.all("#start")), "the start page", START_S)
    finally:
        chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        chromium.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def _reloaded(page: Page, selector: str) -> bool:
    page.browser.refresh()
    return bool(page.all(selector))
