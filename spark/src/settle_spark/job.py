"""The job: the order of the steps, and Spark's part in them."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import sys
import tempfile
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import astuple, replace
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from py4j.protocol import Py4JError
from pyspark import StorageLevel
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from .arguments import Arguments
from .batch import Range, version_of, window
from .claim import CLAIM, Claim
from .executor import (
    EXTENT,
    PART,
    ROW,
    Done,
    Shipped,
    Task,
    Upload,
    concatenate,
    part_writer,
    perform,
    row_reader,
    take_parts,
)
from .files import AT_ONCE, Extent, Place, digest, pieces_of
from .publication import MANIFEST, Part, Publication, parts_of, table_files
from .retry import after_publication, batch_digest, published_before
from .scratch import temporary_directory
from .session import Session, spark_session
from .steps import (
    BUSY,
    INPUT_OUTPUT,
    OF_BATCH,
    OUTPUT_EXISTS,
    SETTLED_ELSEWHERE,
    USAGE,
    AttemptFailed,
    Ended,
    Failure,
    attempt_of,
    failing_with,
    run,
    shown_by_spark,
)
from .uri import is_uri, shown
from .work import ACCOUNTS, GATHER, PARTS, PLAN, PUBLISHED, SUMS, Step, Work, packed, step_directory

_GATHERINGS = 3
"""How often the shards are gathered if other runs write to the ledger meanwhile."""
_OF_SPARK = frozenset({"accounts.csv", "asked.csv", "claims.csv"})
"""The files of a step that Spark's own steps read, and no `finish`."""
_HEADER = 32
"""The most bytes of a block's header that settle reads at once."""


def settle(arguments: Arguments) -> int:
    """Settles a batch; the exit code is that of `settle run`."""
    versions = versions_of(arguments)
    batch = batch_digest(arguments, versions)
    with failing_with(OUTPUT_EXISTS):
        published = published_before(arguments, batch)
    if published is not None:
        return published
    try_files(arguments)
    with temporary_directory(arguments.work) as scratch:
        job = Job(arguments, scratch, versions, batch)
        try:
            code = job.prepare()
            if code is not None:
                return code
            with spark_session(arguments) as session:
                if arguments.ledger and session.session.sparkContext.getConf().get("spark.submit.deployMode") == "cluster":
                    raise Failure(USAGE, "a ledger is a file of the driver's machine: use deploy mode client")
                job.start(session)
                return job.run()
        except Failure as failure:
            raise job.told_by_winner(failure) from failure
        finally:
            job.undo()


