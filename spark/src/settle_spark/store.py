"""What files are kept on: a directory of this machine or shared by all, or a file system that pyarrow reads."""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Protocol

from pyarrow import fs


@dataclass(frozen=True)
class Entry:
    """A file or directory below a place, by its name from there."""

    name: str
    size: int
    is_file: bool


class Refused(PermissionError):
    """The store refused access: another attempt would not change it."""


class Changed(OSError):
    """A file is not the version that was expected."""


class StoredFile(Protocol):
    """A file that is read."""

    def version(self) -> str:
        """Its size, and its entity tag or modification time: if these differ, it is another file."""
        ...

    def size(self) -> int:
        """Its size."""
        ...

    def read(self, offset: int, length: int) -> bytes:
        """At most a number of bytes, fewer only at its end."""
        ...


class Store(Protocol):
    """A store of files. Each call is one attempt; failures are errors of the system."""

    def open(self, path: str, version: str | None) -> StoredFile:
        """Opens a file; `Changed`, then or at a read, if it is not that version."""
        ...

    def write(self, path: str, pieces: Iterable[bytes], only_new: bool) -> None:
        """Writes a file, which appears when all pieces are written, and never if one of them fails.

        With `only_new`, raises `FileExistsError` if the file exists, and leaves that as it is.
        """
        ...

    def entries(self, path: str, recursive: bool) -> list[Entry]:
        """The files and directories in a directory; none if it does not exist."""
        ...

    def exists(self, path: str) -> bool:
        """Whether a file exists."""
        ...

    def remove(self, path: str, is_file: bool) -> None:
        """Removes a file, or a directory with all that is in it, if it exists."""
        ...

    def remove_files(self, paths: Sequence[str]) -> None:
        """Removes files, those that exist."""
        ...

    def end_writes(self, path: str) -> None:
        """Removes what killed writers below a directory left in the store, if that is not in its lists."""
        ...


def _beside(path: str) -> str:
    """A name of an attempt to write a file, in the same directory."""
    folder, _, base = path.rpartition("/")
    return f"{folder}/.{base}.{secrets.token_hex(8)}"


def is_attempt(name: str) -> bool:
    """Whether a file has the name of an attempt to write another."""
    return re.fullmatch(r"(?:.*/)?\.[^/]+\.[0-9a-f]{16}", name) is not None


