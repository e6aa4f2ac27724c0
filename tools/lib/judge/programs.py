"""Shared by the judges: running and installing programs, lines of batches and of output."""
import csv
import fcntl
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
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


def write_lines(path, records):
    """Writes records as lines of a batch: text and bytes unchanged, anything else as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(
        (record if isinstance(record, bytes) else
         (record if isinstance(record, str) else json.dumps(record)).encode("utf-8", "surrogateescape")) + b"\n"
        for record in records))
    return path


def csv_rows(path, reader=csv.DictReader, encoding="utf-8"):
    """The rows of a CSV file by column, or as lists by csv.reader; all as text."""
    with open(path, encoding=encoding, newline="") as file:
        return list(reader(file, strict=True))


def json_lines(text):
    """The values of lines of JSON."""
    return [json.loads(line) for line in text.split("\n") if line]
