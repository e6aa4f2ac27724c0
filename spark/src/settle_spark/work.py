"""The work directory W: a folder that all machines see, or one on a file system that pyarrow reads."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyarrow import fs

from .steps import INPUT_OUTPUT, STEP, UNREADABLE, Failure

PLAN = "plan.json"
SUMS = "SHA256SUMS"
_PIECE = 4 << 20
COPIES_AT_ONCE = 8
_AHEAD = 1 << 18
"""The number of bytes read from a remote file if headers of its blocks are asked for."""
_ATTEMPT = rf"\.?(?:{STEP}|parts)\..+|\.{re.escape(PLAN)}\..+"
"""The names of leftovers of attempts that no longer count."""


def is_uri(name: str) -> bool:
    """Whether a name is a URI, not a path."""
    return re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", name) is not None


def pass_on(source: Any, target: Any = None) -> str:
    """Copies the rest of a stream into another one, if one is given; returns its SHA-256."""
    sha256 = hashlib.sha256()
    while piece := source.read(_PIECE):
        sha256.update(piece)
        if target is not None:
            target.write(piece)
    return sha256.hexdigest()


def digest(path: str | Path) -> str:
    """The SHA-256 of a local file."""
    with open(path, "rb") as file:
        return pass_on(file)


def listed(sums: bytes) -> dict[str, str]:
    """The digests of a step's files, by name."""
    return {name: sum for sum, _, name in (line.partition("  ") for line in sums.decode("utf-8", "replace").splitlines())}


def scratch_parent() -> str | None:
    """The directory for an executor's temporary files: one that Spark or YARN gave it, else the system's."""
    names = os.environ.get("LOCAL_DIRS") or os.environ.get("SPARK_LOCAL_DIRS") or ""
    return next((name for name in names.split(",") if os.path.isdir(name)), None)


@dataclass(frozen=True)
class BatchFile:
    """A file of the batch that pyarrow reads, by a URI or a path."""

    name: str

    def _open(self) -> tuple[Any, str]:
        uri = self.name if is_uri(self.name) else Path(os.path.abspath(self.name)).as_uri()
        system, path = fs.FileSystem.from_uri(uri)
        return system, path

    def version(self) -> str:
        """Its size and modification time: if these differ, it is another file."""
        system, path = self._open()
        found = system.get_file_info(path)
        if found.type != fs.FileType.File:
            raise Failure(UNREADABLE, f"{self.name}: is not a file")
        return f"{found.size} {found.mtime_ns or 0}"

    def pieces(self, offset: int) -> Iterator[bytes]:
        """Its bytes from an offset on."""
        system, path = self._open()
        with system.open_input_file(path) as file:
            file.seek(offset)
            while piece := file.read(_PIECE):
                yield piece

    def ranges(self) -> Callable[[int, int], bytes]:
        """A function that reads a number of bytes at an offset, and slightly ahead."""
        system, path = self._open()
        file = system.open_input_file(path)
        start, held = 0, b""

        def read(offset: int, length: int) -> bytes:
            nonlocal start, held
            if not start <= offset <= offset + length <= start + len(held):
                start, held = offset, file.read_at(max(length, _AHEAD), offset)
            found = held[offset - start:offset - start + length]
            if len(found) < length:
                raise Failure(INPUT_OUTPUT, f"{self.name}: was cut while it was read")
            return found

        return read


