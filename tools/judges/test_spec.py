"""The examples of the specification, byte for byte, with several numbers of threads.

Each folder of docs/spec/examples is settled with 1, 2, 7 and the usual number of threads; its README.md says what the files
of a folder are.
"""
import csv
import json
import re
import shlex

import pytest
from programs import ROOT, json_lines

EXAMPLES = ROOT / "docs/spec/examples"
REPORTS = ("settlement.csv", "receivers.csv", "totals.csv", "control.csv", "refunds.csv", "preapprovals.csv")


def folders_with(*names):
    folders = sorted({path.parent for name in names for path in EXAMPLES.glob(f"*/{name}")})
    assert folders
    return pytest.mark.parametrize("folder", folders, ids=[folder.name for folder in folders])


def lines(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read().split("\n")


def settle_batch(settle, folder, out, *options):
    """Settles the batch of a folder and compares the reports, and the outbox if the folder has one."""
    part = json.loads((folder / "summary-part.json").read_text("utf-8"))
    settle("run", "batch.jsonl", "--output", out, *options, cwd=folder, exits=[int(part["records"]["rejected"] > 0)])
    for report in REPORTS:
        assert lines(out / report) == lines(folder / report), report
    rows = [row[:10] + row[11:] for row in csv.reader(lines(out / "exceptions.csv"))]
    assert rows == list(csv.reader(lines(folder / "exceptions.csv")))
    summary = json.loads((out / "summary.json").read_text("utf-8"))
    assert {key: summary.get(key) for key in part} == part
    if (folder / "outbox.jsonl").exists():
        box = out.with_name(f"{out.name}-outbox")
        settle("notify", out, "batch.jsonl", "--output", box, "--key-file", "key", cwd=folder)
        assert lines(box) == lines(folder / "outbox.jsonl")


@pytest.mark.parametrize("threads", [[], *(["--threads", count] for count in (1, 2, 7))], ids=str)
@folders_with("summary-part.json", "nights")
def test_batch(settle, tmp_path, folder, threads):
    options = threads + (shlex.split((folder / "options").read_text()) if (folder / "options").exists() else [])
    if not (folder / "nights").is_dir():
        return settle_batch(settle, folder, tmp_path / "out", *options)
    for night in sorted((folder / "nights").iterdir(), key=lambda night: int(night.name)):
        settle_batch(settle, night, tmp_path / night.name, *options, "--ledger", tmp_path / "ledger")


@folders_with("split.jsonl")
def test_split(settle, folder):
    """`settle split`, whose lines are compared as JSON."""
    parts = json_lines((folder / "split-parts.jsonl").read_text("utf-8"))
    told = settle("split", input=(folder / "split.jsonl").read_text("utf-8"), exits=[int(any("error" in p for p in parts))])
    assert json_lines(told.stdout) == parts


@pytest.mark.parametrize("requests, batch, options", [
    ("requests.txt", "batch.jsonl", []), ("wrong.txt", "wrong.jsonl", ["--skip-invalid"])])
@folders_with("requests.txt")
def test_import(settle, tmp_path, folder, requests, batch, options):
    """PayPal Here URLs, whose errors are compared without their messages."""
    told = settle("import", "--format", "here", "--output", tmp_path / "out", requests, *options, cwd=folder,
                  exits=[int(bool(options))])
    assert lines(tmp_path / "out") == lines(folder / batch)
    errors = re.findall(r"^(.*?:\d+: error: \d+(?: at \S+)?): ", told.stderr, re.M)
    assert errors == (lines(folder / "errors.txt")[:-1] if options else [])


@folders_with("responses.jsonl")
def test_responses(settle, folder):
    for example in json_lines((folder / "responses.jsonl").read_text("utf-8")):
        options = [word for pair in example["options"].items() for word in pair]
        assert settle("here", "response", example["url"], *options).stdout == example["response"] + "\n"
