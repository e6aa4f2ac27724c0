"""The work directory W: a folder that all machines see, or one on a file system that pyarrow reads."""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from .files import AGAIN, AT_ONCE, PIECE, Extent, Place, digest, expect_digest, pieces_of
from .steps import INPUT_OUTPUT, STEP, Failure
from .store import is_attempt, sync

PLAN = "plan.json"
GATHER, ACCOUNTS = "gather", "accounts"
PUBLISHED = "published.json"
"""What is written when the reports are published: a job that finds it only has to remove W."""
SUMS = "SHA256SUMS"
SMALL = 1 << 16
"""The most bytes of a step's files that go to the driver with its result; it copies larger ones from W."""
_HEAD_END = "#\n"
"""The line before the files of a step that is one file; the lines before it are `SHA256SUMS` and places."""
_FILES = "files"
"""The file at a URI that has all files of a step except `SHA256SUMS`."""
_SHARDS, _GATHERED, PARTS = "shards", "gathered", "parts"
_FOLDERS = (_SHARDS, _GATHERED, PARTS)
"""The folders at a URI: steps before the gathering, those after it, and what executors write for Spark's steps."""
_ATTEMPT = rf"\.(?:{STEP}|parts)\..+|\.{re.escape(PLAN)}\..+|\.{re.escape(PUBLISHED)}\..+"
"""The names of leftovers of attempts in a folder."""


def listed(sums: str) -> dict[str, str]:
    """The digests of a step's files, by name."""
    return {name: sum for sum, _, name in (line.partition("  ") for line in sums.splitlines()) if name}


@dataclass(frozen=True)
class Step:
    """A finished step: its SHA256SUMS, and its directory; or the one file that has all its files, and their places."""

    name: str
    path: str
    sums: str
    places: tuple[tuple[str, int, int], ...] | None = None

    @property
    def files(self) -> list[str]:
        """The names of its files."""
        return list(listed(self.sums))

    def extent(self, file: str) -> Extent:
        """Where a file is, below W."""
        found = listed(self.sums).get(file)
        places = [(f"{self.path}/{file}", 0, -1)] if self.places is None else [
            (self.path, offset, length) for name, offset, length in self.places if name == file]
        if found is None or not places or not self.sums.endswith("\n"):
            raise Failure(INPUT_OUTPUT, f"{self.path}: is damaged: {SUMS} does not name {file}; {AGAIN}")
        return Extent(*places[0], found)


def _choice(gather: Step) -> str:
    """The file with the name of the attempt of `accounts` that was chosen for a gathering."""
    return f"{_GATHERED}/{ACCOUNTS}.{gather.extent('gather.json').sha256}"


