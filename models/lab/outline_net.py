"""The network that judges outlines (`vision.outline`)."""

from __future__ import annotations

import torch
from torch import nn

from vision.outline import OUTLINE_DICE, OUTLINE_PX
from vision.stance import STANCES

from .networks import layers_of

WIDTHS = (32, 32, 48, 96, 128)
"""Of the layers; twice the usual in the first, for what the mat without the die tells."""
DIE, DRAWN, DIFFERS = 3, 2, 4
"""Planes that go in, in this order; the last ones by how much the mat is lighter where it is known
without the die, and how much that is in all."""
CELL_DICE = OUTLINE_DICE / OUTLINE_PX
STEPS = 9
"""Places between the top and the ground at which a flat die's section is drawn."""
ROUND, SOFT = 0.56, 4.0
"""Radius in edges of a section of which nobody knows how it is turned; how softly it ends."""
LEANS_SCALE = 3.0
"""The answer's layer tells sines so much larger."""
FOUND, PLACED = 64, 16
"""Planes of the answer's layer, and of those that keep where something is seen."""


class Outline(nn.Module):
    """(N, 3, 128, 64) RGB in 0..1 and what is told of each (N, 3) to how it stands.

    The upper half shows the die, the lower one the mat without it, or the same where nobody knows.

    It answers (N, 3) logits and (N, 2) where the top face looks to in the cut-out, x right and y
    down, as long as the sine of how far it leans. The outline and the top face of a flat die seen
    so are drawn as two more planes, from the lean in the cut-out and whether the edges run along
    its sides.
    """

    def __init__(self) -> None:
        super().__init__()
        layers = layers_of(DIE + DRAWN + DIFFERS, WIDTHS)
        self.body = nn.Sequential(*list(layers)[:-2])  # all but the mean over places
        seen, cells = WIDTHS[-1], (OUTLINE_PX // 16) ** 2
        self.placed = nn.Sequential(nn.Conv2d(seen, PLACED, 1), nn.SiLU(), nn.Flatten())
        self.found = nn.Sequential(
            nn.Linear(seen + PLACED * cells, FOUND), nn.SiLU(), nn.Dropout(0.2)
        )
        self.stands, self.leans = nn.Linear(FOUND, len(STANCES)), nn.Linear(FOUND, 2)
        axis = (torch.arange(OUTLINE_PX) + 0.5) * CELL_DICE - OUTLINE_DICE / 2
        self.register_buffer("x", axis.view(1, 1, 1, -1), persistent=False)
        self.register_buffer("y", axis.view(1, 1, -1, 1), persistent=False)
        steps = torch.linspace(-0.5, 0.5, STEPS).view(1, -1, 1, 1)
        self.register_buffer("steps", steps, persistent=False)

    def start_from(self, earlier: dict[str, torch.Tensor]) -> None:
        """Take over what a stance network knows, or an outline network that saw no mat.

        What they were not shown, or have no features for, begins without a say.
        """
        first = earlier["body.0.weight"]
        planes = DIE + DRAWN if first.shape[1] == DIE + DRAWN else DIE
        own = self.state_dict()
        for name, value in {**earlier, "body.0.weight": first[:, :planes]}.items():
            if name in own:
                _overlaid(own[name], value)

    def drawn(self, told: torch.Tensor) -> torch.Tensor:
        """(N, 2, 64, 64) in -0.5..0.5: where a flat die is, and its top."""
        lean_x, lean_y, known = (told[:, i].view(-1, 1, 1, 1) for i in range(3))
        aside = (self.x - self.steps * lean_x).abs()
        ahead = (self.y - self.steps * lean_y).abs()
        sections = _within(0.5 - torch.maximum(aside, ahead), 1.0)
        long = lean_x * lean_x + lean_y * lean_y + 1e-6
        along = ((self.x * lean_x + self.y * lean_y) / long).clamp(-0.5, 0.5)
        swept = self._round(along * lean_x, along * lean_y)
        outline = known * sections.amax(1, keepdim=True) + (1 - known) * swept
        top = known * sections[:, :1] + (1 - known) * self._round(-lean_x / 2, -lean_y / 2)
        return torch.cat([outline, top], 1) - 0.5

    def _round(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        away = torch.sqrt((self.x - x) ** 2 + (self.y - y) ** 2 + 1e-9)
        return _within(ROUND - away, SOFT)

    def forward(
        self, x: torch.Tensor, told: torch.Tensor, hidden: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits and leans; `told` of `vision.outline.cut_outlines`.

        In training (N,) dice may be `hidden`: what differs from the bare mat must do.
        """
        die, bare = x.split(OUTLINE_PX, 2)
        differs = bare - die
        in_all = differs.abs().mean(1, keepdim=True)
        if hidden is not None:
            die = torch.where(hidden[:, None, None, None], 0.5, die)
        seen = self.body(torch.cat([die, self.drawn(told), differs, in_all], 1))
        found = self.found(torch.cat([seen.mean((2, 3)), self.placed(seen)], 1))
        return self.stands(found), self.leans(found) / LEANS_SCALE


def _within(inside_dice: torch.Tensor, soft: float) -> torch.Tensor:
    """1 inside, 0 outside, over `soft` cells in between."""
    return (inside_dice / (CELL_DICE * soft) + 0.5).clamp(0, 1)


def _overlaid(own: torch.Tensor, earlier: torch.Tensor) -> None:
    """Write an earlier layer's numbers over a wider one's; its features know no new inputs."""
    if earlier.dim() > 1:
        own[: len(earlier)] = 0
    own[tuple(slice(0, size) for size in earlier.shape)] = earlier
