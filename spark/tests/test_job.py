import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import pytest
from conftest import names, stored
from object_store import Gate

from settle_spark.arguments import Arguments, parse
from settle_spark.claim import Claim
from settle_spark.files import Place
from settle_spark.job import Job, settle, try_files, versions_of
from settle_spark.publication import Publication
from settle_spark.retry import batch_digest
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
    arguments = parse([*given, "-o", place_in(bucket, "out"), "--work", place_in(bucket, "W")])
    found = versions_of(arguments)
    try_files(arguments)
    assert [version.split()[0] for version in found] == ["3", "4"]
    assert names(bucket) == ["batch"]
    assert gate.requests.total() < 5


@pytest.mark.parametrize(
    "batch, output, work, code",
    [
        ("none", "out", "W", 66), ("/nowhere/batch", "out", "W", 66), ("batch", "/nowhere/out", "W", 73),
        ("batch", "out", "/nowhere/W", 73), ("batch", "published", "W", 73),
    ],
)
def test_what_cannot_be_read_or_written_is_told(
    bucket: Place, planner: str, batch: str, output: str, work: str, code: int
) -> None:
    bucket.write("batch", lambda: [b"one"])
    bucket.write("published/manifest.json", lambda: [b"{}"])
    given = [place_in(bucket, name) for name in (batch, output, work)]
    with pytest.raises(Failure) as failure:
        settle(parse([given[0], "-o", given[1], "--work", given[2], "--binary", planner]))
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
            versions_of(arguments)
            try_files(arguments)
        assert failure.value.code == code
    else:
        try_files(arguments)
    assert sorted(tmp_path.rglob("*")) == before


class Session:
    """What a job needs of Spark to end."""

    def __init__(self) -> None:
        self.ended = 0

    def end_tasks(self) -> None:
        self.ended += 1


@pytest.mark.parametrize("lapse", [1, 2, 3, 4, 5])
def test_reports_are_published_if_w_cannot_be_removed(
    bucket: Place, gate: Gate, tmp_path: Path, capsys: pytest.CaptureFixture[str], lapse: int
) -> None:
    output, work = Place(place_in(bucket, "out")), Place(place_in(bucket, "W"))
    arguments = parse(["batch", "-o", output.name, "--work", work.name])

    def job(is_resumed: bool = False) -> tuple[Job, Session]:
        session = Session()
        found = Job(arguments, str(tmp_path), [], "")
        found._session = session  # type: ignore[assignment]
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


def test_the_loser_of_two_drivers_says_that_the_reports_are_published(bucket: Place, tmp_path: Path) -> None:
    output, work = Place(place_in(bucket, "out")), Place(place_in(bucket, "W"))
    job = Job(parse(["batch", "-o", output.name, "--work", work.name]), str(tmp_path), [], "")
    job._reports = Publication(output.name, Claim("a" * 64, work.shown, "b" * 64))
    lost, unreadable = Failure(74, "its plan.json is gone"), Failure(66, "batch: cannot be read")
    assert job.told_by_winner(lost) is lost
    output.write("manifest.json", lambda: [b"{}"])
    told = job.told_by_winner(lost)
    assert told.code == 74 and str(told) == (
        f"its plan.json is gone\nsettle-spark: {output.shown}: the reports are published, by another driver; the same command "
        "ends with the code of the run")
    assert job.told_by_winner(unreadable) is unreadable


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


class Begun(Exception):
    """Spark would start now."""


@contextmanager
def no_spark(_: Arguments) -> Iterator[None]:
    raise Begun
    yield


