"""Everything that can be set about watching a mat."""

from dataclasses import dataclass, field

from vision.lying import Zones
from vision.memory import ThrowSettings
from vision.motion import MotionSettings
from vision.quiet import LearnSettings
from vision.viewpoint import USUAL_FOV_DEG


@dataclass(frozen=True)
class WatcherSettings:
    """Sizes and times of watching a mat.

    Attributes:
        margin_mm: what to look at around the mat: dice that fell off.
        die_px: side that a die should have for the finder, pixels: it finds as many at 28 as at 40
            and takes half the time, nor fewer at 25, to which `vision.canvas` shrinks some looks;
            the readers cut dice from the full view.
        coarse_die_px: the same while somebody is at work on the mat and no die waits to be read:
            cups are large, and a die that appears is looked at closely in the next frame.
        close_die_px: the same in every second look at a throw that could not be read after
        close_s: a finder that overlooks a die at one size finds many at another.
        min_score: findings below are not looked at.
        busy_s: a frame sooner than this after one that showed somebody at work on the mat is passed
            over, as if the camera were slower: of 5 frames a second the same is told. From half as
            much more on, *throw seen* comes later than half a second after the dice lie still.
        refresh_s: a detector that runs sees all of the mat at least this often.
        rest_s: it runs after this, though nothing has changed; each time that nothing still has,
            it waits twice as long, up to four times this.
        around_dice: how much it sees around what differs from the bare mat, in edges of a die.
        markers_printed: findings on the mat's markers are ignored; False: it has none.
        fov_deg: usual horizontal field of view of the camera, for the way dice stand.
        learn: when the mat is learned.
        motion: areas of change.
        throws: waiting times.
        zones: areas of the mat.
    """

    margin_mm: float = 12.0
    die_px: float = 28.0
    coarse_die_px: float = 15.0
    close_die_px: float = 48.0
    close_s: float = 0.7
    min_score: float = 0.18
    busy_s: float = 0.1
    refresh_s: float = 1.0
    rest_s: float = 2.0
    around_dice: float = 2.0
    markers_printed: bool = True
    fov_deg: float = USUAL_FOV_DEG
    learn: LearnSettings = field(default_factory=LearnSettings)
    motion: MotionSettings = field(default_factory=MotionSettings)
    throws: ThrowSettings = field(default_factory=ThrowSettings)
    zones: Zones = field(default_factory=Zones)
