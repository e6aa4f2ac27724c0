import hashlib
import json
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import conftest
import pytest
from object_store import Gate

from settle_spark.claim import CLAIM, Claim
from settle_spark.executor import Upload, _publish
from settle_spark.files import Extent, Place
from settle_spark.publication import Part, Publication, parts_of
from settle_spark.steps import Failure
from settle_spark.work import Step, Work

TEXTS = ("one\ntwo\n", "three\n")
MINE = Claim("a" * 64, "s3://night/W", "b" * 64)
OTHER = Claim("c" * 64, "s3://night/V", "b" * 64)


def names(place: Place) -> list[str]:
    """The files below a place, except the claim."""
    return [name for name in conftest.names(place) if name != CLAIM]


def write(place: Place, file: str, text: str) -> None:
    place.write(file, lambda: [text.encode()])


@pytest.fixture(params=["uri", "bucket"])
def reports(request: pytest.FixtureRequest, tmp_path: Path) -> Publication:
    """A place for reports that is claimed."""
    place = Place((tmp_path / "out").as_uri()) if request.param == "uri" else request.getfixturevalue("bucket")
    found = Publication(place.name, MINE, 10)
    assert found.take() == (MINE, True)
    return found


@pytest.fixture
def work(tmp_path: Path) -> Place:
    return Place(str(tmp_path / "W"))


@pytest.fixture
def parts(work: Place) -> list[Part]:
    """Two parts, in a work directory."""
    found = []
    for number, text in enumerate(TEXTS):
        write(work, f"done-{number}-2/files", f"_{text}_")
        found.append(Part(f"settlement/part-0000{number}.csv", len(text), Extent(
            f"done-{number}-2/files", 1, len(text), hashlib.sha256(text.encode()).hexdigest())))
    return found


def test_a_part_has_a_number_that_no_other_shard_has() -> None:
    assert parts_of(1, 3, False) == {
        "settlement/part-00001.csv": "settlement.csv", "settlement/part-00004.csv": "refund-settlement.csv",
        "exceptions/part-00001.csv": "exceptions.csv", "refunds/part-00001.csv": "refunds.csv",
    }
    assert parts_of(1, 3, True).items() - parts_of(1, 3, False).items() == {
        ("fees/part-00001.csv", "fees.csv"), ("fees/part-00004.csv", "refund-fees.csv")}
    every = [name for shard in range(100) for name in parts_of(shard, 100, True)]
    assert len(set(every)) == 600


@pytest.mark.parametrize("found", [None, "one\ntwx\n", "one\n", "one\ntwo\n"])
def test_a_part_that_is_missing_or_another_is_copied(
    reports: Publication, parts: list[Part], work: Place, found: str | None
) -> None:
    if found is not None:
        write(reports.place, parts[0].name, found)
    size = reports.clear({parts[0].name: parts[0].size}).get(parts[0].name)
    assert size == (len(found) if found is not None and len(found) == parts[0].size else None)
    part = Part(parts[0].name, parts[0].size, parts[0].source, size)
    fault = reports.fault(part, work)
    assert (fault is None) == (found != "one\ntwx\n")
    if fault:
        # An executor says so, and the driver removes it.
        assert fault.endswith("/settlement/part-00000.csv: is not what was merged")
        assert reports.fault(Part(part.name, part.size, part.source), work) == fault
        reports.remove([part.name])
        assert reports.fault(Part(part.name, part.size, part.source), work) is None
    assert reports.place.read(part.name) == b"one\ntwo\n"
    write(work, parts[1].source.file, "_threx\n_")
    with pytest.raises(Failure, match="done-1-2/files: is not what"):
        reports.fault(parts[1], work)
    assert names(reports.place) == [part.name]


def test_a_part_that_is_not_what_its_step_made_is_not_left(reports: Publication) -> None:
    with pytest.raises(Failure, match="settlement/part-1: is not what its step made"):
        reports.bring("settlement/part-1", "0" * 64, lambda: [b"one"])
    assert names(reports.place) == []


