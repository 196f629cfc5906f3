"""The set-up in a real browser: the appliance, a simulated camera, the models that ship."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from selenium import webdriver
from setup_appliance import (
    ONE_THROW_S,
    OPENING,
    START_S,
    THROWS_S,
    Appliance,
    corners_seen,
    from_pin_to_camera,
    has_picture,
    light,
    mat_and_seats,
    opened,
    press,
    seated,
    sign_in,
    states,
    step_is,
    tap_corners,
    three_throws,
)
from setup_camera import SimulatedCamera, unmarked
from web_ui_page import Page

from device.settings_file import SettingsFile

pytestmark = pytest.mark.slow


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