@dataclass(frozen=True)
class Work:
    """A work directory: an absolute path that every machine sees, or a URI; and the SHA-256 of its plan."""

    name: str
    plan: str = ""

    @property
    def place(self) -> Place:
        """Where it is."""
        return Place(self.name)

    @property
    def is_remote(self) -> bool:
        """Whether steps are done in scratch directories and then uploaded."""
        return self.place.is_remote

    @property
    def shown(self) -> str:
        """Its name for people."""
        return self.place.shown

    def told(self, message: str, directory: str) -> str:
        """A step's message with W instead of a local directory. At a URI, commands on paths repair no step."""
        message = message.replace(directory, self.shown)
        return re.sub(r"(?:do that step (?:again|first)|\d+ steps share it; do them again): .*", AGAIN, message) \
            if self.is_remote else message

    def step(self, name: str) -> Step:
        """A finished step in a folder."""
        try:
            return Step(name, name, Path(self.name, name, SUMS).read_text("utf-8", "replace"))
        except OSError as error:
            raise Failure(INPUT_OUTPUT, f"{self.name}/{name}: cannot be read: {error}; {AGAIN}") from error

    def find(self) -> dict[str, Step]:
        """The finished steps.

        In a folder a step has its name when it is complete; at a URI an attempt counts when it has its digests, and the
        digest of this plan in its name. Of `accounts` it is the attempt that was chosen.
        """
        if not self.is_remote:
            names = os.listdir(self.name) if os.path.isdir(self.name) else []
            return {name: self.step(name) for name in names if re.fullmatch(STEP, name)}
        attempts: dict[str, str] = {}
        for directory, counts in self._attempts().items():
            name, _, plan = os.path.basename(directory).rpartition(".")[0].partition(".")
            if counts and plan == self.plan:
                attempts.setdefault(name, f"{directory}/{_FILES}")
        accounts = attempts.pop(ACCOUNTS, None)
        with ThreadPoolExecutor(AT_ONCE) as pool:
            found = {step.name: step for step in pool.map(self._uploaded, attempts, attempts.values())}
        if accounts and GATHER in found:
            chosen = self._chosen(found[GATHER])
            if chosen:
                found[ACCOUNTS] = chosen
        return found

    def _attempts(self) -> dict[str, bool]:
        """The directories of attempts of steps, in order, and whether each counts."""
        found: dict[str, bool] = {}
        for folder in (_SHARDS, _GATHERED):
            for entry in self.place.entries(folder, recursive=True):
                attempt = re.fullmatch(rf"({STEP}(?:\.[0-9a-f]+)+)/(.+)", entry.name)
                if attempt and entry.is_file:
                    directory = f"{folder}/{attempt[1]}"
                    found[directory] = found.get(directory, False) or attempt[2] == SUMS
        return dict(sorted(found.items()))

    def _uploaded(self, name: str, path: str) -> Step:
        reader = self.place.reader(path)
        head = reader.some(0, 1 << 12)
        while f"\n{_HEAD_END}".encode() not in head and len(head) < reader.size:
            head += reader.some(len(head), len(head))
        text = head.decode("utf-8", "replace").partition(f"\n{_HEAD_END}")[0] + "\n"
        start = len(text.encode()) + len(_HEAD_END)
        places = re.findall(r"^# (\d+) (\d+) (.+)$", text, re.MULTILINE)
        return Step(name, path, "".join(re.findall(r"^[^#].*\n", text, re.MULTILINE)),
                    tuple((file, start + int(offset), int(length)) for offset, length, file in places))

    def rows(self, steps: Iterable[Step], file: str, local: str) -> list[Extent]:
        """Where a file of steps is, unless it is empty; with its content, if that came to this machine already."""
        found = []
        for step in steps:
            extent, copy = step.extent(file), Path(local, step.name, file)
            if 0 < extent.length <= SMALL and copy.exists():
                extent = replace(extent, content=copy.read_bytes())
            found += [extent] if extent.length else []
        return found

    def held(self, step: Step, files: Iterable[str], local: str) -> dict[str, bytes]:
        """Files of a step, if all of them are small and came to this machine already; otherwise none."""
        copies = [Path(local, step.name, file) for file in files]
        if not self.is_remote or not all(copy.exists() for copy in copies):
            return {}
        small = sum(copy.stat().st_size for copy in copies) <= SMALL
        return {copy.name: copy.read_bytes() for copy in copies} if small else {}

    @property
    def _again(self) -> str:
        return f"{_SHARDS}/again.{self.plan}" if self.is_remote else f"again.{self.plan}"

    def note_again(self, accounts: int) -> None:
        """Notes that the shards are gathered again, and the most parts of accounts of any gathering before."""
        self.place.write(self._again, lambda: [str(accounts).encode()])

    def gathered_again(self) -> int | None:
        """The most parts of accounts of earlier gatherings, if there were any."""
        found = self.place.find(self._again)
        return None if found is None else int(found)

    # Everything below, except the removal, is only called if W is remote.

    def upload(self, name: str, source: str) -> Step:
        """Uploads a finished step under the attempt's own name: its files in one, then its digests."""
        folder = _SHARDS if re.match("hash|run", name) else _GATHERED
        directory = f"{folder}/{name}.{self.plan}.{secrets.token_hex(8)}"
        step, pieces = packed(name, f"{directory}/{_FILES}", source)
        self.place.write(step.path, pieces)
        self.place.write(f"{directory}/{SUMS}", lambda: [step.sums.encode()])
        return step

    def choose(self, accounts: Step, gather: Step) -> Step:
        """The attempt of `accounts` that all jobs with this W use: the first one that is chosen for a gathering.

        Where Spark divides accounts differs, and so do the parts; all else depends on plan and batch alone.
        """
        chosen = os.path.basename(os.path.dirname(accounts.path))
        if self.place.write_new(_choice(gather), lambda: [chosen.encode()]):
            return accounts
        return self._chosen(gather) or accounts

    def _chosen(self, gather: Step) -> Step | None:
        chosen = self.place.find(_choice(gather))
        return self._uploaded(ACCOUNTS, f"{_GATHERED}/{chosen.decode()}/{_FILES}") if chosen else None

    def fetch(self, steps: Iterable[tuple[Step, Iterable[str]]], into: str) -> None:
        """Copies files of steps into a local work directory, and compares them with their digests; those that a step
        does not have, or that are there, are left out. No names mean all files.
        """
        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(lambda wanted: self._fetch(wanted[0], wanted[1], into), steps))

    def _fetch(self, step: Step, files: Iterable[str], into: str) -> None:
        target = Path(into, step.name)
        target.mkdir(mode=0o700, exist_ok=True)
        (target / SUMS).write_text(step.sums)
        names = set(files) or set(step.files)
        wanted = [place for place in step.places or () if place[0] in names and not (target / place[0]).exists()]
        reader = self.place.reader(step.path)
        while wanted:
            # Small files that are close together are read at once.
            start, end = wanted[0][1], wanted[0][1] + wanted[0][2]
            group = [wanted.pop(0)]
            while wanted and wanted[0][1] + wanted[0][2] - start <= PIECE // 2:
                group.append(wanted.pop(0))
                end = group[-1][1] + group[-1][2]
            held = reader.read(start, end - start) if len(group) > 1 else None
            for file, offset, length in group:
                found = sha256()
                with open(target / file, "wb") as copy:
                    for piece in (reader.pieces(offset, offset + length) if held is None else
                                  [held[offset - start:offset - start + length]]):
                        found.update(piece)
                        copy.write(piece)
                expect_digest(found.hexdigest(), step.extent(file).sha256, f"{self.shown}/{step.path}: {file}")

    def hand_back(self, step: Step, files: dict[str, bytes], into: str) -> None:
        """Puts files of a step that came with its result, or with a task, into a local work directory."""
        for file, content in files.items():
            target = Path(into, step.name, file)
            target.parent.mkdir(mode=0o700, exist_ok=True)
            target.write_bytes(content)
            target.with_name(SUMS).write_text(step.sums)

    def remove_gathered(self) -> None:
        """Removes the gathering and the steps after it."""
        self.place.remove(_GATHERED)

    def remove_attempts(self, steps: Iterable[Step]) -> None:
        """Removes what was left by attempts that were killed or came second."""
        if self.is_remote:
            self.place.remove(PARTS)
            left = sorted(self._attempts().keys() - {os.path.dirname(step.path) for step in steps})
        else:
            left = [name for name in os.listdir(self.name) if re.fullmatch(_ATTEMPT, name)]
        for name in left:
            self.place.remove(name, is_file=not self.is_remote and os.path.isfile(os.path.join(self.name, name)))

    def remove(self) -> None:
        """Removes what settle left in W, the plan last, and W itself if nothing else is in it."""
        place = self.place
        if self.is_remote:
            folders = tuple(f"{folder}/" for folder in _FOLDERS)
            place.remove_files([entry.name for entry in place.entries(recursive=True)
                                if entry.is_file and entry.name.startswith(folders)])
        else:
            self.remove_attempts(())
            place.remove(self._again, is_file=True)
            for name in os.listdir(self.name):
                if re.fullmatch(STEP, name):
                    shutil.rmtree(os.path.join(self.name, name))
        place.end_writes()
        for file in (PUBLISHED, PLAN):
            place.remove(file, is_file=True)
        # A late attempt may have come meanwhile.
        left = place.entries()
        own = [entry for entry in left if self.is_remote and (is_attempt(entry.name) or entry.name in _FOLDERS)]
        for entry in own:
            place.remove(entry.name, is_file=entry.is_file)
        if len(own) == len(left):
            place.remove("")


