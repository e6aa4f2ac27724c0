import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from settle_spark.scratch import scratch_parent, temporary_directory

HOLD = """
import os, sys
from settle_spark.scratch import temporary_directory
with temporary_directory(sys.argv[1]) as path:
    print(path, flush=True)
    sys.stdin.read()
    os._exit(9)
"""


def remover(held: str) -> int:
    """The process that will remove a directory, as soon as it has begun."""
    while True:
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):
                if os.fsencode(held) in path.read_bytes().split(b"\0"):
                    return int(path.parent.name)


@pytest.mark.parametrize("ending", ["_exit", "SIGKILL", "SIGKILL of its group"])
def test_what_a_task_held_does_not_outlive_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str) -> None:
    monkeypatch.setenv("LOCAL_DIRS", str(tmp_path))
    other = subprocess.Popen(
        [sys.executable, "-c", HOLD, "W"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
    with other:
        assert other.stdin and other.stdout
        held = other.stdout.readline().decode().strip()
        Path(held, "folder").mkdir()
        Path(held, "folder/settlement.csv").touch()
        if ending == "SIGKILL":
            other.kill()
        elif ending != "_exit":
            os.killpg(other.pid, signal.SIGKILL)
    for _ in range(200):
        if not os.path.exists(held):
            break
        time.sleep(0.05)
    assert os.listdir(tmp_path) == []


def test_scratch_is_beside_what_spark_makes_for_one_job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    number = "0b5b7b8e-5a6e-4a51-8d3a-6f2d9e1c7a40"
    of_job = tmp_path / f"spark-{number}/executor-{number}/blockmgr-{number}"
    of_job.mkdir(parents=True)
    monkeypatch.delenv("LOCAL_DIRS", raising=False)
    monkeypatch.setenv("SPARK_LOCAL_DIRS", str(of_job))
    assert scratch_parent() == str(tmp_path)
    monkeypatch.setattr("os.path.ismount", lambda path: path == str(of_job.parents[1]))
    assert scratch_parent() == str(of_job.parents[1])  # A volume of Kubernetes.


def test_what_a_killed_process_left_is_removed_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCAL_DIRS", f"/nowhere,{tmp_path}")
    assert scratch_parent() == str(tmp_path)
    with temporary_directory("W") as first, temporary_directory("W") as second:
        other = subprocess.Popen([sys.executable, "-c", HOLD, "W"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert other.stdin and other.stdout
        held = other.stdout.readline().decode().strip()
        assert len({first, second, held}) == 3
        os.kill(remover(held), signal.SIGKILL)
        Path(held, "file").touch()
        with temporary_directory("W"):
            assert os.path.exists(held)
        other.stdin.close()
        assert other.wait() == 9
        with temporary_directory("another W"):
            assert os.path.exists(held)
        with temporary_directory("W"):
            assert not os.path.exists(held)
        assert os.path.exists(first) and os.path.exists(second)
    assert os.listdir(tmp_path) == []