def test_nothing_that_is_published_is_changed(reports: Publication, parts: list[Part], work: Place) -> None:
    part = parts[0]
    assert reports.fault(part, work) is None
    write(reports.place, "manifest.json", "{}")
    late: tuple[Callable[[], object], ...] = (
        lambda: reports.fault(Part(part.name, part.size, part.source), work),
        lambda: reports.fault(Part("settlement/part-00007.csv", part.size, part.source), work),
        lambda: reports.bring(part.name, hashlib.sha256(b"other").hexdigest(), lambda: [b"other"]),
        lambda: reports.bring(part.name, hashlib.sha256().hexdigest(), list),
    )
    for removed in (False, True):
        if removed:
            work.remove("done-0-2")
        for attempt in late:
            with suppress(Failure):
                attempt()
            assert reports.place.read(part.name) == b"one\ntwo\n"
            assert names(reports.place) == ["manifest.json", part.name]
    reports.place.remove("manifest.json", is_file=True)
    reports.place.remove(part.name, is_file=True)
    for attempt in late[:2]:
        with pytest.raises(Failure, match="done-0-2/files: cannot be read"):
            attempt()
    assert names(reports.place) == []


def test_empty_parts_are_not_read(bucket: Place, gate: Gate, work: Place) -> None:
    reports = Publication(bucket.name, MINE)
    part = Part("refunds/part-1", 0, Extent("done-1-2/files", 0, 0, hashlib.sha256().hexdigest()))
    write(work, "done-1-2/files", "")
    assert reports.fault(part, work) is None
    assert reports.fault(Part(part.name, 0, part.source, 0), work) is None
    assert gate.requests == {"Get": 1, "Put": 1}  # It asks for a manifest first.


def test_only_the_parts_of_the_manifest_are_kept(reports: Publication) -> None:
    kept, mine = "settlement/part-00000.csv", "other/mine"
    attempt = "settlement/.part.0123456789abcdef"
    for name in (kept, "settlement/part-00009.csv", "refunds/part-00000.csv", attempt, mine):
        write(reports.place, name, "of an interrupted job")
    assert reports.clear({kept: 21, "settlement/part-00001.csv": 1}) == {kept: 21}
    assert names(reports.place) == [mine, kept]
    reports.discard()
    assert conftest.names(reports.place) == [mine]
    reports.place.remove("other")
    write(reports.place, kept, "")
    reports.discard()
    assert names(reports.place) == [kept], "what no claim covers stays"
    assert reports.take() == (MINE, True)
    reports.discard()
    assert reports.place.entries() == []


def test_nothing_is_left_where_a_batch_was_not_published(bucket: Place, gate: Gate) -> None:
    reports = Publication(bucket.name, MINE, 100)
    reports.take()
    for number in range(100):
        write(bucket, f"settlement/part-{number:05d}.csv", "row\n")
    gate.set()
    reports.discard()
    assert gate.requests.total() < 10
    parent = Place(bucket.name.replace(bucket.name.partition("?")[0].rpartition("/")[2], ""))
    assert not any(entry.name.startswith(bucket.shown.rpartition("/")[2][:20]) for entry in parent.entries())


