"""The executors' part: steps as child processes, and rows of Spark's shuffle passed through them."""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark import SparkFiles, TaskContext

from .batch import Range
from .files import Extent, Place, pieces_of
from .publication import Publication
from .scratch import temporary_directory
from .steps import FINAL_CODES, INPUT_OUTPUT, AttemptFailed, Ended, Failure, attempt_of, run
from .work import PLAN, SMALL, SUMS, Step, Work, listed, unpack


@dataclass(frozen=True)
class Shipped:
    """A file that Spark copies to each executor, or that each machine has."""

    path: str
    is_shipped: bool = True

    def on_executor(self) -> str:
        """The path of the file on this executor."""
        return str(SparkFiles.get(os.path.basename(self.path))) if self.is_shipped else self.path


@dataclass(frozen=True)
class Upload:
    """The files of a step that are parts of reports, by the parts' names; and the gathering, if another may follow."""

    reports: Publication
    parts: dict[str, str]
    gathering: Step | None


@dataclass(frozen=True)
class Task:
    """A step that an executor runs.

    `needs` are the finished steps that it reads, with their files (none means all), and `given` those whose files the
    driver has. `shared` are those that every shard reads, as Spark copies them. `input` is its standard input, or answers
    its questions. `upload` are its parts that are published elsewhere. `returns` are files for the driver.
    """

    name: str
    arguments: tuple[str, ...]
    needs: tuple[tuple[Step, tuple[str, ...]], ...] = ()
    given: tuple[tuple[Step, dict[str, bytes]], ...] = ()
    shared: tuple[tuple[Step, Shipped], ...] = ()
    input: Range | None = None
    asks: bool = False
    upload: Upload | None = None
    returns: tuple[str, ...] = ()


@dataclass(frozen=True)
class Done:
    """The result of a step. A code other than 0 is one that another attempt would not change."""

    name: str
    code: int
    message: str
    step: Step | None
    files: dict[str, bytes]


def perform(work: Work, binary: Shipped, plan: Shipped, task: Task) -> Done:
    """Runs a step; raises if another attempt may succeed."""
    with attempt_of(task.name):
        if not work.is_remote:
            return _performed(work, binary, task, work.name)
        with temporary_directory(work.name) as scratch:
            shutil.copyfile(plan.on_executor(), os.path.join(scratch, PLAN))
            for step, copy in task.shared:
                unpack(step, copy.on_executor(), scratch)
            for step, files in task.given:
                work.hand_back(step, files, scratch)
            work.fetch(task.needs, scratch)
            return _performed(work, binary, task, scratch)


def _performed(work: Work, binary: Shipped, task: Task, directory: str) -> Done:
    command = [binary.on_executor(), "shard", *task.arguments, "--work", directory]
    if task.input is None:
        ended = run(command)
    elif task.asks:
        ended = run([*command, "--input", "ask"], (), answer=task.input.answers())
    else:
        ended = run([*command, "--input", "-"], task.input.pieces())
    message = work.told(ended.message, directory)
    if ended.code:
        if ended.code not in FINAL_CODES:
            raise AttemptFailed(task.name, ended.code, message)
        return Done(task.name, ended.code, message, None, {})
    made = Path(directory, task.name)
    _publish(work, task.upload, made)
    if not work.is_remote:
        return Done(task.name, 0, message, work.step(task.name), {})
    files: dict[str, bytes] = {}
    for size, file in sorted(((made / file).stat().st_size, file) for file in task.returns):
        if size + sum(map(len, files.values())) <= SMALL:
            files[file] = (made / file).read_bytes()
    return Done(task.name, 0, message, work.upload(task.name, str(made)), files)


def _publish(work: Work, upload: Upload | None, made: Path) -> None:
    """Uploads the parts of a step, unless reports exist, or the shards were gathered again meanwhile."""
    if upload is None:
        return
    sums = listed((made / SUMS).read_text())
    parts = {part: file for part, file in upload.parts.items() if (made / file).stat().st_size}
    if not parts or upload.reports.exist():
        return
    counts = True
    if upload.gathering and work.is_remote:
        counts = work.place.exists(upload.gathering.path)
    elif upload.gathering:
        gathering = json.loads((made / "outcome.json").read_bytes())["gather"]
        counts = gathering in listed(work.step("gather").sums).values()
    for part, file in parts.items() if counts else ():
        upload.reports.bring(part, sums[file], partial(pieces_of, made / file))


