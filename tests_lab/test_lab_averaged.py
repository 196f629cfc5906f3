import pytest
import torch

from models.lab.averaged import averaged


def test_weights_are_averaged_and_counts_are_the_others():
    one = {"weight": torch.zeros(2, 2), "num_batches": torch.tensor(3)}
    other = {"weight": torch.full((2, 2), 4.0), "num_batches": torch.tensor(7)}
    mean = averaged(one, other)
    assert mean["weight"].tolist() == [[2.0, 2.0], [2.0, 2.0]]
    assert mean["num_batches"].item() == 7


def test_other_layers_are_refused():
    with pytest.raises(ValueError, match="same layers"):
        averaged({"weight": torch.zeros(2)}, {"weight": torch.zeros(3)})
