import hashlib
from pathlib import Path

import pytest
from conftest import names
from object_store import Gate

from settle_spark.files import Extent, Place
from settle_spark.publication import Part, Publication, parts_of
from settle_spark.steps import Failure

TEXTS = ("one\ntwo\n", "three\n")


def write(place: Place, file: str, text: str) -> None:
    place.write(file, lambda: [text.encode()])


@pytest.fixture(params=["uri", "bucket"])
def reports(request: pytest.FixtureRequest, tmp_path: Path) -> Publication:
    if request.param == "uri":
        return Publication((tmp_path / "out").as_uri())
    bucket: Place = request.getfixturevalue("bucket")
    return Publication(bucket.name)


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
    assert parts_of(1, 3) == {
        "settlement/part-00001.csv": "settlement.csv", "settlement/part-00004.csv": "refund-settlement.csv",
        "exceptions/part-00001.csv": "exceptions.csv", "refunds/part-00001.csv": "refunds.csv",
    }
    every = [name for shard in range(100) for name in parts_of(shard, 100)]
    assert len(set(every)) == 400


@pytest.mark.parametrize("found", [None, "one\ntwx\n", "one\n", "one\ntwo\n"])
def test_a_part_that_is_missing_or_another_is_copied(
    reports: Publication, parts: list[Part], work: Place, found: str | None
) -> None:
    if found is not None:
        write(reports.place, parts[0].name, found)
    size = reports.clear({parts[0].name}).get(parts[0].name)
    assert size == (None if found is None else len(found))
    part = Part(parts[0].name, parts[0].size, parts[0].source, size)
    assert reports.fault(part, work) is None
    assert reports.place.read(part.name) == b"one\ntwo\n"
    write(work, parts[1].source.file, "_threx\n_")
    with pytest.raises(Failure, match="done-1-2/files: is not what"):
        reports.fault(parts[1], work)


def test_a_part_that_is_not_what_its_step_made_is_not_left(reports: Publication) -> None:
    assert "settlement/part-1: is not what its step made" in (
        reports.bring("settlement/part-1", "0" * 64, lambda: [b"one"]) or "")
    assert names(reports.place) == []


def test_empty_parts_are_not_read(bucket: Place, gate: Gate, work: Place) -> None:
    reports = Publication(bucket.name)
    part = Part("refunds/part-1", 0, Extent("done-1-2/files", 0, 0, hashlib.sha256().hexdigest()))
    write(work, "done-1-2/files", "")
    assert reports.fault(part, work) is None
    assert reports.fault(Part(part.name, 0, part.source, 0), work) is None
    assert gate.requests == {"Put": 1}


def test_only_the_parts_of_the_manifest_are_kept(reports: Publication) -> None:
    kept, mine = "settlement/part-00000.csv", "other/mine"
    for name in (kept, "settlement/part-00009.csv", "refunds/part-00000.csv", "settlement/.part.ab", mine):
        write(reports.place, name, "of an interrupted job")
    assert reports.clear([kept, "settlement/part-00001.csv"]) == {kept: 21}
    assert names(reports.place) == [mine, kept]
    reports.discard()
    assert names(reports.place) == [mine]
    reports.place.remove("other")
    write(reports.place, kept, "")
    reports.discard()
    assert reports.place.entries() == []


def test_nothing_is_left_where_a_batch_was_not_published(bucket: Place, gate: Gate) -> None:
    reports = Publication(bucket.name)
    for number in range(100):
        write(bucket, f"settlement/part-{number:05d}.csv", "row\n")
    gate.set()
    reports.discard()
    assert gate.requests.total() < 15
    parent = Place(bucket.name.replace(bucket.name.partition("?")[0].rpartition("/")[2], ""))
    assert not any(entry.name.startswith(bucket.shown.rpartition("/")[2][:20]) for entry in parent.entries())


def test_reports_exist_by_their_manifest(reports: Publication, tmp_path: Path) -> None:
    made = Place(str(tmp_path / "made"))
    for file in ("settlement/_header.csv", "totals.csv", "SHA256SUMS", "manifest.json"):
        write(made, file, file)
    assert not reports.stand(made.name)
    write(reports.place, "settlement/part-00000.csv", "row\n")
    assert not reports.exist()
    for _ in range(2):
        reports.complete(made.name)
        assert reports.exist() and reports.stand(made.name)
        assert names(reports.place) == sorted([*names(made), "settlement/part-00000.csv"])
    reports.discard()
    assert reports.place.exists("settlement/part-00000.csv")
    write(made, "manifest.json", "other")
    for publish in (reports.stand, reports.complete):
        with pytest.raises(Failure, match="holds other reports") as failure:
            publish(made.name)
        assert failure.value.code == 73
