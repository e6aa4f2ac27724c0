import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import names
from object_store import Gate

from settle_spark.files import Extent, Place, digest
from settle_spark.steps import Failure


def ignore(_: float) -> None:
    """Waits for nothing."""


def test_a_file_is_written_read_and_removed(place: Place) -> None:
    place.write("b c/ü+%41", lambda: [b"one", b"", b"two"])
    place.write("empty", list)
    assert names(place) == ["b c/ü+%41", "empty"]
    assert place.exists("empty") and not place.exists("b c") and not place.exists("other")
    assert place.read("b c/ü+%41") == b"onetwo" and place.read("empty") == b""
    place.remove("empty", is_file=True)
    place.remove("b c")
    place.remove("other")
    assert names(place) == []
    place.try_writing()
    assert names(place) == []


def test_ranges_are_read_no_further_than_asked(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("settle_spark.files.PIECE", 1 << 18)
    content = bytes(range(256)) * 4096
    place.write("file", lambda: [content])
    reader = place.reader("file")
    assert reader.size == len(content)
    assert b"".join(reader.pieces(1000, 700_000)) == content[1000:700_000]
    assert list(reader.pieces(5, 5)) == []
    assert [len(piece) for piece in reader.pieces(1000, 300_000)] == [1 << 18, 299_000 - (1 << 18)]
    with pytest.raises(Failure, match="file: ended early, at byte 1048576"):
        reader.read(len(content) - 3, 4)
    with pytest.raises(Failure, match="other: cannot be read: No such file or directory"):
        place.reader("other").read(0, 1)


def test_a_version_changes_with_the_file(place: Place) -> None:
    place.write("file", lambda: [b"one"])
    first = place.reader("file").version()
    assert first == place.reader("file").version() and first.startswith("3 ") and len(first.split()) == 2
    time.sleep(0.01)
    place.write("file", lambda: [b"two"])
    assert place.reader("file").version() != first


def test_bytes_are_compared_with_their_digest(place: Place, tmp_path: Path) -> None:
    (tmp_path / "copy").write_bytes(b"key")
    sha256 = digest(tmp_path / "copy")
    place.write("run-3/files", lambda: [b"_key_"])
    assert b"".join(Extent("run-3/files", 1, 3, sha256).pieces(place)) == b"key"
    for offset, length, sum in ((1, 4, sha256), (0, -1, sha256), (1, 3, sha256[:-1])):
        with pytest.raises(Failure, match="run-3/files: is not what its digest says"):
            list(Extent("run-3/files", offset, length, sum).pieces(place))


def test_small_files_are_one_request(bucket: Place, gate: Gate) -> None:
    bucket.write("a/b", lambda: [b"one"])
    bucket.write("a/c", list)
    assert gate.requests == {"Put": 2}
    gate.set()
    assert bucket.read("a/b") == b"one" and bucket.find("a/c") == b"" and bucket.find("a/d") is None
    assert gate.requests == {"Head": 1, "Get": 3}  # A HEAD for the file without bytes.
    gate.set()
    for number in range(20):
        bucket.write(f"d/{number}/e", lambda: [b"one"])
    bucket.remove("d")
    assert gate.requests == {"Put": 20, "List": 1, "DeleteObjects": 1}
    assert [(entry.name, entry.is_file) for entry in bucket.entries(recursive=True)] == [("a/b", True), ("a/c", True)]


def test_faults_that_pass_are_lived_through(bucket: Place, gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("settle_spark.files.PIECE", 1 << 20)
    content = bytes(range(256)) * (1 << 16)
    gate.set(refuse=0.2, cut=0.2)
    bucket.write("large", lambda: (content[start:start + (1 << 20)] for start in range(0, len(content), 1 << 20)))
    reader = bucket.reader("large")
    assert b"".join(reader.pieces(0, len(content))) == content
    assert [entry.size for entry in bucket.entries()] == [len(content)]
    assert any("refused" in line for line in gate.log) and any("cut" in line for line in gate.log)
    assert gate.read.total() < 2 * len(content)
    gate.set()
    bucket.end_writes()  # If the answer was cut to the request that begins an upload, another was begun.


def test_a_short_answer_is_tried_again(bucket: Place, gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer bytes than the answer's range: a proxy may do so, with a length that fits."""
    monkeypatch.setattr("settle_spark.files.time.sleep", ignore)
    monkeypatch.setattr("settle_spark.files.PIECE", 1 << 16)
    content = bytes(range(256)) * 4096
    bucket.write("large", lambda: [content])
    gate.set(short=0.5)
    found = [b"".join(bucket.reader("large").pieces(0)), b"".join(bucket.reader("large").pieces(7, 1 << 18))]
    assert found == [content, content[7:1 << 18]]
    assert bucket.read("large") == content and bucket.reader("large").some(3, 9) == content[3:12]
    assert bucket.exists("large") and bucket.reader("large").version().startswith(f"{len(content)} ")
    assert sum("shortened" in line for line in gate.log) > 5
    gate.set(short=1)
    attempts: tuple[Callable[[], bytes], ...] = (
        lambda: bucket.read("large"), lambda: bucket.reader("large").read(0, 100))
    for attempt in attempts:
        with pytest.raises(Failure, match="large: cannot be read: the answer ended early, after") as failure:
            attempt()
        assert failure.value.code == 74


def test_a_write_is_made_again_whole(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("settle_spark.files.time.sleep", ignore)
    attempts: list[int] = []

    def pieces() -> Iterator[bytes]:
        attempts.append(1)
        yield b"one"
        if len(attempts) < 3:
            raise OSError("lost")
        yield b"two"

    place.write("file", pieces)
    assert place.read("file") == b"onetwo" and names(place) == ["file"]
    attempts[:] = [1]
    monkeypatch.setattr("settle_spark.files._WAITS", ())
    with pytest.raises(Failure, match="other: cannot be written: lost") as failure:
        place.write("other", pieces)
    assert failure.value.code == 74


def test_a_bucket_that_does_not_exist_is_told_at_once(bucket: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(seconds: float) -> None:
        assert not seconds, "it tried again"

    monkeypatch.setattr("settle_spark.files.time.sleep", fail)
    nowhere = Place(bucket.name.replace("s3://night/", "s3://nowhere/"))
    with pytest.raises(Failure, match=r"^s3://nowhere/[^?]*: cannot be written: .*NoSuchBucket") as failure:
        nowhere.try_writing()
    assert failure.value.code == 74 and "endpoint" not in str(failure.value)


def test_a_server_that_is_not_there_is_not_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("settle_spark.files._WAITS", ())
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    place = Place("s3://night/a?endpoint_override=127.0.0.1:1&scheme=http")
    with pytest.raises(Failure) as failure:
        place.entries()
    assert str(failure.value) == "s3://night/a: cannot be read: Could not connect to the server"


def test_a_client_of_azure_does_not_end_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    for name in ("AZURE_CLIENT_ID", "AZURE_TENANT_ID", "AZURE_CLIENT_SECRET"):
        monkeypatch.delenv(name, raising=False)
    # Azure's client aborts: it sends no token without TLS, or it has none.
    place = Place("abfs://account.blob.core.windows.net/night/a?enable_tls=false&blob_storage_authority=127.0.0.1:1")
    with pytest.raises(Failure, match=r"^abfs://account\.blob\.core\.windows\.net/night/: cannot be read: ") as failure:
        place.find("b")
    assert failure.value.code == 74 and "the store refused access: " in str(failure.value)


def test_without_credentials_google_refuses_within_a_minute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GCE_METADATA_ROOT", "127.0.0.1:1")
    monkeypatch.delenv("GOOGLE_APPLICATION_CREDENTIALS", raising=False)
    begun = time.monotonic()
    with pytest.raises(Failure, match=r"^gs://night/a/b: cannot be read: the store refused access: .* in GOOGLE_APPL") as failure:
        Place("gs://night/a").find("b")
    assert failure.value.code == 74 and time.monotonic() - begun < 60


def test_a_client_of_hdfs_names_its_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("JAVA_HOME", "HADOOP_HOME", "CLASSPATH"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(Failure, match=r"^hdfs://node:8020: .*: JAVA_HOME, HADOOP_HOME, and CLASSPATH with what"):
        Place("hdfs://node:8020/a").find("b")


def test_a_bucket_is_a_directory(bucket: Place) -> None:
    whole = Place(bucket.name.replace(bucket.shown, "s3://night"))
    whole.write("a/b", list)
    assert whole.exists("a/b") and "a" in [entry.name for entry in whole.entries()]
    whole.remove("a")
