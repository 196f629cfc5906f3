"""What the browser loads: ours or pinned, all of it here, and little."""

import hashlib
import json
import re
from pathlib import Path

import pytest
from test_web_ui_table import Table
from web_ui_access import guarded, signed_in

import web_ui

PACKAGE = Path(web_ui.__file__).parent
STATIC = PACKAGE / "static"
TESTS = Path(__file__).parent


@pytest.mark.parametrize(
    ("base", "folder"), [(PACKAGE, "static/fonts"), (TESTS, "axe_core")], ids=["shown", "for tests"]
)
def test_foreign_files_are_pinned_and_unchanged(base: Path, folder: str):
    lock = json.loads((base / "assets.lock.json").read_text(encoding="utf-8"))
    pinned = {
        path: digest for package in lock["packages"] for path, digest in package["files"].items()
    }
    assert {f"{folder}/{file.name}" for file in (base / folder).iterdir()} == set(pinned)
    for path, digest in pinned.items():
        assert hashlib.sha256((base / path).read_bytes()).hexdigest() == digest, path


def test_nothing_is_loaded_from_elsewhere():
    names_of_formats = {"http://www.w3.org/2000/svg"}
    for file in [*STATIC.rglob("*.css"), *STATIC.rglob("*.js"), *STATIC.rglob("*.svg")]:
        found = set(re.findall(r"https?://[^\s\"')]+", file.read_text(encoding="utf-8")))
        assert found <= names_of_formats, file
    for file in (PACKAGE / "templates").iterdir():
        assert not re.search(r"https?://", file.read_text(encoding="utf-8")), file


def test_every_file_a_stylesheet_names_is_there():
    for sheet in STATIC.rglob("*.css"):
        for name in re.findall(r'url\("([^"]+)"\)', sheet.read_text(encoding="utf-8")):
            assert (sheet.parent / name).is_file(), f"{sheet.name} names {name}"


def loaded(script: Path) -> set[Path]:
    """A script and all it imports."""
    imported = re.findall(r'from "\./([\w.]+)"', script.read_text(encoding="utf-8"))
    return {script}.union(*(loaded(script.parent / name) for name in imported))


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/tv",
        "/overlay",
        "/table",
        "/referee",
        "/start",
        "/rules/statuten",
        "/statistics",
        "/health",
    ],
)
def test_the_first_view_stays_small(path: str):
    page = signed_in(guarded(Table())).get(path).text
    named = [PACKAGE / name for name in re.findall(r'="/(static/[^"]+)"', page)]
    files = {file for file in named if file.suffix != ".js"} | set(
        (STATIC / "fonts").glob("*.woff2")
    )
    files = files.union(*(loaded(file) for file in named if file.suffix == ".js"))
    sent = len(page.encode()) + sum(file.stat().st_size for file in files)
    assert sent < 150_000, f"{sent} bytes; a phone in a pub has little network"