def versions_of(arguments: Arguments) -> list[str]:
    """The versions of the batch's files; raises if one cannot be read (66)."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        names = (name if is_uri(name) else os.path.abspath(name) for name in arguments.batch)
        return list(pool.map(version_of, names))


def try_files(arguments: Arguments) -> None:
    """Tries W and output at paths before anything is started; at URIs a plan and a claim show whether they can be written.
    """
    output, work = arguments.output, Work(arguments.work)
    with failing_with(OUTPUT_EXISTS):
        if not is_uri(output):
            # A resumed job may have made the output, and a ledger knows whether it did.
            if "--replace" not in arguments.merge and not arguments.ledger and os.path.lexists(output):
                if not work.place.exists(PLAN):
                    raise Failure(OUTPUT_EXISTS, f"{output}: exists already; name another directory")
            _expect_writable(os.path.dirname(os.path.abspath(output)), output)
        if not work.is_remote:
            if os.path.isdir(work.name):
                work.place.try_writing()
            else:
                _expect_writable(os.path.dirname(work.name), work.name)


def _expect_writable(parent: str, name: str) -> None:
    """Raises if a directory cannot be made in its parent."""
    if not os.path.isdir(parent):
        raise Failure(OUTPUT_EXISTS, f"{name}: cannot be made: {parent} is not a directory")
    if not os.access(parent, os.W_OK | os.X_OK):
        raise Failure(OUTPUT_EXISTS, f"{name}: cannot be made: {parent} cannot be written")


class Job:
    """A batch's way through the steps. A finished step is not done again."""

    def __init__(self, arguments: Arguments, scratch: str, versions: list[str], batch: str) -> None:
        self._arguments = arguments
        self._session: Session | None = None
        self._context: Any = None
        self._scratch = scratch
        self._versions = versions
        self._batch = batch
        self._work = Work(arguments.work)
        self._reports = Publication(arguments.output) if is_uri(arguments.output) else None
        self._source = os.path.join(scratch, "reports")
        self._local = os.path.join(scratch, "work") if self._work.is_remote else arguments.work
        self._driver_binary = arguments.binary or "settle"
        self._binary = Shipped(self._driver_binary, arguments.binary is not None)
        self._threads = "1"
        self._begin = time.monotonic()
        self._undoing: list[Callable[[], None]] = []
        """What takes back that this job planned and claimed, until its first step begins."""
        self._files: list[dict[str, Any]] = []
        self._shards: list[dict[str, Any]] = []
        self._shows_names = False
        self._steps: dict[str, Step] = {}
        self._copies: dict[str, Shipped] = {}
        self._headers: dict[int, list[int]] = {}
        self._is_resumed = False
        self._merged: dict[str, int] = {}
        self._account_parts: int | None = None
        """If the shards were gathered again, the most parts of accounts of a gathering before."""
        self._table: str | None = None

    def prepare(self) -> int | None:
        """Plans the batch, and claims the output at a URI; returns the exit code if its reports are published already."""
        if shutil.which(self._driver_binary) is None:
            name = f"--binary {self._driver_binary}" if self._binary.is_shipped else "settle"
            raise Failure(USAGE, f"{name}: is not a command here; name it with --binary FILE")
        with failing_with(OUTPUT_EXISTS):
            self._plan()
        code = self._published()
        if code is not None:
            self._undoing.clear()
            self._clear_work(code)
        elif self._reports:
            claim = Claim(self._work.plan, self._work.shown, self._batch)
            self._reports = replace(self._reports, claim=claim, shards=len(self._shards))
            with failing_with(OUTPUT_EXISTS):
                taken, is_new = self._reports.take()
            if is_new:
                self._undoing.append(self._reports.release)
            # It may have other options that mean the same.
            self._reports = replace(self._reports, claim=taken)
        return code

    def told_by_winner(self, failure: Failure) -> Failure:
        """A failure, with the news that another driver of this job has published the reports meanwhile, if so."""
        if self._reports is None or self._reports.claim is None or failure.code not in (INPUT_OUTPUT, BUSY, OUTPUT_EXISTS):
            return failure
        with suppress(Failure):
            if self._reports.exist():
                return Failure(failure.code, f"{failure}\nsettle-spark: {self._reports.place.shown}: the reports are published, "
                                             "by another driver; the same command ends with the code of the run")
        return failure

    def undo(self) -> None:
        """Takes back the claim and the plan, if no step of this job has begun."""
        for undo in reversed(self._undoing):
            with suppress(Failure, OSError):
                undo()

    def start(self, session: Session) -> None:
        """Has Spark copy to the executors what they need."""
        self._session = session
        self._context = session.session.sparkContext
        self._threads = str(self._context.getConf().get("spark.task.cpus", "1"))
        self._ship()
        if self._work.is_remote:
            self._copies[PLAN] = self._copy(lambda: pieces_of(os.path.join(self._local, PLAN)))

    def run(self) -> int:
        """Settles and publishes; returns the exit code."""
        self._undoing.clear()
        code = INPUT_OUTPUT
        try:
            code = self._settle_shards(self._files, self._shards)
        except Failure as failure:
            code = failure.code
            raise
        finally:
            if code in (OF_BATCH, SETTLED_ELSEWHERE, OUTPUT_EXISTS) and self._reports:
                self._end_tasks()
                self._reports.discard()
        if code in (0, 1):
            self._clear_work(code)
        return code

    def _published(self) -> int | None:
        """The exit code of an earlier job with this W that published its reports, if they are there."""
        found = self._work.place.find(PUBLISHED) if self._is_resumed else None
        earlier = json.loads(found) if found else {}
        if not earlier or earlier["sha256"] != self._proof():
            return None
        print(earlier["table"], end="", flush=True)
        self._tell("the reports were published already")
        return int(earlier["code"])

    def _proof(self) -> str | None:
        """The SHA-256 of the file by which the reports exist."""
        made = Path(self._source, MANIFEST)
        if made.exists():
            return digest(made)  # This job has published it.
        place = self._reports.place if self._reports else Place(os.path.abspath(self._arguments.output))
        found = place.find(MANIFEST if self._reports else SUMS)
        return None if found is None else sha256(found).hexdigest()

    def _clear_work(self, code: int) -> None:
        """Removes W, or what attempts left there. The reports are published whatever fails now."""
        self._end_tasks()
        work = self._work
        with after_publication("what attempts left in W" if self._arguments.keeps_work else "W"):
            if self._arguments.keeps_work:
                work.remove_attempts(self._steps.values())
                return
            if self._table is not None:
                # If W is not removed, the next job need not settle again.
                note = json.dumps({"sha256": self._proof(), "code": code, "table": self._table}).encode()
                work.place.write(PUBLISHED, lambda: [note])
            work.remove()

    def _end_tasks(self) -> None:
        """Ends all tasks: none of a late attempt writes any more."""
        if self._session:
            self._session.end_tasks()

    def _settle_shards(self, files: list[dict[str, Any]], shards: list[dict[str, Any]]) -> int:
        hashes = [Task(f"hash-{number}", ("hash", str(number)), input=self._input(number, 0, file["bytes"], files),
                       returns=("hash.json",))
                  for number, file in enumerate(files)]
        self._inputs = [self._input(shard["file"], shard["from"], shard["to"], files) for shard in shards]
        runs = [
            Task(f"run-{shard}", ("run", str(shard), "--threads", self._threads), input=range,
                 returns=("outcome.json", "asked.csv", "refund-lines"))
            for shard, range in enumerate(self._inputs)
        ]
        self._stage("hash and run", [*hashes, *runs])
        for gathering in range(_GATHERINGS + 1):
            self._gather(again=gathering > 0)
            code, message = self._publish(len(shards))
            if code != BUSY or not self._arguments.ledger or gathering == _GATHERINGS:
                break
            self._tell(f"{message}\nsettle-spark: gathering the shards again")
        if message:
            print(message, file=sys.stderr)
        return code

    # The driver's part.

    def _input(self, number: int, start: int, end: int, files: list[dict[str, Any]]) -> Range | None:
        """The standard input of a step: empty if the batch's files are paths."""
        file = files[number]
        if file["path"] is not None:
            return None
        name, headers = self._arguments.batch[number], self._headers.get(number, [])
        following = bisect_right(headers, end)
        after = {} if following == len(headers) else {"after": headers[following] + _HEADER - end}
        return Range(name if is_uri(name) else os.path.abspath(name), f"{file['bytes']} {file['modified']}", start, end,
                     file["bytes"], **after)

    def _plan(self) -> None:
        """Plans the batch, or reads the plan of an earlier job with this W."""
        work, plan = self._work, Path(self._local, PLAN)
        earlier = work.place.find(PLAN)
        self._is_resumed = earlier is not None
        if work.is_remote:
            os.mkdir(self._local, 0o700)
            if earlier is not None:
                plan.write_bytes(earlier)
        names = self._arguments.batch
        command = ["shard", "plan", *map(shown, names), "--work", self._local, *self._arguments.plan]
        if any(map(is_uri, names)):
            readers: dict[int, Callable[[int, int], bytes]] = {}

            def answer(question: bytes) -> bytes:
                number, offset, length = map(int, question.split())
                self._headers.setdefault(number, []).append(offset)
                if number not in readers:
                    readers.clear()  # The files are planned one after the other.
                    name = names[number] if is_uri(names[number]) else os.path.abspath(names[number])
                    version = self._versions[number]
                    readers[number] = window(Place(name).reader(version=version), int(version.split()[0]))
                return readers[number](offset, length)

            feed = [f"{version}\n".encode() for version in self._versions]
            self._settle(*command, "--input", "-", feed=feed, answer=answer)
        else:
            self._settle(*command)
        text = plan.read_bytes()
        if earlier is None:
            if work.is_remote and not work.place.write_new(PLAN, lambda: [text]):
                # An answer that was lost may have been that it is written.
                if work.place.find(PLAN) != text:
                    raise Failure(BUSY, f"{work.shown}: another job has begun there; the same command continues it")
            self._undoing.append(self._remove_plan)
        self._work = work = replace(work, plan=sha256(text).hexdigest())
        if not work.is_remote or earlier is not None:
            self._steps = work.find()
        if earlier is not None and self._reports and self._arguments.ledger:
            self._account_parts = work.gathered_again()
        found = json.loads(text)
        self._files, self._shards, self._shows_names = found["files"], found["shards"], found["showsNames"]

    def _remove_plan(self) -> None:
        self._work.place.remove(PLAN, is_file=True)
        if not self._work.is_remote:
            os.rmdir(self._work.name)

    def _gather(self, again: bool) -> None:
        if again:
            if self._reports:
                # A late attempt of this gathering may still write parts: the next one leaves none of their names free.
                parts = sum(name.endswith(".csv") for name in self._steps[ACCOUNTS].files) if ACCOUNTS in self._steps else 0
                self._account_parts = max(parts, self._account_parts or 0)
                self._work.note_again(self._account_parts)
            self._steps = {name: step for name, step in self._steps.items() if name.startswith(("hash-", "run-"))}
            shutil.rmtree(os.path.join(self._local, "accounts"), ignore_errors=True)
            if self._work.is_remote:
                self._work.remove_gathered()
        elif "gather" in self._steps:
            return self._fetch(["gather"])
        self._fetch(name for name in self._steps if name.startswith("hash-"))
        self._fetch((name for name in self._steps if name.startswith("run-")), "outcome.json")
        self._tell("gather")
        self._settle("shard", "gather", "--work", self._local, *(["--again"] if again else []))
        self._keep("gather")

    def _publish(self, shards: int) -> tuple[int, str]:
        """Does everything after the gathering; returns the exit code of `settle merge` and its output."""
        claims: list[int] = self._gathered()["claims"]
        before = None
        for level in (0, 1, 2) if claims[1] else (0, 2):
            judged = level == 0 or claims[level] > 0
            if judged and f"verdicts-{level}" not in self._steps:
                self._verdicts(level, before)
            self._finish(shards, level, before, judged)
            before = level
        if "accounts" not in self._steps:
            self._accounts()
        self._fetch_merged()
        self._tell("merge")
        ended, table = self._merge(shards)
        self._table = table.decode()
        print(self._table, end="", flush=True)
        return ended.code if ended.code >= 0 else INPUT_OUTPUT, self._told(ended.message)

    def _fetch_merged(self) -> None:
        """Copies what `settle merge` reads from a remote W; the copies are compared with their digests."""
        last = [name for name in self._steps if name.startswith("done-") and name.endswith("-2")]
        keeps = self._arguments.ledger is not None
        self._fetch(["accounts"])
        self._fetch(last, "outcome.json", *([] if self._reports else table_files()),
                    *(["private", "refund-entries.csv"] if keeps else []))
        self._fetch(self._steps.keys() - {*last, "accounts"}, "outcome.json", "hash.json", "gather.json",
                    "preapprovals.csv", "agreements.csv", *(["refundables"] if keeps else []))

    def _merge(self, shards: int) -> tuple[Ended, bytes]:
        """Publishes the reports, at a URI by answering the questions of `settle merge`; returns what it printed."""
        reports, output = self._reports, self._arguments.output
        merge = [self._driver_binary, "merge", self._local, *self._arguments.merge, *self._arguments.log,
                 *(["--checked"] if self._work.is_remote else []), "--output"]
        if reports is None:
            with tempfile.TemporaryFile() as table:
                ended = run([*merge, output], output=table)
                table.seek(0)
                return ended, table.read()
        shutil.rmtree(self._source, ignore_errors=True)
        printed: list[bytes] = []

        def answer(line: bytes) -> bytes:
            if line == b"reports stand?\n":
                return b"yes\n" if reports.exist() else b"no\n"
            if line == b"upload parts\n":
                parts = self._parts_merged(shards)
                self._merged = {part.name: part.size for part in parts}
                if not reports.stand(self._source):
                    self._place(reports, parts)
            elif line == b"upload manifest\n":
                self._end_tasks()
                reports.complete(self._source, self._merged)
            else:
                printed.append(line)
                return b""
            return b"done\n"

        claim = os.path.join(self._scratch, CLAIM)
        Path(claim).write_bytes(reports.claim.text if reports.claim else b"")
        again = [] if self._account_parts is None else ["--all-parts", str(self._account_parts)]
        ended = run([*merge, self._source, "--published-at", reports.place.shown, "--claim", claim, *again],
                    feed=(), answer=answer)
        return ended, b"".join(printed)

    def _finish(self, shards: int, level: int, before: int | None, judged: bool) -> None:
        shared = ("gather", *([f"verdicts-{level}"] if judged else []))
        gathering = self._steps["gather"] if self._arguments.ledger else None

        def needs(name: str, *unread: str) -> tuple[Step, tuple[str, ...]]:
            step = self._steps[name]
            return step, tuple(file for file in step.files if file not in {*_OF_SPARK, *unread})

        def task(shard: int) -> Task:
            run = f"run-{shard}"
            wanted = [needs(run)] if before is None else [
                needs(run, "exceptions.csv", "fees.csv", "private", "settlement.csv",
                      *(["refundables"] if level == 2 else [])),
                needs(f"done-{shard}-{before}")]
            held = [(step, self._work.held(step, files, self._local)) for step, files in wanted]
            return Task(
                f"done-{shard}-{level}", ("finish", str(shard), "--level", str(level), "--threads", self._threads),
                tuple(need for need, (_, files) in zip(wanted, held) if not files),
                tuple((step, files) for step, files in held if files), copies, self._inputs[shard], asks=True,
                returns=("outcome.json", "accounts.csv", *(["claims.csv"] if level < 2 else [])),
                upload=Upload(self._reports, parts_of(shard, shards, self._shows_names), gathering)
                if self._reports and level == 2 else None)

        names = [f"done-{shard}-{level}" for shard in range(shards)]
        if any(name not in self._steps for name in names):
            copies = tuple((self._steps[name], self._copied(name)) for name in shared) if self._work.is_remote else ()
            self._stage(f"finish, level {level}", [task(shard) for shard in range(shards)])

    def _verdicts(self, level: int, before: int | None) -> None:
        """Judges a level's claims: keys with Spark's shuffle, agreements and refunds in one process, in batch order."""
        if level == 0:
            return self._repeated_keys()
        steps = (name for name in self._steps if name.startswith("done-") and name.endswith(f"-{before}"))
        self._fetch(steps, "claims.csv", "outcome.json")
        self._tell(f"claims, level {level}")
        self._settle("shard", "claims", "--level", str(level), "--work", self._local)
        self._keep(f"verdicts-{level}")

    # Spark's part.

    def _stage(self, title: str, tasks: list[Task]) -> None:
        """Lets executors run the steps that are not finished."""
        left = [task for task in tasks if task.name not in self._steps]
        if not left:
            return
        stand = len(tasks) - len(left)
        self._tell(f"{title}: {len(left)} steps" + (f", {stand} finished" if stand else ""))
        work, binary, plan = self._work, self._binary, self._copies.get(PLAN, self._binary)

        def perform_all(part: Iterable[Task]) -> Iterator[Done]:
            return (perform(work, binary, plan, task) for task in part)

        with self._described(title):
            done = self._context.parallelize(left, len(left)).mapPartitions(perform_all).collect()
        for result in done:
            if result.step:
                self._steps[result.name] = result.step
                self._work.hand_back(result.step, result.files, self._local)
        for result in done:
            if result.code:
                raise Failure(result.code, f"{result.name}: {result.message}")
        for message in sorted({result.message for result in done if result.message}):
            print(message, file=sys.stderr)

    def _parts_merged(self, shards: int) -> list[Part]:
        """The parts named by the manifest of the merge."""
        sources = {
            part: (f"done-{shard}-2", file)
            for shard in range(shards) for part, file in parts_of(shard, shards, self._shows_names).items()
        }
        tables = json.loads(Path(self._source, MANIFEST).read_bytes())["files"]
        for part in (part["name"] for table in tables for part in table["parts"]):
            report, _, file = part.partition("/")
            if report == "receivers" and file in self._steps[ACCOUNTS].files:
                sources[part] = (ACCOUNTS, file)
            elif report == "preapprovals" and "verdicts-1" in self._steps:
                sources[part] = ("verdicts-1", "preapprovals.csv")

        def merged(name: str, size: int, digest: str) -> Part:
            if name not in sources:
                return Part(name, size, Extent("", 0, 0, digest, b""))  # Only another gathering had rows there.
            step, file = sources[name]
            return Part(name, size, replace(self._steps[step].extent(file), sha256=digest))

        parts = [
            merged(part["name"], part["bytes"], part["sha256"])
            for table in tables for part in table["parts"][1:]  # The first is the header.
        ]
        # Keep a shard's parts together, so that each task has large and small ones.
        return sorted(parts, key=lambda part: part.name.partition("/")[2])

    def _place(self, reports: Publication, parts: list[Part]) -> None:
        """Lets executors make sure that each part, and nothing else, is in its published place."""
        self._tell(f"upload: {len(parts)} parts")
        place = self._work.place
        found = reports.clear(self._merged)  # An interrupted job's parts would be read together with these.

        def faults(some: Iterable[Part]) -> Iterator[tuple[str, str]]:
            for part in some:
                with attempt_of(part.name):
                    fault = reports.fault(part, place)
                if fault:
                    yield part.name, fault

        def placed(parts: list[Part]) -> dict[str, str]:
            slices = min(len(parts), 4 * self._context.defaultParallelism) or 1
            with self._described("upload"):
                return dict(self._context.parallelize(parts, slices).mapPartitions(faults).collect())

        wrong = placed([replace(part, found=found.get(part.name)) for part in parts])
        if wrong:
            # Only the driver removes parts.
            reports.remove(wrong)
            wrong = placed([part for part in parts if part.name in wrong])
        if wrong:
            raise Failure(INPUT_OUTPUT, next(iter(wrong.values())))

    def _repeated_keys(self) -> None:
        """Finds the keys that several shards claim, that an earlier run used, or that a refund names."""
        runs = [step for name, step in self._steps.items() if name.startswith("run-")]
        with self._parts() as parts, step_directory(self._local, "verdicts-0") as made:
            none, key = F.lit(None).cast("int").alias("shard"), F.substring("row", 1, 32).alias("key")
            zero = F.lit(0).cast("long")
            claims = self._rows(self._work.rows(runs, "claims.csv", self._local)).select(
                key, F.split("row", ",")[1].cast("int").alias("shard"), F.lit(0).alias("asked"),
                zero.alias("earlier_run"))
            asked = self._rows(self._work.rows(runs, "asked.csv", self._local))
            rows = claims.union(asked.select(key, none, F.lit(1), zero))
            if self._arguments.ledger:
                earlier = self._rows([self._earlier_keys(parts)])
                rows = rows.union(earlier.select(
                    key, none, F.lit(0), F.substring_index("row", ",", -1).cast("long")))
            found = rows.groupBy("key").agg(
                F.sort_array(F.collect_list("shard")).alias("shards"), F.max("asked").alias("asked"),
                F.max("earlier_run").alias("earlier_run"))
            verdicts = (
                found.where("size(shards) > 1 or asked > 0 or earlier_run > 0")
                .select("key", "asked", "earlier_run", F.posexplode("shards").alias("place", "shard"))
                .where("place > 0 or asked > 0 or earlier_run > 0")
                .withColumn("lost", (F.col("place") > 0).cast("int"))
                .repartitionByRange("shard", "key").sortWithinPartitions("shard", "key")
                .select(F.concat(F.concat_ws(",", "shard", "key", "lost", "earlier_run", "asked"), F.lit("\n")))
            )
            paths = self._write_parts("claims, level 0", verdicts, parts, None, made)
            concatenate(paths, os.path.join(made, "verdicts.csv"))
            self._describe(made, "verdicts.json", level=0)
        self._keep("verdicts-0")

    def _earlier_keys(self, parts: str) -> Extent:
        """The claimed keys that the ledger contains, and the run of each: the ledger is a file on the driver."""
        runs = [name for name in self._steps if name.startswith("run-")]
        self._fetch(runs, "claims.csv", "refundables")  # The merge reads the second.
        self._tell("keys of the ledger")
        claims = (piece for name in runs for piece in pieces_of(Path(self._local, name, "claims.csv")))
        found = os.path.join(self._scratch, "earlier.csv")
        with open(found, "wb") as file:
            self._ended(run([self._driver_binary, "shard", "keys", "--work", self._local], claims, file))
        self._work.place.write(f"{parts}/earlier.csv", lambda: pieces_of(found))
        return Extent(f"{parts}/earlier.csv", 0, os.path.getsize(found), digest(found))

    def _accounts(self) -> None:
        """Adds up the accounts of all shards: Spark makes rows of one account adjacent, settle adds them."""
        steps = [step for name, step in self._steps.items() if name.startswith(("run-", "done-"))]
        with self._parts() as parts, step_directory(self._local, "accounts") as made:
            # Kept, because Spark takes a sample of them before it divides them.
            rows = self._rows(self._work.rows(steps, "accounts.csv", self._local)).persist(StorageLevel.DISK_ONLY)
            ordered = (
                rows.select(
                    "row", F.substring_index("row", ",", 1).alias("account"),
                    F.substring_index("row", ",", 2).alias("account_currency"))
                .repartitionByRange("account", "account_currency")
                .sortWithinPartitions("account", "account_currency").select("row")
            )
            self._write_parts("accounts", ordered, parts, "accounts", made)
            rows.unpersist()
            self._describe(made, "accounts.json")
        self._keep("accounts")

    def _rows(self, extents: list[Extent]) -> DataFrame:
        """The rows of files in W, each with its line feed."""
        slices = min(len(extents), 4 * self._context.defaultParallelism) or 1
        files = [astuple(extent) for extent in extents]
        assert self._session
        frame = self._session.session.createDataFrame(self._context.parallelize(files, slices), EXTENT)
        return frame.mapInArrow(row_reader(self._work.place), ROW)

    def _write_parts(self, title: str, rows: DataFrame, parts: str, command: str | None, into: str) -> list[str]:
        self._tell(title)
        directory = parts if self._work.is_remote else os.path.join(self._local, parts)
        write = part_writer(self._work, directory, None if command is None else (self._binary, command))
        with self._described(title):
            found = rows.mapInArrow(write, PART).collect()
        return take_parts(self._work, directory, [(row.part, row.name) for row in found], into)

    @contextmanager
    def _parts(self) -> Iterator[str]:
        """A directory in W for what executors write in one step."""
        name = f"{PARTS}/{secrets.token_hex(8)}" if self._work.is_remote else f".parts.{secrets.token_hex(8)}"
        if not self._work.is_remote:
            os.mkdir(os.path.join(self._local, name), 0o700)
        try:
            yield name
        finally:
            if not self._work.is_remote:  # Otherwise they are removed together with W.
                self._work.place.remove(name)

    # Small helpers.

    def _gathered(self) -> Any:
        return json.loads(Path(self._local, "gather", "gather.json").read_bytes())

    def _describe(self, directory: str, file: str, **fields: Any) -> None:
        """Writes the JSON file of a step that Spark made; it begins like all of them, and names the gathering."""
        gathered = self._gathered()
        head = {name: gathered[name] for name in ("format", "version", "engine", "plan")}
        head["gather"] = digest(Path(self._local, "gather", "gather.json"))
        text = json.dumps({**head, **fields}, separators=(",", ":"), ensure_ascii=False)
        Path(directory, file).write_text(text + "\n")

    def _fetch(self, names: Iterable[str], *files: str) -> None:
        """Copies finished steps to this machine, if W is remote."""
        if self._work.is_remote:
            self._work.fetch([(self._steps[name], files) for name in names], self._local)

    def _keep(self, name: str) -> None:
        """Keeps a step in W that was made on this machine."""
        remote = self._work.is_remote
        self._steps[name] = (
            self._work.upload(name, os.path.join(self._local, name)) if remote else self._work.step(name))
        if remote and name == ACCOUNTS:
            made = self._steps[name]
            self._steps[name] = self._work.choose(made, self._steps[GATHER])
            if self._steps[name] != made:
                shutil.rmtree(os.path.join(self._local, name))  # Another driver's attempt was chosen.

    def _copied(self, name: str) -> Shipped:
        """A finished step that Spark copies to the executors."""
        path = self._steps[name].path
        if path not in self._copies:
            self._fetch([name])
            _, pieces = packed(name, path, os.path.join(self._local, name))
            self._copies[path] = self._copy(pieces)
        return self._copies[path]

    def _copy(self, pieces: Callable[[], Iterable[bytes]]) -> Shipped:
        """Has Spark copy bytes to the executors, as a file with a name that no other has."""
        target = os.path.join(self._scratch, f"settle-{secrets.token_hex(8)}")
        with open(target, "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.writelines(pieces())
        self._context.addFile(target)
        return Shipped(target)

    def _settle(self, *arguments: str, **streams: Any) -> None:
        """Runs a step on this machine; raises if it fails."""
        self._ended(run([self._driver_binary, *arguments, *self._arguments.log], **streams))

    def _ended(self, ended: Ended) -> None:
        message = self._told(ended.message)
        if ended.code:
            raise Failure(ended.code if ended.code > 0 else INPUT_OUTPUT, message)
        if message:
            print(message, file=sys.stderr)

    def _told(self, message: str) -> str:
        """A message with the names that the user gave, not those of scratch directories."""
        message = self._work.told(message, self._local)
        return message.replace(self._source, self._reports.place.shown) if self._reports else message

    @contextmanager
    def _described(self, title: str) -> Iterator[None]:
        """Shows the step's title on Spark's page, and turns Spark's failure into the step's."""
        self._context.setJobDescription(title)
        try:
            yield
        except (PySparkException, Py4JError) as error:
            text = str(error)
            failure = AttemptFailed.found_in(text)
            raise failure or Failure(INPUT_OUTPUT, f"{title}: Spark failed: {shown_by_spark(text)}") from error

    def _tell(self, what: str) -> None:
        if "--quiet" not in self._arguments.log:
            print(f"settle-spark: {time.monotonic() - self._begin:7.1f} s  {what}", file=sys.stderr)

    def _ship(self) -> None:
        """Copies this package, and the command if it is named, to the executors."""
        package, archive = Path(__file__).resolve().parent, os.path.join(self._scratch, "settle_spark.zip")
        with ZipFile(archive, "w") as made:
            for source in sorted(package.glob("*.py")):
                made.write(source, f"{package.name}/{source.name}")
        self._context.addPyFile(archive)
        if self._binary.is_shipped:
            self._context.addFile(self._binary.path)
