"""Directories for temporary files, which do not outlive a process that was killed."""

from __future__ import annotations

import fcntl
import glob
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_LOCK = "lock"


_OF_A_JOB = r"(?:spark|executor|blockmgr)-[0-9a-f-]{36}"
"""The names of directories that Spark makes for one job: the next job does not find them."""
_REMOVAL = 'read -r _; for _ in 1 2 3 4 5; do rm -rf -- "$1" && exit; sleep 1; done'
"""Removes a directory when standard input ends. A child of the process that ended may still write there."""


def scratch_parent() -> str:
    """The directory for temporary files: one that Spark or YARN gave an executor, else the system's."""
    names = os.environ.get("LOCAL_DIRS") or os.environ.get("SPARK_LOCAL_DIRS") or ""
    for name in names.split(","):
        # Spark on Kubernetes mounts a volume there.
        while re.fullmatch(_OF_A_JOB, os.path.basename(name)) and not os.path.ismount(name):
            name = os.path.dirname(name)
        if os.access(name, os.W_OK | os.X_OK):
            return name
    return tempfile.gettempdir()


@contextmanager
def temporary_directory(work: str) -> Iterator[str]:
    """A scratch directory for a work directory, removed at the end.

    It is removed by a process of its own, which outlives this one. What is left if that one was killed too, or the
    machine stopped, is removed first.
    """
    prefix = os.path.join(scratch_parent(), f"settle-{hashlib.sha256(work.encode()).hexdigest()[:16]}.")
    for left in glob.glob(glob.escape(prefix) + "*"):
        with suppress(OSError), open(os.path.join(left, _LOCK)) as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(left, ignore_errors=True)
    path = tempfile.mkdtemp(prefix=os.path.basename(prefix), dir=os.path.dirname(prefix))
    with (
        # The end of this block, like the end of this process, closes its standard input.
        subprocess.Popen(["sh", "-c", _REMOVAL, "sh", path], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL, start_new_session=True, cwd="/"),
        open(os.path.join(path, f".{_LOCK}"), "w") as lock,
    ):
        # It gets its name when it is locked, so that no one takes the directory for one of a killed process.
        fcntl.flock(lock, fcntl.LOCK_EX)
        os.rename(lock.name, os.path.join(path, _LOCK))
        yield path
