"""Does it help to train on real photographs, for photographs of elsewhere?

    python -m models.lab.leave_one_out ../shared/photos --finder f.pt --namer runs/namer \
        --pips runs/pips --set set4 set5 --find-set find/set4 find/set5
    schockauge bench photos ../shared/photos --models-by-source runs/loso

For every source, the synthetic namer (and with `--finder-epochs` the finder, which it did not help)
goes on for a while with the other sources in the mix, with `--pips-epochs` the pip finder, too
(`models.lab.photo_pips` marked the pips), and all are exported to OUT/SOURCE: networks that never
saw that source. `--all` mixes all sources in: what is shipped.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from .photos import labelled

PARTS = ("finder", "namer", "pips", "export")
DICE_PER_SOURCE = 8000
"""How often a source's dice are shown per pass, whatever their number."""


def _run(*words: object) -> None:
    print("+", *words[2:], flush=True)
    subprocess.run([str(word) for word in words], check=True)


def mix(args: argparse.Namespace, sources: dict[str, int], out: Path) -> None:
    """Train on these sources (name: dice) beside the rendered sets, and export to `out`."""
    lab = (sys.executable, "-W", "ignore", "-m")
    finder, namer, pips = args.finder, out / "runs" / "namer", args.pips
    if args.finder_epochs:
        finder = out / "runs" / "finder" / "weights" / "last.pt"
    if args.finder_epochs and "finder" in args.part and not finder.exists():
        find = [args.photos_out / "find" / name for name in sources]
        _run(
            *lab, "models.lab.train", *args.find_set, *find, "--from", args.finder,
            "--runs", out / "runs", "--name", "finder", "--epochs", args.finder_epochs,
            "--rate", 0.0006, "--last-rate", 0.03, "--warmup", 0.05, "--mosaic", 0,
            "--threads", args.threads,
        )  # fmt: skip
    times = {name: max(1, round(DICE_PER_SOURCE / dice)) for name, dice in sources.items()}
    photos = [f"{args.photos_out / name}*{times[name]}" for name in sources]
    if args.pips_epochs:
        pips = out / "runs" / "pips"
    for task, base, target, epochs in (
        ("namer", args.namer, namer, args.namer_epochs),
        ("pips", args.pips, pips, args.pips_epochs),
    ):
        if task in args.part and epochs and not (target / f"{task}.onnx").exists():
            _run(
                *lab, "models.lab.train_readers", task, *args.set, *photos,
                "--from", base / "last.pt", "--out", target, "--epochs", epochs,
                "--rate", 0.001, "--threads", args.threads,
            )  # fmt: skip
    if "export" in args.part:
        _run(
            *lab, "models.lab.export", "--finder", finder, "--namer", namer, "--pips", pips,
            *(("--stance", args.stance) if args.stance else ()),
            "--version", f"{args.version}-{out.name}", "--models", out,
        )  # fmt: skip


def main() -> None:
    """Command line; see the module's text."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("photos", type=Path)
    parser.add_argument("--finder", type=Path, required=True, help="last.pt of models.lab.train")
    parser.add_argument("--namer", type=Path, required=True, help="folder of train_readers namer")
    parser.add_argument("--pips", type=Path, required=True, help="folder of train_readers pips")
    parser.add_argument("--stance", type=Path, help="folder of train_stance, exported along")
    parser.add_argument("--set", type=Path, nargs="+", required=True, help="rendered sets")
    parser.add_argument("--find-set", type=Path, nargs="+", required=True, help="for the finder")
    parser.add_argument(
        "--part", nargs="+", choices=PARTS, default=list(PARTS), help="default: all of it"
    )
    parser.add_argument("--out", type=Path, default=Path("runs/loso"))
    parser.add_argument("--photos-out", type=Path, default=Path("photos"))
    parser.add_argument("--tiles", type=int, default=800, help="tiles per source")
    parser.add_argument("--finder-epochs", type=int, default=0)
    parser.add_argument("--namer-epochs", type=int, default=1)
    parser.add_argument("--pips-epochs", type=int, default=0)
    parser.add_argument("--only", metavar="SOURCE", help="leave out this one only")
    parser.add_argument("--all", action="store_true", help="leave none out")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--version", default="0.2.0")
    args = parser.parse_args()
    for name in ("finder", "namer", "pips", "stance", "out", "photos_out"):
        setattr(args, name, getattr(args, name) and getattr(args, name).resolve())
    for name in ("set", "find_set"):
        setattr(args, name, [folder.resolve() for folder in getattr(args, name)])
    dice: dict[str, int] = {}
    for photo in labelled(args.photos):
        dice[photo.source] = dice.get(photo.source, 0) + len(photo.values)
    if not args.photos_out.exists():
        _run(
            sys.executable, "-m", "models.lab.photos", "sets", args.photos, args.photos_out,
            "--tiles", args.tiles,
        )  # fmt: skip
    if args.all:
        mix(args, dice, args.out / "all")
        return
    for source in dice:
        if args.only and args.only not in source:
            continue
        mix(args, {name: n for name, n in dice.items() if name != source}, args.out / source)


if __name__ == "__main__":
    main()
