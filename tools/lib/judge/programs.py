"""Shared by the judges: running and installing programs, and drawing cases."""
import fcntl
import os
import random
import shutil
import subprocess

import pytest
from model.files import ROOT

IS_THOROUGH = os.environ.get("SETTLE_THOROUGH") == "1"


def run(*command, exits=(0,), text=True, **options):
    """Runs a command, which must end with one of the exit codes; None allows any."""
    if text:
        options |= {"encoding": "utf-8", "errors": "surrogateescape"}
    if "input" not in options:
        options["stdin"] = subprocess.DEVNULL
    done = subprocess.run([str(word) for word in command], capture_output=True, check=False, **{"timeout": 600} | options)
    assert exits is None or done.returncode in exits, \
        f"{' '.join(map(str, command))[:300]} ended with {done.returncode}: {done.stdout[-500:]} {done.stderr[-1500:]}"
    return done


def install(*packages, programs):
    """Installs Debian packages if a program is missing; skips the test file if installing is not allowed."""
    if all(map(shutil.which, programs)):
        return
    if os.environ.get("SETTLE_NO_INSTALL") == "1":
        pytest.skip(f"{', '.join(programs)}: not all of them are installed", allow_module_level=True)
    with open(ROOT / ".build/judges/lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        run(ROOT / "tools/lib/install-packages", *packages)


class Draw(random.Random):
    def chance(self, share):
        return self.random() < share
