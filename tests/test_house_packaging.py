"""The house: what is installed, what is locked, what a wheel carries."""

import ast
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

HEAVY = ("torch", "torchvision", "ultralytics", "triton", "mujoco", "numba", "mitsuba")


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def locked(path: Path) -> dict[str, str]:
    """The requirements of a lock file with their text, by name."""
    text = path.read_text(encoding="utf-8")
    blocks = re.split(r"\n(?=[A-Za-z0-9])", text)
    return {canonical(re.split(r"[=\s]", block)[0]): block for block in blocks if block.strip()}


@pytest.fixture(params=["base", "dev", "hub", "pi", "sim", "train"])
def lock(request: pytest.FixtureRequest, root: Path) -> dict[str, str]:
    return locked(root / "requirements" / f"{request.param}.lock")


def test_rules_is_our_own_package(root: Path) -> None:
    import rules

    assert Path(rules.__file__).resolve().is_relative_to(root)
    others = set(metadata.packages_distributions().get("rules", [])) - {"schockauge"}
    assert not others, f"{others} installs a package named rules as well"


def test_only_one_opencv_is_installed() -> None:
    names = {canonical(d.metadata["Name"]) for d in metadata.distributions()}
    assert {n for n in names if n.startswith("opencv")} == {"opencv-python-headless"}


def test_every_lock_has_one_opencv_hashes_and_no_addresses(lock: dict[str, str]) -> None:
    assert [n for n in lock if n.startswith("opencv")] == ["opencv-python-headless"]
    for name, block in lock.items():
        assert "--hash=sha256:" in block, f"{name} has no hash"
        assert "//" not in block, f"{name} carries an address"


def test_the_laboratory_lock_leaves_torch_and_cuda_to_the_makefile(root: Path) -> None:
    names = set(locked(root / "requirements" / "train.lock"))
    assert not {"torch", "triton"} & names
    # nvidia-ml-py is a small module of pure Python that reads the load of a GPU.
    assert {n for n in names if n.startswith(("nvidia", "cuda"))} <= {"nvidia-ml-py"}
    assert "ultralytics" in names


def test_the_default_install_is_locked_without_heavy_packages(root: Path) -> None:
    base = set(locked(root / "requirements" / "base.lock"))
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = {canonical(re.split(r"[<>=\[;]", d)[0]) for d in project["dependencies"]}
    assert asked <= base
    for name in ("base", "dev"):
        assert not set(HEAVY) & set(locked(root / "requirements" / f"{name}.lock"))


def test_the_default_install_is_below_500_megabytes(root: Path) -> None:
    total = 0
    for name in locked(root / "requirements" / "base.lock"):
        try:
            files = metadata.files(name) or []
        except metadata.PackageNotFoundError:
            continue  # for another system or Python
        total += sum(p.stat().st_size for f in files if (p := Path(str(f.locate()))).is_file())
    tracked = subprocess.run(
        ["git", "ls-files", "rules", "vision", "device", "web_ui", "models"],
        cwd=root, capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    total += sum((root / name).stat().st_size for name in tracked if (root / name).is_file())
    assert total > 50e6, "nothing was measured"
    assert total < 500e6


def test_the_command_line_loads_nothing_heavy_and_no_laboratory() -> None:
    code = (
        "import sys; from device.cli import build_parser; build_parser();"
        f"bad = [m for m in sys.modules if m.split('.')[0] in {HEAVY!r} or m == 'models.lab'];"
        "assert not bad, bad"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_only_the_simulated_table_imports_the_laboratory(root: Path) -> None:
    importing = {
        path.relative_to(root).as_posix()
        for path in (root / "device").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.ImportFrom) and (node.module or "").startswith("models.lab"))
        or (
            isinstance(node, ast.Import)
            and any(a.name.startswith("models.lab") for a in node.names)
        )
    }
    others = {name for name in importing if not Path(name).name.startswith("simulate")}
    assert not others, f"{others} import the laboratory at run time"


IMPORT_NAMES = {
    "prometheus-client": "prometheus_client",
    "opencv-python-headless": "cv2",
    "paho-mqtt": "paho",
    "pillow": "PIL",
}
"""Where a package is imported by another name than it is installed by."""
OF_THE_PI = {"picamera2": "device/pi_camera.py", "gpiozero": "device/signal_panel.py"}
"""What only Raspberry Pi OS has, and the one file that imports it."""


def test_what_a_pi_brings_is_imported_in_one_place_when_it_is_needed(root: Path) -> None:
    for path in (root / "device").rglob("*.py"):
        module = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(module):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            for name in {name.split(".")[0] for name in names} & set(OF_THE_PI):
                assert path.relative_to(root).as_posix() == OF_THE_PI[name]
                assert node not in module.body, f"{name} is imported with {path.name}"


def test_the_default_install_names_every_package_that_the_code_imports(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = {canonical(re.split(r"[<>=\[;]", d)[0]) for d in project["dependencies"]}
    known = {IMPORT_NAMES.get(name, name) for name in asked}
    ours = {"rules", "vision", "device", "web_ui", "models"}
    files = [p for name in ours for p in (root / name).rglob("*.py")]
    found: dict[str, str] = {}
    for path in files:
        parts = path.relative_to(root).parts
        if "lab" in parts or parts[:2] == ("device", "hub") or path.name.startswith("simulate"):
            continue  # extras
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            found |= {name.split(".")[0]: str(path) for name in names}
    strange = set(found) - known - ours - set(sys.stdlib_module_names) - set(OF_THE_PI)
    assert not strange, {name: found[name] for name in strange}
    assert known <= set(found), "a dependency that nobody imports"


def test_no_extra_is_missing_and_the_package_stays_private(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {"train", "sim", "pi", "hub", "dev"} <= set(project["optional-dependencies"])
    assert "Private :: Do Not Upload" in project["classifiers"]
    assert project["license"] == "AGPL-3.0-or-later"
    licence = (root / "LICENSE").read_text(encoding="utf-8")
    assert "GNU AFFERO GENERAL PUBLIC LICENSE" in licence


@pytest.mark.slow
def test_a_wheel_carries_what_the_code_reads_at_run_time(root: Path, tmp_path: Path) -> None:
    """Built from a copy of the tracked files, so that leftovers of the checkout cannot help."""
    tree = tmp_path / "tree"
    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=True
    ).stdout.split("\0")
    for name in filter(None, names):
        if (root / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (tree / name).write_bytes((root / name).read_bytes())
    code = "import sys; from setuptools import build_meta as b; b.build_wheel(sys.argv[1])"
    out = tmp_path / "out"
    out.mkdir()
    subprocess.run(
        [sys.executable, "-c", code, str(out)], cwd=tree, check=True, capture_output=True
    )
    (wheel,) = out.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        inside = set(archive.namelist())
    data = {
        n for n in names
        if n.split("/")[0] in {"rules", "vision", "device", "web_ui", "models"}
        and not n.endswith(".py")
        and not n.startswith("models/lab/checkpoints/")  # for training, not for reading
    }  # fmt: skip
    assert "rules/books/turnier.toml" in data
    assert data <= inside, f"not in the wheel: {sorted(data - inside)}"
    assert not [n for n in inside if n.startswith(("tests", "docs", "tests_lab"))]
