"""The mistakes that the game knows, one class each, each also a builtin.

Three kinds are kept apart, because three different people repair them:

* `MalformedRecord`: a value is no action, no event, no dice at all. The caller's bug.
* `Refused`: a well-formed action that the rules do not allow now. A player or the
  table must do something else; the refusal names the rule section.
* `IllegalEvent`: an event that cannot follow the ones before it. The log is broken.
"""

from typing import Literal

Fault = Literal["player", "table", "referee"]
"""Whose fault a refusal is: the player broke a rule, the table (camera, scribe)
reported something that does not fit, or the referee asked for the impossible."""


class RulesError(Exception):
    """Base of every error that this package raises on purpose."""


class UnknownBook(RulesError, LookupError):  # noqa: N818 - the game's own word
    """No rule book of that name is offered; the message lists those that are."""


class BookError(RulesError, ValueError):
    """A rule book's data does not describe a complete, consistent book."""


class UnknownFormat(RulesError, LookupError):  # noqa: N818
    """No tournament format of that name is offered; the message lists those that are."""


class FormatError(RulesError, ValueError):
    """A tournament format's data does not describe a complete, consistent format."""


class MalformedRecord(RulesError, ValueError):  # noqa: N818
    """A value is not an action, an event or a question in the documented form."""


class DiceError(MalformedRecord):
    """The numbers given are not dice, or not as many as the place needs."""


class IllegalEvent(RulesError, RuntimeError):  # noqa: N818
    """An event cannot follow the events before it: the log is damaged or mixed up."""


class Refused(RulesError, ValueError):  # noqa: N818
    """A well-formed action that the rules do not allow now. Nothing has changed.

    Attributes:
        code: machine-readable reason, for example `no_throw_left`.
        section: where the rule book says so, for example `001 L23`.
        text_de: the reason as a whole German sentence for the players.
        text_en: the same in English.
        fault: whose mistake it is.
    """

    def __init__(self, code: str, section: str, text_de: str, text_en: str, fault: Fault) -> None:
        super().__init__(f"{text_en} ({section})" if section else text_en)
        self.code = code
        self.section = section
        self.text_de = text_de
        self.text_en = text_en
        self.fault: Fault = fault
