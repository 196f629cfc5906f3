"""What a training reckons in."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest
import torch

from models.lab import training


@pytest.mark.parametrize(
    ("has", "wanted", "reckons_in"),
    [
        ({"avx512_bf16": True, "amx_bf16": True}, True, torch.bfloat16),
        ({"avx512_bf16": True, "amx_bf16": False}, True, torch.float32),
        ({"avx512_bf16": True, "amx_bf16": True}, False, torch.float32),
        ({}, True, torch.float32),
    ],
)
def test_a_processor_without_tiles_reckons_in_single_precision(
    monkeypatch: pytest.MonkeyPatch, has: dict[str, bool], wanted: bool, reckons_in: torch.dtype
) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: has)
    with training.halves("cpu", wanted=wanted):
        assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype == reckons_in


def test_torch_tells_of_tiles() -> None:
    """Also where there are none: else nobody would learn in bfloat16."""
    assert platform.machine() != "x86_64" or "amx_bf16" in torch.cpu.get_capabilities()


def test_a_run_by_the_clock_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(training.time, "monotonic", lambda: now[0])

    def run() -> training.Run:
        return training.Run(torch.nn.Linear(2, 1), tmp_path / "last.pt", rate=0.01)

    first = run()
    now[0] += 30
    assert first.by_clock(2) == 0.25
    first.step(first.model(torch.ones(1, 2)).sum(), done=first.by_clock(2), pictures=1)
    first.save()
    now[0] += 1000
    again = run()
    assert (again.done, again.passes, again.by_clock(2)) == (0.25, 1, 0.25)
    now[0] += 60
    assert again.by_clock(2) == 0.75
    now[0] += 600
    assert again.by_clock(2) == 1
