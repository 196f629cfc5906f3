"""Is an evening unchanged? The chain of the log, and every file of evidence that it speaks of.

The log is read entry by entry; the first that does not fit is named, with what was expected and
what was found. Behind it the chain proves nothing any more, but what the entries say of files is
still compared with the files. Of an export every byte counts: each line has one spelling, the last
one names the rule book and all other files, and an archive is sealed as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from device.chain import GENESIS, LogEntry, seal_of
from device.mentions import Mention, Mentions
from device.proof_files import Files, UnreadableError
from device.proof_logs import Read

LOG, EVIDENCE = "log.jsonl", "evidence/"
"""Names in an export: the log, and the folder of the files of evidence."""

TEXTS: Mapping[str, tuple[str, str]] = {
    "entry_unreadable": (
        "Eintrag {seq} ist nicht zu lesen: {found}.",
        "Entry {seq} cannot be read: {found}.",
    ),
    "entry_number": (
        "Auf Eintrag {before} folgt Eintrag {found}: Da fehlen Einträge.",
        "Entry {before} is followed by entry {found}: entries are missing.",
    ),
    "entry_previous": (
        "Eintrag {seq} schließt nicht an den davor an: Er nennt {found}, der davor ist {expected}.",
        "Entry {seq} does not follow the one before: it names {found}, that one is {expected}.",
    ),
    "entry_hash": (
        "Eintrag {seq} ({type}) wurde verändert: Sein Inhalt ergibt {expected}, versiegelt ist "
        "{found}.",
        "Entry {seq} ({type}) was changed: its content gives {expected}, it was sealed as {found}.",
    ),
    "entry_spelling": (
        "Eintrag {seq} ist anders geschrieben als versiegelt: erwartet {expected}, gefunden "
        "{found}.",
        "Entry {seq} is written otherwise than it was sealed: expected {expected}, found {found}.",
    ),
    "log_end": (
        "Das Ende des Protokolls fehlt: Nach Eintrag {before} müsste stehen, was exportiert wurde.",
        "The end of the log is missing: entry {before} should be followed by what was exported.",
    ),
    "file_missing": (
        "{name} fehlt (Eintrag {seq} nennt die Datei).",
        "{name} is missing (entry {seq} names it).",
    ),
    "file_changed": (
        "{name} wurde verändert (Eintrag {seq}): erwartet {expected}, gefunden {found}.",
        "{name} was changed (entry {seq}): expected {expected}, found {found}.",
    ),
    "file_unmentioned": (
        "{name} kommt im Protokoll nicht vor.",
        "{name} is not mentioned in the log.",
    ),
    "archive_changed": (
        "Das Archiv wurde nach dem Export verändert: erwartet {expected}, gefunden {found}.",
        "The archive was changed after the export: expected {expected}, found {found}.",
    ),
}
"""What is wrong, in words: German and English."""


@dataclass(frozen=True)
class Finding:
    """Something that is not as it was.

    Attributes:
        code: a key of `TEXTS`.
        seq: of the entry that it is about; None: of none.
        name: of the file that it is about; "": of none.
        expected: what should be there.
        found: what is there.
        more: what else the words need.
    """

    code: str
    seq: int | None = None
    name: str = ""
    expected: str = ""
    found: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)

    def text(self, language: str) -> str:
        """A sentence in German (`de`) or English (`en`)."""
        words: dict[str, Any] = {"seq": self.seq, "name": self.name, **self.more}
        words |= {"expected": self.expected, "found": self.found}
        return TEXTS[self.code][language == "en"].format(**words)


@dataclass
class Proof:
    """What a check has come to.

    Attributes:
        entries: how many fit, from the first one on.
        seal: hash of the last of them: who notes it on paper can tell later that nothing behind
            it was cut off and nothing before it was sealed anew.
        files: how many files were compared.
        dropped: how many were deleted, as the log says.
        findings: what is wrong; empty: the evening is unchanged.
        looked_at_files: False when only the log was there.
    """

    entries: int = 0
    seal: str = GENESIS
    files: int = 0
    dropped: int = 0
    findings: list[Finding] = field(default_factory=list)
    looked_at_files: bool = False


def prove_log(lines: Iterable[Read], files: Files | None) -> Proof:
    """Check a log and the folder of its evidence.

    Args:
        lines: of the log, oldest first.
        files: the folder; None: only the log is checked.
    """
    proof = Proof()
    mentions = _prove_chain(lines, proof)
    proof.dropped = len(mentions.dropped)
    if files is not None:
        _compare(mentions.expected(), files, proof)
    return proof


def prove_export(lines: Iterable[Read], files: Files) -> Proof:
    """Check an exported evening.

    Args:
        lines: of its log, oldest first.
        files: all its files, the log among them.
    """
    proof = Proof()
    mentions = _prove_chain(lines, proof)
    proof.dropped = len(mentions.dropped)
    end = mentions.exported
    if end is None or (not proof.findings and end.seq != proof.entries):
        proof.findings.append(Finding("log_end", more={"before": proof.entries}))
    expected = mentions.expected(None if end is None else _upto(end))
    named = {f"{EVIDENCE}{name}": mention for name, mention in expected.items()}
    if end is not None and isinstance(others := end.data.get("others"), dict):
        for name, digest in others.items():
            named[str(name)] = Mention(end.seq, end.seq, end.at_s, str(digest))
    _compare(named, files, proof, besides={LOG})
    for problem in files.problems():
        expected_text, found = problem
        proof.findings.append(Finding("archive_changed", expected=expected_text, found=found))
    return proof


def _prove_chain(lines: Iterable[Read], proof: Proof) -> Mentions:
    """Check a log up to the first entry that does not fit; returns what all entries mention."""
    mentions, broken = Mentions(), False
    for line in lines:
        if not broken and (finding := _wrong_with(line, proof)) is not None:
            proof.findings.append(finding)
            broken = True
        if line.entry is None:
            continue
        mentions.take(line.entry)
        if not broken:
            proof.entries, proof.seal = line.entry.seq, line.entry.hash
    return mentions


def _wrong_with(line: Read, proof: Proof) -> Finding | None:
    entry, seq = line.entry, proof.entries + 1
    if entry is None:
        return Finding("entry_unreadable", seq, expected="a sealed entry", found=line.problem)
    if entry.seq != seq:
        numbers = {"before": proof.entries}
        return Finding("entry_number", seq, expected=str(seq), found=str(entry.seq), more=numbers)
    if entry.previous != proof.seal:
        return Finding("entry_previous", seq, expected=proof.seal, found=str(entry.previous))
    if (sealed := seal_of(entry)) != entry.hash:
        more = {"type": entry.type}
        return Finding("entry_hash", seq, expected=sealed, found=str(entry.hash), more=more)
    if line.written != line.spelling:
        expected, found = _difference(line.spelling, line.written)
        return Finding("entry_spelling", seq, expected=expected, found=found)
    return None


def _difference(expected: str, found: str, around: int = 12) -> tuple[str, str]:
    """Where two texts begin to differ, quoted."""
    both = zip(expected, found, strict=False)
    at = next((n for n, (a, b) in enumerate(both) if a != b), min(len(expected), len(found)))
    begin = max(0, at - around)
    return repr(expected[begin : at + around]), repr(found[begin : at + around])


def _upto(end: LogEntry) -> int:
    upto = end.data.get("seq")
    return upto if isinstance(upto, int) else end.seq


def _compare(
    expected: Mapping[str, Mention], files: Files, proof: Proof, besides: Iterable[str] = ()
) -> None:
    """Compare files with what the log says of them."""
    proof.looked_at_files = True
    there = set(files.names())
    for name, said in sorted(expected.items(), key=lambda item: (item[1].seq, item[0])):
        if name not in there:
            missing = Finding("file_missing", said.seq, name, expected=said.sha256, found="no file")
            proof.findings.append(missing)
            continue
        proof.files += 1
        try:
            found = files.sha256(name)
        except UnreadableError as error:
            found = str(error)
        if found != said.sha256:
            proof.findings.append(Finding("file_changed", said.seq, name, said.sha256, found))
    for name in sorted(there - set(expected) - set(besides)):
        proof.findings.append(Finding("file_unmentioned", None, name, "no file", "a file"))
