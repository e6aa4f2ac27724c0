import hashlib
from collections.abc import Callable
from contextlib import suppress
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
    reports = Publication(bucket.name)
    part = Part("refunds/part-1", 0, Extent("done-1-2/files", 0, 0, hashlib.sha256().hexdigest()))
    write(work, "done-1-2/files", "")
    assert reports.fault(part, work) is None
    assert reports.fault(Part(part.name, 0, part.source, 0), work) is None
    assert gate.requests == {"Get": 1, "Put": 1}  # It asks for a manifest first.


def test_only_the_parts_of_the_manifest_are_kept(reports: Publication) -> None:
    kept, mine = "settlement/part-00000.csv", "other/mine"
    for name in (kept, "settlement/part-00009.csv", "refunds/part-00000.csv", "settlement/.part.ab", mine):
        write(reports.place, name, "of an interrupted job")
    assert reports.clear({kept: 21, "settlement/part-00001.csv": 1}) == {kept: 21}
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
