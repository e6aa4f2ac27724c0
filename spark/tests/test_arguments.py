import os

import pytest

from settle_spark.__main__ import main
from settle_spark.arguments import parse
from settle_spark.steps import Failure


def test_options_go_to_the_step_they_belong_to() -> None:
    found = parse(["a.lz4", "b.lz4", "-o", "out", "--work", "w/", "--shards", "4", "--strict-items", "--ledger", "l",
                   "--existing-ledger", "--replace", "--threads", "3", "-q", "--binary", "settle"])
    assert found.batch == ["a.lz4", "b.lz4"]
    assert found.plan == ["--ledger", os.path.abspath("l"), "--shards", "4", "--strict-items", "--existing-ledger"]
    assert found.merge == ["--threads", "3", "--replace"]
    assert found.log == ["--quiet"]
    assert (found.work, found.binary) == (os.path.abspath("w"), os.path.abspath("settle"))
    assert not found.keeps_work


def test_settings_of_spark_are_given() -> None:
    given = ["a", "-o", "out", "--work", "w", "--conf", "spark.a=1=2", "--conf", "spark.b=x", "--conf", "spark.b="]
    assert parse(given).settings == {"spark.a": "1=2", "spark.b": ""}
    for wrong in ("spark.a", "a=1", ""):
        with pytest.raises(Failure, match="--conf: expects KEY=VALUE") as failure:
            parse([*given, "--conf", wrong])
        assert failure.value.code == 64


def test_a_work_directory_may_be_a_uri() -> None:
    assert parse(["a", "-o", "out", "--work", "s3://bucket/night/"]).work == "s3://bucket/night/"


def test_a_file_may_be_a_uri() -> None:
    assert parse(["s3://bucket/a", "b", "-o", "out", "--work", "w"]).batch == ["s3://bucket/a", "b"]


def test_reports_at_a_uri_are_in_parts() -> None:
    assert parse(["a", "-o", "s3://bucket/out", "--work", "w"]).merge == ["--layout", "parts"]


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["a", "--work", "w"],
        ["a", "-o", "out"],
        ["a", "-o", "out", "--work", "w", "--unknown"],
        ["a", "-o", "out", "--work", "w", "--shard", "4"],  # no abbreviation
        ["s3://KEY:SECRET@bucket/a", "-o", "out", "--work", "w"],
        ["a", "-o", "s3://KEY:SECRET@bucket/out", "--work", "w"],
        ["a", "-o", "out", "--work", "s3://KEY:SECRET@bucket/w"],
        ["a", "-o", "out", "--work", "w", "--ledger", "s3://KEY:SECRET@bucket/ledger"],
        ["a", "-o", "s3://bucket/out?region=SECRET", "--work", "w", "--replace"],
        ["a", "-o", "s3://bucket/out", "--work", "w", "--layout", "file"],
        ["a", "-o", "out", "--work", "w", "s3://KEY:SEC/RET@bucket/a?SECRET", "--unknown"],
        ["a", "-o", "out", "--work", "w", "--layout", "s3://KEY:SEC/RET@bucket/a?SECRET", "--unknown"],
        ["a", "-o", "out", "--work", "w", "--unknown", "s3://KEY:SECRET@bucket/a?SECRET"],
        ["a", "-o", "out", "--work", "s3a://bucket/w"],
        ["a", "-o", "abfs://account/out?client_secret=SECRET", "--work", "w"],
        ["a", "-o", "out", "--work", "w", "--existing-ledger"],
    ],
)
def test_a_wrong_command_line_is_64(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(Failure) as failure:
        parse(arguments)
    assert failure.value.code == 64
    assert main(arguments) == 64
    told = capsys.readouterr().err
    assert told.startswith("settle-spark: error: ") and "SECRET" not in told


def test_an_unexpected_error_is_74_and_not_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def settle(_: object) -> int:
        raise ValueError("no Java\nat all")

    monkeypatch.setattr("settle_spark.job.settle", settle)
    assert main(["a", "-o", "out", "--work", "w"]) == 74
    assert capsys.readouterr().err == "settle-spark: error: ValueError: no Java\n"
    assert main(["a", "-o", "out", "--work", "w", "--debug"]) == 74
    assert capsys.readouterr().err.startswith("Traceback")
