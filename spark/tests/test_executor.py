import os
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from settle_spark.executor import (
    Binary,
    Range,
    Task,
    Upload,
    concatenate,
    part_writer,
    perform,
    take_parts,
    text_of,
)
from settle_spark.publication import Publication
from settle_spark.steps import AttemptFailed
from settle_spark.work import BatchFile, Work

FAKE = """#!/bin/sh
# settle, as far as these tests need it: shard run N --work W; shard accounts
case $2 in
run)
  [ "$3" != 64 ] || { echo "wrong" >&2; exit 64; }
  [ "$3" != 74 ] || { echo "lost" >&2; exit 74; }
  [ "$3" != 9 ] || kill -9 $$
  mkdir "$5/run-$3" && cat ${7:-"$5/plan.json"} >"$5/run-$3/copy" && echo "0  copy" >"$5/run-$3/SHA256SUMS"
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
def binary(tmp_path: Path) -> Binary:
    path = tmp_path / "settle"
    path.write_text(FAKE)
    path.chmod(0o755)
    return Binary(str(path), is_shipped=False)


@pytest.fixture(params=["folder", "uri"])
def work(tmp_path: Path, request: pytest.FixtureRequest) -> Work:
    path = tmp_path / "W"
    path.mkdir()
    (path / "plan.json").write_text("{}")
    return Work(path.as_uri() if request.param == "uri" else str(path))


def task(number: int) -> Task:
    return Task(f"run-{number}", ("run", str(number)))


def test_a_step_is_done_where_the_work_is(work: Work, binary: Binary) -> None:
    assert perform(work, binary, task(3)).code == 0
    directory = work.standing()["run-3"]
    assert work.read(directory, "copy") == b"{}"


def test_a_step_has_a_range_of_a_file_elsewhere_as_it_was_planned(work: Work, binary: Binary, tmp_path: Path) -> None:
    (tmp_path / "batch").write_text("one\ntwo\n")
    file = BatchFile((tmp_path / "batch").as_uri())
    planned = Task("run-3", ("run", "3"), input=Range(file, file.version(), 4))
    assert perform(work, binary, planned).code == 0
    assert work.read(work.standing()["run-3"], "copy") == b"two\n"
    (tmp_path / "batch").write_text("one\ntwo\nthree\n")
    with pytest.raises(AttemptFailed, match="is not the file that was planned"):
        perform(work, binary, planned)


def test_parts_of_a_step_are_published_by_who_does_it(work: Work, binary: Binary, tmp_path: Path) -> None:
    (tmp_path / "W/gather").mkdir()
    (tmp_path / "W/gather/SHA256SUMS").write_text("ab  gather.json\n")
    out = tmp_path / "out"
    upload = Upload(Publication(out.as_uri()), {"settlement/part-3": "settlement.csv", "refunds/part-3": "refunds.csv"},
                    "gather")
    finish = Task("done-3-2", ("finish", "3"), upload=upload)

    def published() -> list[str]:
        return sorted(str(file.relative_to(out)) for file in out.rglob("*") if file.is_file())

    assert perform(work, binary, finish).code == 0
    assert published() == ["settlement/part-3"]
    assert (out / "settlement/part-3").read_text() == "row\n"
    # An attempt that was killed, or comes second: the step exists, but the part may not.
    (out / "settlement/part-3").unlink()
    assert perform(work, binary, finish).code == 0
    assert published() == ["settlement/part-3"]
    # For an earlier gathering, or if reports exist, nothing is published.
    (tmp_path / "W/gather/SHA256SUMS").write_text("cd  gather.json\n")
    (out / "settlement/part-3").unlink()
    assert perform(work, binary, finish).code == 0
    assert published() == []
    (tmp_path / "W/gather/SHA256SUMS").write_text("ab  gather.json\n")
    (out / "manifest.json").touch()
    assert perform(work, binary, finish).code == 0
    assert published() == ["manifest.json"]


def test_a_part_that_is_not_what_its_step_made_is_tried_again(work: Work, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_text(FAKE.replace("sha256sum settlement.csv refunds.csv", "echo '0  settlement.csv'"))
    wrong.chmod(0o755)
    (tmp_path / "W/gather").mkdir()
    (tmp_path / "W/gather/SHA256SUMS").write_text("ab  gather.json\n")
    upload = Upload(Publication((tmp_path / "out").as_uri()), {"settlement/part-3": "settlement.csv"}, "gather")
    with pytest.raises(AttemptFailed, match="is not what its step made"):
        perform(work, Binary(str(wrong), is_shipped=False), Task("done-3-2", ("finish", "3"), upload=upload))
    assert not (tmp_path / "out/settlement/part-3").exists()


def test_a_code_that_no_attempt_would_change_is_handed_on(work: Work, binary: Binary) -> None:
    done = perform(work, binary, task(64))
    assert (done.name, done.code, done.message) == ("run-64", 64, "wrong")
    assert work.standing() == {}


@pytest.mark.parametrize("number, code", [(74, 74), (9, 74)])
def test_other_failures_are_tried_again(work: Work, binary: Binary, number: int, code: int) -> None:
    with pytest.raises(AttemptFailed) as failure:
        perform(work, binary, task(number))
    found = AttemptFailed.found_in(str(failure.value))
    assert found is not None and found.code == code
    assert work.standing() == {}


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
def test_the_text_of_a_column_is_taken_as_it_stands(kind: pa.DataType) -> None:
    column = pa.array(["a\n", "bü\n", "", "ccc\n"], kind)
    assert bytes(text_of(column)) == "a\nbü\nccc\n".encode()
    assert bytes(text_of(column[1:3])) == "bü\n".encode()
    assert bytes(text_of(column[:0])) == b""
    assert bytes(text_of(pa.array([], kind))) == b""


@pytest.mark.parametrize("command, expected", [(None, "one\ntwo\nthree\n"), ("accounts", "ONE\nTWO\nTHREE\n")])
def test_rows_become_parts_and_one_file(
    work: Work, binary: Binary, tmp_path: Path, command: str | None, expected: str
) -> None:
    def batches() -> Iterator[pa.RecordBatch]:
        for rows in (["one\n", "two\n"], ["three\n"]):
            yield pa.RecordBatch.from_arrays([pa.array(rows)], names=["row"])

    directory = ".parts.ab"
    place = directory
    if not work.is_remote:
        place = os.path.join(work.name, directory)
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


def test_a_part_of_a_failed_command_does_not_count(work: Work, binary: Binary, tmp_path: Path) -> None:
    place = str(tmp_path) if not work.is_remote else ".parts.ab"
    before = sorted(os.listdir(tmp_path))
    with pytest.raises(AttemptFailed):
        list(part_writer(work, place, (binary, "none"))(iter([])))
    assert sorted(os.listdir(tmp_path)) == before
