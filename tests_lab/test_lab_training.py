"""What a training reckons in."""

from __future__ import annotations

import pytest
import torch

from models.lab import training


@pytest.mark.parametrize(
    ("has", "wanted", "reckons_in"),
    [
        ({"avx2": True, "avx512_bf16": True}, True, torch.bfloat16),
        ({"avx2": True, "avx512_bf16": False, "amx_bf16": False}, True, torch.float32),
        ({"bf16": True}, True, torch.bfloat16),
        ({"avx512_bf16": True}, False, torch.float32),
        ({}, True, torch.float32),
    ],
)
def test_a_processor_that_only_imitates_halves_reckons_in_single_precision(
    monkeypatch: pytest.MonkeyPatch, has: dict[str, bool], wanted: bool, reckons_in: torch.dtype
) -> None:
    monkeypatch.setattr(training, "_capabilities", lambda: has)
    with training.halves("cpu", wanted=wanted):
        assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype == reckons_in


def test_what_the_processor_has_is_known() -> None:
    assert all(isinstance(name, str) for name in training._capabilities())
    assert training._capabilities()
