"""Sentences of what happens to the appliance itself: who was refused, PINs, settings."""

from collections.abc import Callable, Mapping

from web_ui.i18n import counted, text
from web_ui.sentence import Data, Sentence


def _access_refused(language: str, data: Data) -> Sentence:
    what = text(language, f"access.{data['what']}")
    return Sentence(counted(language, "line.access.refused", data["times"], what=what), "refused")


def _pin_changed(language: str, data: Data) -> Sentence:
    role = text(language, f"role.{data['role']}")
    return Sentence(text(language, "line.access.pin_changed", role=role), "milestone")


def _settings_changed(language: str, data: Data) -> Sentence:
    names = ", ".join(str(change["name"]) for change in data["changes"])
    told = text(language, "line.settings.changed", by=data["by"], names=names)
    return Sentence(told, "milestone")


def _settings_restarted(language: str, data: Data) -> Sentence:
    return Sentence(text(language, "line.settings.restarted", by=data["by"]), "milestone")


APPLIANCE_TELLERS: Mapping[str, Callable[[str, Data], Sentence]] = {
    "access.refused": _access_refused,
    "access.pin_changed": _pin_changed,
    "settings.changed": _settings_changed,
    "settings.restarted": _settings_restarted,
}
