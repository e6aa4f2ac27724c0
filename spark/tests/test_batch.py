from collections import Counter
from dataclasses import replace

import pytest
from conftest import names
from object_store import Gate

from settle_spark.batch import Range, version_of, window
from settle_spark.files import Place
from settle_spark.steps import Failure

CONTENT = bytes(range(256)) * 4096


def planned(place: Place, start: int, end: int) -> Range:
    place.write("batch", lambda: [CONTENT])
    name = place.name.replace("?", "/batch?") if "?" in place.name else f"{place.name}/batch"
    return Range(name, version_of(name), start, end, len(CONTENT))


def test_a_range_is_read_as_it_was_planned(place: Place) -> None:
    range = planned(place, 1000, 2000)
    assert b"".join(range.pieces()) == CONTENT[1000:]
    assert [len(piece) for piece in range.pieces()][:6] == [1000 + (1 << 16), 0, 1 << 16, 0, 1 << 17, 0]
    assert [len(piece) for piece in replace(range, after=500_000).pieces()][:4] == [501_000, 0, 1 << 16, 0]
    assert list(replace(range, after=len(CONTENT)).pieces()) == [CONTENT[1000:]]
    answer = range.answers()
    assert answer(b"7 5 10\n") + answer(b"7 100 1\n") == CONTENT[5:15] + CONTENT[100:101]
    place.write("batch", lambda: [CONTENT, b"more"])
    changed = "batch: is not the file that was planned"
    with pytest.raises(Failure, match=changed) as failure:
        next(range.pieces())
    assert failure.value.code == 74
    with pytest.raises(Failure, match=changed):
        range.answers()(b"7 5 10\n")


def test_a_file_that_cannot_be_opened_is_66(place: Place) -> None:
    for name in (f"{place.shown}/none", place.shown) if not place.name.startswith("s3:") else (place.name,):
        with pytest.raises(Failure, match="cannot be read") as failure:
            version_of(name)
        assert failure.value.code == 66
    assert names(place) == []


@pytest.mark.parametrize("stride, requests, most", [(1 << 20, 16, 0.01), (60 << 10, 20, 1.1), (200 << 10, 82, 0.1)])
def test_headers_of_large_blocks_need_few_bytes_and_those_of_small_ones_few_requests(
    bucket: Place, gate: Gate, stride: int, requests: int, most: float
) -> None:
    content = CONTENT * 16
    bucket.write("batch", lambda: [content])
    gate.set()
    read = window(bucket.reader("batch"), len(content))
    for offset in range(0, len(content) - 8, stride):
        for part in (0, 4):
            assert read(offset + part, 4) == content[offset + part:offset + part + 4]
    assert gate.requests["Get"] <= requests
    assert Counter(gate.read).total() <= most * len(content)
    with pytest.raises(Failure, match="ended early"):
        read(len(content) - 3, 4)
