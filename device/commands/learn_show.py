"""`schockauge learn show`: what a pack holds."""

from __future__ import annotations

import argparse
from pathlib import Path

from device.commands.common import print_json


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of this part."""
    parser.add_argument("pack", type=Path, metavar="PACK", help="a pack of `learn collect`")
    parser.add_argument("--sheet", type=Path, metavar="FILE", help="draw its dice there (JPEG)")


def run(args: argparse.Namespace) -> int:
    """Print numbers, and draw the sheet."""
    from device.errors import SourceError
    from device.images import write_jpeg
    from device.packs import read_pack
    from device.sheet import contact_sheet

    pack = read_pack(args.pack)
    values = {value: pack.values()[value] for value in range(1, 7)}
    dice = [die for throw in pack.throws for die in throw.dice if die.value is not None]
    misread = sum(die.value != die.read for die in dice)
    if args.sheet:
        if not dice:
            raise SourceError(f"{args.pack} holds no die of known value to draw.")
        write_jpeg(args.sheet, contact_sheet(pack.throws))
    if args.json:
        print_json(
            {
                "file": str(args.pack),
                **{k: pack.about.get(k) for k in ("consent", "date", "books", "models")},
                "throws": len(pack.throws),
                "how": pack.how(),
                "dice": len(dice),
                "misread": misread,
                "values": values,
            }
        )
        return 0
    print(f"{args.pack}: {len(pack.throws)} throws, {len(dice)} dice, {misread} of them misread")
    print(f"consent: {pack.about.get('consent')}; date: {pack.about.get('date')}")
    for how, count in pack.how().items():
        print(f"  {how:<10} {count:4}")
    for value, count in values.items():
        print(f"  {value} {'#' * count} {count}")
    return 0
