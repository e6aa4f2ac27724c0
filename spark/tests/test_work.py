import hashlib
import os
from pathlib import Path

import pytest

from settle_spark.steps import Failure
from settle_spark.work import BatchFile, Work, step_directory


def remote(path: Path) -> Work:
    return Work(path.as_uri())


def files(path: Path) -> list[str]:
    return sorted(str(file.relative_to(path)) for file in path.rglob("*") if file.is_file())


def test_in_a_folder_a_step_stands_by_its_name(tmp_path: Path) -> None:
    for name in ("run-0", "run-12", "hash-0", "gather", "done-3-2", "verdicts-0", ".run-1.77.5", "run-x", "other"):
        (tmp_path / name).mkdir()
    (tmp_path / "plan.json").touch()
    assert sorted(Work(str(tmp_path)).standing()) == ["done-3-2", "gather", "hash-0", "run-0", "run-12", "verdicts-0"]


def test_elsewhere_an_attempt_counts_when_its_digests_stand(tmp_path: Path) -> None:
    for name in ("run-0.aa/SHA256SUMS", "run-0.bb/SHA256SUMS", "run-1.cc/claims.csv", "hash-0/SHA256SUMS"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert remote(tmp_path).standing() == {"run-0": "run-0.aa"}
    assert remote(tmp_path / "none").standing() == {}


def test_a_step_is_uploaded_with_its_digests_last_and_fetched(tmp_path: Path) -> None:
    step = tmp_path / "run-3"
    step.mkdir()
    (step / "z.csv").write_text("z\n")
    (step / "a.csv").write_text("a\n")
    (step / "SHA256SUMS").write_text("1  a.csv\n2  z.csv\n")
    work = remote(tmp_path / "W")
    work.upload("run-3", str(step))
    work.upload("run-3", str(step))
    assert len(list((tmp_path / "W").iterdir())) == 2
    directory = work.standing()["run-3"]
    times = [os.stat(tmp_path / "W" / directory / name).st_mtime_ns for name in ("a.csv", "z.csv", "SHA256SUMS")]
    assert times == sorted(times)
    work.fetch([("run-3", directory, ("z.csv", "other"))], str(tmp_path / "local"))
    assert files(tmp_path / "local") == ["run-3/SHA256SUMS", "run-3/z.csv"]
    work.fetch([("run-3", directory, ())], str(tmp_path / "local"))
    assert (tmp_path / "local/run-3/a.csv").read_text() == "a\n"


@pytest.mark.parametrize("is_remote", [False, True])
def test_only_what_settle_made_is_removed(tmp_path: Path, is_remote: bool) -> None:
    for name in ("run-0/a", ".run-1.2.3/a", "accounts/a", "done-0-2.ab/a", ".parts.ab/a"):
        (tmp_path / "W" / name).parent.mkdir(parents=True)
        (tmp_path / "W" / name).touch()
    (tmp_path / "W/plan.json").touch()
    (tmp_path / "W/mine").touch()
    work = remote(tmp_path / "W") if is_remote else Work(str(tmp_path / "W"))
    work.remove()
    assert files(tmp_path) == ["W/mine"]
    (tmp_path / "W/mine").rename(tmp_path / "W/plan.json")
    work.remove()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("is_remote", [False, True])
def test_a_step_of_spark_stands_whole_or_not_at_all(tmp_path: Path, is_remote: bool) -> None:
    (tmp_path / "W").mkdir()
    (tmp_path / "scratch").mkdir()
    work = remote(tmp_path / "W") if is_remote else Work(str(tmp_path / "W"))
    with pytest.raises(Failure), step_directory(work, "accounts", str(tmp_path / "scratch")) as made:
        Path(made, "part").write_text("half")
        raise Failure(74, "lost")
    assert files(tmp_path) == []
    for text in ("one\n", "two\n"):
        with step_directory(work, "accounts", str(tmp_path / "scratch")) as made:
            Path(made, "part").write_text(text)
        if not is_remote:
            assert (tmp_path / "W/accounts/part").read_text() == "one\n"
    directory = work.standing()["accounts"]
    part = (tmp_path / "W" / directory / "part").read_bytes()
    assert work.read(directory, "SHA256SUMS").decode() == f"{hashlib.sha256(part).hexdigest()}  part\n"


def test_spark_has_another_scheme_for_s3() -> None:
    assert Work("s3://bucket/W").for_spark("run-0.ab", "claims.csv") == "s3a://bucket/W/run-0.ab/claims.csv"
    assert Work("/mnt/W").for_spark("run-0", "claims.csv") == "file:///mnt/W/run-0/claims.csv"


@pytest.mark.parametrize("is_remote", [False, True])
def test_what_attempts_left_is_removed_and_no_step(tmp_path: Path, is_remote: bool) -> None:
    for name in (".run-1.2.3/a", ".parts.ab/a", "run-0.aa/SHA256SUMS", "run-0.bb/SHA256SUMS", "run-2.cc/a", "run-4/a"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).touch()
    for name in ("plan.json", ".plan.json.77", "mine"):
        (tmp_path / name).touch()
    work = remote(tmp_path) if is_remote else Work(str(tmp_path))
    work.remove_attempts()
    assert files(tmp_path) == ["mine", "plan.json", *(["run-0.aa/SHA256SUMS"] if is_remote else []), "run-4/a"]


def test_a_file_of_the_batch_is_read_by_ranges(tmp_path: Path) -> None:
    content = bytes(range(256)) * 4096
    path = tmp_path / "a b"
    path.write_bytes(content)
    for name in (path.as_uri(), str(path)):
        file = BatchFile(name)
        assert file.version() == f"{len(content)} {path.stat().st_mtime_ns}"
        assert b"".join(file.pieces(1000)) == content[1000:]
        read = file.ranges()
        for offset, length in ((0, 8), (4, 300), (900_000, 20), (899_999, 20), (len(content) - 3, 3), (10, 700_000)):
            assert read(offset, length) == content[offset:offset + length]
        with pytest.raises(Failure, match="was cut"):
            read(len(content) - 3, 4)
    with pytest.raises(Failure) as failure:
        BatchFile(tmp_path.as_uri()).version()
    assert failure.value.code == 66


@pytest.mark.parametrize("is_remote", [False, True])
def test_a_file_is_held_against_its_digest(tmp_path: Path, is_remote: bool) -> None:
    step = tmp_path / "run-3"
    step.mkdir()
    sums = f"{hashlib.sha256(b'key').hexdigest()}  claims.csv\n"
    work = remote(tmp_path) if is_remote else Work(str(tmp_path))

    def fault(claims: bytes, sums: str) -> str | None:
        (step / "claims.csv").write_bytes(claims)
        (step / "SHA256SUMS").write_text(sums)
        found = work.fault("run-3", ["claims.csv"])
        if sums:
            assert (work.fault("run-3", []) is None) == (found is None)
        return found

    assert fault(b"key", sums) is None
    for claims in (b"kez", b"ke"):
        assert "run-3/claims.csv: is damaged" in (fault(claims, sums) or "")
    for wrong in (("0" if sums[0] != "0" else "1") + sums[1:], sums[:-1], sums[:-3], sums[1:], ""):
        assert "run-3/SHA256SUMS: is damaged" in (fault(b"key", wrong) or ""), wrong
    assert "run-4" in (work.fault("run-4", ["claims.csv"]) or "")
