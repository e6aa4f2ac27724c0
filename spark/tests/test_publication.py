import hashlib
from pathlib import Path

import pytest

from settle_spark.publication import Part, Publication, parts_of
from settle_spark.steps import Failure
from settle_spark.work import Work


def files(path: Path) -> list[str]:
    return sorted(str(file.relative_to(path)) for file in path.rglob("*") if file.is_file())


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture
def reports(tmp_path: Path) -> Publication:
    return Publication((tmp_path / "out").as_uri())


@pytest.fixture
def parts(tmp_path: Path) -> list[Part]:
    """Two parts, in a work directory."""
    found = []
    for number, text in enumerate(["one\ntwo\n", "three\n"]):
        write(tmp_path / f"W/done-{number}-2/settlement.csv", text)
        found.append(Part(f"settlement/part-0000{number}.csv", len(text), hashlib.sha256(text.encode()).hexdigest(),
                          f"done-{number}-2/settlement.csv"))
    return found


def test_a_part_has_a_number_that_no_other_shard_has() -> None:
    assert parts_of(1, 3) == {
        "settlement/part-00001.csv": "settlement.csv", "settlement/part-00004.csv": "refund-settlement.csv",
        "exceptions/part-00001.csv": "exceptions.csv", "refunds/part-00001.csv": "refunds.csv",
    }
    every = [name for shard in range(100) for name in parts_of(shard, 100)]
    assert len(set(every)) == 400


def test_parts_that_are_whole_get_their_names_at_once(reports: Publication, parts: list[Part], tmp_path: Path) -> None:
    def bring(sha256: str, counts: bool) -> str | None:
        sources = [(part.name, lambda part=part: open(tmp_path / "W" / part.source, "rb"), digest)
                   for part, digest in zip(parts, (parts[0].sha256, sha256))]
        return reports.bring(sources, lambda: counts)

    assert "settlement/part-00001.csv: is not what its step made" in (bring("0" * 64, True) or "")
    assert bring(parts[1].sha256, False) is None
    assert files(tmp_path / "out") == []
    for _ in range(2):  # A second attempt changes nothing.
        assert bring(parts[1].sha256, True) is None
        assert files(tmp_path / "out") == [part.name for part in parts]


@pytest.mark.parametrize("found", [None, "one\ntwx\n", "one\n", "one\ntwo\n"])
@pytest.mark.parametrize("is_remote", [False, True])
def test_a_part_that_is_missing_or_another_is_copied(
    reports: Publication, parts: list[Part], tmp_path: Path, found: str | None, is_remote: bool
) -> None:
    work = Work((tmp_path / "W").as_uri() if is_remote else str(tmp_path / "W"))
    if found is not None:
        write(tmp_path / "out" / parts[0].name, found)
    assert reports.fault(parts[0], work) is None
    assert (tmp_path / "out" / parts[0].name).read_text() == "one\ntwo\n"
    write(tmp_path / "W" / parts[1].source, "threx\n")
    assert parts[1].name in (reports.fault(parts[1], work) or "")
    assert files(tmp_path / "out") == [parts[0].name]


def test_the_parts_of_the_manifest_stand_alone(reports: Publication, parts: list[Part], tmp_path: Path) -> None:
    out, work = tmp_path / "out", Work(str(tmp_path / "W"))

    def ensure(some: list[Part]) -> None:
        assert [reports.fault(part, work) for part in some] == [None] * len(some)
        write(out / ".attempts/settlement-part-00001.csv.ab", "thr")

    for name in ("settlement/part-00009.csv", "refunds/part-00000.csv", "settlement/part-00001.csv/part", "other/mine"):
        write(out / name, "of an interrupted job")
    reports.place(parts, ensure)
    assert files(out) == ["other/mine", *(part.name for part in parts)]
    assert not (out / ".attempts").exists()
    with pytest.raises(Failure, match="is changed by others") as failure:
        reports.place(parts, lambda _: (out / parts[1].name).unlink())
    assert failure.value.code == 74
    reports.discard()
    assert files(out) == ["other/mine"]


def test_reports_exist_by_their_manifest(reports: Publication, parts: list[Part], tmp_path: Path) -> None:
    for file in ("settlement/_header.csv", "totals.csv", "SHA256SUMS", "manifest.json"):
        write(tmp_path / "made" / file, file)
    source = str(tmp_path / "made")
    assert not reports.stand(source)
    for part in parts:
        write(tmp_path / "out" / part.name, (tmp_path / "W" / part.source).read_text())
    reports.place(parts, lambda _: None)
    assert not reports.exist()
    for _ in range(2):
        reports.complete(source)
        assert reports.exist() and reports.stand(source)
        assert files(tmp_path / "out") == sorted([*files(tmp_path / "made"), *(part.name for part in parts)])
    reports.discard()
    assert (tmp_path / "out" / parts[0].name).exists()
    write(tmp_path / "made/manifest.json", "other")
    for publish in (reports.stand, reports.complete):
        with pytest.raises(Failure, match="holds other reports") as failure:
            publish(source)
        assert failure.value.code == 73
