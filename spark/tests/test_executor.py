import hashlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from conftest import names

from settle_spark.batch import Range, version_of
from settle_spark.executor import (
    Shipped,
    Task,
    Upload,
    batches_of,
    concatenate,
    part_writer,
    perform,
    row_reader,
    take_parts,
    text_of,
)
from settle_spark.files import Place
from settle_spark.publication import Publication
from settle_spark.steps import AttemptFailed, Failure
from settle_spark.work import Step, Work, packed

FAKE = """#!/bin/sh
# settle, as far as these tests need it: shard run N --work W; shard accounts
case $2 in
run)
  [ "$3" != 64 ] || { echo "wrong $5" >&2; exit 64; }
  [ "$3" != 74 ] || { echo "lost" >&2; exit 74; }
  [ "$3" != 9 ] || kill -9 $$
  mkdir "$5/run-$3" && cd "$5/run-$3" && if [ "$7" ]; then cat; else cat ../plan.json; fi >copy
  sha256sum copy >SHA256SUMS
  ;;
list) mkdir "$5/run-$3" && cd "$5/run-$3" && cp ../run-3/a . && sha256sum a >SHA256SUMS ;;
ask)
  echo "0 1 3" && mkdir -p "$5/run-$3" && cd "$5/run-$3" && head -c 3 >copy && sha256sum copy >SHA256SUMS
  ;;
finish)
  [ ! -e "$5/done-$3-2" ] || exit 0
  mkdir "$5/done-$3-2" && cd "$5/done-$3-2" || exit
  echo '{"gather":"ab"}' >outcome.json && echo row >settlement.csv && : >refunds.csv
  sha256sum settlement.csv refunds.csv >SHA256SUMS
  ;;
accounts) tr a-z A-Z ;;
*) exit 74 ;;
esac
"""


@pytest.fixture
def binary(tmp_path: Path) -> Shipped:
    path = tmp_path / "settle"
    path.write_text(FAKE)
    path.chmod(0o755)
    return Shipped(str(path), is_shipped=False)


@pytest.fixture
def plan(tmp_path: Path) -> Shipped:
    (tmp_path / "the plan").write_text("{}")
    return Shipped(str(tmp_path / "the plan"), is_shipped=False)


@pytest.fixture
def work(place: Place) -> Work:
    place.write("plan.json", lambda: [b"{}"])
    return Work(place.name, hashlib.sha256(b"{}").hexdigest())


def task(number: int) -> Task:
    return Task(f"run-{number}", ("run", str(number)))


def gathering(work: Work, tmp_path: Path, digest: str) -> Step:
    """A gathering in W, whose file has this digest."""
    path = tmp_path / "gather"
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir()
    (path / "gather.json").touch()
    (path / "SHA256SUMS").write_text(f"{digest}  gather.json\n")
    if work.is_remote:
        work.remove_gathered()
        return work.upload("gather", str(path))
    shutil.copytree(path, Path(work.name, "gather"), dirs_exist_ok=True)
    return work.step("gather")


def test_a_step_is_done_where_the_work_is(work: Work, binary: Shipped, plan: Shipped) -> None:
    done = perform(work, binary, plan, Task("run-3", ("run", "3"), returns=("copy",)))
    assert (done.code, done.files) == (0, {"copy": b"{}"} if work.is_remote else {})
    assert work.find() == {"run-3": done.step}


def test_a_step_has_what_it_needs_of_others(work: Work, binary: Shipped, plan: Shipped, tmp_path: Path) -> None:
    if not work.is_remote:
        return
    (tmp_path / "run-3").mkdir()
    (tmp_path / "run-3/a").write_text("a")
    (tmp_path / "run-3/SHA256SUMS").write_text(f"{hashlib.sha256(b'a').hexdigest()}  a\n")
    step = work.upload("run-3", str(tmp_path / "run-3"))
    _, pieces = packed("run-3", step.path, str(tmp_path / "run-3"))
    (tmp_path / "copy").write_bytes(b"".join(pieces()))
    for needs in (Task("run-4", ("list", "4"), needs=((step, ()),)),
                  Task("run-4", ("list", "4"), given=((step, {"a": b"a"}),)),
                  Task("run-4", ("list", "4"), shared=((step, Shipped(str(tmp_path / "copy"), is_shipped=False)),))):
        perform(work, binary, plan, needs)
        assert work.find()["run-4"].files == ["a"]


def test_a_step_has_a_range_of_a_file_elsewhere_as_it_was_planned(
    work: Work, binary: Shipped, plan: Shipped, tmp_path: Path
) -> None:
    (tmp_path / "batch").write_text("one\ntwo\n")
    name = (tmp_path / "batch").as_uri()
    range = Range(name, version_of(name), 4, 8, 8)
    done = perform(work, binary, plan, Task("run-3", ("run", "3"), input=range))
    assert done.step and b"".join(done.step.extent("copy").pieces(work.place)) == b"two\n"
    asks = Task("run-5", ("ask", "5"), input=range, asks=True)
    done = perform(work, binary, plan, asks)
    assert done.step and b"".join(done.step.extent("copy").pieces(work.place)) == b"ne\n"
    (tmp_path / "batch").write_text("one\ntwo\nthree\n")
    for planned in (Task("run-4", ("run", "4"), input=range), asks):
        with pytest.raises(AttemptFailed, match="is not the file that was planned"):
            perform(work, binary, plan, planned)


