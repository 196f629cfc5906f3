"""picamera2 cannot be run off a Pi: what we use of it is compared with its released source.

Two releases (`requirements/picamera2*.txt`, by hash) are unpacked and parsed, never imported: they
need libcamera, which only a Pi's system has. The controls are libcamera's;
`libcamera_controls.json` has their names and says where from.
"""

import ast
import concurrent.futures
import inspect
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from device import (
    camera_look,
    pi_camera,
    pi_camera_api,
    pi_camera_sensor,
    pi_camera_stub,
    pi_driver,
)
from device.camera_settings import CameraSettings

Function = ast.FunctionDef | ast.AsyncFunctionDef
FETCH_S = 120.0
CONTROL = re.compile(r"(?:Ae|Af|Awb|Analogue|Colour|Exposure|Frame|Lens|Noise|Sensor)[A-Za-z]+")
OTHERS = {"FrameOrderError"}


@pytest.fixture(scope="module", params=["picamera2.txt", "picamera2-bookworm.txt"])
def wheel(root: Path, request: pytest.FixtureRequest) -> Path:
    """The unpacked package."""
    pins = root / "requirements" / str(request.param)
    cache = request.config.cache
    assert cache is not None
    version = re.findall(r"picamera2==([\d.]+)", pins.read_text())[0]
    folder = Path(cache.mkdir("picamera2")) / version
    if not (folder / "picamera2" / "picamera2.py").exists():
        words = ["-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes", "--no-compile"]
        fetched = subprocess.run(
            [sys.executable, *words, "--target", str(folder), "-r", str(pins)],
            capture_output=True,
            text=True,
            timeout=FETCH_S,
            check=False,
        )
        if fetched.returncode:
            if os.environ.get("CI"):
                pytest.fail(f"picamera2 {version} cannot be fetched:\n{fetched.stderr}")
            pytest.skip(f"picamera2 {version} cannot be fetched; its contract was NOT checked")
    return folder / "picamera2"


def parsed(wheel: Path, name: str) -> ast.Module:
    return ast.parse((wheel / name).read_text(encoding="utf-8"))


def methods(module: ast.Module, name: str) -> dict[str, Function]:
    """The methods of a class; of several overloads the one that does it."""
    (found,) = (n for n in module.body if isinstance(n, ast.ClassDef) and n.name == name)
    return {n.name: n for n in found.body if isinstance(n, ast.FunctionDef)}


def words(function: Function) -> list[str]:
    """Its arguments, without self."""
    names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    return [name for name in names if name != "self"]


def source_of(function: Function) -> str:
    return ast.unparse(function)


@pytest.fixture(scope="module")
def picamera2(wheel: Path) -> dict[str, Function]:
    return methods(parsed(wheel, "picamera2.py"), "Picamera2")


@pytest.fixture(scope="module")
def completed(wheel: Path) -> dict[str, Function]:
    return methods(parsed(wheel, "request.py"), "CompletedRequest")


def used(protocol: type) -> Iterator[tuple[str, list[str], bool]]:
    """Name, arguments, and whether it is a property, of all that a protocol names."""
    for name, member in vars(protocol).items():
        if name.startswith("_"):
            continue
        if isinstance(member, property):
            yield name, [], True
        else:
            yield (
                name,
                [word for word in inspect.signature(member).parameters if word != "self"],
                False,
            )


# --- what we call -----------------------------------------------------------------------------


@pytest.mark.parametrize("ours", ["Camera", "Request"])
def test_every_call_and_every_argument_exists(
    ours: str, picamera2: dict[str, Function], completed: dict[str, Function]
) -> None:
    real = {"Camera": picamera2, "Request": completed}[ours]
    members = list(used(getattr(pi_camera_api, ours)))
    assert len(members) >= 3
    for name, arguments, is_property in members:
        assert name in real, f"{ours}.{name}"
        assert set(arguments) <= set(words(real[name])), f"{ours}.{name}"
        decorated = list(map(ast.unparse, real[name].decorator_list))
        assert ("property" in decorated) == is_property, f"{ours}.{name}"


