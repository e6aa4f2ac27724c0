import os
from pathlib import Path

import pytest
from conftest import names
from object_store import Gate

from settle_spark.arguments import parse
from settle_spark.files import Place
from settle_spark.job import try_files
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
    found = try_files(parse([*given, "-o", place_in(bucket, "out"), "--work", place_in(bucket, "W")]))
    assert [version.split()[0] for version in found] == ["3", "4"]
    assert names(bucket) == ["batch"]
    assert gate.requests.total() < 15


@pytest.mark.parametrize(
    "batch, output, work, code",
    [
        ("none", "out", "W", 66), ("/nowhere/batch", "out", "W", 66), ("batch", "/nowhere/out", "W", 73),
        ("batch", "out", "/nowhere/W", 73), ("batch", "published", "W", 73),
    ],
)
def test_what_cannot_be_read_or_written_is_told(bucket: Place, batch: str, output: str, work: str, code: int) -> None:
    bucket.write("batch", lambda: [b"one"])
    bucket.write("published/manifest.json", lambda: [b"{}"])
    given = [place_in(bucket, name) for name in (batch, output, work)]
    with pytest.raises(Failure) as failure:
        try_files(parse([given[0], "-o", given[1], "--work", given[2]]))
    assert failure.value.code == code
    assert str(failure.value).startswith("s3://") and "endpoint" not in str(failure.value)
    assert names(bucket) == ["batch", "published/manifest.json"]


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
