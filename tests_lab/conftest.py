"""What several laboratory tests share."""

from pathlib import Path

import numpy as np
import pytest

from models.lab.bank import Bank
from models.lab.looks import die_look
from models.lab.physics import make_bank
from models.lab.things import DieLook


@pytest.fixture
def a_look() -> DieLook:
    """Some make of die."""
    return die_look(np.random.default_rng(3))


@pytest.fixture(scope="session")
def bank_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small bank of heaps."""
    file = tmp_path_factory.mktemp("bank") / "bank.npz"
    make_bank(file, count=100, seed=4)
    return file


@pytest.fixture(scope="session")
def bank(bank_file: Path) -> Bank:
    """What is in it."""
    return make_bank(bank_file, count=100, seed=4)
