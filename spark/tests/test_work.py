import hashlib
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import names
from object_store import Gate

from settle_spark.files import Place
from settle_spark.steps import Failure
from settle_spark.work import SMALL, Work, packed, step_directory, unpack

PLAN = hashlib.sha256(b"{}").hexdigest()
FILES = {"a.csv": "a\n", "empty": "", "outcome.json": "{}", "z.csv": "z\n"}


def write(place: Place, *files: str) -> None:
    for file in files:
        place.write(file, lambda: [b"x"])


def step(path: Path) -> str:
    """A step in a local directory."""
    path.mkdir(parents=True)
    for name, text in FILES.items():
        (path / name).write_text(text)
    sums = "".join(f"{hashlib.sha256(text.encode()).hexdigest()}  {name}\n" for name, text in FILES.items())
    (path / "SHA256SUMS").write_text(sums)
    return str(path)


@pytest.fixture(params=["uri", "bucket"])
def remote(request: pytest.FixtureRequest, tmp_path: Path) -> Work:
    if request.param == "uri":
        return Work((tmp_path / "a W").as_uri(), PLAN)
    place: Place = request.getfixturevalue("bucket")
    return Work(place.name, PLAN)


def test_in_a_folder_a_step_stands_by_its_name(tmp_path: Path) -> None:
    for name in ("run-0", "run-12", "hash-0", "gather", "done-3-2", "verdicts-0"):
        step(tmp_path / name)
    for name in (".run-1.77.5", "run-x", "other"):
        (tmp_path / name).mkdir()
    (tmp_path / "plan.json").touch()
    work = Work(str(tmp_path))
    found = work.find()
    assert sorted(found) == ["done-3-2", "gather", "hash-0", "run-0", "run-12", "verdicts-0"]
    extents = work.rows([found["run-0"], found["run-12"]], "z.csv", str(tmp_path))
    assert [b"".join(extent.pieces(work.place)) for extent in extents] == [b"z\n", b"z\n"]
    assert Work(str(tmp_path / "none")).find() == {}


def test_elsewhere_an_attempt_counts_when_it_has_its_digests(remote: Work, tmp_path: Path) -> None:
    assert remote.find() == {}
    source = step(tmp_path / "run-3")
    made = [remote.upload("run-3", source), remote.upload("run-3", source), remote.upload("gather", source)]
    write(remote.place, "shards/run-1", "plan.json", f"shards/run-2.{PLAN}.aa/files", f"run-4.{PLAN}.aa/SHA256SUMS",
          "shards/.run-5.aa")
    assert remote.find() == {"run-3": min(made[:2], key=lambda step: step.path), "gather": made[2]}


def test_a_step_of_another_plan_is_not_seen(remote: Work, tmp_path: Path) -> None:
    """What a late attempt of an earlier job left in W, under a name that comes first."""
    source = step(tmp_path / "run-1")
    made = remote.upload("run-1", source)
    assert re.fullmatch(rf"shards/run-1\.{PLAN}\.[0-9a-f]{{16}}/files", made.path)
    for other in ("0" * 64, ""):
        late = replace(remote, plan=other).upload("run-1", source)
        assert remote.find() == {"run-1": made}
        assert late != made
    remote.place.remove(os.path.dirname(made.path))
    assert remote.find() == {}
    write(remote.place, "plan.json")
    remote.remove()
    assert remote.place.entries() == []


