"""A job whose reports are published: what the same command finds out before it does anything."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from tempfile import TemporaryFile
from typing import Any

from .arguments import PLAN_FILES, Arguments
from .claim import Claim
from .files import Place, digest
from .publication import MANIFEST
from .steps import OUTPUT_EXISTS, Failure, run
from .uri import is_uri, shown
from .work import PLAN, PUBLISHED, SUMS, Work


def batch_digest(arguments: Arguments, versions: list[str]) -> str:
    """The SHA-256 of what a job settles: names and versions of the batch's files, options, and the files of options."""
    options = [
        digest(value) if option in PLAN_FILES and option != "--ledger" and os.path.isfile(value) else value
        for option, value in zip(["", *arguments.plan], arguments.plan)
    ]
    found = [[shown(name) for name in arguments.batch], versions, options]
    return sha256(json.dumps(found, separators=(",", ":"), ensure_ascii=False).encode()).hexdigest()


@contextmanager
def after_publication(what: str) -> Iterator[None]:
    """Has failures to remove something end with a warning: the reports are published, whatever fails now."""
    try:
        yield
    except (Failure, OSError) as error:
        print(f"settle-spark: warning: the reports are published, but {what} is not removed: {error}\n"
              "settle-spark: the same command removes it", file=sys.stderr)


def published_before(arguments: Arguments, batch: str) -> int | None:
    """The exit code of the same job if its reports are published at a URI; it also removes what was left in W.

    Raises if other reports are there (73), unless W or a ledger may know them.
    """
    if not is_uri(arguments.output):
        return None
    place, work = Place(arguments.output), Work(arguments.work)
    found = place.find(MANIFEST)
    if found is None:
        return None
    manifest = json.loads(found)
    claim = Claim.read(manifest.get("claim"))
    left = {entry.name for entry in work.place.entries()}
    is_same = claim is not None and (claim.batch, claim.work) == (batch, work.shown)
    if claim is not None and is_same and _is_settled(arguments, left, place):
        table, code = _result(place, work if PUBLISHED in left else None, sha256(found).hexdigest())
        print(table, end="", flush=True)
        print(f"settle-spark: {place.shown}: the reports were published already", file=sys.stderr)
        if left and not arguments.keeps_work:
            with after_publication("W"):
                if PLAN not in left or sha256(work.place.read(PLAN)).hexdigest() == claim.plan:
                    work.remove()
        return code
    if PLAN in left or arguments.ledger:
        return None
    by = f", published by the job with --work {claim.work}" if claim else ""
    what = "holds the reports of this batch already" if claim and claim.batch == batch else "holds other reports already"
    raise Failure(OUTPUT_EXISTS, f"{place.shown}: {what}{by}; name another directory")


def _is_settled(arguments: Arguments, left: set[str], place: Place) -> bool:
    """Whether a ledger, if there is one, has the run, and nothing of it must be completed."""
    if not arguments.ledger:
        return True
    if PLAN in left and PUBLISHED not in left:
        return False
    sums = place.find(SUMS)
    with TemporaryFile() as output:
        command = [arguments.binary or "settle", "history", "--ledger", arguments.ledger, "--format", "jsonl"]
        ended = run(command, output=output)
        output.seek(0)
        runs = [json.loads(line) for line in output] if ended.code == 0 else []
    return any(_has_reports(entry, place, sums) for entry in runs)


def _has_reports(entry: dict[str, Any], place: Place, sums: bytes | None) -> bool:
    expected = place.shown, sha256(sums or b"").hexdigest()
    return (entry.get("directory"), entry.get("sumsSha256")) == expected


def _result(place: Place, noted: Work | None, manifest: str) -> tuple[str, int]:
    """The table and the exit code, as they were noted in W, or from the reports."""
    earlier = json.loads(noted.place.read(PUBLISHED)) if noted else {}
    if earlier.get("sha256") == manifest:
        return earlier["table"], earlier["code"]
    records = json.loads(place.read("summary.json"))["records"]
    return f"Reports: {place.shown}\n", int(records["rejected"] > 0)
