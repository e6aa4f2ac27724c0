"""Writes whose source fails, whose program ends, or that come too late: what is there before and after is the same."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import boto3
import pytest
from conftest import names, stored
from object_store import BUCKET, Gate

from settle_spark.files import Place
from settle_spark.steps import Failure

LENGTHS = (0, 1, 17, 32 << 20)
BLOCK = bytes(range(256)) * 4096

HANGS = """
import signal, sys, time
from settle_spark.files import Place
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))

def pieces():
    for _ in range(int(sys.argv[2]) >> 20):
        yield bytes(1 << 20)
    yield bytes(int(sys.argv[2]) % (1 << 20))
    print("written", flush=True)
    time.sleep(60)

Place(sys.argv[1]).write("ended", pieces)
"""


def content(length: int) -> Iterator[bytes]:
    for _ in range(length // len(BLOCK)):
        yield BLOCK
    yield BLOCK[:length % len(BLOCK)]


@pytest.fixture
def uploads(served: tuple[Gate, int]) -> Callable[[], list[str]]:
    """The names of the uploads that are open in the bucket."""
    client = boto3.client("s3", endpoint_url=f"http://127.0.0.1:{served[1]}", region_name="eu-central-1")
    return lambda: [upload["Key"] for upload in client.list_multipart_uploads(Bucket=BUCKET).get("Uploads", [])]


@pytest.fixture(params=["new", "exists"])
def before(request: pytest.FixtureRequest, place: Place) -> dict[str, bytes]:
    """The file that is written, if it exists, and another one."""
    found = {"other": b"other"} if request.param == "new" else {"file": b"published", "other": b"other"}
    for name, text in found.items():
        place.write(name, lambda text=text: [text])  # type: ignore[misc]
    return found


@pytest.mark.parametrize("error", [Failure(74, "lost"), OSError("lost"), KeyboardInterrupt(), SystemExit(143)])
@pytest.mark.parametrize("length", LENGTHS)
def test_a_source_that_fails_leaves_everything_as_it_was(
    place: Place, before: dict[str, bytes], uploads: Callable[[], list[str]], length: int, error: BaseException,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("settle_spark.files._WAITS", ())

    def pieces() -> Iterator[bytes]:
        yield from content(length)
        raise error

    for write in (place.write, place.write_new):
        with pytest.raises(type(error) if not isinstance(error, OSError) else Failure):
            write("file", pieces)
        assert stored(place) == before
        assert uploads() == []


@pytest.mark.parametrize("length", LENGTHS)
def test_a_file_is_written_only_if_there_is_none(
    place: Place, before: dict[str, bytes], uploads: Callable[[], list[str]], length: int
) -> None:
    exists = "file" in before
    assert place.write_new("file", lambda: content(length)) is not exists
    if exists:
        assert stored(place) == before
        place.write("file", lambda: content(length))
    assert stored(place) == {"file": b"".join(content(length)), "other": b"other"}
    assert uploads() == []


@pytest.mark.parametrize("length", [17, 32 << 20])
def test_a_server_without_conditional_writes_is_asked_first(bucket: Place, gate: Gate, length: int) -> None:
    gate.set(unconditional=1)
    assert bucket.write_new("file", lambda: content(length))
    assert not bucket.write_new("file", lambda: [b"late"])
    assert stored(bucket) == {"file": b"".join(content(length))}


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("signalled", [signal.SIGTERM, signal.SIGKILL])
def test_a_program_that_ends_publishes_nothing(
    place: Place, uploads: Callable[[], list[str]], length: int, signalled: signal.Signals
) -> None:
    program = subprocess.Popen([sys.executable, "-c", HANGS, place.name, str(length)], stdout=subprocess.PIPE)
    with program:
        assert program.stdout and program.stdout.readline() == b"written\n"
        program.send_signal(signalled)
    assert program.returncode in (143, -signalled)
    assert not place.exists("ended")
    if signalled == signal.SIGKILL:
        # What it left has a name of its attempt, or is an upload, which the driver ends.
        place.end_writes()
        for name in names(place):
            assert name.startswith(".ended.")
            place.remove(name, is_file=True)
    assert names(place) == []
    assert uploads() == []


def test_refused_access_is_final_and_says_why(bucket: Place, gate: Gate) -> None:
    bucket.write("file", lambda: [b"one"])
    gate.set(expired=1)
    refused = r"the store refused access: ExpiredToken: The provided token has expired\.$"
    for attempt in (
        lambda: bucket.write("file", lambda: [b"two"]), lambda: bucket.exists("file"), lambda: bucket.find("file"),
        lambda: bucket.reader("file").version(), bucket.entries, lambda: bucket.remove("file", is_file=True),
        lambda: bucket.remove("folder"), lambda: bucket.write("file", lambda: content(32 << 20)),
    ):
        with pytest.raises(Failure, match=refused) as failure:
            attempt()
        assert failure.value.code == 74
    assert gate.requests.total() == 8
    bucket.end_writes()
    gate.set()
    assert stored(bucket) == {"file": b"one"}


def test_a_name_of_a_directory_is_no_file(tmp_path: Path) -> None:
    os.mkdir(tmp_path / "directory")
    place = Place(str(tmp_path))
    assert not place.exists("directory")
    with pytest.raises(Failure, match="directory: cannot be"):
        place.write("directory", lambda: [b"one"])
    assert os.listdir(tmp_path) == ["directory"]
