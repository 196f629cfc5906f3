"""Sizes, times and thresholds of following things on a mat."""

from dataclasses import dataclass

from vision.seats import Seat


@dataclass(frozen=True)
class SceneSettings:
    """Physical constants of following things on a mat; seconds and millimetres.

    Attributes:
        mat_size_mm: width and height.
        scale_px_per_mm: resolution of the pictures that detections come from.
        margin_mm: what these pictures show around the mat.
        die_mm: edge of the dice.
        rest_distance_mm: a die that stays within this lies still; boxes of differently framed looks
            tremble by 0.2, one in a hundred by 1.6.
        stray_looks: so many looks in a row must say that it has moved,
        leap_mm: unless it is this far away;
        reframed: a box whose diagonal is larger or smaller than that where it came to rest, by this
            much as a logarithm, is framed with a print or a shadow (or without): one look more
            must say so, however far away.
        another_cup: a cup whose diagonal is larger by this much, as a logarithm, than what was
            taken for a cup there has been put over it.
        outgrown: a box this much wider or higher than it was shows more of the die than it did.
            Boxes of dice in plain sight tremble by 13 %.
        rest_s: it lies still after this long; a rolling die stands on an edge for up to 0.2 s.
        ask_s: the readers see it after this long: they have spoken when it counts as lying still.
        match_mm: a finding this close to a track continues it: just over one die.
        smooth_s: time constant of a resting position.
        gone_s: a track not seen for this long is over; bridges a missed frame even at 5 a second.
        born_looks: a die counts when it has been found this often without having been lost,
        born_share: and in this share of the looks since then: a finding that comes and goes is
            none.
        doubted_looks: after this many looks it will not become one any more.
        cup_rest_mm: a cup that stays within this stands where it stood; its box trembles more than
            a die's.
        cup_settle_s: a cup counts that was seen over this long; a sleeve mistaken for one does not
            last.
        smallest_cup_mm: what is narrower is a glass or a coaster that stands over the mat's edge;
            dice cups are 65 mm wide and more.
        gap_s: after a longer pause between frames nothing is known to have lain still.
        smallest_die: findings below this share of `die_mm` are no dice (pips, print).
        largest_die: neither are larger ones: a turned die shows 1.41, its side faces add some.
        min_readings: frames that must have read a die.
        min_share: share of the score that these frames give to one class, and of the namer's word
            that they give to one value: half hidden, a three is a clear two for whoever counts, but
            the namer had 0.70.
        min_belief: their mean score for this class.
        min_asked: pictures in which the second reader must have read it.
        max_asked: it is not asked again after this many.
        min_both: probability of the value, both taken together: of 505 dice of simulated throws
            that are sure otherwise 97 % have it. The likeliest wrong ones had
            0.984 (faint pips in a lamp's glare), 0.979 (speckled dice), 0.961 (a blurred three),
            0.944 and 0.926 (burnt-out fives); half a three had 0.974 and is kept out by
            `min_share`, too.
        second_reader: whether there is one; without it share and belief must be stricter.
        alone_share: share needed without a second reader.
        alone_belief: belief needed without a second reader.
        alone_readings: frames needed without a second reader.
        stance_reader: whether somebody tells how dice stand.
        min_flat: its probability of lying flat, by looks and outline, from which on a die does: of
            1,260 flat dice of simulated throws 15 have less, of 279 that lean by 12 to 20 degrees
            none has it; by looks alone 16 and five (`models/EXPERIMENTS.md`, Where a die ends).
        wavering: one of the two that gives less than this to lying flat wavers,
        min_flat_wavering: and then it takes this much by both: one that is sure does not outvote
            one that says otherwise. Of 7,602 flat throws that were sure 40 have less, and so have
            both with a burning die that were sure, of 2,100 (the same).
        max_tower_each: neither may give a tower more: of towers looks alone know more than both.
        flat_alone: its mean probability of lying flat from which on finder and namer may call it a
            tower or burning in most frames: of 98 flat throws that were asked about for the way a
            die stands it was their word alone in 11, of 113 with a fault in none.
        min_fault: its mean probability of a tower, or of a burning die, from which on it is one.
        tower_odds: how much less likely a tower is where as many are seen apart as are in play: of
            263 towers on simulated throws 3 left three. It is not 0: a look-alike may lie beside a
            tower.
        apart_dice: dice this far apart, in edges, are none that stand on one another.
        seats: who sits around the mat, each with dice of an own; none: all dice are of one throw.
        blind_mm: rectangles (left, top, right, bottom) where findings do not count: the markers.
    """

    mat_size_mm: tuple[float, float] = (420.0, 315.0)
    scale_px_per_mm: float = 2.2
    margin_mm: float = 0.0
    die_mm: float = 16.0
    rest_distance_mm: float = 2.0
    stray_looks: int = 2
    leap_mm: float = 8.0
    reframed: float = 0.12
    another_cup: float = 0.25
    outgrown: float = 1.18
    rest_s: float = 0.40
    ask_s: float = 0.33
    match_mm: float = 18.0
    smooth_s: float = 0.15
    gone_s: float = 0.35
    born_looks: int = 3
    born_share: float = 0.5
    doubted_looks: int = 10
    cup_rest_mm: float = 25.0
    cup_settle_s: float = 0.30
    smallest_cup_mm: float = 40.0
    gap_s: float = 1.0
    smallest_die: float = 0.6
    largest_die: float = 2.0
    min_readings: int = 3
    min_share: float = 0.80
    min_belief: float = 0.25
    min_asked: int = 2
    max_asked: int = 5
    min_both: float = 0.985
    second_reader: bool = True
    alone_share: float = 0.95
    alone_belief: float = 0.60
    alone_readings: int = 5
    stance_reader: bool = False
    min_flat: float = 0.85
    wavering: float = 0.65
    min_flat_wavering: float = 0.92
    max_tower_each: float = 0.35
    flat_alone: float = 0.97
    min_fault: float = 0.80
    tower_odds: float = 0.1
    apart_dice: float = 0.85
    seats: tuple[Seat, ...] = ()
    blind_mm: tuple[tuple[float, float, float, float], ...] = ()
