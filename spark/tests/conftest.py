from collections.abc import Iterator
from pathlib import Path

import pytest
from object_store import BUCKET, Gate, object_store

from settle_spark.files import Place


PLANS = """#!/bin/sh
# settle, as far as a job needs it before its first step: shard plan; history
case "$1 $2" in
"shard plan")
  while [ "$1" != --work ]; do shift; done
  mkdir -p "$2" && [ -e "$2/plan.json" ] || echo '{"files":[],"shards":[{},{}],"showsNames":false,"key":'$$'}' >"$2/plan.json"
  ;;
"history --ledger") cat "$3" ;;
*) exit 70 ;;
esac
"""


@pytest.fixture
def planner(tmp_path: Path) -> str:
    """A command that plans, and does no step."""
    path = tmp_path / "planner"
    path.write_text(PLANS)
    path.chmod(0o755)
    return str(path)


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


def stored(place: Place) -> dict[str, bytes]:
    """The files below a place, with what is in them."""
    return {name: place.read(name) for name in names(place)}