class LocalStore:
    """Directories of this machine, or shared by all machines."""

    def open(self, path: str, version: str | None) -> StoredFile:
        """Opens a file."""
        return _LocalFile(path, version)

    def write(self, path: str, pieces: Iterable[bytes], only_new: bool) -> None:
        """Writes a file under a name of the attempt, which then takes the file's name."""
        folder, attempt = os.path.dirname(path), _beside(path)
        os.makedirs(folder, 0o700, exist_ok=True)
        try:
            with open(attempt, "xb", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
                for piece in pieces:
                    file.write(piece)
                file.flush()
                os.fsync(file.fileno())
            (_take_new_name if only_new else os.replace)(attempt, path)
            sync(folder)
        finally:
            with suppress(OSError):
                os.remove(attempt)

    def entries(self, path: str, recursive: bool) -> list[Entry]:
        """The files and directories in a directory."""
        found = []
        with suppress(FileNotFoundError), os.scandir(path) as items:
            for item in items:
                is_file = item.is_file()
                with suppress(FileNotFoundError):  # It was removed meanwhile.
                    found.append(Entry(item.name, item.stat().st_size if is_file else 0, is_file))
                if recursive and not is_file:
                    found += [Entry(f"{item.name}/{entry.name}", entry.size, entry.is_file)
                              for entry in self.entries(item.path, recursive)]
        return found

    def exists(self, path: str) -> bool:
        """Whether a file exists."""
        try:
            return os.stat(path) is not None and os.path.isfile(path)
        except (FileNotFoundError, NotADirectoryError):
            return False

    def remove(self, path: str, is_file: bool) -> None:
        """Removes a file or a directory."""
        with suppress(FileNotFoundError):
            (os.remove if is_file else shutil.rmtree)(path)

    def remove_files(self, paths: Sequence[str]) -> None:
        """Removes files."""
        for path in paths:
            self.remove(path, is_file=True)

    def end_writes(self, path: str) -> None:
        """Does nothing: attempts are in the lists of files."""


def sync(path: str) -> None:
    """Makes the content of a file, or the names in a directory, last through a loss of power."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _take_new_name(attempt: str, path: str) -> None:
    try:
        os.link(attempt, path)  # A rename would replace a file.
    except FileExistsError:
        raise
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK):
            raise
        # Without links, another writer could come between.
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, "File exists", path) from error
        os.rename(attempt, path)


class _LocalFile:
    def __init__(self, path: str, version: str | None) -> None:
        self._file = open(path, "rb", buffering=0)
        if version not in (None, self.version()):
            raise Changed("is another file")

    def version(self) -> str:
        found = os.fstat(self._file.fileno())
        return f"{found.st_size} {found.st_mtime_ns}"

    def size(self) -> int:
        return os.fstat(self._file.fileno()).st_size

    def read(self, offset: int, length: int) -> bytes:
        found = b""
        while len(found) < length:
            piece = os.pread(self._file.fileno(), length - len(found), offset + len(found))
            if not piece:
                break
            found = found + piece if found else piece
        return found


_REFUSALS = re.compile(r"access.?denied|forbidden|unauthorized|permission|credential|expired|HTTP status 40[13]", re.I)


@contextmanager
def _refusals() -> Iterator[None]:
    """Turns a refusal by a store into `Refused`."""
    try:
        yield
    except (FileNotFoundError, FileExistsError, Refused):
        raise
    except OSError as error:
        if "OAuth2 access token" in str(error):
            raise Refused("it found no credentials; name their file in GOOGLE_APPLICATION_CREDENTIALS") from error
        if _REFUSALS.search(str(error)):
            raise Refused(str(error)) from error
        raise


class ArrowStore:
    """A file system that pyarrow reads. It cannot end a write without making the file, so each attempt has its name."""

    def __init__(self, system: Any) -> None:
        self._system = system
        self._is_object_store = system.type_name in ("gcs", "abfs")

    def open(self, path: str, version: str | None) -> StoredFile:
        """Opens a file."""
        with _refusals():
            return _ArrowFile(self._system, path, version)

    def write(self, path: str, pieces: Iterable[bytes], only_new: bool) -> None:
        """Writes a file under a name of the attempt, which then takes the file's name."""
        system, attempt = self._system, _beside(path)
        with _refusals():
            try:
                if not self._is_object_store:
                    system.create_dir(path.rpartition("/")[0], recursive=True)
                with system.open_output_stream(attempt, compression=None) as stream:
                    for piece in pieces:
                        stream.write(piece)
                if only_new and self.exists(path):
                    raise FileExistsError(errno.EEXIST, "File exists", path)
                if self._is_object_store:
                    system.copy_file(attempt, path)
                elif only_new:
                    self._move_to_new_name(attempt, path)
                else:
                    with suppress(OSError):
                        system.delete_file(path)  # A rename of HDFS replaces nothing.
                    system.move(attempt, path)
            finally:
                with suppress(OSError):
                    system.delete_file(attempt)

    def _move_to_new_name(self, attempt: str, path: str) -> None:
        try:
            self._system.move(attempt, path)
        except OSError as error:
            if self.exists(path):
                raise FileExistsError(errno.EEXIST, "File exists", path) from error
            raise

    def entries(self, path: str, recursive: bool) -> list[Entry]:
        """The files and directories in a directory."""
        with _refusals():
            selector = fs.FileSelector(path, allow_not_found=True, recursive=recursive)
            return [Entry(entry.path[len(path):].strip("/"), entry.size or 0, entry.type == fs.FileType.File)
                    for entry in self._system.get_file_info(selector)]

    def exists(self, path: str) -> bool:
        """Whether a file exists."""
        with _refusals():
            return bool(self._system.get_file_info(path).type == fs.FileType.File)

    def remove(self, path: str, is_file: bool) -> None:
        """Removes a file or a directory."""
        with _refusals(), suppress(FileNotFoundError):
            (self._system.delete_file if is_file else self._system.delete_dir)(path)

    def remove_files(self, paths: Sequence[str]) -> None:
        """Removes files."""
        for path in paths:
            self.remove(path, is_file=True)

    def end_writes(self, path: str) -> None:
        """Does nothing: attempts are in the lists of files."""


class _ArrowFile:
    def __init__(self, system: Any, path: str, version: str | None) -> None:
        self._modified: Callable[[], int] = lambda: system.get_file_info(path).mtime_ns or 0
        self._handle = system.open_input_file(path)
        if version not in (None, self.version()):
            raise Changed("is another file")

    def version(self) -> str:
        metadata = self._handle.metadata() or {}
        tag = (metadata.get("ETag") or b"").decode("ascii", "replace")
        if not re.fullmatch(r'"[!-~]+"', tag):
            tag = str(self._modified())
        return f"{self.size()} {tag.strip(chr(34))}"

    def size(self) -> int:
        return int(self._handle.size())

    def read(self, offset: int, length: int) -> bytes:
        with _refusals():
            return bytes(self._handle.read_at(length, offset))