@pytest.fixture
def begins(bucket: Place, planner: str, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Has a job with a W and options begin, up to the start of Spark."""
    bucket.write("batch", lambda: [b"one"])
    monkeypatch.setattr("settle_spark.job.spark_session", no_spark)

    def begin(work: str, *options: str) -> int:
        return settle(parse([place_in(bucket, "batch"), "-o", place_in(bucket, "out"), "--work", place_in(bucket, work),
                             "--binary", planner, *options]))

    return begin


def test_an_output_is_claimed_before_spark_starts(
    bucket: Place, gate: Gate, begins: Callable[..., int], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Job, "undo", lambda _: None)
        with pytest.raises(Begun):
            begins("W")
    changes = [line for line in gate.log if line.startswith(("Put", "Delete"))][1:]
    assert [line.rpartition("/")[2] for line in changes] == ["plan.json", "claim.json"]
    assert names(bucket) == ["W/plan.json", "batch", "out/claim.json"]
    # A retry beside a job that is believed dead: another W, and nothing is changed, there or in its own W.
    before = stored(bucket)
    with pytest.raises(Failure, match="out: is claimed by the job with --work s3://night/.*/W, which alone may") as lost:
        begins("V")
    assert lost.value.code == 75 and stored(bucket) == before
    # The same W is taken over.
    with pytest.raises(Begun):
        begins("W")
    assert stored(bucket) == before
    # W is lost: with the message's advice another job begins.
    bucket.remove("W")
    with pytest.raises(Failure, match="delete s3://night/.*/out/claim.json when no driver") as lost:
        begins("W")
    bucket.remove("out/claim.json", is_file=True)
    with pytest.raises(Begun):
        begins("W")


def test_a_job_that_does_not_begin_leaves_nothing(bucket: Place, begins: Callable[..., int]) -> None:
    with pytest.raises(Begun):
        begins("W")
    assert names(bucket) == ["batch"]


def publish(bucket: Place, work: str, batch: str, rejected: int = 3) -> None:
    """What a job leaves that has published its reports."""
    claim = {"plan": "0" * 64, "work": Place(place_in(bucket, work)).shown, "batch": batch}
    for name, content in (
        ("claim.json", {"format": "settle-claim", "version": 1, **claim}), ("SHA256SUMS", {}),
        ("summary.json", {"records": {"rejected": rejected}}), ("manifest.json", {"claim": claim}),
    ):
        bucket.write(f"out/{name}", lambda content=content: [json.dumps(content).encode()])  # type: ignore[misc]


@pytest.mark.parametrize("rejected, code", [(3, 1), (0, 0)])
def test_a_retry_after_success_is_found_out_first(
    bucket: Place, gate: Gate, begins: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str],
    rejected: int, code: int,
) -> None:
    given = [place_in(bucket, "batch"), "-o", place_in(bucket, "out"), "--work", place_in(bucket, "W")]
    digest = batch_digest(parse(given), versions_of(parse(given)))
    publish(bucket, "W", digest, rejected)
    before = stored(bucket)
    gate.set()
    assert begins("W") == code
    assert gate.requests.total() <= 10 and stored(bucket) == before
    assert "out: the reports were published already" in capsys.readouterr().err
    # A late attempt left a step in W, which was removed before.
    bucket.write("W/gathered/done-0-2.0.0123456789abcdef/files", lambda: [b"rows"])
    assert begins("W") == code and stored(bucket) == before
    # A plan of another job is not removed, nor what belongs to it.
    bucket.write("W/plan.json", lambda: [b"{}"])
    assert begins("W") == code and "W/plan.json" in names(bucket)
    bucket.remove("W")
    # Another W, other options, or another batch under the same name: that is another job.
    with pytest.raises(Failure, match="holds the reports of this batch already, published by the job with") as other:
        begins("V")
    assert other.value.code == 73
    for options, text in ((("--max-rejected", "7"), b"one"), ((), b"two")):
        bucket.write("batch", lambda text=text: [text])  # type: ignore[misc]
        with pytest.raises(Failure, match="holds other reports already") as other:
            begins("W", *options)
        assert other.value.code == 73
        assert {name: text for name, text in stored(bucket).items() if name != "batch"} == {
            name: text for name, text in before.items() if name != "batch"}


def test_with_a_ledger_a_retry_asks_it(bucket: Place, gate: Gate, begins: Callable[..., int], tmp_path: Path) -> None:
    ledger = tmp_path / "ledger"
    options = ("--ledger", str(ledger))
    given = [place_in(bucket, "batch"), "-o", place_in(bucket, "out"), "--work", place_in(bucket, "W"), *options]
    publish(bucket, "W", batch_digest(parse(given), versions_of(parse(given))))
    entry = {"directory": Place(place_in(bucket, "out")).shown, "sumsSha256": sha256(b"{}").hexdigest()}
    for known, begun in (([], True), ([{**entry, "sumsSha256": "0"}], True), ([{}, entry], False)):
        ledger.write_text("".join(json.dumps(line) + "\n" for line in known))
        gate.set()
        if begun:
            with pytest.raises(Begun):
                begins("W", *options)
        else:
            assert begins("W", *options) == 1
            assert gate.requests.total() <= 10
