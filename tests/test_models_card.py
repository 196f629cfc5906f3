"""The model card speaks of the weights that ship."""

import hashlib
import json
from pathlib import Path

MODELS = Path(__file__).parents[1] / "models"


def test_the_card_names_the_digest_of_every_network():
    card = (MODELS / "CARD.md").read_text(encoding="utf-8")
    networks = json.loads((MODELS / "manifest.json").read_text(encoding="utf-8"))["networks"]
    files = {network["file"] for network in networks.values()}
    assert files == {f"weights/{path.name}" for path in (MODELS / "weights").glob("*.onnx")}
    for file in files:
        assert hashlib.sha256((MODELS / file).read_bytes()).hexdigest() in card


def test_weights_and_what_is_needed_beside_them_stay_below_15_mb():
    weights = sum(path.stat().st_size for path in (MODELS / "weights").iterdir())
    assert weights + (MODELS / "manifest.json").stat().st_size < 15e6
