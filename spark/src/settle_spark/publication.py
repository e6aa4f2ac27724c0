"""Reports at a URI: their parts are files of the shards' last steps, and they exist when their manifest does."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyarrow import fs

from .steps import INPUT_OUTPUT, OUTPUT_EXISTS, Failure
from .work import COPIES_AT_ONCE, Work, pass_on

MANIFEST = "manifest.json"
_ATTEMPTS = ".attempts"
"""The folder of incomplete parts; it is removed before the manifest is written."""
_REPORTS = ("settlement", "exceptions", "receivers", "refunds", "preapprovals")
_TABLES = (
    ("settlement", "settlement.csv", 0), ("settlement", "refund-settlement.csv", 1), ("exceptions", "exceptions.csv", 0),
    ("refunds", "refunds.csv", 0),
)
"""The parts in a shard's last step: report, file, and 1 for those that come after all shards' other parts."""


def part_name(report: str, number: int) -> str:
    """The name of a part, as `settle merge --layout parts` writes it."""
    return f"{report}/part-{number:05d}.csv"


def parts_of(shard: int, shards: int) -> dict[str, str]:
    """The files of a shard's last step that are parts, by the parts' names, whose numbers no other shard has."""
    return {part_name(report, shard + behind * shards): file for report, file, behind in _TABLES}


def table_files() -> list[str]:
    """The files of a shard's last step that are parts."""
    return [file for _, file, _ in _TABLES]


@dataclass(frozen=True)
class Part:
    """A part as in the manifest, and its file in W."""

    name: str
    size: int
    sha256: str
    source: str


@dataclass(frozen=True)
class Publication:
    """The directory of reports at a URI."""

    uri: str

    def _open(self) -> tuple[Any, str]:
        return Work(self.uri).open()

    def exist(self) -> bool:
        """Whether there are any reports."""
        return Work(self.uri).exists(MANIFEST)

    # The executors' part.

    def bring(
        self, parts: Iterable[tuple[str, Callable[[], Any], str]], counts: Callable[[], bool] = lambda: True
    ) -> str | None:
        """Copies parts to where they are published. For each: its name, a function that opens its source, its SHA-256.

        Each has a temporary name until it is complete, and gets its own only if the attempt still counts. Returns what
        is wrong.
        """
        system, path = self._open()
        made: dict[str, str] = {}
        try:
            for name, source, sha256 in parts:
                made[name] = f"{path}/{_ATTEMPTS}/{name.replace('/', '-')}.{secrets.token_hex(8)}"
                for place in (made[name], f"{path}/{name}"):
                    system.create_dir(os.path.dirname(place), recursive=True)
                with source() as stream, system.open_output_stream(made[name]) as target:
                    found = pass_on(stream, target)
                if found != sha256:
                    return f"{self.uri}/{name}: is not what its step made"
            if counts():
                while made:
                    name, attempt = made.popitem()
                    system.move(attempt, f"{path}/{name}")
        finally:
            for attempt in made.values():
                with suppress(OSError):
                    system.delete_file(attempt)
        return None

    def fault(self, part: Part, work: Work) -> str | None:
        """Makes sure that a part exists, and copies it from W if not; returns what is wrong with it."""
        if self._stands(part):
            return None
        system, path = work.open()
        wrong = self.bring([(part.name, lambda: system.open_input_stream(f"{path}/{part.source}"), part.sha256)])
        if wrong or self._stands(part):
            return wrong
        return f"{self.uri}/{part.name}: is not what was merged"

    def _stands(self, part: Part) -> bool:
        system, path = self._open()
        found = system.get_file_info(f"{path}/{part.name}")
        if found.type != fs.FileType.File or found.size != part.size:
            return False
        with system.open_input_stream(f"{path}/{part.name}") as stream:
            return pass_on(stream) == part.sha256

    # The driver's part.

    def stand(self, source: str) -> bool:
        """Whether the reports of the manifest in a local directory exist; raises if other reports exist (73)."""
        if not self.exist():
            return False
        if Work(self.uri).read(".", MANIFEST) != Path(source, MANIFEST).read_bytes():
            raise Failure(OUTPUT_EXISTS, f"{self.uri}: holds other reports already")
        return True

    def place(self, parts: list[Part], ensure: Callable[[list[Part]], None]) -> None:
        """Removes everything except these parts from their folders; executors check each part with `ensure`."""
        names = {part.name: part.size for part in parts}
        self._clear(names)  # An interrupted job's parts would be read together with these.
        ensure(parts)
        if self._clear(names) != names:
            raise Failure(INPUT_OUTPUT, f"{self.uri}: is changed by others; the same command continues")

    def _clear(self, names: Iterable[str]) -> dict[str, int]:
        """Removes other parts, and what attempts left; returns what exists then, with its sizes."""
        system, path = self._open()
        stand: dict[str, int] = {}
        for report in _REPORTS:
            for entry in system.get_file_info(fs.FileSelector(f"{path}/{report}", allow_not_found=True)):
                name = f"{report}/{entry.base_name}"
                if entry.type != fs.FileType.File:
                    system.delete_dir(entry.path)
                elif name in names:
                    stand[name] = entry.size
                else:
                    system.delete_file(entry.path)
        if system.get_file_info(f"{path}/{_ATTEMPTS}").type == fs.FileType.Directory:
            system.delete_dir(f"{path}/{_ATTEMPTS}")
        return stand

    def discard(self) -> None:
        """Removes all parts of a batch that cannot be settled, unless reports exist."""
        if not self.exist():
            self._clear(())

    def complete(self, source: str) -> None:
        """Uploads everything except parts from a local directory, the manifest last."""
        if self.stand(source):
            return
        files = [str(file.relative_to(source)) for file in Path(source).rglob("*") if file.is_file()]
        target = Work(self.uri)
        with ThreadPoolExecutor(COPIES_AT_ONCE) as pool:
            list(pool.map(lambda file: target.upload_file(os.path.join(source, file), file),
                          [file for file in files if file != MANIFEST]))
        target.upload_file(os.path.join(source, MANIFEST), MANIFEST)
