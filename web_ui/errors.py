"""What can go wrong between a person at the page and the table."""

HALL_AGAIN_S = 5
"""After so long it makes sense to ask a hall again that was away, in seconds."""


class ActionRefused(ValueError):  # noqa: N818 - the seam's name, as in rules.errors
    """The rules (or the table) do not allow an action; nothing has changed.

    Args:
        text_de: the reason as a whole German sentence.
        text_en: the same in English.
        code: stable reason code, such as `not_your_turn`.
    """

    def __init__(self, text_de: str, text_en: str, code: str) -> None:
        super().__init__(text_en)
        self.text_de = text_de
        self.text_en = text_en
        self.code = code


class RequestError(ValueError):
    """A request the server does not take, with a whole sentence for the caller.

    Args:
        status: HTTP status, 4xx for the caller's mistakes, 503 when there is no room.
        code: stable reason code, also the key `error.<code>` of the message catalogue.
        values: what the message names (the value found, the value expected).
    """

    def __init__(self, status: int, code: str, **values: object) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.values = values

    @property
    def headers(self) -> dict[str, str]:
        """Headers of the answer: when to come back, where that is known (`wait_s`)."""
        return {"Retry-After": str(self.values["wait_s"])} if "wait_s" in self.values else {}


class HallAway(RequestError, OSError):  # noqa: N818 - a state of the hall, told as such
    """The hall cannot read or write now: its database or broker is away. Also an OSError."""

    def __init__(self) -> None:
        super().__init__(503, "hall_away", wait_s=HALL_AGAIN_S)
