import os
import subprocess
import sys
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


def test_what_a_killed_process_left_is_removed_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOCAL_DIRS", f"/nowhere,{tmp_path}")
    assert scratch_parent() == str(tmp_path)
    with temporary_directory("W") as first, temporary_directory("W") as second:
        other = subprocess.Popen([sys.executable, "-c", HOLD, "W"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        assert other.stdin and other.stdout
        held = other.stdout.readline().decode().strip()
        assert len({first, second, held}) == 3
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
