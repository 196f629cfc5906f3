"""Train the finder from scratch: dice, towers, burning dice and cups, not their values.

    python -m models.lab.finder_set find SET1 SET2
    python -m models.lab.train find/SET1 find/SET2 --name first --epochs 20
    python -m models.lab.train find/SET1 find/SET2 --name first --resume   # where it stopped

No weights are downloaded: the network starts from its description (`yolo26n.yaml`) or from
weights of an earlier run of ours (`--from RUN/weights/last.pt`).
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

from .finder_set import FINDS
from .torch_cpu import patch_torchvision, speed_up


def data_file(folders: list[Path]) -> Path:
    """Write the ultralytics description of one or more data sets; returns its path."""
    file = folders[0] / "data.yaml"
    names = "\n".join(f"  {i}: {name}" for i, name in enumerate(FINDS))
    parts = "".join(f"  - {folder.resolve() / 'images' / 'train'}\n" for folder in folders)
    file.write_text(
        f"train:\n{parts}val: {folders[0].resolve() / 'images' / 'val'}\nnames:\n{names}\n"
    )
    return file


def main() -> None:
    """Command line; see the module's text."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", nargs="+", type=Path, help="folders made by models.lab.finder_set")
    parser.add_argument("--name", default="detector", help="folder below runs/")
    parser.add_argument("--epochs", type=float, default=20)
    parser.add_argument("--size", type=int, default=320)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--rate", type=float, default=0.002, help="AdamW learning rate at the top")
    parser.add_argument("--last-rate", type=float, default=0.02, help="its final share")
    parser.add_argument("--warmup", type=float, default=1.0, help="epochs")
    parser.add_argument("--from", dest="start", default="yolo26n.yaml")
    parser.add_argument("--mosaic", type=float, default=0.15)
    parser.add_argument(
        "--threads", type=int, help="fewer where other work shares the machine; default: all cores"
    )
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    args = parser.parse_args()
    patch_torchvision()
    from ultralytics import YOLO

    last = args.runs.resolve() / args.name / "weights" / "last.pt"
    model = YOLO(str(last) if args.resume else args.start)
    speed_up(model, threads=args.threads)
    began = [time.monotonic()]

    def epoch_done(trainer: Any) -> None:
        seconds = time.monotonic() - began[0]
        began[0] = time.monotonic()
        rate = len(trainer.train_loader.dataset) / seconds
        print(f"epoch {trainer.epoch + 1}/{trainer.epochs}: {rate:.1f} pictures/s", flush=True)

    model.add_callback("on_train_epoch_end", epoch_done)
    model.train(
        data=str(data_file(args.data)),
        epochs=int(args.epochs),
        imgsz=args.size,
        batch=args.batch,
        # A step after every batch: ultralytics would gather 64 pictures for one, and a network
        # that starts from nothing needs the steps.
        nbs=args.batch,
        workers=1,
        project=str(args.runs.resolve()),
        name=args.name,
        exist_ok=True,
        amp=False,
        cache=False,
        optimizer="AdamW",
        lr0=args.rate,
        lrf=args.last_rate,
        cos_lr=True,
        warmup_epochs=args.warmup,
        val=False,
        plots=False,
        save_period=-1,
        resume=args.resume,
        mosaic=args.mosaic,
        close_mosaic=2,
        flipud=0.5,
        fliplr=0.5,
        degrees=0.0,
        scale=0.35,
        translate=0.1,
        hsv_h=0.03,
        hsv_s=0.5,
        hsv_v=0.35,
        erasing=0.0,
        max_det=100,
    )


if __name__ == "__main__":
    main()
