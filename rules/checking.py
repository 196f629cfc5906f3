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


def check_follows(state: MatchState, event: events.Event) -> None:
    """Check that an event is what the rules say comes now, so that a changed log shows.

    The section may differ: a later version may cite a rule better.

    Raises:
        IllegalEvent: it is not.
    """
    if event.type not in CORRECTIONS:
        following(state.part, state.phase, event.type)
    expected = consequence(state)
    if expected is None:
        try:
            action = action_of(event)
            expected = DECIDERS.get(type(action), verify)(state, action)
        except (Refused, MalformedRecord) as error:
            raise IllegalEvent(f"event {event.to_json()} cannot follow: {error}") from error
    if event != expected and _told(event) != _told(expected):
        raise IllegalEvent(
            f"event {event.to_json()} does not follow from those before it; by the rules it must "
            f"be {expected.to_json()}"
        )


def _told(event: events.Event) -> dict[str, Any]:
    return {name: value for name, value in event.to_json().items() if name != "section"}
