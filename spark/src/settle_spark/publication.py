"""Reports at a URI: their parts are files of the shards' last steps, and they exist when their manifest does."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from .claim import CLAIM, Claim, claim_in, claimed
from .files import AT_ONCE, Extent, Place, pieces_of
from .steps import BUSY, INPUT_OUTPUT, OUTPUT_EXISTS, Failure
from .store import is_attempt

MANIFEST = "manifest.json"
_REPORTS = ("settlement", "exceptions", "fees", "receivers", "refunds", "preapprovals")
_TABLES = (
    ("settlement", "settlement.csv", 0), ("settlement", "refund-settlement.csv", 1),
    ("exceptions", "exceptions.csv", 0), ("refunds", "refunds.csv", 0),
)
_FEES = (("fees", "fees.csv", 0), ("fees", "refund-fees.csv", 1))
"""The parts in a shard's last step: report, file, and 1 for those that come after all shards' other parts. Those of
`fees` are there if the night shows the names of fees."""


def part_name(report: str, number: int) -> str:
    """The name of a part, as `settle merge --layout parts` writes it."""
    return f"{report}/part-{number:05d}.csv"


def parts_of(shard: int, shards: int, shows_names: bool) -> dict[str, str]:
    """The files of a shard's last step that are parts, by the parts' names, whose numbers no other shard has."""
    tables = _TABLES + _FEES if shows_names else _TABLES
    return {part_name(report, shard + behind * shards): file for report, file, behind in tables}


def can_write(name: str, shards: int) -> bool:
    """Whether a plan with this number of shards may write a file of this name into the folders of reports."""
    report, _, file = name.partition("/")
    if file == "_header.csv" or is_attempt(name):
        return True
    part = re.fullmatch(r"part-(\d{5,})\.csv", file)
    if not part:
        return False
    parts = {"settlement": 2 * shards, "fees": 2 * shards, "exceptions": shards, "refunds": shards, "preapprovals": 1}
    return report not in parts or int(part[1]) < parts[report]


def table_files() -> list[str]:
    """The files of a shard's last step that are parts."""
    return [file for _, file, _ in _TABLES + _FEES]


@dataclass(frozen=True)
class Part:
    """A part in the manifest, its bytes in W, and the size of the file at its published place, if any."""

    name: str
    size: int
    source: Extent
    found: int | None = None


