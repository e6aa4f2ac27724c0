"""The examples of the specification, byte for byte, with several numbers of threads.

Each folder of docs/spec/examples is settled with 1, 2, 7 and the usual number of threads; README.md there describes the
files of a folder.
"""
import csv
import json
import re
import shlex

import accounts
import pytest
from model.files import ROOT, csv_table, json_lines
from model.payouts import heading
from programs import run

EXAMPLES = ROOT / "docs/spec/examples"
REPORTS = ("settlement.csv", "receivers.csv", "totals.csv", "control.csv", "refunds.csv", "preapprovals.csv", "fees.csv")


def folders_with(*names):
    folders = sorted({path.parent for name in names for path in [*EXAMPLES.glob(f"*/{name}"), *EXAMPLES.glob(f"free/*/{name}")]})
    assert folders
    return pytest.mark.parametrize("folder", folders, ids=[folder.name for folder in folders])


def lines(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read().split("\n")


def options_of(folder):
    return shlex.split((folder / "options").read_text()) if (folder / "options").exists() else []


def pay_nights(settle, folder, scratch, options):
    """Settles nights and makes payouts on one ledger, in the order of the folder; each payout is made twice, and verified."""
    ledger = scratch / "ledger"
    for kind, number in (step.split() for step in lines(folder / "order") if step):
        out = scratch / f"{kind}-{number}"
        if kind == "run":
            settle_batch(settle, folder / "nights" / number, out, *options, "--ledger", ledger)
        else:
            pay(settle, folder / "payouts" / number, ledger, out)
    ask_all(settle, folder, ledger, scratch)
    for line in lines(folder / "history.jsonl")[:-1] if (folder / "history.jsonl").exists() else []:
        history = json.loads(line)
        find = ["find", history["account"], "--ledger", ledger, "--format", "jsonl"]
        exits, balances = ([0], [line]) if history["balances"] else ([1], [])
        assert settle(*find, "--ledger-only", exits=exits).stdout.splitlines() == balances
        assert settle(*find, exits=exits).stdout.splitlines()[-1:] == balances


def ask_all(settle, folder, ledger, scratch):
    """Asks what the folder's commands ask."""
    for line in lines(folder / "commands") if (folder / "commands").exists() else []:
        if line:
            ask(settle, folder, ledger, scratch, *shlex.split(line))


def ask(settle, folder, ledger, scratch, name, command, *options):
    """Asks a ledger about accounts over nights, and compares the answer."""
    expected = folder / "expected"
    made = ["--output", scratch / name] if command in ("statement", "journal") else []
    told = settle(command, *options, "--ledger", ledger, *made, cwd=folder).stdout
    if command == "statement":
        assert files_of(scratch / name) == files_of(expected / name)
    elif command == "find":
        assert [without_directories(line) for line in told.splitlines()] == \
            [json.loads(line) for line in lines(expected / name)[:-1]]
    elif command == "journal":
        made, meant = (accounts.parse_journal(lines(path / name), path.joinpath(name).suffix[1:]) for path in (scratch, expected))
        assert made == meant
    elif command == "waiting":
        assert [row[:-1] for row in csv_table(told, csv.reader)] == list(csv.reader(lines(expected / name)[:-1]))
    else:
        assert told.split("\n") == lines(expected / name)


def files_of(path):
    return {each.name: lines(each) for each in path.iterdir()} if path.is_dir() else lines(path)


def without_directories(line):
    """An object that `settle find` prints, without the fields that name directories."""
    return {key: value for key, value in json.loads(line).items() if not re.search("directory", key, re.I)}


def has_errors(told, expected):
    """Whether a command should report errors; compares them without their messages."""
    if not (expected / "errors.txt").exists():
        return False
    found = re.findall(r"^(\S+:\d+: error: [A-Z0-9_]+(?: at \S+)?): ", told.stderr, re.M)
    assert found == lines(expected / "errors.txt")[:-1]
    return True


def pay(settle, folder, ledger, out):
    expected, options, exits = folder / "expected", options_of(folder), [int((folder / "exit").read_text())]
    if (folder / "dry-run.csv").exists():
        tried = settle("payout", "--ledger", ledger, "--dry-run", *options, cwd=folder, exits=exits)
        assert tried.stdout == (folder / "dry-run.csv").read_text("utf-8")
    for _ in range(2):
        told = settle("payout", "--ledger", ledger, "--output", out, *options, cwd=folder, exits=exits)
    has_errors(told, expected)
    if exits[0] in (64, 78):
        assert not out.exists()
        return
    run("sha256sum", "-c", "--quiet", "--strict", "SHA256SUMS", cwd=out)
    summary = json.loads((out / "payouts.json").read_text("utf-8"))
    identifier = summary["payout"].pop("ledger")
    del summary["engine"]
    assert summary == json.loads((expected / "payouts-part.json").read_text("utf-8"))
    files = {path.name for path in expected.iterdir()} - {"payouts-part.json"}
    assert {path.name for path in out.iterdir()} == files | {"SHA256SUMS", "payouts.json"}
    for file in files:
        assert [line.replace(f">S{identifier}-P", f">S{'0' * 12}-P") for line in lines(out / file)] == \
            lines(expected / file), file
    inputs = [word for option, path in zip(options, options[1:]) if option in ("--payees", "--returned", "--adjustments", "--debtor", "--terms")
              for word in (option, path)]
    for more in ([], ["--ledger", ledger], ["--ledger", ledger, *inputs]):
        settle("verify", out, *more, cwd=folder)


@pytest.mark.parametrize("folder", sorted(path.parent for path in EXAMPLES.glob("returns/*/order")), ids=lambda path: path.name)
def test_returns(settle, tmp_path, folder):
    """Answers of banks to the first payouts of the payouts example; a ledger's digits are zeros in the files."""
    payouts, ledger = EXAMPLES / "payouts", tmp_path / "ledger"
    for kind, number in (step.split() for step in lines(payouts / "order")[:5]):
        out = tmp_path / f"{kind}-{number}"
        if kind == "run":
            settle_batch(settle, payouts / "nights" / number, out, *options_of(payouts), "--ledger", ledger)
        else:
            pay(settle, payouts / "payouts" / number, ledger, out)
    name = heading(tmp_path / "payout-1")["ledger"]
    files = tmp_path / "files"
    files.mkdir()
    for path in folder.iterdir():
        if path.is_file():
            zeros, digits = (f"S{text}-" for text in ("0" * 12, name))
            text = path.read_bytes()
            for encoding in ("ascii", "utf-16-le"):
                text = text.replace(zeros.encode(encoding), digits.encode(encoding))
            (files / path.name).write_bytes(text)
    for kind, number in (step.split() for step in lines(folder / "order") if step):
        if kind == "returns":
            read_answers(settle, folder / number, files, ledger, tmp_path / f"answers-{number}", name)
        else:
            pay_answered(settle, folder / number, files, ledger, tmp_path / f"paid-{number}")


def read_answers(settle, folder, files, ledger, out, name):
    expected, options, exits = folder / "expected", options_of(folder), [int((folder / "exit").read_text())]
    told = settle("returns", *options, "--ledger", ledger, "--output", out, cwd=files, exits=exits)
    if has_errors(told, expected):
        assert not out.exists()
        return
    run("sha256sum", "-c", "--quiet", "--strict", "SHA256SUMS", cwd=out)
    tables = {path.name for path in expected.iterdir()} - {"returns-part.json"}
    assert {path.name for path in out.iterdir()} == tables | {"returns.json", "SHA256SUMS"}
    for file in tables:
        assert [line.replace(f"S{name}-", f"S{'0' * 12}-") for line in lines(out / file)] == lines(expected / file), file
    summary = json.loads((out / "returns.json").read_text("utf-8"))
    assert summary.pop("ledger") == name
    del summary["engine"]
    for file in summary["files"]:
        del file["sha256"]
    assert summary == json.loads((expected / "returns-part.json").read_text("utf-8"))
    debtor = options.index("--debtor") if "--debtor" in options else len(options)
    again = ["--ledger", ledger, "--answers", *options[:debtor], *options[debtor:debtor + 2]]
    for more in ([], ["--ledger", ledger], again):
        settle("verify", out, *more, cwd=files)


def pay_answered(settle, folder, files, ledger, out):
    """Makes a payout that books answers, and compares its tables."""
    expected = folder / "expected"
    settle("payout", "--ledger", ledger, "--output", out, *options_of(folder), cwd=files,
           exits=[int((folder / "exit").read_text())])
    for path in expected.iterdir():
        assert lines(out / path.name) == lines(path), path.name


NEW_NOTICES = ("TEXT_TOO_LONG", "TEXT_EMPTY", "URL_NOT_USED", "COUNTRY_NOT_USED", "ADJUSTED_WITHOUT_ADDRESS", "TAX_ROUNDED")


def listed_notices(settle, folder, options):
    """The notices about what no amount depends on, of records that are not rejected."""
    found = json_lines(settle("validate", "batch.jsonl", *options, "--notices", "--format", "jsonl", cwd=folder, exits=(0, 1)).stdout)
    rejected = {row["line"] for row in found if row["severity"] == "error"}
    return sorted((f"{row['line']}: {row['code']} at {row['field']}" for row in found
                   if row["code"] in NEW_NOTICES and row["line"] not in rejected),
                  key=lambda row: (int(row.split(":")[0]), row))


def settle_batch(settle, folder, out, *options):
    """Settles the batch of a folder and compares the reports, and the outbox if the folder has one."""
    part = json.loads((folder / "summary-part.json").read_text("utf-8"))
    settle("run", "batch.jsonl", "--output", out, *options, cwd=folder, exits=[int(part["records"]["rejected"] > 0)])
    for report in REPORTS:
        assert (out / report).exists() == (folder / report).exists(), report
        if (folder / report).exists():
            assert lines(out / report) == lines(folder / report), report
    rows = [row[:10] + row[11:] for row in csv.reader(lines(out / "exceptions.csv"))]
    assert rows == list(csv.reader(lines(folder / "exceptions.csv")))
    summary = json.loads((out / "summary.json").read_text("utf-8"))
    assert {key: summary.get(key) for key in part} == part
    if (folder / "notices.txt").exists():
        assert listed_notices(settle, folder, options) == lines(folder / "notices.txt")[:-1]
    if (folder / "outbox.jsonl").exists():
        box = out.with_name(f"{out.name}-outbox")
        settle("notify", out, "batch.jsonl", "--output", box, "--key-file", "key", cwd=folder)
        assert lines(box) == lines(folder / "outbox.jsonl")


@pytest.mark.parametrize("threads", [[], *(["--threads", count] for count in (1, 2, 7))], ids=str)
@folders_with("summary-part.json", "nights")
def test_batch(settle, tmp_path, folder, threads):
    options = threads + options_of(folder)
    if (folder / "order").exists():
        return pay_nights(settle, folder, tmp_path, options)
    if not (folder / "nights").is_dir():
        return settle_batch(settle, folder, tmp_path / "out", *options)
    for night in sorted((folder / "nights").iterdir(), key=lambda night: int(night.name)):
        settle_batch(settle, night, tmp_path / night.name, *options, "--ledger", tmp_path / "ledger")
    ask_all(settle, folder, tmp_path / "ledger", tmp_path)


@folders_with("split.jsonl")
def test_split(settle, folder):
    """`settle split`; its lines are compared as JSON."""
    parts = json_lines((folder / "split-parts.jsonl").read_text("utf-8"))
    told = settle("split", input=(folder / "split.jsonl").read_text("utf-8"), exits=[int(any("error" in p for p in parts))])
    assert json_lines(told.stdout) == parts


@pytest.mark.parametrize("requests, batch, options", [
    ("requests.txt", "batch.jsonl", []), ("wrong.txt", "wrong.jsonl", ["--skip-invalid"])])
@folders_with("requests.txt")
def test_import(settle, tmp_path, folder, requests, batch, options):
    """PayPal Here URLs; errors are compared without their messages."""
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