def test_a_step_that_comes_while_w_is_removed_is_removed_too(
    remote: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, removed = step(tmp_path / "done-0-2"), Place.remove

    def late(place: Place, name: str, is_file: bool = False) -> None:
        removed(place, name, is_file)
        if name == "plan.json":
            remote.upload("done-0-2", source)

    write(remote.place, "plan.json")
    monkeypatch.setattr(Place, "remove", late)
    remote.remove()
    assert remote.place.entries() == []


def test_all_drivers_use_one_attempt_of_accounts(remote: Work, tmp_path: Path) -> None:
    """Where Spark divides accounts differs between drivers, and the parts of a publication must not."""
    for name in ("gather", "accounts"):
        step(tmp_path / name)
    digests = tmp_path / "gather/SHA256SUMS"
    digests.write_text(digests.read_text() + f"{hashlib.sha256().hexdigest()}  gather.json\n")
    (tmp_path / "gather/gather.json").touch()
    gather = remote.upload("gather", str(tmp_path / "gather"))
    first, second = (remote.upload("accounts", str(tmp_path / "accounts")) for _ in range(2))
    assert "accounts" not in remote.find()
    assert remote.choose(second, gather) == second
    assert remote.choose(first, gather) == second
    assert remote.find() == {"gather": gather, "accounts": second}
    remote.remove_gathered()
    assert remote.find() == {}


def test_a_step_is_uploaded_and_fetched(remote: Work, tmp_path: Path) -> None:
    made = remote.upload("run-3", step(tmp_path / "run-3"))
    assert names(remote.place) == [made.path.replace("/files", "/SHA256SUMS"), made.path]
    assert remote.place.read(made.path.replace("/files", "/SHA256SUMS")).decode() == made.sums
    head, _, content = remote.place.read(made.path).partition(b"\n#\n")
    assert content == b"a\n{}z\n"
    assert head.decode() + "\n" == f"{made.sums}# 0 2 a.csv\n# 2 0 empty\n# 2 2 outcome.json\n# 4 2 z.csv\n"
    local = tmp_path / "local"
    local.mkdir()
    remote.fetch([(made, ("z.csv", "other"))], str(local))
    assert sorted(os.listdir(local / "run-3")) == ["SHA256SUMS", "z.csv"]
    remote.fetch([(made, ())], str(local))
    assert {file.name: file.read_text() for file in (local / "run-3").iterdir()} == {**FILES, "SHA256SUMS": made.sums}
    again, pieces = packed("run-3", made.path, str(local / "run-3"))
    (tmp_path / "copy").write_bytes(b"".join(pieces()))
    (tmp_path / "other").mkdir()
    unpack(again, str(tmp_path / "copy"), str(tmp_path / "other"))
    assert {file.name: file.read_text() for file in (tmp_path / "other/run-3").iterdir()} == {
        **FILES, "SHA256SUMS": made.sums}
    remote.place.write(made.path, lambda: [head, b"\n#\na\n{}y\n"])
    with pytest.raises(Failure, match=r"/run-3\.[0-9a-f.]+/files: z\.csv: is not what its digest says") as failure:
        (tmp_path / "damaged").mkdir()
        remote.fetch([(made, ())], str(tmp_path / "damaged"))
    assert failure.value.code == 74


def test_a_step_may_have_many_files(remote: Work, tmp_path: Path) -> None:
    (tmp_path / "accounts").mkdir()
    sums = "".join(f"{hashlib.sha256().hexdigest()}  part-{number:05d}.csv\n" for number in range(200))
    (tmp_path / "accounts/SHA256SUMS").write_text(sums)
    for number in range(200):
        (tmp_path / f"accounts/part-{number:05d}.csv").touch()
    made = remote.upload("verdicts-1", str(tmp_path / "accounts"))
    assert remote.find() == {"verdicts-1": made}


def test_rows_are_read_from_where_they_are(remote: Work, tmp_path: Path) -> None:
    made = remote.upload("run-3", step(tmp_path / "run-3"))
    assert remote.rows([made], "empty", "none") == []
    for local in ("none", str(tmp_path)):
        (extent,) = remote.rows([made], "a.csv", local)
        assert (extent.content is None) == (local == "none")
        assert b"".join(extent.pieces(remote.place)) == b"a\n"
    remote.hand_back(made, {"a.csv": b"b\n"}, str(tmp_path))
    with pytest.raises(Failure, match="is not what its digest says"):
        list(remote.rows([made], "a.csv", str(tmp_path))[0].pieces(remote.place))


def test_small_files_that_came_already_are_held(remote: Work, tmp_path: Path) -> None:
    made = remote.upload("run-3", step(tmp_path / "run-3"))
    local = str(tmp_path / "local")
    assert remote.held(made, ("a.csv", "empty"), local) == {}
    os.mkdir(local)
    remote.hand_back(made, {"a.csv": b"a\n", "empty": b""}, local)
    assert remote.held(made, ("a.csv", "empty"), local) == {"a.csv": b"a\n", "empty": b""}
    assert remote.held(made, ("a.csv", "z.csv"), local) == {}, "another file is read, so these may come with it"
    remote.hand_back(made, {"z.csv": b"z" * (SMALL + 1)}, local)
    assert remote.held(made, ("a.csv", "z.csv"), local) == {}


def test_a_step_is_two_requests_to_upload_and_two_to_fetch(bucket: Place, gate: Gate, tmp_path: Path) -> None:
    work = Work(bucket.name, PLAN)
    made = work.upload("run-3", step(tmp_path / "run-3"))
    assert gate.requests == {"Put": 2}
    gate.set()
    (tmp_path / "local").mkdir()
    work.fetch([(made, ())], str(tmp_path / "local"))
    assert gate.requests == {"Get": 1}


def test_a_list_of_digests_that_is_damaged_is_found(remote: Work, tmp_path: Path) -> None:
    made = remote.upload("run-3", step(tmp_path / "run-3"))
    text = remote.place.read(made.path).decode()
    for wrong in (text.replace("a.csv", "b.csv"), made.sums, text.partition("# 0")[2], ""):
        remote.place.write(made.path, lambda wrong=wrong: [wrong.encode()])  # type: ignore[misc]
        with pytest.raises(Failure, match="is damaged: SHA256SUMS does not name a.csv"):
            remote.find()["run-3"].extent("a.csv")


@pytest.mark.parametrize("keeps", [False, True])
def test_only_what_settle_made_is_removed(place: Place, keeps: bool, tmp_path: Path) -> None:
    work = Work(place.name, PLAN)
    if work.is_remote:
        source = step(tmp_path / "run-0")
        counts = work.upload("run-0", source)
        write(place, "shards/run-1.aa/files", "gathered/done-0-2.bb/SHA256SUMS", "parts/cc/part")
        steps = [counts.path, counts.path.replace("/files", "/SHA256SUMS")]
    else:
        counts = work.step(os.path.basename(step(Path(place.name, "run-0"))))
        write(place, ".run-1.2.3/a", ".parts.ab/a", ".plan.json.77")
        steps = [f"run-0/{name}" for name in ("SHA256SUMS", *FILES)]
    write(place, "plan.json", "mine/a", "run-x")
    if keeps:
        work.remove_attempts([counts])
        assert set(names(place)) == {"mine/a", "plan.json", *steps, "run-x"}
    work.remove()
    assert names(place) == ["mine/a", "run-x"]
    for name in ("mine", "run-x"):
        place.remove(name, is_file=name == "run-x")
    write(place, "plan.json")
    work.remove()
    assert place.entries() == []


def test_what_followed_the_gathering_is_removed_at_once(bucket: Place, gate: Gate, tmp_path: Path) -> None:
    work = Work(bucket.name, PLAN)
    for name in ("hash-0", "run-0", "gather", "done-0-0", "accounts"):
        work.upload(name, step(tmp_path / name))
    gate.set()
    work.remove_gathered()
    assert gate.requests.total() <= 5
    assert sorted(work.find()) == ["hash-0", "run-0"]


def test_a_step_of_spark_stands_whole_or_not_at_all(tmp_path: Path) -> None:
    with pytest.raises(Failure), step_directory(str(tmp_path), "accounts") as made:
        Path(made, "part").write_text("half")
        raise Failure(74, "lost")
    assert list(tmp_path.iterdir()) == []
    for text in ("one\n", "two\n"):
        with step_directory(str(tmp_path), "accounts") as made:
            Path(made, "part").write_text(text)
        assert (tmp_path / "accounts/part").read_text() == "one\n"
    assert Work(str(tmp_path)).step("accounts").sums == f"{hashlib.sha256(b'one' + bytes([10])).hexdigest()}  part\n"


def test_a_step_without_its_digests_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "run-0").mkdir()
    with pytest.raises(Failure, match="run-0: cannot be read: .*; remove that step from W, and start settle-spark again"):
        Work(str(tmp_path)).find()


def test_the_advice_about_a_damaged_step_is_that_of_where_w_is(place: Place) -> None:
    work = Work(place.name, PLAN)
    told = work.told("/tmp/x/run-1/outcome.json: is damaged; do that step again: rm -r /tmp/x/run-1 && settle shard run 1",
                     "/tmp/x")
    assert told.startswith(f"{place.shown}/run-1/outcome.json: is damaged; ")
    assert ("rm -r" in told, "remove that step from W" in told) == (not work.is_remote, work.is_remote)
