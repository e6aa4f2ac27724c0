"""Journals, by hledger, ledger and beancount, whose balances must be those of receivers.csv.

Each journal must be accepted (`hledger check --strict`, `ledger --pedantic`, `bean-check` of Debian's version 2 and of
version 3), and refused after one amount in it is changed by one unit of its last digit or by a tenth of that. If there are
many amounts, some are drawn; SETTLE_TEST_SEED sets the seed, SETTLE_THOROUGH=1 draws more.
"""
import collections
import csv
import os
import random
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path

import accounts
import pytest
from journal_batches import BATCHES, hostile_lines, refund_lines
from model.files import csv_rows, csv_table, framed, write_lines
from model.payouts import payees as payees_of
from programs import IS_THOROUGH, install, run

install("hledger", "ledger", "beancount", programs=["hledger", "ledger", "/usr/bin/bean-check", "bean-report"])

SEED = os.environ.get("SETTLE_TEST_SEED") or str(int(time.time()))
# An amount with its commodity after it, but not the tolerance of a balance, and not the number of a run.
AMOUNT = re.compile(r"(?<= )(?<!~ )(?<!run )-?[0-9]+(?:\.[0-9]+)?(?= (?:~ 0 )?[A-Z]{3}(?:\.E[0-9]+)?(?: =|$))", re.MULTILINE)
# Up to this number of amounts, each is changed; of more, a smaller number is drawn.
FEW_AMOUNTS, DRAWN_AMOUNTS = (40, 16) if IS_THOROUGH else (6, 4)
# ledger must run some report: this one takes no time.
JUDGES = {
    "hledger": [["hledger", "check", "--strict", "-f"]],
    "ledger": [["ledger", "--pedantic", "--init-file", "/dev/null", "balance", "no such account", "-f"]],
    "beancount": [[bean_check, "--no-cache"]
                  for bean_check in ("/usr/bin/bean-check", Path(sys.executable).with_name("bean-check"))],
}


def refusals(kind, path):
    """The messages of the programs of a kind that refuse a journal."""
    told = [run(*command, path, exits=None) for command in JUDGES[kind]]
    return [(each.stdout + each.stderr)[:2000] or "no word" for each in told if each.returncode != 0]


def receiver_of(name):
    """The account of a receiver's name in a beancount journal, by the rule of Sources/Journals/README.md."""
    escaped = name.removeprefix("Assets:Receiver:")
    if escaped.isdigit():
        return "+" + escaped
    return re.sub("-([0-9A-F]{2})", lambda match: chr(int(match[1], 16)), escaped[0].lower() + escaped[1:])


def hledger_balances(path):
    # The commodities of an account are in one field, separated by commas.
    told = run("hledger", "-f", path, "balance", "^receiver:", "--flat", "--no-total", "-O", "csv").stdout
    for account, amounts in csv_table(told, csv.reader)[1:]:
        for number, currency in (amount.split(" ") for amount in amounts.split(", ") if amount != "0"):
            yield account.removeprefix("receiver:"), currency, Decimal(number)


def ledger_balances(path):
    told = run("ledger", "-f", path, "--init-file", "/dev/null", "balance", "^receiver:", "--flat", "--no-total").stdout
    waiting = []
    for line in told.splitlines():
        # The account comes after the last of its amounts.
        number, currency, *account = line.split()
        waiting.append((currency, Decimal(number)))
        if account:
            yield from ((account[0].removeprefix("receiver:"), *amount) for amount in waiting)
            waiting = []


def beancount_balances(path):
    for line in run("bean-report", path, "balances").stdout.splitlines():
        words = line.split()
        if len(words) == 3 and words[0].startswith("Assets:Receiver:"):
            currency, _, power = words[2].partition(".E")
            yield receiver_of(words[0]), currency, Decimal(words[1]).scaleb(int(power or 0))


BALANCES = {"hledger": hledger_balances, "ledger": ledger_balances, "beancount": beancount_balances}


def changes(text, draw):
    """Changed journals, each with one different amount, and what was changed."""
    found = list(AMOUNT.finditer(text))
    if len(found) > FEW_AMOUNTS:
        found = draw.sample(found, DRAWN_AMOUNTS)
    for match in found:
        unit = Decimal(1).scaleb(Decimal(match[0]).as_tuple().exponent)
        for amount in (f"{Decimal(match[0]) + draw.choice((unit, -unit))}", f"{match[0]}{'' if '.' in match[0] else '.'}1"):
            line = text.count("\n", 0, match.start()) + 1
            yield text[: match.start()] + amount + text[match.end() :], f"line {line}: {match[0]} became {amount}"


