"""`schockauge learn collect`: an evening's known throws as a pack."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from device.commands.common import print_json, progress, settings_from
from device.packs import PackedThrow
from device.settings import Settings

NO_CONSENT = (
    "A pack may leave this device, so somebody must agree to it: --consent names who did and when, "
    'for instance --consent "Wirtin, 2026-01-31". It holds pictures of the mat with dice on it '
    "(hands may be seen, faces and names not) and is used to train and to measure the reading of "
    "dice. (Ein Paket kann dieses Gerät verlassen; --consent nennt, wer zugestimmt hat und wann.)"
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of this part."""
    parser.add_argument(
        "--store", type=Path, metavar="LOG", help="the evening; default: store.path"
    )
    parser.add_argument(
        "--stills", type=Path, metavar="DIR", help="its stills; default: store.evidence_dir"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the pack (zip)")
    parser.add_argument("--consent", metavar="TEXT", help="who agreed to it, and when")
    parser.add_argument(
        "--agreed",
        action="store_true",
        help="also sure throws that nobody objected to; no person looked at them on purpose",
    )


def run(args: argparse.Namespace) -> int:
    """Collect and pack; fails when there is nothing."""
    from device import packs
    from device.confirmed import find_known
    from device.errors import SourceError, UsageError
    from device.learning import pack_throws
    from device.records import entries

    consent = " ".join((args.consent or "").split())
    if not consent:
        raise UsageError(NO_CONSENT)
    settings = settings_from(args)
    log = args.store or Path(settings["store.path"])
    evening = find_known(entries(log), agreed=args.agreed)
    stills = args.stills or Path(settings["store.evidence_dir"])
    shown = progress(evening.throws, total=len(evening.throws), unit="throw")
    throws, missing = pack_throws(shown, stills)
    left_out = dict(Counter(evening.left_out) + Counter(missing))
    if not throws:
        raise SourceError(
            f"{log} holds no throw whose true dice a person told and whose still is in {stills}. "
            + _told(left_out)
            + "Answer the questions at the table, correct wrong throws there, or take the "
            "undisputed ones as well with --agreed."
        )
    date = datetime.fromtimestamp(evening.throws[0].at_s, UTC).date().isoformat()
    about = packs.about(
        throws, consent=consent, date=date, books=evening.books, models=_digests(throws, settings)
    )
    pack = packs.Pack(tuple(throws), about)
    packs.write_pack(args.out, pack)
    if args.json:
        print_json({**about, "how": pack.how(), "left_out": left_out, "file": str(args.out)})
        return 0
    how = ", ".join(f"{count} {name}" for name, count in pack.how().items())
    print(f"{args.out}: {len(throws)} Würfe, {about['dice']} Würfel ({how})")
    print(f"{args.out}: {len(throws)} throws, {about['dice']} dice ({how})")
    if left_out:
        print(_told(left_out).strip())
    return 0


def _told(left_out: dict[str, int]) -> str:
    if not left_out:
        return ""
    return f"Left out: {'; '.join(f'{n} times {why}' for why, n in left_out.items())}. "


def _digests(throws: Iterable[PackedThrow], settings: Settings) -> dict[str, str]:
    """Digests of the weights in use when all throws were read with them; else nothing."""
    from device import bootstrap_readers

    known = bootstrap_readers.manifest(settings)
    if any(throw.model != known.version for throw in throws):
        return {}
    return {name: network.sha256 for name, network in known.networks.items()}
