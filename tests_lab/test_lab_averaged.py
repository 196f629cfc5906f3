from pathlib import Path

import pytest
import torch

from models.lab.averaged import averaged, main
from models.lab.networks import Stance


def test_weights_are_averaged_and_counts_are_the_others():
    one = {"weight": torch.zeros(2, 2), "num_batches": torch.tensor(3)}
    other = {"weight": torch.full((2, 2), 4.0), "num_batches": torch.tensor(7)}
    mean = averaged(one, other)
    assert mean["weight"].tolist() == [[2.0, 2.0], [2.0, 2.0]]
    assert mean["num_batches"].item() == 7


def test_one_may_have_a_larger_share() -> None:
    mean = averaged({"weight": torch.zeros(2)}, {"weight": torch.full((2,), 4.0)}, share=0.75)
    assert mean["weight"].tolist() == [3.0, 3.0]


@pytest.mark.parametrize("share", ["-0.1", "1.1", "nan"])
def test_a_share_that_is_none_is_refused(
    share: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["averaged", "a.pt", "b.pt", "c.pt", f"--share={share}"])
    with pytest.raises(SystemExit):
        main()
    assert "expected 0" in capsys.readouterr().err


def test_other_layers_are_refused():
    with pytest.raises(ValueError, match="same layers"):
        averaged({"weight": torch.zeros(2)}, {"weight": torch.zeros(3)})


def test_our_own_networks_are_averaged_by_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [tmp_path / name for name in ("one.pt", "other.pt", "out.pt")]
    for seed, file in enumerate(files[:2]):
        torch.manual_seed(seed)
        torch.save({"model": Stance().state_dict(), "done": 3}, file)
    monkeypatch.setattr("sys.argv", ["averaged", *map(str, files)])
    main()
    one, other, mean = (torch.load(file, weights_only=True)["model"] for file in files)
    name = "body.0.weight"
    assert torch.allclose(mean[name], (one[name] + other[name]) / 2)
    Stance().load_state_dict(mean)
