"""Files by their paths or URIs: one client a process and store, few requests, and again after a fault."""

from __future__ import annotations

import hashlib
import os
import random
import re
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import TypeVar
from urllib.parse import parse_qsl, unquote

from pyarrow import fs

from .steps import INPUT_OUTPUT, USAGE, Failure
from .store import ArrowStore, Changed, Entry, LocalStore, Refused, Store, StoredFile
from .uri import divided, is_uri, shown

PIECE = 8 << 20
"""The most bytes that are read at a time."""
AT_ONCE = 16
"""The number of small files that one process reads or writes at once."""
AGAIN = "remove that step from W, and start settle-spark again with the same W"
"""What to do about a damaged step."""
_WAITS = (0.5, 1.5)
"""The seconds before further attempts; a client of S3 itself tries a request again for some seconds."""

T = TypeVar("T")


def reason(error: BaseException) -> str:
    """Why something failed, on one short line."""
    if isinstance(error, FileNotFoundError):
        return "No such file or directory"
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error) or type(error).__name__
    # An endpoint is part of a query, which no message shows.
    text = re.sub(r"""(?:the )?(?:endpoint URL: )?["']?https?://[^\s"']+["']?""", "the server", text)
    line = next(iter(text.splitlines()), "")[:300]
    return f"the store refused access: {line}" if isinstance(error, Refused) else line


def patiently(attempt: Callable[[], T]) -> T:
    """What an attempt gives; after a fault that may pass, it is made again."""
    for wait in _WAITS:
        try:
            return attempt()
        except (FileNotFoundError, FileExistsError, PermissionError, NotADirectoryError, IsADirectoryError, Changed):
            raise
        except OSError:
            time.sleep(wait * random.uniform(0.5, 1))
    return attempt()


@cache
def _store(scheme: str, authority: str, query: str) -> tuple[Store, str]:
    """The store of all URIs that begin so, and the path of its root."""
    if scheme == "s3":
        from .s3 import S3Store  # Executors need boto3 only for URIs of S3.

        return S3Store(dict(parse_qsl(query))), f"{authority}/"
    if scheme == "file" and not authority:
        return _LOCAL, "/"
    if scheme in ("gs", "gcs") and "retry_limit_seconds" not in dict(parse_qsl(query)):
        query = f"{query}&retry_limit_seconds={_GOOGLE_PATIENCE}".lstrip("&")
    try:
        system, root = fs.FileSystem.from_uri(f"{scheme}://{authority}/" + (query and f"?{query}"))
    except (OSError, ValueError, NotImplementedError) as error:
        code = INPUT_OUTPUT if isinstance(error, OSError) else USAGE
        advice = _HDFS_ADVICE if scheme in ("hdfs", "viewfs") else ""
        raise Failure(code, f"{scheme}://{authority}: {reason(error)}{advice}") from error
    return ArrowStore(system), root if root.endswith("/") or not root else f"{root}/"


_LOCAL: Store = LocalStore()
_HDFS_ADVICE = """; a client of HDFS needs Java and Hadoop on each machine: JAVA_HOME, HADOOP_HOME, and CLASSPATH with what \
"$HADOOP_HOME"/bin/hadoop classpath --glob prints"""
_GOOGLE_PATIENCE = "10"
"""The seconds for which a client of Google Cloud Storage tries a request again. Its own are 900: also without credentials."""
_FIRST_REQUEST = """
import sys
from pyarrow import fs
system, root = fs.FileSystem.from_uri(sys.argv[1])
system.get_file_info(root)
"""