def test_nothing_is_called_that_the_protocols_do_not_name() -> None:
    named = {name for name, _, _ in used(pi_camera_api.Camera)}
    asked = {name for name, _, _ in used(pi_camera_api.Request)}
    for module, owners in ((pi_driver, {"camera", "self._camera"}), (pi_camera_api, {"camera"})):
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) in owners:
                assert node.attr in named, node.attr
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "request":
                assert node.attr in asked, node.attr


def test_the_camera_is_opened_by_its_number(wheel: Path, picamera2: dict[str, Function]) -> None:
    assert words(picamera2["__init__"])[0] == "camera_num"
    assert ast.unparse(picamera2["global_camera_info"].decorator_list[0]) == "staticmethod"
    assert "Model: str" in (wheel / "picamera2.py").read_text(), "of the camera's name in texts"
    used_there = re.findall(r"Picamera2\.(\w+)", inspect.getsource(pi_camera))
    assert set(used_there) <= {"global_camera_info", "cancel_all_and_flush"}
    assert "from .picamera2 import Picamera2" in (wheel / "__init__.py").read_text()


@pytest.mark.parametrize("ours", ["StubPicamera2", "StubRequest"])
def test_the_stub_has_the_same_names_arguments_and_defaults(
    ours: str, picamera2: dict[str, Function], completed: dict[str, Function]
) -> None:
    real = {"StubPicamera2": picamera2, "StubRequest": completed}[ours]
    stub = methods(ast.parse(inspect.getsource(pi_camera_stub)), ours)
    public = [name for name in stub if not name.startswith("_") or name == "__init__"]
    assert len(public) >= 4
    for name in public:
        if (ours, name) == ("StubRequest", "__init__"):
            continue  # nobody makes one but the stub
        assert words(stub[name]) == words(real[name]), name
        pairs = zip(stub[name].args.defaults, real[name].args.defaults, strict=True)
        for mine, theirs in pairs:
            if isinstance(mine, ast.Constant) and mine.value is None:
                continue  # stands for {} and for libcamera's own values
            assert ast.unparse(mine) == ast.unparse(theirs), name


# --- what we rely on --------------------------------------------------------------------------


def test_waiting_ends_after_so_many_seconds_with_a_timeout_error(
    picamera2: dict[str, Function], wheel: Path
) -> None:
    dispatch = source_of(picamera2["dispatch_functions"])
    assert "job.get_result(timeout=timeout)" in dispatch
    assert "timeout = wait" in dispatch
    assert "dispatch_functions(functions, wait, signal_function)" in source_of(
        picamera2["capture_request"]
    )
    result = methods(parsed(wheel, "job.py"), "Job")["get_result"]
    assert "self._future.result(timeout=timeout)" in source_of(result)
    assert concurrent.futures.TimeoutError is TimeoutError, "what that raises"


def test_a_camera_registers_to_be_closed_at_the_programs_end(
    picamera2: dict[str, Function],
) -> None:
    assert "atexit.register(self.close)" in source_of(picamera2["__init__"])
    assert "atexit.unregister(self.close)" in source_of(picamera2["close"])


def test_closing_stops_the_camera_first(picamera2: dict[str, Function]) -> None:
    assert "self.stop()" in source_of(picamera2["close"])
    assert "wait=True" in source_of(picamera2["stop"]), "and that may hang"
    assert "job.cancel()" in source_of(picamera2["cancel_all_and_flush"])


def test_our_main_format_is_blue_green_red_in_memory(
    wheel: Path, completed: dict[str, Function]
) -> None:
    order = re.search(r"'RGB888': '(\w+)'", source_of(completed["save"]))
    assert order is not None
    assert order[1] == "BGR"
    assert pi_camera_api.MAIN_FORMAT == "RGB888"
    formats = (wheel / "formats.py").read_text()
    assert f'"{pi_camera_api.MAIN_FORMAT}"' in formats
    assert f'"{pi_camera_api.SMALL_FORMAT}"' in formats