def test_reports_exist_by_their_manifest(reports: Publication, tmp_path: Path) -> None:
    made = Place(str(tmp_path / "made"))
    for file in ("settlement/_header.csv", "totals.csv", "SHA256SUMS", "manifest.json"):
        write(made, file, file)
    assert not reports.stand(made.name)
    write(reports.place, "settlement/part-00000.csv", "row\n")
    assert not reports.exist()
    with pytest.raises(Failure, match="is changed by others") as changed:
        reports.complete(made.name, {"settlement/part-00000.csv": 4, "refunds/part-00000.csv": 1})
    assert changed.value.code == 74 and not reports.exist()
    write(reports.place, "refunds/part-00000.csv", "late")
    write(reports.place, ".totals.csv.0123456789abcdef", "of a killed job")
    for _ in range(2):
        reports.complete(made.name, {"settlement/part-00000.csv": 4})
        assert reports.exist() and reports.stand(made.name)
        assert names(reports.place) == sorted([*names(made), "settlement/part-00000.csv"])
    reports.discard()
    assert reports.place.exists("settlement/part-00000.csv")
    write(made, "manifest.json", "other")
    for publish in (reports.stand, lambda source: reports.complete(source, {})):
        with pytest.raises(Failure, match="holds other reports") as failure:
            publish(made.name)
        assert failure.value.code == 73


def test_only_the_job_of_the_claim_changes_anything(reports: Publication, tmp_path: Path) -> None:
    """Two jobs with one output, of which the second has another W: it changes nothing, before or after publication."""
    assert reports.take() == (MINE, False), "the same job takes it over"
    assert json.loads(reports.place.read(CLAIM)) == {
        "format": "settle-claim", "version": 1, "plan": MINE.plan, "work": MINE.work, "batch": MINE.batch}
    parts = {"receivers/part-00000.csv": 4, "receivers/part-00001.csv": 4}
    for name in parts:
        write(reports.place, name, "row\n")
    before = conftest.names(reports.place)
    others = [Publication(reports.uri, claim, 10) for claim in (
        OTHER, Claim(OTHER.plan, MINE.work, MINE.batch), Claim(MINE.plan, OTHER.work, MINE.batch))]
    made = Place(str(tmp_path / "made"))
    write(made, "manifest.json", "{}")
    for other in others:
        attempts: tuple[Callable[[], object], ...] = (
            other.take, partial(other.clear, {}), partial(other.complete, made.name, {}))
        for attempt in attempts:
            with pytest.raises(Failure, match="is claimed by the job with --work s3://night/W, which alone") as failure:
                attempt()
            assert failure.value.code == 75
            assert f"delete {reports.place.shown}/claim.json when no driver and no task of it" in str(failure.value)
        other.discard()
        assert conftest.names(reports.place) == before
    reports.complete(made.name, parts)
    for other in others:
        assert other.take()[1] is False
        other.discard()
        assert conftest.names(reports.place) == sorted([*before, "manifest.json"])


@pytest.mark.parametrize("found, told", [(None, "was deleted"), (OTHER, "is claimed by the job with --work s3://night/V")])
def test_the_claim_is_read_before_the_manifest(
    reports: Publication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found: Claim | None, told: str
) -> None:
    """A claim that was deleted, and one of a store that ignores conditions."""
    made = Place(str(tmp_path / "made"))
    for name in ("totals.csv", "manifest.json", "claim.json"):
        write(made, name, "{}")
    written = Place.write

    def late(place: Place, file: str, pieces: Callable[[], Iterable[bytes]]) -> None:
        written(place, file, pieces)
        if file == "totals.csv":
            place.remove(CLAIM, is_file=True)
            if found:
                written(place, CLAIM, lambda: [found.text])

    monkeypatch.setattr(Place, "write", late)
    with pytest.raises(Failure, match=told) as failure:
        reports.complete(made.name, {})
    assert failure.value.code == 75 and not reports.exist()