@dataclass(frozen=True)
class Publication:
    """The directory of reports at a URI, and the claim of the job that writes there."""

    uri: str
    claim: Claim | None = None
    shards: int = 0
    """The number of shards of the job's plan."""

    @property
    def place(self) -> Place:
        """Where it is."""
        return Place(self.uri)

    def exist(self) -> bool:
        """Whether there are any reports."""
        return self.place.exists(MANIFEST)

    # The executors' part. They replace and remove nothing, so that a late attempt changes nothing that is published.

    def bring(self, name: str, sha256: str, pieces: Callable[[], Iterable[bytes]]) -> None:
        """Copies a part to where it is published, unless a file is there. Only the bytes of the digest arrive there."""

        def passed() -> Iterator[bytes]:
            found = hashlib.sha256()
            for piece in pieces():
                found.update(piece)
                yield piece
            if found.hexdigest() != sha256:
                raise Failure(INPUT_OUTPUT, f"{self.place.shown}/{name}: is not what its step made")

        self.place.write_new(name, passed)

    def fault(self, part: Part, work: Place) -> str | None:
        """Makes sure that a part exists, and copies it from W if not; returns what is wrong with the file there."""
        if part.found is None:
            if self.exist():
                raise Failure(INPUT_OUTPUT, f"{self.place.shown}: is published; {part.name} comes too late")
            self.bring(part.name, part.source.sha256, lambda: part.source.pieces(work))
        return None if self._stands(part) else f"{self.place.shown}/{part.name}: is not what was merged"

    def _stands(self, part: Part) -> bool:
        if part.size == 0:
            return True
        found = hashlib.sha256()
        reader = self.place.reader(part.name)
        for piece in reader.pieces(0, part.size):
            found.update(piece)
        return reader.size == part.size and found.hexdigest() == part.source.sha256

    # The driver's part.

    def take(self) -> tuple[Claim, bool]:
        """Claims the place for a plan, before anything else there is changed; returns the claim, and whether it was free.

        Raises if another plan has it (75), or if there are files in its folders that this plan would not write (73). If
        reports exist, they say what follows.
        """
        assert self.claim is not None
        entries = {entry.name: entry for entry in self.place.entries(recursive=True) if entry.is_file}
        if MANIFEST in entries:
            return self._own_claim() or self.claim, False
        is_free = CLAIM not in entries
        if is_free:
            others = [name for name in sorted(entries) if _is_of_a_report(name) and not can_write(name, self.shards)]
            if others:
                raise Failure(OUTPUT_EXISTS, f"{self.place.shown}: has files of another plan, such as {others[0]}; remove "
                                             "them if no job writes there, or name another directory")
            text = self.claim.text
            is_free = self.place.write_new(CLAIM, lambda: [text])
        # Some stores replace a file that they should leave.
        return self.expect_claimed(), is_free

    def expect_claimed(self) -> Claim:
        """The claim of the place; raises if it is another job's (75)."""
        found = self.place.find(CLAIM)
        if found is None:
            raise Failure(BUSY, f"{self.place.shown}: its {CLAIM} was deleted while this job was at work; the same command "
                                "goes on")
        claim = claim_in(found)
        if claim is None or not claim.is_of_same_job(self.claim):
            raise claimed(self.place.shown, claim)
        return claim

    def _own_claim(self) -> Claim | None:
        found = claim_in(self.place.find(CLAIM))
        return found if found and found.is_of_same_job(self.claim) else None

    def release(self) -> None:
        """Gives a claim back."""
        self.place.remove(CLAIM, is_file=True)

    def stand(self, source: str) -> bool:
        """Whether the reports of the manifest in a local directory exist; raises if other reports exist (73)."""
        found = self.place.find(MANIFEST)
        if found is None:
            return False
        if found != Path(source, MANIFEST).read_bytes():
            raise Failure(OUTPUT_EXISTS, f"{self.place.shown}: holds other reports already")
        return True

    def clear(self, parts: Mapping[str, int]) -> dict[str, int]:
        """Removes what this plan wrote except these parts, of these sizes, from their folders; returns what exists then.

        Raises if the place is not claimed by this job (75), or if there is a file that no job of this plan wrote (74).
        """
        stand: dict[str, int] = {}
        left = []
        for entry in self.place.entries(recursive=True):
            is_part = _is_of_a_report(entry.name)
            if is_part and entry.is_file and parts.get(entry.name) == entry.size:
                stand[entry.name] = entry.size
            elif entry.is_file and is_part and not can_write(entry.name, self.shards):
                raise Failure(INPUT_OUTPUT, f"{self.place.shown}/{entry.name}: is not a part of this job; remove it if no "
                                            "other job writes there. The same command continues")
            elif entry.is_file and (is_part or is_attempt(entry.name)):
                left.append(entry.name)
        if left:
            self.expect_claimed()
        self.remove(left)
        return stand

    def remove(self, parts: Iterable[str]) -> None:
        """Removes parts."""
        self.place.remove_files(parts)

    def discard(self) -> None:
        """Unless reports exist, removes all parts and the claim, and the directory if nothing else is in it."""
        entries = {entry.name for entry in self.place.entries()}
        if MANIFEST in entries or CLAIM not in entries or self._own_claim() is None:
            return
        self.place.end_writes()
        for report in entries & set(_REPORTS):
            self.place.remove(report)
        if entries - {*_REPORTS, CLAIM}:
            self.release()
        else:
            self.place.remove("")

    def complete(self, source: str, parts: Mapping[str, int]) -> None:
        """Uploads everything except parts from a local directory, the manifest last.

        No task may run any more: these parts, and no others, must be there. The claim is there already.
        """
        if self.stand(source):
            return
        self.place.end_writes()
        if self.clear(parts) != parts:
            raise Failure(INPUT_OUTPUT, f"{self.place.shown}: is changed by others; the same command continues")
        files = [str(file.relative_to(source)) for file in Path(source).rglob("*") if file.is_file()]

        def upload(file: str) -> None:
            self.place.write(file, lambda: pieces_of(os.path.join(source, file)))

        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(upload, [file for file in files if file not in (MANIFEST, CLAIM)]))
        self.expect_claimed()
        if not self.place.write_new(MANIFEST, lambda: pieces_of(Path(source, MANIFEST))):
            self.stand(source)


def _is_of_a_report(name: str) -> bool:
    """Whether a file is in a folder of parts."""
    return name.startswith(tuple(f"{report}/" for report in _REPORTS))