def test_the_configuration_has_only_keys_that_are_taken(picamera2: dict[str, Function]) -> None:
    class Recorder(pi_camera_stub.StubPicamera2):
        def __init__(self) -> None:
            self.asked: dict = {}

        def create_video_configuration(self, **asked):
            self.asked = asked
            return asked

    recorder = Recorder()
    pi_camera_api.configuration(recorder, CameraSettings())  # type: ignore[arg-type]
    streams = source_of(picamera2["_make_initial_stream_config"])
    valid = ast.literal_eval(re.search(r"valid = (\(.*?\))", streams)[1])  # type: ignore[index]
    assert {*recorder.asked["main"], *recorder.asked["lores"]} <= set(valid)
    check = source_of(picamera2["check_camera_config"])
    allowed = ast.literal_eval(re.search(r"allowed_keys = (\{.*?\})", check)[1])  # type: ignore[index]
    assert set(recorder.asked["sensor"]) == set(allowed)
    adds = source_of(picamera2["_add_display_and_encode"])
    assert "display is not None" in adds, "no preview is allowed"


def test_sensor_modes_say_what_we_ask_of_them(picamera2: dict[str, Function]) -> None:
    told = set(
        re.findall(r"(?:cam_mode|all_format)\['(\w+)'\]", source_of(picamera2["sensor_modes"]))
    )
    asked = set(re.findall(r'mode\["(\w+)"\]', inspect.getsource(pi_camera_api.sensor_mode)))
    assert asked == {"size", "crop_limits", "fps", "bit_depth"}
    assert asked <= told
    assert asked == set(pi_camera_sensor.MODES[0])


def test_rows_of_the_small_stream_come_in_planes_with_their_padding(wheel: Path) -> None:
    shared = source_of(methods(parsed(wheel, "request.py"), "Helpers")["_make_array_shared"])
    planes = shared[shared.index("'YUV420'") :]
    assert re.search(r"reshape\(\(h \* 3 // 2, stride\)\)", planes), planes[:300]


def test_an_exposure_of_zero_is_up_to_the_camera_again(completed: dict[str, Function]) -> None:
    release = source_of(completed["release"])
    for name in ("ExposureTime", "AnalogueGain"):
        assert f"libcamera.controls.{name}Mode, 0" in release


# --- controls ---------------------------------------------------------------------------------


def controls_named() -> set[str]:
    """Every control that we set or read, by its text in our modules."""
    named: set[str] = set()
    for module in (camera_look, pi_camera_api, pi_driver, pi_camera_sensor, pi_camera_stub):
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                named |= {node.value} if CONTROL.fullmatch(node.value) else set()
    return named


def test_every_control_is_one_of_libcameras(root: Path) -> None:
    known = json.loads((root / "tests" / "libcamera_controls.json").read_text())
    named = controls_named()
    assert {"AeFlickerPeriod", "ColourGains", "LensPosition", "SensorTimestamp"} <= named
    assert named <= set(known["names"])


def test_numbers_stand_for_the_values_that_libcamera_gives_them(root: Path) -> None:
    values = json.loads((root / "tests" / "libcamera_controls.json").read_text())["values"]
    assert values["AeFlickerMode"]["Manual"] == camera_look.FLICKER_MANUAL
    assert values["AfMode"]["Manual"] == camera_look.AF_MANUAL
    assert values["AfMode"]["Auto"] == camera_look.AF_AUTO
    assert values["AfTrigger"]["Start"] == camera_look.AF_START
    assert {values["AfState"][state] for state in ("Focused", "Failed")} == camera_look.AF_DONE


def test_controls_that_the_package_itself_names_are_spelt_alike(wheel: Path) -> None:
    text = "".join(path.read_text() for path in wheel.rglob("*.py"))
    in_package = set(re.findall(r"""["']([A-Z][A-Za-z]+)["']|controls\.([A-Z][A-Za-z]+)""", text))
    spelt = {name for pair in in_package for name in pair if name}
    both = {"ExposureTime", "AnalogueGain", "FrameDurationLimits", "AfMode", "AfTrigger",
            "AfState", "SensorTimestamp", "NoiseReductionMode"}  # fmt: skip
    assert both <= spelt
    assert both <= controls_named()


def test_a_control_that_a_camera_lacks_would_be_refused(wheel: Path) -> None:
    setter = methods(parsed(wheel, "controls.py"), "Controls")["__setattr__"]
    assert "is not advertised by libcamera" in source_of(setter)
    assert "raise RuntimeError" in source_of(setter)