@dataclass(frozen=True)
class Work:
    """A work directory: an absolute path that every machine sees, or a URI."""

    name: str

    @property
    def is_remote(self) -> bool:
        """Whether steps are done locally and then uploaded."""
        return is_uri(self.name)

    @property
    def uri(self) -> str:
        """Its name in the form for pyarrow."""
        return self.name if self.is_remote else Path(self.name).as_uri()

    def open(self) -> tuple[Any, str]:
        """Its file system and its path there."""
        system, path = fs.FileSystem.from_uri(self.uri)
        return system, path.rstrip("/")

    def for_spark(self, directory: str, file: str) -> str:
        """A file of a step in the form for Spark's own readers, where S3 has another scheme."""
        base = self.name if self.is_remote else f"file://{self.name}"
        return f"{re.sub('^s3:', 's3a:', base)}/{directory}/{file}"

    def standing(self) -> dict[str, str]:
        """The finished steps, each with its directory.

        In a folder a step has its name when it is complete; at a URI an attempt counts when its digests exist.
        """
        if not self.is_remote:
            return {name: name for name in os.listdir(self.name) if re.fullmatch(STEP, name)}
        system, path = self.open()
        found: dict[str, str] = {}
        for entry in sorted(system.get_file_info(fs.FileSelector(path, allow_not_found=True, recursive=True)),
                            key=lambda entry: str(entry.path)):
            directory, _, file = entry.path[len(path) + 1:].partition("/")
            step = re.fullmatch(rf"({STEP})\.[0-9a-f]+", directory)
            if step and file == SUMS:
                found.setdefault(step[1], directory)
        return found

    def read(self, directory: str, file: str) -> bytes:
        """A small file of a step."""
        system, path = self.open()
        with system.open_input_stream(os.path.normpath(f"{path}/{directory}/{file}")) as stream:
            return bytes(stream.read())

    def fault(self, directory: str, files: Iterable[str]) -> str | None:
        """What is wrong with files of a step, or with any file if none is named; settle makes the same checks."""
        system, path = self.open()
        try:
            text = self.read(directory, SUMS)
            sums = listed(text)
            if not text.endswith(b"\n"):
                return f"{self.name}/{directory}/{SUMS}: is damaged: it was cut short"
            for file in files or sums:
                if file not in sums:
                    return f"{self.name}/{directory}/{SUMS}: is damaged: it does not name {file}"
                with system.open_input_stream(f"{path}/{directory}/{file}") as stream:
                    found = pass_on(stream)
                if sums[file] == found:
                    continue
                # In the digest of another file, nearly all digits differ.
                same = sum(one == other for one, other in zip(found, sums[file]))
                wrong = SUMS if len(sums[file]) != 64 or same > 32 else file
                return f"{self.name}/{directory}/{wrong}: is damaged; remove its directory and do that step again"
        except OSError as error:
            return f"{self.name}/{directory}: cannot be read: {error}"
        return None

    def exists(self, file: str) -> bool:
        system, path = self.open()
        return bool(system.get_file_info(f"{path}/{file}").type == fs.FileType.File)

    # Everything below, except the removal, is only called if W is remote.

    def fetch(self, wanted: Iterable[tuple[str, str, tuple[str, ...]]], scratch: str) -> None:
        """Copies steps into a local work directory, unless they are there.

        For each: its name, its directory, and the wanted files that it may have; none means all.
        """
        system, path = self.open()
        copies: list[tuple[str, str]] = []
        for name, directory, files in wanted:
            target = os.path.join(scratch, name)
            os.makedirs(target, mode=0o700, exist_ok=True)
            sums = self.read(directory, SUMS)
            Path(target, SUMS).write_bytes(sums)
            copies += [
                (f"{path}/{directory}/{file}", f"{target}/{file}")
                for file in listed(sums) if (not files or file in files) and not os.path.exists(f"{target}/{file}")
            ]

        def copy(pair: tuple[str, str]) -> None:
            with system.open_input_stream(pair[0]) as source, open(pair[1], "wb") as target:
                shutil.copyfileobj(source, target, _PIECE)

        with ThreadPoolExecutor(COPIES_AT_ONCE) as pool:
            list(pool.map(copy, copies))

    def fetch_file(self, file: str, target: str) -> None:
        """Copies a file that belongs to no step."""
        system, path = self.open()
        with system.open_input_stream(f"{path}/{file}") as source, open(target, "wb") as copy:
            shutil.copyfileobj(source, copy, _PIECE)

    def upload_file(self, source: str, file: str) -> None:
        """Uploads a file under a name below W."""
        system, path = self.open()
        system.create_dir(f"{path}/{file}".rpartition("/")[0], recursive=True)
        with open(source, "rb") as stream, system.open_output_stream(f"{path}/{file}") as target:
            shutil.copyfileobj(stream, target, _PIECE)

    def upload(self, name: str, source: str) -> None:
        """Uploads a finished step under the attempt's own name, its digests last."""
        directory = f"{name}.{secrets.token_hex(8)}"
        for file in sorted(os.listdir(source), key=lambda file: (file == SUMS, file)):
            self.upload_file(os.path.join(source, file), f"{directory}/{file}")

    def remove_steps(self, pattern: str) -> None:
        """Removes all attempts of the steps whose names match."""
        system, path = self.open()
        for entry in system.get_file_info(fs.FileSelector(path, allow_not_found=True)):
            if re.fullmatch(rf"\.?(?:{pattern})(?:\..*)?", entry.base_name):
                system.delete_dir(entry.path)

    def remove_attempts(self) -> None:
        """Removes what was left by attempts that were killed or came second."""
        standing = set(self.standing().values())
        system, path = self.open()
        for entry in system.get_file_info(fs.FileSelector(path, allow_not_found=True)):
            if re.fullmatch(_ATTEMPT, entry.base_name) and entry.base_name not in standing:
                (system.delete_dir if entry.type == fs.FileType.Directory else system.delete_file)(entry.path)

    def remove(self) -> None:
        """Removes what settle left in W, the plan last, and W itself if nothing else is in it."""
        self.remove_attempts()
        self.remove_steps(rf"{STEP}|parts")
        system, path = self.open()
        system.delete_file(f"{path}/{PLAN}")
        if not system.get_file_info(fs.FileSelector(path, allow_not_found=True)):
            system.delete_dir(path)


@contextmanager
def step_directory(work: Work, name: str, scratch: str) -> Iterator[str]:
    """A directory for a step that Spark's shuffle makes. It gets its digests and its name at the end of the block."""
    parent = scratch if work.is_remote else work.name
    attempt = os.path.join(parent, f".{name}.{secrets.token_hex(8)}")
    os.mkdir(attempt, 0o700)
    try:
        yield attempt
        files = sorted(os.listdir(attempt))
        sums = "".join(f"{digest(Path(attempt, file))}  {file}\n" for file in files)
        Path(attempt, SUMS).write_text(sums)
        for file in [*files, SUMS, "."]:
            _sync(os.path.join(attempt, file))
        try:
            os.rename(attempt, os.path.join(parent, name))
        except OSError as error:
            if not os.path.isdir(os.path.join(parent, name)):
                raise Failure(INPUT_OUTPUT, f"{parent}/{name}: cannot be made: {error.strerror}") from error
        _sync(parent)
        if work.is_remote:
            work.upload(name, os.path.join(parent, name))
    finally:
        shutil.rmtree(attempt, ignore_errors=True)


def _sync(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def temporary_directory() -> Iterator[str]:
    """A scratch directory on this machine, removed at the end."""
    path = tempfile.mkdtemp(prefix="settle-", dir=scratch_parent())
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
