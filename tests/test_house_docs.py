"""What is written for people agrees with what the code does."""

import re
from pathlib import Path

import hall_page_screens
import pytest
from page_screens import name_of
from tournament_hall import MemoryHall
from web_ui_pages import PAGES

from device.cli import COMMANDS, build_parser, main
from device.settings import SETTINGS
from web_ui.tournament_app import create_hub_app

MOST_BYTES = 150_000
"""Of a picture of a page."""


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_help_with_an_example(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, "--help"]) == 0
    text = capsys.readouterr().out
    assert re.search(rf"example:\n  schockauge {command}\b", text), text


@pytest.mark.parametrize("command", COMMANDS)
def test_the_readme_names_every_command(command: str, root: Path) -> None:
    assert f"`schockauge {command}" in (root / "README.md").read_text(encoding="utf-8")


def test_the_examples_of_the_help_are_accepted(capsys: pytest.CaptureFixture[str]) -> None:
    parser = build_parser()
    for command in COMMANDS:
        main([command, "--help"])
        for line in capsys.readouterr().out.split("example:\n")[1].splitlines():
            words = line.split("|")[0].split(">")[0].split()
            if words and words[0] == "schockauge":
                parser.parse_args([word.strip("\"'") for word in words[1:]])


def test_the_page_of_settings_is_what_the_command_prints(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["settings", "--markdown"]) == 0
    printed = capsys.readouterr().out
    assert (root / "docs" / "settings.md").read_text(encoding="utf-8") == printed
    for setting in SETTINGS:
        assert f"`{setting.name}`" in printed
        assert setting.help.endswith("."), f"the help of {setting.name} is no sentence"


def test_units_of_settings_are_in_their_names() -> None:
    for setting in SETTINGS:
        if setting.unit in ("mm", "s", "px", "ms"):
            assert setting.name.endswith(f"_{setting.unit}"), setting.name


def test_every_page_is_shown_and_every_picture_of_one_is_small(root: Path) -> None:
    docs = root / "docs"
    shown = (docs / "pages.md").read_text(encoding="utf-8")
    names = {rule: name_of(rule) for rule in PAGES}
    names |= {rule: hall_page_screens.name_of(rule) for rule in hall_page_screens.PAGES}
    for rule, name in names.items():
        assert (docs / "pages" / name).is_file(), f"make screens takes one of {rule}"
        assert f"pages/{name}" in shown, rule
    for picture in docs.rglob("*.webp"):
        assert picture.stat().st_size < MOST_BYTES, picture


def test_no_page_of_a_tournament_is_without_a_picture() -> None:
    rules = create_hub_app(MemoryHall()).url_map.iter_rules()
    pages = {
        rule.rule
        for rule in rules
        if rule.rule.startswith("/tournament")
        and "GET" in (rule.methods or ())
        and not rule.rule.endswith(("/board", ".pdf", ".csv"))
    }
    assert pages - {"/tournament/evidence/<table>/<sha256>"} == set(hall_page_screens.PAGES)


def test_the_readme_keeps_its_anchors(root: Path) -> None:
    text = (root / "README.md").read_text(encoding="utf-8")
    assert text.count("<!-- figures -->") == 1
    assert text.count("<!-- /figures -->") == 1
    for link in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (root / link).exists(), f"the README points to {link}, which is not there"
