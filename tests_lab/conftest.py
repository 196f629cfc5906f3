"""What several laboratory tests share."""

import numpy as np
import pytest

from models.lab.looks import die_look
from models.lab.things import DieLook


@pytest.fixture
def a_look() -> DieLook:
    """Some make of die."""
    return die_look(np.random.default_rng(3))
