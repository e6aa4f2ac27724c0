"""The steps of a batch in shards, as child processes, and their names."""

from __future__ import annotations

import ctypes
import fcntl
import re
import signal
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO

FINAL_CODES = frozenset({2, 3, 64, 66, 73, 75, 78})
"""Exit codes of a step that another attempt would not change."""

OF_BATCH, SETTLED_ELSEWHERE, USAGE, UNREADABLE, OUTPUT_EXISTS, INPUT_OUTPUT, BUSY = 2, 3, 64, 66, 73, 74, 75

STEP = r"(?:hash-\d+|run-\d+|gather|verdicts-[012]|done-\d+-[012]|accounts)"
"""The names of finished steps in a work directory."""


class Failure(Exception):
    """A failure that ends the job, with the exit code of settle-spark."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


@contextmanager
def failing_with(code: int) -> Iterator[None]:
    """Has failures to read or write in a block end the job with another code."""
    try:
        yield
    except Failure as failure:
        raise Failure(code if failure.code == INPUT_OUTPUT else failure.code, str(failure)) from failure


class AttemptFailed(Exception):
    """A failure that another attempt may fix: Spark tries the task again. Spark passes on only the text."""

    def __init__(self, name: str, code: int, message: str) -> None:
        super().__init__(f"[settle {name} exit {code}] {message} [end]")

    @staticmethod
    def found_in(text: str) -> Failure | None:
        """The last failure in a text from Spark."""
        found = re.search(r"\[settle (\S+) exit (-?\d+)\] (.*?) \[end\]", text, re.DOTALL)
        if not found:
            return None
        code = int(found[2])
        # A step that was killed by a signal has no exit code.
        return Failure(code if code > 0 else INPUT_OUTPUT, f"{found[1]}: {found[3].removeprefix('settle: error: ')}")


@contextmanager
def attempt_of(name: str) -> Iterator[None]:
    """Lets Spark try again what fails in a block, and passes on only why it fails."""
    try:
        yield
    except Failure as failure:
        raise AttemptFailed(name, failure.code, str(failure)) from None
    except OSError as error:
        raise AttemptFailed(name, INPUT_OUTPUT, str(error)) from None


def shown_by_spark(text: str) -> str:
    """Spark's report of a failure in a few lines: its first line, the last error of Python, and what to do."""
    first = next(iter(text.splitlines()), "").partition(": org.apache.spark")[0]
    errors = re.findall(r"^(?:[\w.]+(?:Error|Exception)): .*$", text, re.MULTILINE)
    programs = re.findall(r"Cannot run program .*$", text, re.MULTILINE)
    lines = [line[:300] for line in [first, *(errors or programs)[-1:]]]
    if re.search(r"ModuleNotFoundError|Cannot run program|PYTHON_VERSION_MISMATCH", text):
        lines += ["Each machine needs the same Python with pyarrow, pandas and boto3. Name it, for example: "
                  f"export PYSPARK_PYTHON={sys.executable}"]
    return "\n".join(dict.fromkeys(lines))


@dataclass(frozen=True)
class Ended:
    """How a child process ended: its exit code, below zero for a signal, and its standard error."""

    code: int
    message: str


def _end_with_parent() -> None:
    """Makes the kernel end the child when Spark kills the Python worker: Linux's prctl(PR_SET_PDEATHSIG)."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)


def _waits(child: subprocess.Popen[bytes], standard_input: IO[bytes]) -> bool:
    """Whether a child has read its whole input and goes on for a moment, so that it probably waits for more."""
    standard_input.flush()
    idle, unread = 0, bytearray(4)
    while idle < 20 and child.poll() is None:
        time.sleep(0.005)
        fcntl.ioctl(standard_input, termios.FIONREAD, unread)
        idle = 0 if any(unread) else idle + 1
    return child.poll() is None


def run(
    command: Sequence[str],
    feed: Iterable[bytes | memoryview] | None = None,
    output: IO[bytes] | int | None = subprocess.DEVNULL,
    directory: str | None = None,
    answer: Callable[[bytes], bytes] | None = None,
) -> Ended:
    """Runs a command to its end.

    `feed` yields buffers for its standard input, as long as it reads them; after an empty one the next is only made if
    the command waits for it. `output` takes its standard output, or `answer` takes it line by line and returns text for
    standard input.
    """
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL if feed is None else subprocess.PIPE,
            stdout=output if answer is None else subprocess.PIPE,
            stderr=errors,
            cwd=directory,
            preexec_fn=_end_with_parent,
        )
        try:
            if feed is not None and child.stdin is not None:
                try:
                    with child.stdin as standard_input:
                        for piece in feed:
                            standard_input.write(piece)
                            if not piece and not _waits(child, standard_input):
                                break
                        if answer is not None and child.stdout is not None:
                            standard_input.flush()
                            with child.stdout as questions:
                                for question in questions:
                                    standard_input.write(answer(question))
                                    standard_input.flush()
                except BrokenPipeError:
                    pass  # It has read all that it needs, or it failed; its exit code says which.
            code = child.wait()
        except BaseException:
            child.kill()
            child.wait()
            raise
        errors.seek(0)
        return Ended(code, errors.read().decode("utf-8", "replace").strip())