@pytest.mark.parametrize("kind", JUDGES)
@pytest.mark.parametrize("name", BATCHES)
def test_journal(settle, generated, returning, tmp_path, name, kind):
    print(f"repeat with SETTLE_TEST_SEED={SEED}")
    lines, arguments = BATCHES[name]
    batch = lines(generated) if callable(lines) else write_lines(tmp_path / "batch.jsonl", lines)
    fees = ["--fees", returning] if name == "refunds" else []
    settle("run", batch, "--output", tmp_path / "reports", *fees, exits=[0, 1])
    expected = {(row["account"], row["currency"]): Decimal(row["payout"])
                for row in csv_rows(tmp_path / "reports/receivers.csv")}
    texts = []
    for threads in (1, 3):
        journal = tmp_path / f"{threads}.{kind}"
        settle("journal", batch, "--format", kind, "--output", journal, "--threads", threads, *arguments, *fees,
               exits=[0, 1])
        texts.append(journal.read_text("ascii"))
    assert texts[0] == texts[1]
    assert refusals(kind, journal) == []
    assert receivers(kind, journal) == {key: paid for key, paid in expected.items() if paid}
    assert accepted_changes(kind, texts[0], tmp_path, name) == []


def receivers(kind, journal):
    """What a program says that each receiver has, by account and currency."""
    balances = collections.defaultdict(Decimal)
    for account, currency, amount in BALANCES[kind](journal):
        balances[account, currency] += amount
    return {key: amount for key, amount in balances.items() if amount}


def accepted_changes(kind, text, folder, name):
    """The changes of single amounts after which a program still accepts a journal."""
    def is_accepted(change):
        path = folder / f"{abs(hash(change[0]))}.{kind}"
        path.write_text(change[0], encoding="utf-8")
        return len(refusals(kind, path)) < len(JUDGES[kind])

    tried = list(changes(text, random.Random(f"{SEED} {name} {kind}")))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return [what for (_, what), flag in zip(tried, pool.map(is_accepted, tried)) if flag]


@pytest.fixture(scope="module")
def ledger(settle, tmp_path_factory):
    """A ledger of two nights with hostile accounts and wide amounts, and of two payouts, one with returned payments."""
    folder = tmp_path_factory.mktemp("period")
    path = folder / "ledger"

    def run(number, lines):
        batch = write_lines(folder / f"{number}.jsonl", framed(lines, f"n{number}", f"2025-10-{28 + number}T08:00:00Z"))
        settle("run", batch, "--output", folder / f"run-{number}", "--ledger", path, "--control-totals", "warn", exits=[0, 1])

    def pay(number, *options):
        payees = write_lines(folder / f"payees-{number}.csv", payees_of(
            (row["account"], row["currency"]) for row in csv_rows(folder / "run-1/receivers.csv")[::2]))
        settle("payout", "--ledger", path, "--payees", payees, "--date", f"2025-10-{28 + number}", "--output",
               folder / f"payout-{number}", *options, exits=[0, 1])

    run(1, hostile_lines())
    pay(1)
    run(2, refund_lines())
    references = [row["reference"] for row in csv_rows(folder / "payout-1/payouts.csv")]
    adjusted = write_lines(folder / "adjusted.csv", [
        "key,account,currency,amount,reason", "-k,one@r.example,USD,-1.23,-Fee.1", "K,one@r.example,USD,4.00,b_2"])
    pay(2, "--returned", write_lines(folder / "returned.csv", ["reference,reason", *(f"{each},-x" for each in references[:9])]),
        "--adjustments", adjusted)
    return path


@pytest.mark.parametrize("kind", JUDGES)
@pytest.mark.parametrize("first, last", [("2025-10-01", "2025-10-31"), ("2025-10-30", "2025-10-30"), ("2025-11-01", "2025-11-30")])
def test_period(settle, ledger, tmp_path, first, last, kind):
    """The books of a period: receivers have the balances that the ledger has, and `paid` is that of the payouts."""
    print(f"repeat with SETTLE_TEST_SEED={SEED}")
    journal = tmp_path / f"books.{kind}"
    settle("journal", "--ledger", ledger, "--since", first, "--until", last, "--format", kind, "--output", journal)
    assert refusals(kind, journal) == []
    told = settle("balances", "--ledger", ledger, "--until", last, "--format", "csv").stdout
    assert receivers(kind, journal) == {
        (row["account"], row["currency"]): Decimal(row["balance"]) for row in csv_table(told)}
    if kind == "hledger":
        found = collections.defaultdict(Decimal)
        for day, _, postings in accounts.parse_journal(journal.read_text("ascii").splitlines()):
            assert first <= day <= last
            for account, amount, currency, _ in postings:
                found[currency] += Decimal(amount) if account == "paid" else 0
        for number in (1, 2):
            for name, sign in (("payouts", -1), ("returned", 1)) if first <= f"2025-10-{28 + number}" <= last else ():
                for row in csv_rows(ledger.parent / f"payout-{number}/{name}.csv"):
                    found[row["currency"]] += sign * Decimal(row["amount"])
        assert set(found.values()) <= {0}
    assert accepted_changes(kind, journal.read_text("ascii"), tmp_path, first) == []
