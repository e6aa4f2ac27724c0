"""Directories for temporary files, which do not outlive a process that was killed."""

from __future__ import annotations

import fcntl
import glob
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_LOCK = "lock"


def scratch_parent() -> str:
    """The directory for temporary files: one that Spark or YARN gave an executor, else the system's."""
    names = os.environ.get("LOCAL_DIRS") or os.environ.get("SPARK_LOCAL_DIRS") or ""
    return next((name for name in names.split(",") if os.path.isdir(name)), tempfile.gettempdir())


@contextmanager
def temporary_directory(work: str) -> Iterator[str]:
    """A scratch directory for a work directory, removed at the end. Those of killed processes are removed first."""
    prefix = os.path.join(scratch_parent(), f"settle-{hashlib.sha256(work.encode()).hexdigest()[:16]}.")
    for left in glob.glob(glob.escape(prefix) + "*"):
        with suppress(OSError), open(os.path.join(left, _LOCK)) as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(left, ignore_errors=True)
    path = tempfile.mkdtemp(prefix=os.path.basename(prefix), dir=os.path.dirname(prefix))
    # It gets its name when it is locked, so that no one takes the directory for one of a killed process.
    with open(os.path.join(path, f".{_LOCK}"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        os.rename(lock.name, os.path.join(path, _LOCK))
        try:
            yield path
        finally:
            shutil.rmtree(path, ignore_errors=True)
