"""Spark's session: how it starts and ends."""

from __future__ import annotations

import os
import re
import secrets
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn

from py4j.protocol import Py4JError, Py4JJavaError
from pyspark import SparkContext
from pyspark.sql import SparkSession

from .arguments import Arguments
from .steps import INPUT_OUTPUT, USAGE, Failure
from .uri import shown

_LOGGERS = (
    "org.apache.spark.scheduler.TaskSetManager", "org.apache.spark.executor.Executor",
    "org.apache.spark.scheduler.DAGScheduler", "org.apache.spark.util.Utils",
    "org.apache.spark.api.python.PythonRunner",
)
"""These log a trace of each failed attempt; the job prints one line instead."""
_NO_REASON = r"\s+at |\s*\.\.\. |WARNING: |Error occurred during init|Error: (?:Could not create the Java|A fatal exception)"
"""The lines of Java that say only that it ends."""
_PATIENCE = 60
"""The seconds for which the end of cancelled tasks is awaited in a session that goes on."""


class Session:
    """A session of Spark: the job's own, or one that the program had before, which goes on after the job."""

    def __init__(self, session: SparkSession, is_shared: bool) -> None:
        self.session = session
        self._group = f"settle-spark {secrets.token_hex(8)}" if is_shared else None
        if self._group:
            session.sparkContext.setJobGroup(self._group, "settle", interruptOnCancel=True)

    def end_tasks(self) -> None:
        """Ends all tasks of the job."""
        if self._group is None:
            self.session.stop()
            return
        context = self.session.sparkContext
        context.cancelJobGroup(self._group)
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end and any(self._active_tasks(self._group)):
            time.sleep(0.1)

    def _active_tasks(self, group: str) -> Iterator[int]:
        tracker = self.session.sparkContext.statusTracker()
        for job in tracker.getJobIdsForGroup(group):
            found = tracker.getJobInfo(job)
            for stage in found.stageIds if found else ():
                info = tracker.getStageInfo(stage)
                yield info.numActiveTasks if info else 0


@contextmanager
def spark_session(arguments: Arguments) -> Iterator[Session]:
    """A session of Spark, which ends with the block, unless the program had one before."""
    is_shared = SparkContext._active_spark_context is not None
    if is_shared and (arguments.master or arguments.settings):
        raise Failure(USAGE, "--master and --conf: this program has a session of Spark already, whose settings stand")
    if (arguments.master or "").startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName(f"settle {shown(arguments.batch[0])}")
    if arguments.master:
        builder = builder.master(arguments.master)
    for key, value in arguments.settings.items():
        builder = builder.config(key, value)
    if not is_shared:
        builder = builder.config("spark.ui.showConsoleProgress", str(sys.stderr.isatty()).lower())
    with _java_ended_too():
        session = _started(builder)
    found = Session(session, is_shared)
    try:
        if not arguments.debugs and not is_shared:
            log4j: Any = session.sparkContext._jvm.org.apache.logging.log4j  # type: ignore[union-attr]
            with suppress(TypeError, Py4JError):  # Spark may log by other means.
                for name in _LOGGERS:
                    log4j.core.config.Configurator.setLevel(name, log4j.Level.OFF)
        yield found
    finally:
        found.end_tasks()


def _started(builder: SparkSession.Builder) -> SparkSession:
    lines: deque[str] = deque(maxlen=100)
    try:
        with _heard(lines):
            return builder.getOrCreate()
    except Exception as error:
        raise Failure(INPUT_OUTPUT, f"Spark does not start: {why_not(error, lines)}") from error


def why_not(error: Exception, lines: Sequence[str]) -> str:
    """Why Spark does not start, on one line: by its exception, or by what Java said before it ended."""
    text = str(error)
    if isinstance(error, Py4JJavaError):
        cause: Any = error.java_exception
        while cause.getCause() is not None:
            cause = cause.getCause()
        text = cause.getMessage() or cause.toString()
    elif "JAVA_GATEWAY_EXITED" in text:
        said = [line for line in lines if line.strip() and not re.match(_NO_REASON, line)]
        causes = [line for line in said if re.match(r'(Exception in thread|Caused by:|Error:|[\w.]+(Exception|Error):)', line)]
        text = (causes or said or [text])[-1]
        text = re.sub(r'^(?:Exception in thread "[^"]*" |Caused by: )?', "", text)
    return next((line.strip() for line in text.splitlines() if line.strip()), type(error).__name__)


@contextmanager
def _heard(lines: deque[str]) -> Iterator[None]:
    """Takes down what this process and Java, which it starts, print, and passes it on."""
    own: dict[int, int] = {}
    readers, has_failed = [], True

    def pass_on(reading: int, number: int) -> None:
        rest = b""
        while piece := os.read(reading, 1 << 16):
            with suppress(OSError):
                os.write(own[number], piece)
            *whole, rest = (rest + piece).split(b"\n")
            lines.extend(line.decode("utf-8", "replace") for line in whole)

    for number, stream in (1, sys.stdout), (2, sys.stderr):  # Java's virtual machine prints its own errors on the first.
        stream.flush()
        reading, writing = os.pipe()
        own[number] = os.dup(number)
        readers.append(threading.Thread(target=pass_on, args=(reading, number), daemon=True))
        readers[-1].start()
        os.dup2(writing, number)
        os.close(writing)
    try:
        yield
        has_failed = False
    finally:
        for number, stream in (1, sys.stdout), (2, sys.stderr):
            stream.flush()
            os.dup2(own[number], number)  # Java has the other end until it ends.
        for reader in readers if has_failed else ():
            reader.join(1)


@contextmanager
def _java_ended_too() -> Iterator[None]:
    """Has SIGTERM end Java first while it starts: if it outlived this process then, it would print a trace."""

    def end(*_: object) -> NoReturn:
        for child in descendants(os.getpid()):
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        sys.exit(128 + signal.SIGTERM)

    if threading.current_thread() is not threading.main_thread():
        yield  # Only the main thread has signals.
        return
    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def descendants(process: int) -> list[int]:
    """The processes that a process has started, and those that they have."""
    found = []
    for path in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):
            for child in map(int, path.read_text().split()):
                found += [child, *descendants(child)]
    return found
