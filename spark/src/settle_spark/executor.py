"""The executors' part: steps as child processes, and rows of Spark's shuffle passed through them."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark import SparkFiles, TaskContext

from .publication import Publication
from .steps import FINAL_CODES, INPUT_OUTPUT, AttemptFailed, Ended, run
from .work import PLAN, SUMS, BatchFile, Work, listed, temporary_directory


@dataclass(frozen=True)
class Binary:
    """The settle command: a file that Spark copies to each executor, or the one on the machine's PATH."""

    path: str
    is_shipped: bool

    def on_executor(self) -> str:
        """The path of the command on this executor."""
        if not self.is_shipped:
            return self.path
        return str(SparkFiles.get(os.path.basename(self.path)))


@dataclass(frozen=True)
class Range:
    """A remote file from an offset on, as it was planned."""

    file: BatchFile
    version: str
    offset: int


@dataclass(frozen=True)
class Upload:
    """The files of a step that are parts of reports, by the parts' names, and the gathering that the step follows."""

    reports: Publication
    parts: dict[str, str]
    gather: str


@dataclass(frozen=True)
class Task:
    """A step that an executor runs.

    `needs` are the finished steps that it reads, with their directories; `input` is its standard input; `upload` are
    its parts that are published elsewhere.
    """

    name: str
    arguments: tuple[str, ...]
    needs: tuple[tuple[str, str], ...] = ()
    input: Range | None = None
    upload: Upload | None = None


@dataclass(frozen=True)
class Done:
    """The result of a step. A code other than 0 is one that another attempt would not change."""

    name: str
    code: int
    message: str
    seconds: float


def perform(work: Work, binary: Binary, task: Task) -> Done:
    """Runs a step; raises if another attempt may succeed."""
    start = time.monotonic()
    if not work.is_remote:
        ended = _run(binary, task, work.name)
        if ended.code == 0:
            _publish(work, task, work.name)
    else:
        with temporary_directory() as scratch:
            work.fetch_file(PLAN, os.path.join(scratch, PLAN))
            work.fetch([(name, directory, ()) for name, directory in task.needs], scratch)
            ended = _run(binary, task, scratch)
            if ended.code == 0:
                _publish(work, task, scratch)
                work.upload(task.name, os.path.join(scratch, task.name))
    if ended.code not in FINAL_CODES and ended.code != 0:
        raise AttemptFailed(task.name, ended.code, ended.message)
    return Done(task.name, ended.code, ended.message, time.monotonic() - start)


def _publish(work: Work, task: Task, directory: str) -> None:
    """Uploads the parts of a step, unless reports exist, or the shards were gathered again meanwhile."""
    upload = task.upload
    if upload is None or upload.reports.exist():
        return
    step = Path(directory, task.name)
    sums = listed((step / SUMS).read_bytes())
    gathering = json.loads((step / "outcome.json").read_bytes())["gather"]
    parts = [
        (part, partial(open, step / file, "rb"), sums[file])
        for part, file in upload.parts.items() if (step / file).stat().st_size
    ]
    fault = upload.reports.bring(
        parts, lambda: gathering in listed(work.read(upload.gather, SUMS)).values() and not upload.reports.exist())
    if fault:
        raise AttemptFailed(task.name, INPUT_OUTPUT, fault)


def _run(binary: Binary, task: Task, directory: str) -> Ended:
    command = [binary.on_executor(), "shard", *task.arguments, "--work", directory]
    if task.input is None:
        return run(command)
    file = task.input.file
    if file.version() != task.input.version:
        text = f"{file.name}: is not the file that was planned; plan the batch again"
        raise AttemptFailed(task.name, INPUT_OUTPUT, text)
    return run([*command, "--input", "-"], file.pieces(task.input.offset))


def text_of(column: pa.Array) -> memoryview:
    """The texts of a string column, concatenated as they are in memory: no record becomes an object."""
    _, offsets, text = column.buffers()
    ends = memoryview(offsets).cast("q" if pa.types.is_large_string(column.type) else "i")
    if text is None:
        return memoryview(b"")
    return memoryview(text)[ends[column.offset]:ends[column.offset + len(column)]]


PART = "part int, name string"


def part_writer(work: Work, directory: str, command: tuple[Binary, str] | None) -> Callable[[Any], Iterator[Any]]:
    """A function for `mapInArrow` that writes each partition's rows to a file of a directory.

    The rows are in the first column, each with its line feed. They pass through a command of `settle shard`, if one is
    given. Each attempt has its own file; the rows that the function returns say which attempt counts.
    """

    def write(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        context = TaskContext.get()
        number = 0 if context is None else context.partitionId()
        name = f"part-{number:05d}.{secrets.token_hex(8)}"
        texts = (text_of(batch.column(0)) for batch in batches)
        if work.is_remote:
            with temporary_directory() as scratch:
                path = os.path.join(scratch, name)
                _write_part(path, texts, command)
                work.upload_file(path, f"{directory}/{name}")
        else:
            _write_part(os.path.join(directory, name), texts, command)
        yield pa.RecordBatch.from_arrays([pa.array([number], pa.int32()), pa.array([name])], names=["part", "name"])

    return write


def _write_part(path: str, texts: Iterator[memoryview], command: tuple[Binary, str] | None) -> None:
    with open(path, "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
        if command is None:
            for text in texts:
                file.write(text)
            return
        binary, step = command
        ended = run([binary.on_executor(), "shard", step], texts, file)
        for _ in texts:
            pass  # Spark expects all rows to be read.
    if ended.code != 0:
        os.remove(path)
        raise AttemptFailed(step, ended.code, ended.message)


def take_parts(work: Work, directory: str, parts: list[tuple[int, str]], into: str) -> list[str]:
    """Puts the valid parts into a local directory under plain names, in order; the others are ignored."""
    names = []
    for number, (_, name) in enumerate(sorted(parts)):
        plain = f"part-{number:05d}.csv"
        target = os.path.join(into, plain)
        if work.is_remote:
            work.fetch_file(f"{directory}/{name}", target)
        else:
            os.rename(os.path.join(directory, name), target)
        names.append(target)
    return names


def concatenate(paths: list[str], target: str) -> None:
    """Concatenates files into one, and removes them."""
    with open(target, "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as whole:
        for path in paths:
            with open(path, "rb") as part:
                shutil.copyfileobj(part, whole, 1 << 20)
            os.remove(path)