@cache
def _expect_no_abort(uri: str) -> None:
    """Raises if pyarrow's client of Azure ends the process, as it does without valid credentials."""
    tried = subprocess.run(
        [sys.executable, "-c", _FIRST_REQUEST, uri], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, check=False)
    if tried.returncode < 0:
        found = re.search(r"what\(\): *(.*)", tried.stderr.decode("utf-8", "replace"))
        text = found[1] if found else signal.strsignal(-tried.returncode)
        raise Failure(INPUT_OUTPUT, f"{shown(uri)}: cannot be read: {reason(Refused(text))}")


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

    def _at(self, file: str) -> tuple[Store, str]:
        parts = divided(self.name)
        if parts is None:
            store, path = _LOCAL, self.name
        else:
            scheme, authority, name, query = parts
            store, root = _store(scheme, authority, query)
            if scheme in ("abfs", "abfss"):
                container = name.partition("/")[0]
                _expect_no_abort(f"{scheme}://{authority}/{container}/" + (query and f"?{query}"))
            path = (root + unquote(name)).rstrip("/") or "/"
        return store, f"{path}/{file}" if file else path

    def _failure(self, file: str, what: str, error: OSError) -> Failure:
        return Failure(INPUT_OUTPUT, f"{self.shown}/{file}".rstrip("/") + f": cannot be {what}: {reason(error)}")

    def reader(self, file: str = "", version: str | None = None) -> Reader:
        """Reads a file, if a version is given only that version."""
        store, path = self._at(file)
        return Reader(lambda: store.open(path, version), f"{self.shown}/{file}" if file else self.shown)

    def find(self, file: str) -> bytes | None:
        """A small file, if it exists."""
        store, path = self._at(file)

        try:
            opened = patiently(lambda: store.open(path, None))
            found = patiently(lambda: opened.read(0, PIECE))
            while len(found) < opened.size():
                piece = patiently(lambda: opened.read(len(found), PIECE))
                if not piece:
                    raise OSError(f"ended early, at byte {len(found)}")
                found += piece
            return found
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self._failure(file, "read", error) from error

    def read(self, file: str) -> bytes:
        """A small file."""
        found = self.find(file)
        if found is None:
            raise self._failure(file, "read", FileNotFoundError())
        return found

    def write(self, file: str, pieces: Callable[[], Iterable[bytes]]) -> None:
        """Writes a file, which appears when it is whole, and never if its source fails."""
        self._write(file, pieces, only_new=False)

    def write_new(self, file: str, pieces: Callable[[], Iterable[bytes]]) -> bool:
        """Writes a file if it does not exist; returns false, and leaves the file as it is, if it does."""
        return self._write(file, pieces, only_new=True)

    def _write(self, file: str, pieces: Callable[[], Iterable[bytes]], only_new: bool) -> bool:
        store, path = self._at(file)
        try:
            patiently(lambda: store.write(path, pieces(), only_new))
        except FileExistsError as error:
            if not only_new:
                raise self._failure(file, "written", error) from error
            return False
        except OSError as error:
            raise self._failure(file, "written", error) from error
        return True

    def entries(self, directory: str = "", recursive: bool = False) -> list[Entry]:
        """The files and directories in a directory; none if it does not exist."""
        store, path = self._at(directory)
        try:
            return patiently(lambda: store.entries(path, recursive))
        except OSError as error:
            raise self._failure(directory, "read", error) from error

    def exists(self, file: str) -> bool:
        """Whether a file exists."""
        store, path = self._at(file)
        try:
            return patiently(lambda: store.exists(path))
        except OSError as error:
            raise self._failure(file, "read", error) from error

    def remove(self, name: str, is_file: bool = False) -> None:
        """Removes a file or a directory with all that is in it, if it exists."""
        store, path = self._at(name)
        try:
            patiently(lambda: store.remove(path, is_file))
        except OSError as error:
            raise self._failure(name, "removed", error) from error

    def remove_files(self, names: Iterable[str]) -> None:
        """Removes files, those that exist."""
        at = [self._at(name) for name in names]
        try:
            if at:
                patiently(lambda: at[0][0].remove_files([path for _, path in at]))
        except OSError as error:
            raise self._failure("", "removed", error) from error

    def end_writes(self) -> None:
        """Removes what killed writers left here and no list of files has, if this user may."""
        store, path = self._at("")
        with suppress(OSError):
            patiently(lambda: store.end_writes(path))

    def try_writing(self) -> None:
        """Raises if files cannot be made and removed here."""
        probe = f".settle-spark.{secrets.token_hex(8)}"
        try:
            self.write(probe, lambda: [b"\n"])
            self.remove(probe, is_file=True)
        except Failure as failure:
            raise Failure(failure.code, str(failure).replace(f"/{probe}", "")) from failure


class Reader:
    """Reads ranges of a file; after a fault it opens the file again, and reads on."""

    def __init__(self, opening: Callable[[], StoredFile], shown: str) -> None:
        self._opening = opening
        self.shown = shown
        self._file: StoredFile | None = None

    def _with_file(self, body: Callable[[StoredFile], T]) -> T:
        def attempt() -> T:
            if self._file is None:
                self._file = self._opening()
            try:
                return body(self._file)
            except OSError:
                self._file = None
                raise

        try:
            return patiently(attempt)
        except Changed as error:
            text = f"{self.shown}: is not the file that was planned; plan the batch again"
            raise Failure(INPUT_OUTPUT, text) from error
        except OSError as error:
            raise Failure(INPUT_OUTPUT, f"{self.shown}: cannot be read: {reason(error)}") from error

    @property
    def size(self) -> int:
        """The file's size; it takes no request after a read."""
        return self._with_file(lambda file: file.size())

    def version(self) -> str:
        """The file's size, and its entity tag or modification time: if these differ, it is another file."""
        return self._with_file(lambda file: file.version())

    def some(self, offset: int, length: int) -> bytes:
        """At most a number of bytes at an offset, fewer if the file ends before."""
        return self._with_file(lambda file: file.read(offset, length)) if length else b""

    def read(self, offset: int, length: int) -> bytes:
        """A number of bytes at an offset; raises if the file ends before."""

        def whole(file: StoredFile) -> bytes:
            found = file.read(offset, length)
            if len(found) < min(length, file.size() - offset):
                raise OSError(f"the answer ended early, at byte {offset + len(found)}")
            return found

        found = self._with_file(whole) if length else b""
        if len(found) < length:
            raise Failure(INPUT_OUTPUT, f"{self.shown}: ended early, at byte {offset + len(found)}")
        return found

    def pieces(self, start: int, end: int | None = None) -> Iterator[bytes]:
        """The bytes of a range, or up to the file's end, the next piece being read meanwhile."""
        if end is None:
            if first := self.some(start, PIECE):
                yield first
            start, end = start + len(first), self.size
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
                self.offset, None if self.length < 0 else self.offset + self.length):
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
