"""The same pictures with the finder's four classes: `python -m models.lab.finder_set OUT SET...`.

The finder says where a die lies, not what it shows: one class for the six values. Pictures are
linked, not copied; a set that has grown is completed by the same command.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from tqdm import tqdm

FINDS = ("die", "tower", "burning", "cup")
VALUES = 6


def finder_class(class_id: int) -> int:
    """0..5 (a die's value), 6 tower, 7 burning, 8 cup to the index in `FINDS`."""
    return max(0, class_id - VALUES + 1)


def relabelled(text: str) -> str:
    """A YOLO label file's text with the finder's classes."""
    rows = (line.split(maxsplit=1) for line in text.splitlines() if line.strip())
    return "\n".join(f"{finder_class(int(name))} {rest}" for name, rest in rows)


def convert(source: Path, out: Path) -> int:
    """Link the pictures of a set and write its labels anew; returns how many pictures it holds."""
    files = sorted(source.glob("images/*/*.jpg"))
    for file in tqdm(files, unit="picture", desc=source.name):
        split = file.parent.name
        label = source / "labels" / split / f"{file.stem}.txt"
        picture = out / "images" / split / file.name
        if picture.exists() or not label.exists() or file.stem.endswith(".part"):
            continue
        target = out / "labels" / split / label.name
        picture.parent.mkdir(parents=True, exist_ok=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(relabelled(label.read_text()))
        os.link(file, picture)
    return len(files)


def main() -> None:
    """Command line; see the module's text."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("sets", nargs="+", type=Path, help="folders made by models.lab.dataset")
    args = parser.parse_args()
    for folder in args.sets:
        convert(folder, args.out / folder.name)


if __name__ == "__main__":
    main()
