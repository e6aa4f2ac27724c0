"""Runs settle, with a fault at one of its calls of the C library (shim.c): for tools/faults and tools/operators."""
import contextlib
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[3]
# The documented exit codes of the commands that work on batches, payouts and ledgers, without a signal.
EXIT_CODES = {0, 1, 2, 3, 64, 66, 73, 74, 75, 78}


class Outcome(NamedTuple):
    """How a process ended."""

    code: int
    out: bytes
    err: bytes
    seconds: float
    hung: bool

    @property
    def text(self):
        return (self.out + self.err).decode("utf-8", "replace")


class Driver:
    def __init__(self, settle, work):
        self.settle, self.work = os.path.abspath(settle), work
        self.shim = self.compile("shim.c", "shim.so", "-shared", "-fPIC")

    def compile(self, source, name, *options):
        compiler = next(filter(shutil.which, ["cc", "gcc", "clang"]), "cc")
        command = [compiler, "-Wall", "-Wextra", "-Werror", "-O1", "-o", self.work / name, ROOT / "tools/lib/faults" / source]
        subprocess.run([*command, *options], check=True)
        return self.work / name

    def fault(self, call="any", at=0, kind="error", errno=0, ever=0, **others):
        """The environment that makes the shim fail a call; no call fails without one."""
        return {"LD_PRELOAD": str(self.shim), "FAULT": f"{call} {at} {kind} {errno} {ever}",
                **{"FAULT_" + key.upper(): str(value) for key, value in others.items()}}

    def start(self, folder, arguments, env=None, wrapper=()):
        return subprocess.Popen(
            [*wrapper, self.settle, *arguments], cwd=folder,
            env={**os.environ, "SWIFT_BACKTRACE": "enable=no", **(env or {})}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    @staticmethod
    def finish(process):
        begun, hung = time.monotonic(), False
        try:
            out, err = process.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            hung = True
            process.kill()
            out, err = process.communicate()
        return Outcome(process.returncode, out, err, time.monotonic() - begun, hung)

    def run(self, folder, *arguments, **how):
        return self.finish(self.start(folder, *arguments, **how))


@contextlib.contextmanager
def work_folder(name):
    """A folder below .build, which is removed in the end."""
    (ROOT / ".build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f"{name}-", dir=ROOT / ".build", ignore_cleanup_errors=True) as folder:
        yield Path(folder).resolve()


def add_options(parser):
    """The options of both commands."""
    parser.add_argument("settle", nargs="?", default=ROOT / ".build/release/settle")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