def test_a_store_that_ignores_conditions_is_found_out(
    bucket: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ignores(place: Place, file: str, pieces: Callable[[], Iterable[bytes]]) -> bool:
        place.write(file, lambda: [OTHER.text])
        return True

    monkeypatch.setattr(Place, "write_new", ignores)
    with pytest.raises(Failure, match="is claimed by the job with --work s3://night/V"):
        Publication(bucket.name, MINE).take()


def test_the_claim_is_the_first_thing_that_is_written(bucket: Place, gate: Gate) -> None:
    Publication(bucket.name, MINE).take()
    changes = [line.partition(" ")[0] + " " + line.rpartition("/")[2] for line in gate.log]
    assert changes == ["List night", "Put claim.json", "Get claim.json"]


def test_what_another_plan_wrote_is_not_removed(reports: Publication) -> None:
    reports.release()
    foreign = "settlement/part-00020.csv"  # Ten shards have up to 19.
    write(reports.place, foreign, "row\n")
    with pytest.raises(Failure, match="has files of another plan, such as settlement/part-00020.csv") as failure:
        reports.take()
    assert failure.value.code == 73 and conftest.names(reports.place) == [foreign]
    reports.place.remove(foreign, is_file=True)
    reports.take()
    write(reports.place, foreign, "row\n")
    write(reports.place, "settlement/part-00019.csv", "row\n")
    with pytest.raises(Failure, match="part-00020.csv: is not a part of this job") as failure:
        reports.clear({})
    assert failure.value.code == 74 and foreign in names(reports.place)


def test_a_removal_that_is_late_removes_nothing_that_is_published(
    bucket: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two drivers with different W: the second one's requests to remove parts would arrive after the first's manifest."""
    first, second = Publication(bucket.name, MINE, 2), Publication(bucket.name, OTHER, 2)
    first.take()
    parts = {"receivers/part-00000.csv": 400, "receivers/part-00001.csv": 200}
    for name, size in parts.items():
        write(bucket, name, "a,1\n" * (size // 4))
    made = Place(str(tmp_path / "made"))
    write(made, "manifest.json", "{}")
    publishes = Publication.remove

    def late(reports: Publication, removed: Iterable[str]) -> None:
        monkeypatch.setattr(Publication, "remove", publishes)
        first.complete(made.name, parts)
        publishes(reports, removed)

    monkeypatch.setattr(Publication, "remove", late)
    with suppress(Failure):
        second.clear({"receivers/part-00000.csv": 360, "receivers/part-00001.csv": 240})
    first.complete(made.name, parts)
    assert conftest.names(bucket) == sorted([CLAIM, "manifest.json", *parts])


def test_a_late_attempt_of_an_earlier_gathering_adds_no_part(
    reports: Publication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An executor passed its checks and is paused. In the next gathering its part has no rows."""
    work = Work((tmp_path / "V").as_uri(), MINE.plan)
    work.place.write("gathered/gather.1/files", lambda: [b"x"])
    made, body, name = tmp_path / "made", b"refund,1\n", "refunds/part-00003.csv"
    made.mkdir()
    (made / "refunds.csv").write_bytes(body)
    (made / "SHA256SUMS").write_text(f"{hashlib.sha256(body).hexdigest()}  refunds.csv\n")
    goes_on, seen, bring = threading.Event(), threading.Event(), Publication.bring

    def paused(*arguments: Any) -> None:
        seen.set()
        assert goes_on.wait(60)
        bring(*arguments)

    monkeypatch.setattr(Publication, "bring", paused)
    upload = Upload(reports, {name: "refunds.csv"}, Step("gather", "gathered/gather.1/files", ""))
    late = threading.Thread(target=_publish, args=(work, upload, made))
    late.start()
    assert seen.wait(60)
    monkeypatch.setattr(Publication, "bring", bring)
    work.note_again(2)
    work.remove_gathered()
    assert work.gathered_again() == 2
    empty = Part(name, 0, Extent("", 0, 0, hashlib.sha256().hexdigest(), b""))
    assert reports.fault(empty, work.place) is None
    source = Place(str(tmp_path / "source"))
    write(source, "manifest.json", "{}")
    reports.complete(source.name, {name: 0})
    published = {name: reports.place.read(name) for name in names(reports.place)}
    goes_on.set()
    late.join()
    assert {name: reports.place.read(name) for name in names(reports.place)} == published == {
        name: b"", "manifest.json": b"{}"}
