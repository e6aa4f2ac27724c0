import os
from pathlib import Path

import pytest
from conftest import names
from object_store import Gate

from settle_spark.arguments import parse
from settle_spark.files import Place
from settle_spark.job import Job, try_files
from settle_spark.steps import Failure


def place_in(bucket: Place, name: str) -> str:
    """The URI of a name in a folder of the bucket, or of another bucket."""
    folder, _, query = bucket.name.partition("?")
    return f"s3://{name[1:]}?{query}" if name.startswith("/") else f"{folder}/{name}?{query}"


def test_files_are_tried_and_nothing_is_left(bucket: Place, gate: Gate, tmp_path: Path) -> None:
    bucket.write("batch", lambda: [b"one"])
    (tmp_path / "batch").write_bytes(b"four")
    gate.set()
    given = [place_in(bucket, "batch"), str(tmp_path / "batch")]
    found = try_files(parse([*given, "-o", place_in(bucket, "out"), "--work", place_in(bucket, "W")]))
    assert [version.split()[0] for version in found] == ["3", "4"]
    assert names(bucket) == ["batch"]
    assert gate.requests.total() < 15


@pytest.mark.parametrize(
    "batch, output, work, code",
    [
        ("none", "out", "W", 66), ("/nowhere/batch", "out", "W", 66), ("batch", "/nowhere/out", "W", 73),
        ("batch", "out", "/nowhere/W", 73), ("batch", "published", "W", 73),
    ],
)
def test_what_cannot_be_read_or_written_is_told(bucket: Place, batch: str, output: str, work: str, code: int) -> None:
    bucket.write("batch", lambda: [b"one"])
    bucket.write("published/manifest.json", lambda: [b"{}"])
    given = [place_in(bucket, name) for name in (batch, output, work)]
    with pytest.raises(Failure) as failure:
        try_files(parse([given[0], "-o", given[1], "--work", given[2]]))
    assert failure.value.code == code
    assert str(failure.value).startswith("s3://") and "endpoint" not in str(failure.value)
    assert names(bucket) == ["batch", "published/manifest.json"]


@pytest.mark.parametrize(
    "batch, output, work, code, text",
    [
        ("batch", "out", "W", 0, ""), ("batch", "out", "old", 0, ""), ("batch", "old", "old", 0, ""),
        ("none", "out", "W", 66, "none: cannot be read: No such file"),
        ("folder", "out", "W", 66, "folder: cannot be read"),
        ("batch", "none/out", "W", 73, "none is not a directory"),
        ("batch", "out", "none/W", 73, "none is not a directory"),
        ("batch", "out", "batch/W", 73, "batch is not a directory"), ("batch", "folder", "W", 73, "exists already"),
    ],
)
def test_paths_are_tried_like_uris(
    tmp_path: Path, batch: str, output: str, work: str, code: int, text: str
) -> None:
    (tmp_path / "batch").write_bytes(b"one")
    (tmp_path / "folder").mkdir()
    (tmp_path / "old").mkdir()
    (tmp_path / "old/plan.json").touch()
    before = sorted(tmp_path.rglob("*"))
    arguments = parse([str(tmp_path / batch), "-o", str(tmp_path / output), "--work", str(tmp_path / work)])
    if code:
        with pytest.raises(Failure, match=text) as failure:
            try_files(arguments)
        assert failure.value.code == code
    else:
        assert try_files(arguments) == []
    assert sorted(tmp_path.rglob("*")) == before


class Session:
    """What a job needs of Spark to begin and to end."""

    def __init__(self) -> None:
        self.sparkContext, self.ended = self, 0

    def getConf(self) -> dict[str, str]:
        return {}

    def addPyFile(self, _: str) -> None:
        """Takes the package."""

    def stop(self) -> None:
        self.ended += 1


@pytest.mark.parametrize("lapse", [1, 2, 3, 4, 5])
def test_reports_are_published_if_w_cannot_be_removed(
    bucket: Place, gate: Gate, tmp_path: Path, capsys: pytest.CaptureFixture[str], lapse: int
) -> None:
    output, work = Place(place_in(bucket, "out")), Place(place_in(bucket, "W"))
    arguments = parse(["batch", "-o", output.name, "--work", work.name])

    def job(is_resumed: bool = False) -> tuple[Job, Session]:
        session = Session()
        found = Job(arguments, session, str(tmp_path), [])  # type: ignore[arg-type]
        found._is_resumed = is_resumed
        return found, session

    steps = ["shards/run-0.0123456789abcdef/files", "shards/run-0.0123456789abcdef/SHA256SUMS"]
    for name in ("plan.json", *steps):
        work.write(name, lambda: [b"{}"])
    first, session = job()
    first._table = "a table\n"
    gate.set(lapse=lapse)
    output.write("manifest.json", lambda: [b"{}"])
    first._clear_work(1)
    assert session.ended == 1
    told = capsys.readouterr().err
    assert told.startswith("settle-spark: warning: the reports are published, but W is not removed: s3://night/")
    assert "the store refused access: ExpiredToken" in told and "endpoint" not in told
    gate.set()
    again, _ = job(is_resumed=True)
    if lapse == 1:
        # It did not get to the note, so nothing of W is removed, and only the merge is done again.
        assert names(work) == ["plan.json", *sorted(steps)]
        assert again._published() is None
        return
    assert again._published() == 1
    assert capsys.readouterr().out == "a table\n"
    again._clear_work(1)
    assert work.entries() == []
    work.write("published.json", lambda: [b'{"sha256":"0","code":1,"table":""}'])
    for is_resumed in (True, False):
        assert job(is_resumed)[0]._published() is None  # Of other reports, or of another plan.


def test_a_local_output_needs_a_directory(bucket: Place, tmp_path: Path) -> None:
    bucket.write("batch", lambda: [b"one"])
    for output, code in (("none/out", 73), (".", 73), ("out", 0)):
        given = parse([place_in(bucket, "batch"), "-o", str(tmp_path / output), "--work", str(tmp_path / "W")])
        if code:
            with pytest.raises(Failure) as failure:
                try_files(given)
            assert failure.value.code == code
        else:
            try_files(given)
    assert os.listdir(tmp_path) == []
