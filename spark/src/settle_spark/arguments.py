"""The command line of settle-spark."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from .steps import USAGE, Failure
from .uri import expect_valid_uri, is_uri, shown

PLAN_FILES = ("--fees", "--splits", "--taxes", "--ledger")
_PLAN_VALUES = ("--unknown-fields", "--refund-window", "--max-rejected", "--control-totals", "--shards", "--shard-size")
_PLAN_FLAGS = ("--strict-items", "--strict-texts", "--require-trailer", "--existing-ledger")
_MERGE_VALUES = ("--threads", "--layout")
_MERGE_FLAGS = ("--replace",)
_LOG_VALUES = ("--log-format", "--log-level")
_LOG_FLAGS = ("--quiet",)
_BUNDLED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "settle")
"""The settle command in a released wheel."""


@dataclass(frozen=True)
class Arguments:
    """The parsed command line."""

    batch: list[str]
    output: str
    work: str
    master: str | None = None
    binary: str | None = None
    keeps_work: bool = False
    debugs: bool = False
    plan: list[str] = field(default_factory=list)
    merge: list[str] = field(default_factory=list)
    log: list[str] = field(default_factory=list)
    ledger: str | None = None
    settings: dict[str, str] = field(default_factory=dict)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Failure(USAGE, f"{message}\n{self.format_usage().strip()}")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="settle-spark",
        allow_abbrev=False,
        description="Settles a batch in shards on an Apache Spark cluster: the reports of settle run, byte for byte.",
        epilog="Exits like settle run. The same command with the same --work continues where another one ended.",
    )
    parser.add_argument("batch", nargs="+", metavar="BATCH", help="a file that all machines see, or a URI")
    parser.add_argument("-o", "--output", required=True, metavar="DIR", help="the directory to make")
    parser.add_argument("--work", required=True, metavar="W", help="a folder that all machines see, or a URI")
    parser.add_argument("--master", metavar="URL", help="Spark's master; default: from Spark's settings")
    parser.add_argument("--conf", metavar="KEY=VALUE", action="append", default=[], help="a setting of Spark; repeatable")
    parser.add_argument("--binary", metavar="FILE", help="the settle command, which Spark copies to the executors; "
                        "default: the one in the package, else settle on each machine's PATH")
    parser.add_argument("--keep-work", action="store_true", help="keep W after publication")
    parser.add_argument("--debug", action="store_true", help="show tracebacks, and all that Spark logs")
    for title, values, flags in (
        ("options of settle shard plan", (*PLAN_FILES, *_PLAN_VALUES), _PLAN_FLAGS),
        ("options of settle merge", _MERGE_VALUES, _MERGE_FLAGS),
        ("options of each step", _LOG_VALUES, _LOG_FLAGS),
    ):
        group = parser.add_argument_group(title)
        for name in values:
            group.add_argument(name, metavar="FILE" if name in PLAN_FILES else "VALUE")
        for name in flags:
            group.add_argument(*(["-q", name] if name == "--quiet" else [name]), action="store_true")
    return parser


def parse(arguments: Sequence[str]) -> Arguments:
    """Reads the command line; raises if it is not valid (64)."""
    found = vars(_parser().parse_args(arguments))

    def given(values: Sequence[str], flags: Sequence[str]) -> list[str]:
        result: list[str] = []
        for name in values:
            value = found[name[2:].replace("-", "_")]
            if value is not None:
                # The plan may be made in another directory.
                result += [name, os.path.abspath(value) if name in PLAN_FILES else value]
        return result + [name for name in flags if found[name[2:].replace("-", "_")]]

    batch, output, work = found["batch"], found["output"], found["work"]
    for option, name in (
        *(("BATCH", name) for name in batch), ("--output", output), ("--work", work), ("--binary", found["binary"]),
        *((option, found[option[2:]]) for option in PLAN_FILES),
    ):
        expect_valid_uri(name or "", option)
    if found["existing_ledger"] and found["ledger"] is None:
        raise Failure(USAGE, "--existing-ledger needs --ledger, which names it")
    if is_uri(output):
        if found["replace"]:
            raise Failure(USAGE, f"{shown(output)}: reports at a URI cannot be replaced")
        if found["layout"] == "file":
            raise Failure(USAGE, f"{shown(output)}: reports at a URI are always in parts")
        found["layout"] = "parts"
    return Arguments(
        batch=batch,
        output=output,
        work=work if is_uri(work) else os.path.abspath(work),
        master=found["master"],
        binary=_BUNDLED if found["binary"] is None and os.path.isfile(_BUNDLED) else
        None if found["binary"] is None else os.path.abspath(found["binary"]),
        keeps_work=found["keep_work"],
        debugs=found["debug"],
        plan=given((*PLAN_FILES, *_PLAN_VALUES), _PLAN_FLAGS),
        merge=given(_MERGE_VALUES, _MERGE_FLAGS),
        log=given(_LOG_VALUES, _LOG_FLAGS),
        ledger=None if found["ledger"] is None else os.path.abspath(found["ledger"]),
        settings=_settings(found["conf"]),
    )


def _settings(given: Sequence[str]) -> dict[str, str]:
    """Spark's settings; of several for one key the last counts."""
    found = {}
    for setting in given:
        key, is_given, value = setting.partition("=")
        if not is_given or not key.startswith("spark."):
            raise Failure(USAGE, "--conf: expects KEY=VALUE, and a key that begins with spark.")
        found[key] = value
    return found
