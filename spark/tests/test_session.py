import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from settle_spark.session import descendants, why_not

JAVA = """#!/bin/sh
# Spark's command, which says when it has begun, and prints a trace if the process that started it is gone.
sh -c 'echo begun >"$0"; while [ -e /proc/$1/exe ]; do sleep 0.1; done; echo "Exception in thread" >&2' "$BEGUN" $PPID &
wait
"""
START = """
import signal, sys
from settle_spark.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


def test_processes_started_by_those_started_count() -> None:
    with subprocess.Popen(["sh", "-c", "sleep 60 & echo $!; wait"], stdout=subprocess.PIPE) as child:
        assert child.stdout
        sleeping = int(child.stdout.readline())
        try:
            assert set(descendants(os.getpid())) >= {child.pid, sleeping}
        finally:
            for process in (sleeping, child.pid):
                os.kill(process, signal.SIGKILL)


def test_a_signal_while_spark_starts_prints_no_trace(
    tmp_path: Path, planner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    submit = tmp_path / "bin/spark-submit"
    submit.write_text(JAVA)
    submit.chmod(0o755)
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    monkeypatch.setenv("BEGUN", str(tmp_path / "begun"))
    (tmp_path / "batch").touch()
    batch, out, work = (str(tmp_path / name) for name in ("batch", "out", "W"))
    arguments = [batch, "-o", out, "--work", work, "--master", "local", "--binary", planner]
    with subprocess.Popen([sys.executable, "-c", START, *arguments], stderr=subprocess.PIPE) as job:
        while not (tmp_path / "begun").exists() and job.poll() is None:
            time.sleep(0.05)
        job.terminate()
        assert job.stderr and job.stderr.read() == b""
    assert job.returncode == 143


FAILS = """#!/bin/sh
[ -z "$VM" ] || { echo "$VM" && exit 1; }
echo 'WARNING: Using incubator modules' >&2
echo 'Exception in thread "main" org.apache.spark.SparkException: HADOOP_CONF_DIR must be set.' >&2
printf '\tat org.apache.spark.deploy.SparkSubmit.error\n' >&2
exit 1
"""


def test_a_wrong_setting_shows_its_reason_in_the_last_line(
    tmp_path: Path, planner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    submit = tmp_path / "bin/spark-submit"
    submit.write_text(FAILS)
    submit.chmod(0o755)
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    (tmp_path / "batch").touch()
    batch, out, work = (str(tmp_path / name) for name in ("batch", "out", "W"))
    arguments = [batch, "-o", out, "--work", work, "--master", "yarn", "--binary", planner]
    ended = subprocess.run([sys.executable, "-c", START, *arguments], stderr=subprocess.PIPE, text=True)
    assert ended.returncode == 74
    assert ended.stderr.splitlines()[-1] == (
        "settle-spark: error: Spark does not start: org.apache.spark.SparkException: HADOOP_CONF_DIR must be set.")
    assert "WARNING: Using incubator modules" in ended.stderr and not os.path.exists(work)
    monkeypatch.setenv("VM", "Too small maximum heap")  # Java's virtual machine prints on standard output.
    ended = subprocess.run([sys.executable, "-c", START, *arguments], capture_output=True, text=True)
    assert (ended.returncode, ended.stdout) == (74, "Too small maximum heap\n")
    assert ended.stderr == "settle-spark: error: Spark does not start: Too small maximum heap\n"


def test_the_reason_is_that_of_spark() -> None:
    assert why_not(RuntimeError("[CODE] Wrong.\nAnd more."), []) == "[CODE] Wrong."
    assert why_not(RuntimeError("[JAVA_GATEWAY_EXITED] x"), ["JAVA_HOME is not set", "", "  at a.b"]) == "JAVA_HOME is not set"
    for reason in ("Invalid maximum heap size: -Xmxlots", "Too small maximum heap"):
        said = ["WARNING: Using incubator modules", "Error occurred during initialization of VM", reason,
                "Error: Could not create the Java Virtual Machine.", "Error: A fatal exception has occurred. Program will exit."]
        assert why_not(RuntimeError("[JAVA_GATEWAY_EXITED] x"), said) == reason
    assert why_not(RuntimeError("[JAVA_GATEWAY_EXITED] x"), []) == "[JAVA_GATEWAY_EXITED] x"
