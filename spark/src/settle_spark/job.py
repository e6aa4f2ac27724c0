"""The job: the order of the steps, and Spark's part in them."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from .arguments import Arguments
from .executor import PART, Binary, Done, Range, Task, Upload, concatenate, part_writer, perform, take_parts
from .publication import MANIFEST, Part, Publication, parts_of, table_files
from .steps import BUSY, INPUT_OUTPUT, OF_BATCH, OUTPUT_EXISTS, USAGE, AttemptFailed, Ended, Failure, run
from .work import PLAN, BatchFile, Work, digest, is_uri, step_directory, temporary_directory

_GATHERINGS = 3
"""How often the shards are gathered if other runs write to the ledger meanwhile."""


def settle(arguments: Arguments) -> int:
    """Settles a batch; the exit code is that of `settle run`."""
    master = arguments.master or ""
    if master.startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName(f"settle {arguments.batch[0]}")
    if master:
        builder = builder.master(master)
    if sys.stderr.isatty():
        builder = builder.config("spark.ui.showConsoleProgress", "true")
    session = builder.getOrCreate()
    try:
        if arguments.ledger and session.sparkContext.getConf().get("spark.submit.deployMode") == "cluster":
            raise Failure(USAGE, "a ledger is a file of the driver's machine: use deploy mode client")
        with temporary_directory() as scratch:
            return Job(arguments, session, scratch).run()
    finally:
        session.stop()


class Job:
    """A batch's way through the steps. A finished step is not done again."""

    def __init__(self, arguments: Arguments, session: SparkSession, scratch: str) -> None:
        self._arguments = arguments
        self._session = session
        self._context = session.sparkContext
        self._scratch = scratch
        self._work = Work(arguments.work)
        self._reports = Publication(arguments.output) if is_uri(arguments.output) else None
        self._local = os.path.join(scratch, "work") if self._work.is_remote else arguments.work
        self._driver_binary = arguments.binary or "settle"
        self._binary = Binary(self._driver_binary, arguments.binary is not None)
        self._threads = str(self._context.getConf().get("spark.task.cpus", "1"))
        self._start = time.monotonic()
        self._ship()

    def run(self) -> int:
        """Settles and publishes; returns the exit code."""
        self._expect_no_reports()
        files, shards = self._plan()
        hashes = [
            Task(f"hash-{file}", ("hash", str(file)), input=self._input(files, file, 0)) for file in range(len(files))
        ]
        self._inputs = [self._input(files, shard["file"], shard["from"]) for shard in shards]
        runs = [
            Task(f"run-{shard}", ("run", str(shard), "--threads", self._threads), input=input)
            for shard, input in enumerate(self._inputs)
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
        if code in (OF_BATCH, OUTPUT_EXISTS) and self._reports:
            self._reports.discard()
        if code in (0, 1):
            self._work.remove_attempts() if self._arguments.keeps_work else self._work.remove()
        return code

    # The driver's part.

    def _expect_no_reports(self) -> None:
        """Ends a new job whose output exists. A resumed job may have made it, and a ledger knows whether it did."""
        output = self._arguments.output
        if "--replace" in self._arguments.merge or self._arguments.ledger or self._work.exists(PLAN):
            return
        if self._reports.exist() if self._reports else os.path.lexists(output):
            raise Failure(OUTPUT_EXISTS, f"{output}: exists already; name another directory")

    def _input(self, files: list[dict[str, Any]], number: int, offset: int) -> Range | None:
        """The standard input of a step: empty if the batch's files are paths."""
        file = files[number]
        if file["path"] is not None:
            return None
        return Range(BatchFile(self._arguments.batch[number]), f"{file['bytes']} {file['modified']}", offset)

    def _plan(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        if self._work.is_remote:
            os.mkdir(self._local, 0o700)
            if self._work.exists(PLAN):
                self._work.fetch_file(PLAN, os.path.join(self._local, PLAN))
        command = ["shard", "plan", *self._arguments.batch, "--work", self._local, *self._arguments.plan]
        if any(map(is_uri, self._arguments.batch)):
            files = [BatchFile(name) for name in self._arguments.batch]
            ranges = [file.ranges() for file in files]

            def answer(question: bytes) -> bytes:
                number, offset, length = map(int, question.split())
                return ranges[number](offset, length)

            versions = [f"{file.version()}\n".encode() for file in files]
            self._settle(*command, "--input", "-", feed=versions, answer=answer)
        else:
            self._settle(*command)
        if self._work.is_remote and not self._work.exists(PLAN):
            self._work.upload_file(os.path.join(self._local, PLAN), PLAN)
        plan = json.loads(Path(self._local, PLAN).read_bytes())
        return plan["files"], plan["shards"]

    def _gather(self, again: bool) -> None:
        standing = self._work.standing()
        if again:
            shutil.rmtree(os.path.join(self._local, "accounts"), ignore_errors=True)
            if self._work.is_remote:
                self._work.remove_steps(r"verdicts-\d|done-\d+-\d|accounts|gather")
        elif "gather" in standing:
            return self._fetch(["gather"])
        self._fetch(name for name in standing if name.startswith("hash-"))
        self._fetch((name for name in standing if name.startswith("run-")), "outcome.json")
        self._tell("gather")
        self._settle("shard", "gather", "--work", self._local, *(["--again"] if again else []))
        self._upload("gather")

    def _publish(self, shards: int) -> tuple[int, str]:
        """Does everything after the gathering; returns the exit code of `settle merge` and its output."""
        claims: list[int] = self._gathered()["claims"]
        before = None
        for level in (0, 1, 2) if claims[1] else (0, 2):
            judged = level == 0 or claims[level] > 0
            if judged and f"verdicts-{level}" not in self._work.standing():
                self._verdicts(level, before)
            self._finish(shards, level, before, judged)
            before = level
        if "accounts" not in self._work.standing():
            self._accounts()
        self._bring_merged()
        self._tell("merge")
        ended, table = self._merge(shards)
        print(table.decode(), end="", flush=True)
        return ended.code if ended.code >= 0 else INPUT_OUTPUT, ended.message

    def _bring_merged(self) -> None:
        """Copies what `settle merge` reads from a remote W, after executors compared all of W with its digests."""
        if not self._work.is_remote:
            return
        standing = self._work.standing()
        last = [name for name in standing if re.fullmatch(r"done-\d+-2", name)]
        others = standing.keys() - {*last, "accounts"}
        self._check("merge", sorted(standing.values()))
        keeps = self._arguments.ledger is not None
        self._fetch(["accounts"])
        self._fetch(last, "outcome.json", *([] if self._reports else table_files()),
                    *(["private", "refund-entries.csv"] if keeps else []))
        self._fetch(others, "outcome.json", "hash.json", "gather.json", "preapprovals.csv", "agreements.csv",
                    *(["refundables"] if keeps else []))

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
        source = os.path.join(self._scratch, "reports")
        shutil.rmtree(source, ignore_errors=True)
        printed: list[bytes] = []

        def answer(line: bytes) -> bytes:
            if line == b"reports stand?\n":
                return b"yes\n" if reports.exist() else b"no\n"
            if line == b"upload parts\n":
                if not reports.stand(source):
                    reports.place(self._parts_merged(source, shards), self._ensure)
            elif line == b"upload manifest\n":
                reports.complete(source)
            else:
                printed.append(line)
                return b""
            return b"done\n"

        ended = run([*merge, source, "--published-at", output], feed=(), answer=answer)
        return ended, b"".join(printed)

    def _finish(self, shards: int, level: int, before: int | None, judged: bool) -> None:
        standing = self._work.standing()
        shared = ["gather", *([f"verdicts-{level}"] if judged else [])]
        self._stage(f"finish, level {level}", [
            Task(
                f"done-{shard}-{level}", ("finish", str(shard), "--level", str(level), "--threads", self._threads),
                tuple((name, standing[name]) for name in
                      [*shared, f"run-{shard}", *([] if before is None else [f"done-{shard}-{before}"])]),
                self._inputs[shard],
                Upload(self._reports, parts_of(shard, shards), standing["gather"])
                if self._reports and level == 2 else None)
            for shard in range(shards)
        ])

    def _verdicts(self, level: int, before: int | None) -> None:
        """Judges a level's claims: keys with Spark's shuffle, agreements and refunds in one process, in batch order."""
        if level == 0:
            return self._repeated_keys()
        steps = (name for name in self._work.standing() if name.startswith("done-") and name.endswith(f"-{before}"))
        self._fetch(steps, "claims.csv", "outcome.json")
        self._tell(f"claims, level {level}")
        self._settle("shard", "claims", "--level", str(level), "--work", self._local)
        self._upload(f"verdicts-{level}")

    # Spark's part.

    def _check(self, title: str, directories: list[str], *files: str) -> None:
        """Lets executors compare files of steps, or all files if none is named, with their digests."""
        work = self._work

        def faults(part: Iterable[str]) -> Iterator[str]:
            return (fault for fault in (work.fault(directory, files) for directory in part) if fault)

        self._expect_none(f"{title}: digests", directories, faults)

    def _stage(self, title: str, tasks: list[Task]) -> None:
        """Lets executors run the steps that are not finished."""
        standing = self._work.standing()
        left = [task for task in tasks if task.name not in standing]
        if not left:
            return
        stand = len(tasks) - len(left)
        self._tell(f"{title}: {len(left)} steps" + (f", {stand} finished" if stand else ""))
        work, binary = self._work, self._binary

        def perform_all(part: Iterable[Task]) -> Iterator[Done]:
            return (perform(work, binary, task) for task in part)

        with self._described(title):
            done = self._context.parallelize(left, len(left)).mapPartitions(perform_all).collect()
        for step in done:
            if step.code:
                raise Failure(step.code, f"{step.name}: {step.message}")
        for message in sorted({step.message for step in done if step.message}):
            print(message, file=sys.stderr)

    def _parts_merged(self, source: str, shards: int) -> list[Part]:
        """The parts named by the manifest in a local directory."""
        standing = self._work.standing()
        sources = {
            part: f"{standing[f'done-{shard}-2']}/{file}"
            for shard in range(shards) for part, file in parts_of(shard, shards).items()
        }
        tables = json.loads(Path(source, MANIFEST).read_bytes())["files"]
        for part in (part["name"] for table in tables for part in table["parts"]):
            report, _, file = part.partition("/")
            if report == "receivers":
                sources[part] = f"{standing['accounts']}/{file}"
            elif report == "preapprovals" and "verdicts-1" in standing:
                sources[part] = f"{standing['verdicts-1']}/preapprovals.csv"
        parts = [
            Part(part["name"], part["bytes"], part["sha256"], sources[part["name"]])
            for table in tables for part in table["parts"][1:]  # The first is the header.
        ]
        # Keep a shard's parts together, so that each task has large and small ones.
        return sorted(parts, key=lambda part: part.name.partition("/")[2])

    def _ensure(self, parts: list[Part]) -> None:
        """Lets executors make sure that each part is in its published place."""
        self._tell(f"upload: {len(parts)} parts")
        reports, work = self._reports, self._work

        def faults(some: Iterable[Part]) -> Iterator[str]:
            return (fault for part in some if reports and (fault := reports.fault(part, work)))

        self._expect_none("upload", parts, faults)

    def _expect_none(self, title: str, values: list[Any], faults: Callable[[Iterable[Any]], Iterator[str]]) -> None:
        """Lets executors look for faults; raises if they find one."""
        slices = min(len(values), 4 * self._context.defaultParallelism) or 1
        with self._described(title):
            found = self._context.parallelize(values, slices).mapPartitions(faults).collect()
        if found:
            raise Failure(INPUT_OUTPUT, found[0])

    def _repeated_keys(self) -> None:
        """Finds the keys that several shards claim, that an earlier run used, or that a refund names."""
        standing = self._work.standing()
        runs = [standing[name] for name in standing if name.startswith("run-")]
        self._check("claims", runs, "claims.csv", "asked.csv")
        with self._parts() as parts, step_directory(self._work, "verdicts-0", self._local) as made:
            claims = self._csv(runs, "claims.csv", "key string, shard int, settled int").select(
                "key", "shard", F.lit(0).alias("asked"), F.lit(0).cast("long").alias("earlier_run"))
            none = F.lit(None).cast("int").alias("shard")
            asked = self._csv(runs, "asked.csv", "key string").select(
                "key", none, F.lit(1), F.lit(0).cast("long"))
            rows = claims.union(asked)
            if self._arguments.ledger:
                rows = rows.union(self._earlier_keys(parts).select("key", none, F.lit(0), "earlier_run"))
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

    def _earlier_keys(self, parts: str) -> DataFrame:
        """The claimed keys that the ledger contains, and the run of each: the ledger is a file on the driver."""
        standing = self._work.standing()
        runs = {name: directory for name, directory in standing.items() if name.startswith("run-")}
        self._fetch(runs, "claims.csv")
        self._tell("keys of the ledger")

        def claims() -> Iterator[bytes]:
            for name in runs:
                with open(os.path.join(self._local, name, "claims.csv"), "rb") as file:
                    while piece := file.read(1 << 20):
                        yield piece

        found = os.path.join(self._scratch, "earlier.csv")
        with open(found, "wb") as file:
            self._ended(run([self._driver_binary, "shard", "keys", "--work", self._local], claims(), file))
        if self._work.is_remote:
            self._work.upload_file(found, f"{parts}/earlier.csv")
        else:
            shutil.move(found, os.path.join(self._local, parts, "earlier.csv"))
        return self._csv([parts], "earlier.csv", "key string, earlier_run long")

    def _accounts(self) -> None:
        """Adds up the accounts of all shards: Spark makes rows of one account adjacent, settle adds them."""
        standing = self._work.standing()
        steps = [directory for name, directory in standing.items() if name.startswith(("run-", "done-"))]
        self._check("accounts", steps, "accounts.csv")
        paths = [self._work.for_spark(directory, "accounts.csv") for directory in steps]
        with self._parts() as parts, step_directory(self._work, "accounts", self._local) as made:
            rows = (
                self._session.read.text(paths, lineSep="\n")
                .select(
                    F.concat("value", F.lit("\n")).alias("row"), F.substring_index("value", ",", 1).alias("account"),
                    F.substring_index("value", ",", 2).alias("account_currency"))
                .repartitionByRange("account", "account_currency")
                .sortWithinPartitions("account", "account_currency").select("row")
            )
            self._write_parts("accounts", rows, parts, "accounts", made)
            self._describe(made, "accounts.json")

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
        name = f".parts.{secrets.token_hex(8)}"
        if not self._work.is_remote:
            os.mkdir(os.path.join(self._local, name), 0o700)
        try:
            yield name
        finally:
            if self._work.is_remote:
                self._work.remove_steps("parts")
            else:
                shutil.rmtree(os.path.join(self._local, name), ignore_errors=True)

    def _csv(self, directories: Iterable[str], file: str, schema: str) -> DataFrame:
        return self._session.read.schema(schema).csv([self._work.for_spark(name, file) for name in directories])

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
            standing = self._work.standing()
            self._work.fetch([(name, standing[name], files) for name in names], self._local)

    def _upload(self, name: str) -> None:
        if self._work.is_remote:
            self._work.upload(name, os.path.join(self._local, name))

    def _settle(self, *arguments: str, **streams: Any) -> None:
        """Runs a step on this machine; raises if it fails."""
        self._ended(run([self._driver_binary, *arguments, *self._arguments.log], **streams))

    def _ended(self, ended: Ended) -> None:
        if ended.code:
            raise Failure(ended.code if ended.code > 0 else INPUT_OUTPUT, ended.message)
        if ended.message:
            print(ended.message, file=sys.stderr)

    @contextmanager
    def _described(self, title: str) -> Iterator[None]:
        """Shows the step's title on Spark's page, and turns Spark's failure into the step's."""
        self._context.setJobDescription(title)
        try:
            yield
        except (PySparkException, Py4JError) as error:
            text = str(error)
            raise AttemptFailed.found_in(text) or Failure(INPUT_OUTPUT, f"{title}: Spark failed: {text}") from error

    def _tell(self, what: str) -> None:
        if "--quiet" not in self._arguments.log:
            print(f"settle-spark: {time.monotonic() - self._start:7.1f} s  {what}", file=sys.stderr)

    def _ship(self) -> None:
        """Copies this package, and the command if it is named, to the executors."""
        package = Path(__file__).resolve().parent
        archive = shutil.make_archive(
            os.path.join(self._scratch, "settle_spark"), "zip", root_dir=package.parent, base_dir=package.name)
        self._context.addPyFile(archive)
        if self._binary.is_shipped:
            if not os.path.isfile(self._binary.path):
                raise Failure(USAGE, f"--binary {self._binary.path}: is not a file")
            self._context.addFile(self._binary.path)