# Rows, in Arrow batches: none of them becomes a Python object.

EXTENT = "file string, offset long, length long, sha256 string, content binary"
ROW = "row string"
PART = "part int, name string"


def row_reader(place: Place) -> Callable[[Any], Iterator[Any]]:
    """A function for `mapInArrow` that reads the rows of files of steps, and compares the files with their digests.

    The files are given by rows of `EXTENT`; each row that the function returns has its line feed.
    """

    def read(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for fields in batch.to_pylist():
                extent = Extent(**fields)
                with attempt_of(extent.file):
                    yield from batches_of(extent.pieces(place))

    return read


def batches_of(pieces: Iterable[bytes]) -> Iterator[pa.RecordBatch]:
    """The rows of a text, each with its line feed."""
    rest = b""
    for piece in pieces:
        whole, feed, rest = (rest + piece).rpartition(b"\n")
        if feed:
            text = whole + feed
            ends = np.flatnonzero(np.frombuffer(text, np.uint8) == 10) + 1
            offsets = np.concatenate(([0], ends)).astype(np.int32)
            rows = pa.StringArray.from_buffers(len(ends), pa.py_buffer(offsets), pa.py_buffer(text))
            yield pa.RecordBatch.from_arrays([rows], names=["row"])
    if rest:
        raise Failure(INPUT_OUTPUT, "its last row is not ended")


def text_of(column: pa.Array) -> memoryview:
    """The texts of a string column, concatenated as they are in memory: no record becomes an object."""
    _, offsets, text = column.buffers()
    ends = memoryview(offsets).cast("q" if pa.types.is_large_string(column.type) else "i")
    if text is None:
        return memoryview(b"")
    return memoryview(text)[ends[column.offset]:ends[column.offset + len(column)]]


def part_writer(work: Work, directory: str, command: tuple[Shipped, str] | None) -> Callable[[Any], Iterator[Any]]:
    """A function for `mapInArrow` that writes each partition's rows to a file of a directory.

    The rows are in the first column, each with its line feed. They pass through a command of `settle shard`, if one is
    given. Each attempt has its own file; the rows that the function returns say which attempt counts.
    """

    def write(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        context = TaskContext.get()
        number = 0 if context is None else context.partitionId()
        name = f"part-{number:05d}.{secrets.token_hex(8)}"
        texts = (text_of(batch.column(0)) for batch in batches)
        with attempt_of(name):
            if work.is_remote:
                with temporary_directory(work.name) as scratch:
                    path = os.path.join(scratch, name)
                    _write_part(path, texts, command)
                    work.place.write(f"{directory}/{name}", lambda: pieces_of(path))
            else:
                _write_part(os.path.join(directory, name), texts, command)
        yield pa.RecordBatch.from_arrays([pa.array([number], pa.int32()), pa.array([name])], names=["part", "name"])

    return write


def _write_part(path: str, texts: Iterator[memoryview], command: tuple[Shipped, str] | None) -> None:
    ended = Ended(0, "")
    try:
        with open(path, "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            if command is None:
                for text in texts:
                    file.write(text)
            else:
                ended = run([command[0].on_executor(), "shard", command[1]], texts, file)
                for _ in texts:
                    pass  # Spark expects all rows to be read.
        if ended.code != 0:
            raise Failure(ended.code, ended.message)
    except BaseException:
        os.remove(path)
        raise


def take_parts(work: Work, directory: str, parts: list[tuple[int, str]], into: str) -> list[str]:
    """Puts the valid parts into a local directory under plain names, in order; the others are ignored."""
    names = []
    for number, (_, name) in enumerate(sorted(parts)):
        target = os.path.join(into, f"part-{number:05d}.csv")
        if work.is_remote:
            reader = work.place.reader(f"{directory}/{name}")
            with open(target, "wb") as copy:
                for piece in reader.pieces(0):
                    copy.write(piece)
        else:
            os.rename(os.path.join(directory, name), target)
        names.append(target)
    return names


def concatenate(paths: list[str], target: str) -> None:
    """Concatenates files into one, and removes them."""
    with open(target, "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as whole:
        for path in paths:
            for piece in pieces_of(path):
                whole.write(piece)
            os.remove(path)