def test_parts_of_a_step_are_published_by_who_does_it(
    work: Work, binary: Shipped, plan: Shipped, tmp_path: Path
) -> None:
    out = Place((tmp_path / "out").as_uri())

    def finish(gathering: Step) -> list[str]:
        parts = {"settlement/part-3": "settlement.csv", "refunds/part-3": "refunds.csv"}
        upload = Upload(Publication(out.name), parts, gathering)
        assert perform(work, binary, plan, Task("done-3-2", ("finish", "3"), upload=upload)).code == 0
        return names(out)

    counts = gathering(work, tmp_path, "ab")
    assert finish(counts) == ["settlement/part-3"]
    assert out.read("settlement/part-3") == b"row\n"
    # An attempt that was killed, or comes second: the step exists, but the part may not.
    out.remove("settlement")
    assert finish(counts) == ["settlement/part-3"]
    # For an earlier gathering, or if reports exist, nothing is published.
    out.remove("settlement")
    later = gathering(work, tmp_path, "cd")
    assert finish(counts) == []
    if not work.is_remote:
        later = gathering(work, tmp_path, "ab")
    assert finish(later) == ["settlement/part-3"]
    out.remove("settlement")
    out.write("manifest.json", list)
    assert finish(later) == ["manifest.json"]


def test_a_part_that_is_not_what_its_step_made_is_tried_again(work: Work, plan: Shipped, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_text(FAKE.replace("sha256sum settlement.csv refunds.csv", "echo '0  settlement.csv'"))
    wrong.chmod(0o755)
    upload = Upload(Publication((tmp_path / "out").as_uri()), {"settlement/part-3": "settlement.csv"},
                    gathering(work, tmp_path, "ab"))
    with pytest.raises(AttemptFailed, match="is not what its step made"):
        perform(work, Shipped(str(wrong), is_shipped=False), plan, Task("done-3-2", ("finish", "3"), upload=upload))
    assert not (tmp_path / "out/settlement/part-3").exists()


def test_a_code_that_no_attempt_would_change_is_handed_on(work: Work, binary: Shipped, plan: Shipped) -> None:
    done = perform(work, binary, plan, task(64))
    assert (done.name, done.code, done.message, done.step) == ("run-64", 64, f"wrong {work.shown}", None)
    assert work.find() == {}


@pytest.mark.parametrize("number, code", [(74, 74), (9, 74)])
def test_other_failures_are_tried_again(work: Work, binary: Shipped, plan: Shipped, number: int, code: int) -> None:
    with pytest.raises(AttemptFailed) as failure:
        perform(work, binary, plan, task(number))
    found = AttemptFailed.found_in(str(failure.value))
    assert found is not None and found.code == code
    assert work.find() == {}


def test_rows_are_read_and_compared_with_their_digest(place: Place) -> None:
    text = "".join(f"+49{number},ü\n" for number in range(1000)).encode()
    place.write("run-3/files", lambda: [b"_", text, b"_"])

    def read(sha256: str) -> list[pa.RecordBatch]:
        extent = {"file": "run-3/files", "offset": 1, "length": len(text), "sha256": sha256, "content": None}
        return list(row_reader(place)(iter([pa.RecordBatch.from_pylist([extent])])))

    batches = read(hashlib.sha256(text).hexdigest())
    assert b"".join(bytes(text_of(batch.column(0))) for batch in batches) == text
    with pytest.raises(AttemptFailed, match="run-3/files: is not what"):
        read("0" * 64)


def test_rows_are_whole_lines() -> None:
    found = [batch.column(0).to_pylist() for batch in batches_of([b"one\ntw", b"o", b"", b"\n\n"])]
    assert found == [["one\n"], ["two\n", "\n"]]
    assert list(batches_of([])) == []
    with pytest.raises(Failure, match="its last row is not ended"):
        list(batches_of([b"one\ntwo"]))


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
def test_the_text_of_a_column_is_taken_as_it_stands(kind: pa.DataType) -> None:
    column = pa.array(["a\n", "bü\n", "", "ccc\n"], kind)
    assert bytes(text_of(column)) == "a\nbü\nccc\n".encode()
    assert bytes(text_of(column[1:3])) == "bü\n".encode()
    assert bytes(text_of(column[:0])) == b""
    assert bytes(text_of(pa.array([], kind))) == b""


@pytest.mark.parametrize("command, expected", [(None, "one\ntwo\nthree\n"), ("accounts", "ONE\nTWO\nTHREE\n")])
def test_rows_become_parts_and_one_file(
    work: Work, binary: Shipped, tmp_path: Path, command: str | None, expected: str
) -> None:
    def batches() -> Iterator[pa.RecordBatch]:
        for rows in (["one\n", "two\n"], ["three\n"]):
            yield pa.RecordBatch.from_arrays([pa.array(rows)], names=["row"])

    place = "parts/ab"
    if not work.is_remote:
        place = os.path.join(work.name, ".parts.ab")
        os.mkdir(place)
    write = part_writer(work, place, None if command is None else (binary, command))
    (tmp_path / "made").mkdir()
    lost, counts = (next(write(batches())).to_pylist()[0] for _ in range(2))
    assert lost["name"] != counts["name"]
    paths = take_parts(work, place, [(counts["part"], counts["name"])], str(tmp_path / "made"))
    assert [os.path.basename(path) for path in paths] == ["part-00000.csv"]
    concatenate(paths, str(tmp_path / "made/whole"))
    assert os.listdir(tmp_path / "made") == ["whole"]
    assert (tmp_path / "made/whole").read_text() == expected


def test_a_part_of_a_failed_command_does_not_count(work: Work, binary: Shipped) -> None:
    before = names(work.place)
    with pytest.raises(AttemptFailed):
        list(part_writer(work, "parts/ab" if work.is_remote else work.name, (binary, "none"))(iter([])))
    assert names(work.place) == before
