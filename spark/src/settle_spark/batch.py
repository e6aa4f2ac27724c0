"""Files of the batch at URIs: the ranges of shards, and the answers to the questions of settle."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .files import PIECE, Place, Reader
from .steps import UNREADABLE, failing_with

_LITTLE = 64 << 10
_DENSE = 128 << 10
"""The distance of headers up to which reading on costs less than another request."""
_PAGE = 4 << 10
_MOST = 1 << 20


@dataclass(frozen=True)
class Range:
    """A shard's range of a file, as it was planned; then the file's size, and how many bytes after the range complete
    its last line, as far as that is known.
    """

    name: str
    version: str
    start: int
    end: int
    size: int
    after: int = _LITTLE

    def _open(self) -> Reader:
        return Place(self.name).reader(version=self.version)

    def pieces(self) -> Iterator[bytes]:
        """The range's bytes, and those after it; after an empty piece there may be no need for more."""
        reader = self._open()
        if self.size == 0:
            reader.some(0, 1)  # It is compared with its version when it is read.
        offset, length = min(self.end + self.after, self.size), _LITTLE
        yield from reader.pieces(self.start, offset)
        while offset < self.size:
            yield b""
            length = min(length, self.size - offset)
            yield reader.read(offset, length)
            offset, length = offset + length, min(2 * length, PIECE)

    def answers(self) -> Callable[[bytes], bytes]:
        """A function that answers questions `FILE OFFSET LENGTH` for bytes of the file, which it opens at the first."""
        read: list[Callable[[int, int], bytes]] = []

        def answer(question: bytes) -> bytes:
            if not read:
                read.append(window(self._open(), self.size))
            _, offset, length = map(int, question.split())
            return read[0](offset, length)

        return answer


def version_of(name: str) -> str:
    """The version of a file of the batch; raises if it cannot be read (66)."""
    with failing_with(UNREADABLE):
        reader = Place(name).reader()
        reader.some(0, 1)  # A directory can be opened.
        return reader.version()


def window(reader: Reader, size: int) -> Callable[[int, int], bytes]:
    """A function that reads bytes at offsets, each further than the one before.

    It reads ahead if they are close together: so bytes that are close need few requests, and others few bytes.
    """
    start, held, last, ahead = 0, b"", 0, _PAGE

    def read(offset: int, length: int) -> bytes:
        nonlocal start, held, last, ahead
        if not start <= offset <= offset + length <= start + len(held):
            ahead = min(max(2 * ahead, 2 * _DENSE), _MOST) if 0 < offset - last <= _DENSE else _PAGE
            start = offset
            held = reader.read(offset, max(length, min(ahead, size - offset)))
        last = offset
        return held[offset - start:offset - start + length]

    return read
