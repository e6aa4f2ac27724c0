"""Spark's session: how it starts and ends."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn

from py4j.protocol import Py4JError
from pyspark.sql import SparkSession

from .arguments import Arguments
from .uri import shown

_LOGGERS = (
    "org.apache.spark.scheduler.TaskSetManager", "org.apache.spark.executor.Executor",
    "org.apache.spark.scheduler.DAGScheduler", "org.apache.spark.util.Utils",
    "org.apache.spark.api.python.PythonRunner",
)
"""These log a trace of each failed attempt; the job prints one line instead."""


@contextmanager
def spark_session(arguments: Arguments) -> Iterator[SparkSession]:
    """A session of Spark, which ends with the block."""
    if (arguments.master or "").startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName(f"settle {shown(arguments.batch[0])}")
    if arguments.master:
        builder = builder.master(arguments.master)
    builder = builder.config("spark.ui.showConsoleProgress", str(sys.stderr.isatty()).lower())
    with _java_ended_too():
        session = builder.getOrCreate()
    try:
        if not arguments.debugs:
            log4j: Any = session.sparkContext._jvm.org.apache.logging.log4j  # type: ignore[union-attr]
            with suppress(TypeError, Py4JError):  # Spark may log by other means.
                for name in _LOGGERS:
                    log4j.core.config.Configurator.setLevel(name, log4j.Level.OFF)
        yield session
    finally:
        session.stop()


@contextmanager
def _java_ended_too() -> Iterator[None]:
    """Has SIGTERM end Java first while it starts: if it outlived this process then, it would print a trace."""

    def end(*_: object) -> NoReturn:
        for child in descendants(os.getpid()):
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        sys.exit(128 + signal.SIGTERM)

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
