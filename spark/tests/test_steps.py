import signal
import sys
import tempfile
from collections.abc import Iterator

import pytest

from settle_spark.steps import AttemptFailed, Failure, attempt_of, run, shown_by_spark


def test_a_child_gets_its_input_and_tells_its_end() -> None:
    with tempfile.TemporaryFile() as output:
        ended = run(["sh", "-c", "cat; echo said >&2; exit 7"], [b"one\n", memoryview(b"two\n")], output)
        output.seek(0)
        assert output.read() == b"one\ntwo\n"
    assert (ended.code, ended.message) == (7, "said")


def test_a_child_may_ask_line_by_line() -> None:
    script = "read first; echo 1 2; read second; echo 3; read third; echo $first $second $third >&2"
    assert run(["sh", "-c", script], [b"begin\n"], answer=lambda question: b"of " + question).message == (
        "begin of 1 2 of 3")


def test_a_child_ends_where_nobody_can_answer() -> None:
    def answer(_: bytes) -> bytes:
        raise OSError("lost")

    with pytest.raises(OSError, match="lost"):
        run(["sh", "-c", "echo 1; cat"], [], answer=answer)


def test_a_child_need_not_read_all() -> None:
    assert run(["true"], (bytes(1 << 20) for _ in range(10))).code == 0


def test_a_child_gets_no_more_than_it_waits_for() -> None:
    made = []

    def feed() -> Iterator[bytes]:
        for number in range(5):
            made.append(number)
            yield b"%d" % number
            yield b""

    with tempfile.TemporaryFile() as output:
        run(["head", "-c", "2"], feed(), output)
        output.seek(0)
        assert output.read() == b"01" and made == [0, 1]


def test_a_child_ends_where_its_input_fails() -> None:
    def broken() -> object:
        yield b"one"
        raise OSError("lost")

    with pytest.raises(OSError, match="lost"):
        run(["cat"], broken())  # type: ignore[arg-type]


def test_a_signal_is_a_code_below_zero() -> None:
    assert run(["sh", "-c", "kill -9 $$"]).code == -signal.SIGKILL


@pytest.mark.parametrize("code, expected", [(74, 74), (1, 1), (-9, 74)])
def test_a_failure_is_found_in_what_spark_tells(code: int, expected: int) -> None:
    text = f"Job aborted: Task 3 failed 4 times\n  {AttemptFailed('run-3', code, 'W/plan.json: is damaged')}\n  at x.y"
    failure = AttemptFailed.found_in(text)
    assert failure is not None
    assert (failure.code, str(failure)) == (expected, "run-3: W/plan.json: is damaged")


def test_other_failures_of_spark_are_none_of_a_step() -> None:
    assert AttemptFailed.found_in("java.lang.OutOfMemoryError") is None


@pytest.mark.parametrize("error", [Failure(66, "gone"), OSError("gone")])
def test_a_failure_of_a_part_of_a_stage_is_told_too(error: Exception) -> None:
    with pytest.raises(AttemptFailed) as failed, attempt_of("part"):
        raise error
    failure = AttemptFailed.found_in(f"Lost task\n{failed.value}\n  at x.y")
    assert failure is not None
    assert (failure.code, str(failure)) == (getattr(error, "code", 74), "part: gone")


def test_what_spark_tells_is_a_few_lines() -> None:
    first = "Job aborted due to stage failure: Task 0 failed 4 times: Lost task 0.3 (127.0.0.1 executor driver)"
    trace = f"""{first}: org.apache.spark.api.python.PythonException: Traceback (most recent call last):
  File "worker.py", line 1, in main
ModuleNotFoundError: No module named 'pyarrow'

\tat org.apache.spark.api.python.BasePythonRunner
"""
    advice = (f"Each machine needs the same Python with pyarrow, pandas and boto3. Name it, for example: "
              f"export PYSPARK_PYTHON={sys.executable}")
    assert shown_by_spark(trace).splitlines() == [first, "ModuleNotFoundError: No module named 'pyarrow'", advice]
    lost = 'Cannot run program "/none/python": error=2, No such file or directory'
    called = "An error occurred while calling z:org.apache.spark.api.python.PythonRDD.collectAndServe."
    assert shown_by_spark(f"{called}\n: x.Y\nCaused by: java.io.IOException: {lost}").splitlines() == [
        called, lost, advice]
    assert shown_by_spark(first) == first
    assert shown_by_spark("") == ""
