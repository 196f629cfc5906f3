"""Whether an entry of a log follows from those before it: so that a changed log shows."""

from typing import Any

from rules import events
from rules.consequences import consequence
from rules.correcting import DECIDERS
from rules.deciding import verify
from rules.errors import IllegalEvent, MalformedRecord, Refused
from rules.phases import CORRECTIONS, following
from rules.redoing import action_of
from rules.state import MatchState


def check_follows(state: MatchState, event: events.Event) -> MatchState | None:
    """Check that an event is what the rules say comes now, so that a changed log shows.

    The section may differ: a later version may cite a rule better.

    Returns:
        The state after a correction, which has been worked out to check it; None for any other
        event.

    Raises:
        IllegalEvent: it is not.
    """
    if event.type not in CORRECTIONS:
        following(state.part, state.phase, event.type)
    expected, after = consequence(state), None
    if expected is None:
        try:
            expected, after = _decided(state, event)
        except (Refused, MalformedRecord) as error:
            raise IllegalEvent(f"event {event.to_json()} cannot follow: {error}") from error
    if not _says(event, expected):
        raise IllegalEvent(
            f"event {event.to_json()} does not follow from those before it; by the rules it must "
            f"be {expected.to_json()}"
        )
    return after


def _decided(state: MatchState, event: events.Event) -> tuple[events.Event, MatchState | None]:
    """What the action behind an event leads to, and for a correction the state after it."""
    action = action_of(event)
    correct = DECIDERS.get(type(action))
    if correct is None:
        return verify(state, action), None
    expected, after = correct(state, action)
    let_go = getattr(event, "dropped", 0)
    if let_go and not _says(event, expected):  # an older version's: actions went that fit today
        meant, after_that = correct(state, action, let_go=let_go)
        if _says(event, meant):
            return meant, after_that
    return expected, after


def _says(event: events.Event, expected: events.Event) -> bool:
    """Whether two events say the same, whatever section they cite."""
    return event == expected or _told(event) == _told(expected)


def _told(event: events.Event) -> dict[str, Any]:
    return {name: value for name, value in event.to_json().items() if name != "section"}