def packed(name: str, path: str, source: str) -> tuple[Step, Callable[[], Iterator[bytes]]]:
    """A step in a local directory as one file, and the bytes of that."""
    sums, places = Path(source, SUMS).read_text(), []
    files, offset = sorted(listed(sums)), 0
    for file in files:
        length = os.path.getsize(os.path.join(source, file))
        places.append((file, offset, length))
        offset += length
    head = (sums + "".join(f"# {offset} {length} {file}\n" for file, offset, length in places) + _HEAD_END).encode()

    def pieces() -> Iterator[bytes]:
        yield head
        for file in files:
            yield from pieces_of(os.path.join(source, file))

    return Step(name, path, sums, tuple((file, len(head) + offset, length) for file, offset, length in places)), pieces


def unpack(step: Step, copy: str, into: str) -> None:
    """Puts the files of a step into a local work directory, from a local copy of its one file."""
    target = Path(into, step.name)
    target.mkdir(mode=0o700)
    (target / SUMS).write_text(step.sums)
    with open(copy, "rb") as source:
        for file, offset, length in step.places or ():
            source.seek(offset)
            with open(target / file, "wb") as made:
                while length:
                    piece = source.read(min(length, PIECE))
                    made.write(piece)
                    length -= len(piece)


@contextmanager
def step_directory(work: str, name: str) -> Iterator[str]:
    """A directory for a step that Spark's shuffle makes in a local work directory. It gets its digests and its name at
    the end of the block.
    """
    attempt = os.path.join(work, f".{name}.{secrets.token_hex(8)}")
    os.mkdir(attempt, 0o700)
    try:
        yield attempt
        files = sorted(os.listdir(attempt))
        Path(attempt, SUMS).write_text("".join(f"{digest(Path(attempt, file))}  {file}\n" for file in files))
        for file in [*files, SUMS, "."]:
            sync(os.path.join(attempt, file))
        try:
            os.rename(attempt, os.path.join(work, name))
        except OSError as error:
            if not os.path.isdir(os.path.join(work, name)):
                raise Failure(INPUT_OUTPUT, f"{work}/{name}: cannot be made: {error.strerror}") from error
        sync(work)
    finally:
        shutil.rmtree(attempt, ignore_errors=True)

