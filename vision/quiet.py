"""How long it has been quiet at a part of the mat, and whether it lies bare."""

from dataclasses import dataclass, field

from vision.table import Box, SceneState

NEVER_S = float("-inf")


@dataclass(frozen=True)
class LearnSettings:
    """How long it must be quiet before something is learned.

    Attributes:
        first_bare_s: the first mat without a finding and without motion is taken as the bare one
            after this.
        anew_s: after this it is taken as bare although it looks different from before: the light
            has changed, or a glass was put down for good.
        print_s: what lies there when the watch begins belongs to the mat after this.
        again_s: while nothing changes, the mat is learned again after this.
    """

    first_bare_s: float = 0.5
    anew_s: float = 4.0
    print_s: float = 1.0
    again_s: float = 0.5


@dataclass
class QuietPart:
    """What is known of the quiet at one part.

    Attributes:
        empty_since_s: since when it is.
        traced: whether traces were seen.
        trail: where dice lay and cups stood since it was cleared: left, top, right, bottom, mm.
    """

    empty_since_s: float | None = None
    traced: bool = False
    trail: list[Box] = field(default_factory=list)

    def is_bare(self, state: SceneState, settings: LearnSettings, *, searched_s: float) -> bool:
        """Whether it is bare: soon when both witnesses agree, after a long quiet otherwise.

        Args:
            state: what was found on it; to be called with every moment.
            settings: waiting times.
            searched_s: when all of the mat was looked at finely for the last time.
        """
        if state.dice or state.cups or state.unborn or state.busy:
            self.empty_since_s = None
            return False
        if self.empty_since_s is None or (state.traces and not self.traced):
            self.empty_since_s = state.t_s
        self.traced = state.traces
        first = state.looks_bare is None
        wait_s = settings.first_bare_s if first else settings.anew_s
        alike = state.looks_bare and not state.traces
        bare = alike or state.t_s - self.empty_since_s >= wait_s
        return bare and searched_s >= self.empty_since_s
