"""The few sizes in which a table is looked at.

A network makes ready anew for every size of picture that is not the one before: 10 ms on an x86-64
for one of its last dozen, 20 to 90 for others, where the look itself takes 5 to 30. The parts of
a mat that are in use have a hundred sizes in an evening. So each goes onto one of a few canvases,
grey beside it, and shrinks by an eighth at most where that makes a smaller one do. The smallest,
which most looks are on, have networks of their own (`vision.detector`).
"""

CANVASES = (
    (256, 320),
    (384, 480),
    (480, 608),
    (608, 768),
    (768, 960),
    (960, 1184),
    (1184, 1504),
    (1504, 1856),
)
"""Height and width, pixels, the smallest first: 5 to 4, as mats and what lies there mostly are. All
lie: an upright look is turned onto one."""
LEAST_SHARE = 0.88
"""Of its size that a look keeps: dice of 28 px become 25, where as many are found."""
MOST_GREY_PX = 300_000
"""So many take as long as a new size: a large part that is long and narrow keeps its own canvas."""


def canvas_of(height: float, width: float, *, share: float = 1.0) -> tuple[int, int] | None:
    """The smallest canvas that holds a look at this share of its size, lying.

    Args:
        height: of the look, pixels.
        width: the same.
        share: 0..1.

    Returns:
        Height and width of the canvas; None where each would be too small, or too much of it grey.
    """
    short, long = sorted((height * share, width * share))
    for canvas in CANVASES:
        if canvas[0] >= short and canvas[1] >= long:
            return canvas if canvas[0] * canvas[1] - short * long <= MOST_GREY_PX else None
    return None


def share_kept(height: float, width: float) -> float:
    """How much of its size a look keeps, `LEAST_SHARE` to 1, on the smallest canvas that does."""
    canvas = canvas_of(height, width, share=LEAST_SHARE)
    short, long = sorted((height, width))
    return min(1.0, canvas[0] / short, canvas[1] / long) if canvas else 1.0
