"""Files by their paths or URIs: one pyarrow client a process and store, few requests, and again after a fault."""

from __future__ import annotations

import hashlib
import os
import random
import re
import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar
from urllib.parse import unquote

from pyarrow import fs

from .steps import INPUT_OUTPUT, USAGE, Failure

PIECE = 8 << 20
"""The most bytes that are read at a time."""
AT_ONCE = 16
"""The number of small files that one process reads or writes at once."""
AGAIN = "remove that step from W, and start settle-spark again with the same W"
"""What to do about a damaged step."""
_WAITS = (0.5, 1.5)
"""The seconds before further attempts; pyarrow itself tries a request to S3 again for six seconds."""
_FINAL = re.compile(r"AWS Error (?:NO_SUCH_BUCKET|ACCESS_DENIED|INVALID_ACCESS_KEY_ID|SIGNATURE_DOES_NOT_MATCH)")
_OBJECT_STORES = ("s3", "gcs", "abfs")
"""The types of file systems without real directories, where a file appears when its upload is complete."""
_URI = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*://)([^/?#]*)/*([^?]*)(?:\?(.*))?", re.DOTALL)

T = TypeVar("T")


def is_uri(name: str) -> bool:
    """Whether a name is a URI, not a path."""
    return re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", name) is not None


def shown(name: str) -> str:
    """The name for reports, messages and the ledger: a URI without its query."""
    return name.partition("?")[0] if is_uri(name) else name


def expect_no_user(name: str, option: str) -> None:
    """Refuses a URI with a user or a key (64), without showing it."""
    found = _URI.match(name)
    if found and "@" in found[2]:
        raise Failure(USAGE, f"{option} {found[1]}...: give user names and keys by the environment, not in a URI")


def reason(error: BaseException) -> str:
    """Why something failed, on one short line."""
    if isinstance(error, FileNotFoundError):
        return "No such file or directory"
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error) or type(error).__name__
    return text.splitlines()[0][:300]


def patiently(attempt: Callable[[], T]) -> T:
    """What an attempt gives; after a fault that may pass, it is made again."""
    for wait in _WAITS:
        try:
            return attempt()
        except (FileNotFoundError, PermissionError, NotADirectoryError, IsADirectoryError):
            raise
        except OSError as error:
            if _FINAL.search(str(error)):
                raise
        time.sleep(wait * random.uniform(0.5, 1))
    return attempt()


@cache
def _client(scheme: str, authority: str, query: str) -> tuple[Any, str]:
    """The file system of all URIs that begin so, and the path of its root."""
    if scheme == "s3://" and "allow_delayed_open=" not in query:
        # So a small file is one request, not four.
        query = "&".join(filter(None, (query, "allow_delayed_open=true")))
    try:
        system, root = fs.FileSystem.from_uri(f"{scheme}{authority}/" + (query and f"?{query}"))
    except (OSError, ValueError, NotImplementedError) as error:
        code = INPUT_OUTPUT if isinstance(error, OSError) else USAGE
        raise Failure(code, f"{scheme}{authority}: {reason(error)}") from error
    return system, root if root.endswith("/") or not root else f"{root}/"


@dataclass(frozen=True)
class Entry:
    """A file or directory below a place, by its name from there."""

    name: str
    size: int
    is_file: bool


@dataclass(frozen=True)
class Place:
    """A file or a directory: an absolute path, or a URI."""

    name: str

    @property
    def is_remote(self) -> bool:
        """Whether it is named by a URI."""
        return is_uri(self.name)

    @property
    def shown(self) -> str:
        """Its name for people."""
        return shown(self.name).rstrip("/")

    def _opened(self) -> tuple[Any, str]:
        found = _URI.fullmatch(self.name)
        if not found:
            return _local(), self.name
        system, root = _client(found[1], found[2], found[4] or "")
        return system, (root + unquote(found[3])).rstrip("/") or "/"

    def _at(self, file: str) -> tuple[Any, str]:
        system, path = self._opened()
        return system, f"{path}/{file}" if file else path

    def reader(self, file: str = "") -> Reader:
        """Reads a file."""
        system, path = self._at(file)
        return Reader(system, path, f"{self.shown}/{file}" if file else self.shown)

    def read(self, file: str) -> bytes:
        """A small file."""
        reader = self.reader(file)
        return reader.read(0, reader.size)

    def write(self, file: str, pieces: Callable[[], Iterable[bytes]]) -> None:
        """Writes a file, which appears when it is whole."""
        system, path = self._at(file)
        folder, _, base = path.rpartition("/")
        is_whole = system.type_name in _OBJECT_STORES
        target = path if is_whole else f"{folder}/.{base}.{secrets.token_hex(8)}"

        def attempt() -> None:
            if not is_whole:
                system.create_dir(folder, recursive=True)
            try:
                with system.open_output_stream(target, compression=None) as stream:
                    for piece in pieces():
                        stream.write(piece)
                if system.type_name == "hdfs":
                    with suppress(OSError):
                        system.delete_file(path)  # Its rename replaces nothing.
                if not is_whole:
                    system.move(target, path)
            except BaseException:
                if not is_whole:
                    with suppress(OSError):
                        system.delete_file(target)
                raise

        try:
            patiently(attempt)
        except OSError as error:
            raise Failure(INPUT_OUTPUT, f"{self.shown}/{file}: cannot be written: {reason(error)}") from error

    def entries(self, directory: str = "", recursive: bool = False) -> list[Entry]:
        """The files and directories in a directory; none if it does not exist."""
        system, path = self._at(directory)
        selector = fs.FileSelector(path, allow_not_found=True, recursive=recursive)
        try:
            found = patiently(lambda: system.get_file_info(selector))
        except OSError as error:
            raise Failure(INPUT_OUTPUT, f"{self.shown}: cannot be read: {reason(error)}") from error
        return [Entry(entry.path[len(path):].strip("/"), entry.size or 0, entry.type == fs.FileType.File)
                for entry in found]

    def exists(self, file: str) -> bool:
        """Whether a file exists."""
        system, path = self._at(file)
        try:
            return bool(patiently(lambda: system.get_file_info(path)).type == fs.FileType.File)
        except OSError as error:
            raise Failure(INPUT_OUTPUT, f"{self.shown}/{file}: cannot be read: {reason(error)}") from error

    def remove(self, name: str, is_file: bool = False) -> None:
        """Removes a file or a directory with all that is in it, if it exists."""
        system, path = self._at(name)
        try:
            with suppress(FileNotFoundError):
                patiently(lambda: (system.delete_file if is_file else system.delete_dir)(path))
        except OSError as error:
            raise Failure(INPUT_OUTPUT, f"{self.shown}/{name}: cannot be removed: {reason(error)}") from error

    def try_writing(self) -> None:
        """Raises if files cannot be made and removed here."""
        probe = f".settle-spark.{secrets.token_hex(8)}"
        try:
            self.write(probe, lambda: [b"\n"])
            self.remove(probe, is_file=True)
        except Failure as failure:
            raise Failure(failure.code, str(failure).replace(f"/{probe}", "")) from failure


