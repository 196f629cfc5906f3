"""Reads the dice on a loose photograph: two looks, twelve views, two witnesses.

1. The first look finds dice and their size (`vision.first_look.find_dice`); what the namer calls no
   die has no say in that, be it a game board or a box.
2. The second look sees the picture at the scale that brings the median die to `die_px`, turned by
   four quarter turns; findings at one place are one thing with up to four votes (`vision.votes`).
   What only the first look found is asked about, too, and is never sure.
3. Two readers see each thing cut out in three widths, with its colours dealt out in four ways
   (`vision.crops.close_views`): the namer knows what dice look like, and is shown them turned four
   ways; the counter knows pips and no values, and is shown them as the picture was held, for seen
   aslant the top face is the upper one. A picture held askew leads but one of them astray.
4. Both words become the probability that there is a die and that its value is right
   (`vision.confidence`). A photograph is *sure* when it is right with a probability that was fixed
   on photographs of strange tables, and nothing stacked, burning or unreadable is in sight, nor a
   part of a die of which nothing was read (`vision.glimpse`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.confidence import Confidence, all_right, fused, kind_shares
from vision.crops import (
    by_die,
    close_cuts,
    close_views,
    four_views,
    mean_by_die,
    upright_views,
)
from vision.detections import BURNING, CUP, TOWER, VALUE_CLASSES, Detections, ValueWitness
from vision.eye import Eye, Finder, Glance, Namer
from vision.first_look import FIRST_PX, find_dice, holds_dice
from vision.glimpse import PartFinder
from vision.images import Image, as_bgr
from vision.looks import look_four_ways
from vision.reading import Found, ReadDie, Reading
from vision.testimony import (
    LOOKS,
    PARTLY_READ,
    Testimony,
    agreed,
    all_see_it,
    badly_seen,
    box_of,
    class_of,
    may_be_sheets,
    readable,
    reads_otherwise,
    spread,
    strength,
    words_of,
)
from vision.votes import Cluster, cluster_looks, median_aspect, median_side, with_overlooked

SURE_VALUE = 0.97
"""Where many dice are hard to find none is misread; one die whose value is in doubt is a doubt."""
SURE_THERE = 0.95
"""A die that may be none is a doubt: dice printed on a mat and sugar cubes in a lamp's glare had
0.83 to 0.93, and of 688 sure photographs three have a die below (`models/EXPERIMENTS.md`)."""
SURE_FLAT = 0.95
"""One die that may be stacked or tilted is a doubt; more than a quarter of those that are have more
all the same (`models/EXPERIMENTS.md`). How likely others are flat says nothing of a photograph's
chance: nearly all dice are."""
STEADY = 0.8
"""A value that the namer gives to fewer of its views is a doubt: three of twelve are one turn."""
UNREAD = 0.5
"""What the looks are together this sure to be something, and the readers can read nothing of, is
passed over by no chance: somebody has to look at it. In bad light, photographs that nothing else
was said against were wrong for such a die alone (`models/EXPERIMENTS.md`). Neither is what both
readers partly read (`vision.testimony.PARTLY_READ`), nor what all looks and the namer take for a
die (`all_see_it`)."""


@dataclass(frozen=True)
class ReaderSettings:
    """Thresholds of reading; how the defaults were found: `models/EXPERIMENTS.md`.

    Attributes:
        die_px: side of a die in the second look, pixels: the middle of what training shows.
        min_score: findings below are not looked at.
        min_belief: mean score over the four looks from which on a tower, a burning die or a cup is
            one.
        doubt_belief: a weaker one from here on is none, but makes the photograph unsure.
        size_spread: a photograph is unsure where one die is this much larger than another: turned
            by 45 degrees it is 1.41 times as large, of another make 1.25 times; beyond that it is
            nearer, in a hand.
        squeeze: a median width / height of the dice outside 1/squeeze..squeeze is undone.
    """

    die_px: float = 24.0
    min_score: float = 0.08
    min_belief: float = 0.30
    doubt_belief: float = 0.15
    size_spread: float = 1.8
    squeeze: float = 1.12


class PhotoReader:
    """Reads photographs of any size.

    Args:
        finder: says where things are.
        namer: the first witness.
        counter: the second witness, which learned dice held upright.
        clock: seconds, monotonic, for `Reading.ms` (`time.perf_counter`).
        settings: sizes and thresholds.
        confidence: how words become probabilities; it belongs to the weights.
        glimpse: looks for parts of dice before a photograph is called sure; None: nobody does.
    """

    def __init__(
        self,
        finder: Finder,
        namer: Namer,
        counter: ValueWitness,
        *,
        clock: Callable[[], float],
        settings: ReaderSettings | None = None,
        confidence: Confidence | None = None,
        glimpse: PartFinder | None = None,
    ) -> None:
        self._eye = Eye(finder, namer)
        self._glance = Glance(finder)
        self._namer = namer
        self._counter = counter
        self._clock = clock
        self._settings = settings or ReaderSettings()
        self._confidence = confidence or Confidence()
        self._glimpse = glimpse

    def read(self, image_bgr: Image) -> Reading:
        """Read one photograph.

        Args:
            image_bgr: (H, W), (H, W, 3) or (H, W, 4) uint8, BGR, upright.

        Returns:
            What it shows; boxes in its pixels. A picture without dice is not sure.

        Raises:
            PictureError: not a picture.
        """
        started_s = self._clock()
        picture = as_bgr(image_bgr)
        clusters, complete = self.look(picture)
        said = self.ask(picture, [cluster.box for cluster in clusters])
        reading = self.judge(clusters, said, size_px=picture.shape[1::-1], complete=complete)
        if reading.sure and self._hold_dice(picture, reading):
            reading = replace(reading, sure=False)
        if reading.sure and self._glimpse is not None:
            parts = self._glimpse.parts(picture, [die.box for die in reading.dice])
            reading = replace(reading, parts=parts, sure=not parts)
        return replace(reading, ms=round((self._clock() - started_s) * 1000, 1))

    def look(self, picture: Image) -> tuple[list[Cluster], bool]:
        """Both looks; what was found, and whether all of the picture was seen."""
        settings = self._settings
        first = find_dice(
            self._eye,
            picture,
            min_score=settings.min_score,
            readable=lambda found: self._readable(picture, found),
        )
        if not len(first):
            return [], True
        side = median_side(first)
        if side is None:  # a cup and nothing else: the scale of the first look is as good as any
            side = settings.die_px * max(picture.shape[:2]) / FIRST_PX
        factor = float(np.clip(settings.die_px / max(side, 1.0), 0.02, 4.0))
        aspect = float(np.clip(median_aspect(first), 0.5, 2.0))
        if 1 / settings.squeeze <= aspect <= settings.squeeze:
            aspect = 1.0
        looks, complete = look_four_ways(
            self._glance,
            picture,
            first,
            factors=(factor / aspect**0.5, factor * aspect**0.5),
            die_px=settings.die_px,
            min_score=settings.min_score,
        )
        return with_overlooked(cluster_looks(looks), first, look=LOOKS), complete

    def ask(self, picture: Image, boxes: Sequence[NDArray[np.float32]]) -> Testimony:
        """Ask both readers about what is at each of these places: N boxes (4,) in its pixels."""
        cuts = close_cuts(picture, boxes)
        shows = by_die(self._namer.shows(close_views(cuts, four_views)), len(boxes))
        names = shows.mean(axis=1, dtype=np.float32)
        same = shows.argmax(axis=2) == names.argmax(axis=1)[:, None]
        upright = close_views(cuts, upright_views)
        counted = mean_by_die(self._counter.probabilities(upright), len(boxes))
        upended = upright_views(np.rot90(cuts[0], 2, axes=(1, 2)))
        otherwise = mean_by_die(self._counter.probabilities(upended), len(boxes))
        return Testimony(names, same.mean(axis=1) >= STEADY, counted, otherwise)

    def _hold_dice(self, picture: Image, reading: Reading) -> bool:
        """Whether something that was read as a die holds smaller ones."""
        return holds_dice(
            self._eye,
            picture,
            [die.box for die in reading.dice],
            min_score=self._settings.min_score,
            readable=lambda found: self._readable(picture, found),
        )

    def _readable(self, picture: Image, found: Detections) -> NDArray[np.float32]:
        """(N,) how far both readers read the same value at each finding, 0..1."""
        return readable(self.ask(picture, list(found.xyxy)))

    def judge(
        self,
        clusters: list[Cluster],
        said: Testimony,
        *,
        size_px: tuple[int, int],
        complete: bool,
    ) -> Reading:
        """Decide what the clusters are.

        Args:
            clusters: what the looks found.
            said: what both readers say of each.
            size_px: width and height of the picture.
            complete: the whole picture was looked at.
        """
        settings, confidence = self._settings, self._confidence
        dice: list[ReadDie] = []
        others: dict[int, list[Found]] = {TOWER: [], BURNING: [], CUP: []}
        chances: list[float] = []
        doubts = 0 if complete else 1
        each = zip(clusters, words_of(clusters, said), readable(said), strict=True)
        for row, (cluster, words, read) in enumerate(each):
            shares = kind_shares(words)
            class_id = class_of(cluster, shares)
            if class_id >= VALUE_CLASSES:
                seen = strength(cluster, words)
                if seen >= settings.min_belief:
                    others[class_id].append(Found(box_of(cluster), round(seen, 4)))
                elif class_id != CUP:
                    doubts += seen >= settings.doubt_belief or words.seen >= UNREAD
                continue
            there = confidence.die_chance(words)
            if there < 0.5:
                chances.append(1.0 - there)
                doubts += words.seen >= UNREAD or bool(read >= PARTLY_READ) or all_see_it(words)
                continue
            shows = confidence.value_chance(words)
            chance = there * shows
            chances.append(chance)
            value_id = int(fused(words.names, words.opinion).argmax())
            sure = chance >= confidence.sure and shows >= SURE_VALUE and there >= SURE_THERE
            sure = sure and agreed(words, value_id)
            sure = sure and float(shares[0]) >= SURE_FLAT and not badly_seen(cluster, size_px)
            sure = sure and not reads_otherwise(said, row, value_id)
            dice.append(ReadDie(value_id + 1, round(chance, 4), sure, box_of(cluster)))
        chance = all_right(chances)
        doubts += (spread(dice) > settings.size_spread) + may_be_sheets(dice)
        clear = not (doubts or others[TOWER] or others[BURNING])
        return Reading(
            dice=tuple(sorted(dice, key=lambda die: die.box)),
            towers=tuple(others[TOWER]),
            burning=tuple(others[BURNING]),
            cups=tuple(others[CUP]),
            chance=round(chance, 4) if dice else 0.0,
            sure=clear and chance >= confidence.sure and bool(dice) and all(d.sure for d in dice),
        )
