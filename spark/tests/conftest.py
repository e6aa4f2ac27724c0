from collections.abc import Iterator
from pathlib import Path

import pytest
from object_store import BUCKET, Gate, object_store

from settle_spark.files import Place


@pytest.fixture(scope="session")
def served() -> Iterator[tuple[Gate, int]]:
    with pytest.MonkeyPatch.context() as patch, object_store() as found:
        patch.setenv("AWS_ACCESS_KEY_ID", "key")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
        yield found


@pytest.fixture
def gate(served: tuple[Gate, int]) -> Gate:
    """The gate before an S3 server, without faults."""
    served[0].set()
    return served[0]


@pytest.fixture
def bucket(served: tuple[Gate, int], gate: Gate, tmp_path: Path) -> Place:
    """An empty folder of an S3 server."""
    query = f"endpoint_override=127.0.0.1:{served[1]}&scheme=http&region=eu-central-1"
    return Place(f"s3://{BUCKET}/{tmp_path.name} %C3%BC?{query}")


@pytest.fixture(params=["folder", "uri", "bucket"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """An empty directory: a path, a URI of this machine, and one of a bucket."""
    if request.param == "bucket":
        found: Place = request.getfixturevalue("bucket")
        return found
    path = tmp_path / "a ü%20"
    path.mkdir()
    return Place(str(path) if request.param == "folder" else path.as_uri())


def names(place: Place) -> list[str]:
    """The files below a place."""
    return sorted(entry.name for entry in place.entries(recursive=True) if entry.is_file)