@cache
def _local() -> Any:
    return fs.LocalFileSystem()


class Reader:
    """Reads ranges of a file; after a fault it opens the file again, and reads on."""

    def __init__(self, system: Any, path: str, shown: str) -> None:
        self._system = system
        self._path = path
        self.shown = shown
        self._handle: Any = None

    def _with_handle(self, body: Callable[[Any], T]) -> T:
        def attempt() -> T:
            if self._handle is None:
                self._handle = self._system.open_input_file(self._path)
            try:
                return body(self._handle)
            except OSError:
                self._handle = None
                raise

        try:
            return patiently(attempt)
        except OSError as error:
            raise Failure(INPUT_OUTPUT, f"{self.shown}: cannot be read: {reason(error)}") from error

    @property
    def size(self) -> int:
        """The file's size."""
        return int(self._with_handle(lambda handle: handle.size()))

    def version(self) -> str:
        """The file's size, and its entity tag or modification time: if these differ, it is another file."""
        size, metadata = self._with_handle(lambda handle: (handle.size(), handle.metadata() or {}))
        tag = (metadata.get("ETag") or b"").decode("ascii", "replace")
        if not re.fullmatch(r'"[!-~]+"', tag):
            tag = str(patiently(lambda: self._system.get_file_info(self._path)).mtime_ns or 0)
        return f"{size} {tag.strip(chr(34))}"

    def read(self, offset: int, length: int) -> bytes:
        """A number of bytes at an offset; raises if the file ends before."""
        if length == 0:
            return b""
        found = self._with_handle(lambda handle: handle.read_at(length, offset))
        if len(found) < length:
            raise Failure(INPUT_OUTPUT, f"{self.shown}: ended early, at byte {offset + len(found)}")
        return bytes(found)

    def pieces(self, start: int, end: int) -> Iterator[bytes]:
        """The bytes of a range, the next piece being read meanwhile."""
        with ThreadPoolExecutor(1) as pool:
            coming = None
            for offset in range(start, end, PIECE):
                following = pool.submit(self.read, offset, min(PIECE, end - offset))
                if coming:
                    yield coming.result()
                coming = following
            if coming:
                yield coming.result()


@dataclass(frozen=True)
class Extent:
    """Bytes of a file below a place, and their SHA-256. The length is below zero for those up to its end."""

    file: str
    offset: int
    length: int
    sha256: str
    content: bytes | None = None

    def pieces(self, place: Place) -> Iterator[bytes]:
        """The bytes; raises at their end if they are not those of the digest."""
        reader = place.reader(self.file)
        found = hashlib.sha256()
        for piece in [self.content] if self.content is not None else reader.pieces(
                self.offset, reader.size if self.length < 0 else self.offset + self.length):
            found.update(piece)
            yield piece
        expect_digest(found.hexdigest(), self.sha256, f"{place.shown}/{self.file}")


def expect_digest(found: str, expected: str, shown: str) -> None:
    """Raises if a file of a step is not what its digest says."""
    if found != expected:
        raise Failure(INPUT_OUTPUT, f"{shown}: is not what its digest says; {AGAIN}")


def pieces_of(path: str | os.PathLike[str]) -> Iterator[bytes]:
    """The bytes of a local file."""
    with open(path, "rb") as file:
        while piece := file.read(PIECE):
            yield piece


def digest(path: str | os.PathLike[str]) -> str:
    """The SHA-256 of a local file."""
    found = hashlib.sha256()
    for piece in pieces_of(path):
        found.update(piece)
    return found.hexdigest()
