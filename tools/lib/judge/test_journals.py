"""Journals, by hledger, ledger and beancount, whose balances must be those of receivers.csv.

Books of drawn months, joined to one, must have the income statement and the balance sheet of a second implementation
(accounts.py) in each of the programs.

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
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import accounts
import pytest
from journal_batches import BATCHES, hostile_lines, refund_lines
from model.files import csv_rows, csv_table, framed, write_lines
from model.payouts import payees as payees_of
from programs import IS_THOROUGH, Draw, install, run
from test_accounts import Course

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


RECEIVERS = "liabilities:receivers:"


def hledger_amounts(told):
    # The commodities of an account are in one field, separated by commas.
    for account, amounts in told:
        for number, currency in (amount.split(" ") for amount in amounts.split(", ") if amount != "0"):
            yield account, currency, Decimal(number)


def hledger_balances(path):
    told = run("hledger", "-f", path, "balance", f"^{RECEIVERS}", "--flat", "--no-total", "-O", "csv").stdout
    yield from hledger_amounts(csv_table(told, csv.reader)[1:])


def ledger_balances(path, *accounts):
    told = run("ledger", "-f", path, "--init-file", "/dev/null", "balance", *(accounts or [f"^{RECEIVERS}"]), "--flat",
               "--no-total").stdout
    waiting = []
    for line in told.splitlines():
        # The account comes after the last of its amounts.
        number, currency, *account = line.split()
        waiting.append((currency, Decimal(number)))
        if account:
            yield from ((account[0], *amount) for amount in waiting)
            waiting = []


def beancount_balances(path):
    """The balances of receivers, by the addresses that the journal has for their names."""
    lines = path.read_text("ascii").splitlines()
    addresses = {line.split()[2]: following.split('"')[1] for line, following in zip(lines, lines[1:])
                 if " open Liabilities:Receivers:" in line}
    for line in run("bean-report", path, "balances").stdout.splitlines():
        words = line.split()
        if len(words) == 3 and words[0] in addresses:
            assert accounts.beancount_name(RECEIVERS + addresses[words[0]]) == words[0]
            currency, _, power = words[2].partition(".E")
            yield RECEIVERS + addresses[words[0]], currency, Decimal(words[1]).scaleb(int(power or 0))


BALANCES = {"hledger": hledger_balances, "ledger": ledger_balances, "beancount": beancount_balances}


def hledger_statements(path):
    """What the income statement and the balance sheet show, above zero if it is debit."""
    for report in ("incomestatement", "balancesheet"):
        told = run("hledger", "-f", path, report, "--flat", "--no-total", "-O", "csv").stdout
        rows = [row for row in csv_table(told, csv.reader)[2:] if row[1]]
        for account, currency, amount in hledger_amounts(rows):
            yield account, currency, -amount if account.startswith(("income", "liabilities")) else amount


def ledger_statements(path):
    yield from ledger_balances(path, "^income", "^expenses")
    yield from ledger_balances(path, "^assets", "^liabilities")


def beancount_statements(path):
    for report, kinds in (("income", ("Income", "Expenses")), ("balsheet", ("Assets", "Liabilities"))):
        page = run("bean-report", path, report).stdout
        for table in re.findall("<table.*?</table>", page, re.S):
            columns = re.findall("<th[^>]*>(.*?)</th>", table, re.S)[1:]
            for row in re.findall("<tr.*?</tr>", table, re.S):
                account, *cells = re.findall("<td[^>]*>(.*?)</td>", row, re.S) or [""]
                if account.startswith(kinds):
                    for column, cell in zip(columns, cells):
                        words = cell.replace(",", "").split()
                        yield from ((account, (words[1:] or [column])[0], Decimal(words[0])) for _ in words[:1])


STATEMENTS = {"hledger": hledger_statements, "ledger": ledger_statements, "beancount": beancount_statements}


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
def test_journal(settle, generated, returning, named, tmp_path, name, kind):
    print(f"repeat with SETTLE_TEST_SEED={SEED}")
    lines, arguments = BATCHES[name]
    batch = lines(generated) if callable(lines) else write_lines(tmp_path / "batch.jsonl", lines)
    schedule = {"refunds": returning, "named fees": named}.get(name)
    fees = ["--fees", schedule] if schedule else []
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
    if kind == "ledger":
        assert summed(ledger_balances(journal, "^income", "^liabilities:vat")) == summed(income(tmp_path / "reports"))
    assert accepted_changes(kind, texts[0], tmp_path, name) == []


def summed(amounts):
    """Sums that are not zero, by account and currency."""
    sums = collections.defaultdict(Decimal)
    for account, currency, amount in amounts:
        sums[account, currency] += amount
    return {key: amount for key, amount in sums.items() if amount}


def receivers(kind, journal):
    """What a program says that each receiver has, by account and currency."""
    return {(account.removeprefix(RECEIVERS), currency): -amount
            for (account, currency), amount in summed(BALANCES[kind](journal)).items()}


def income(directory):
    """What a night's reports say that it earned, by account: below zero."""
    for row in csv_rows(directory / "totals.csv"):
        figures = {name: Decimal(value) for name, value in row.items() if name != "currency"}
        for account, amount in accounts.income(directory, row["currency"], figures):
            yield account, row["currency"], amount


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
    """The books of a period: receivers have the balances that the ledger has, and `assets:payouts` is that of the payouts."""
    print(f"repeat with SETTLE_TEST_SEED={SEED}")
    journal = tmp_path / f"books.{kind}"
    settle("journal", "--ledger", ledger, "--since", first, "--until", last, "--format", kind, "--output", journal)
    assert refusals(kind, journal) == []
    told = settle("balances", "--ledger", ledger, "--until", last, "--format", "csv").stdout
    assert receivers(kind, journal) == {
        (row["account"], row["currency"]): Decimal(row["balance"]) for row in csv_table(told)}
    if kind == "hledger":
        found = collections.defaultdict(Decimal)
        for day, _, postings in accounts.parse_journal(journal.read_text("ascii").splitlines())[1]:
            assert first <= day <= last
            for account, amount, currency, _ in postings:
                found[currency] += Decimal(amount) if account == "assets:payouts" else 0
        for number in (1, 2):
            for name, sign in (("payouts", 1), ("returned", -1)) if first <= f"2025-10-{28 + number}" <= last else ():
                for row in csv_rows(ledger.parent / f"payout-{number}/{name}.csv"):
                    found[row["currency"]] += sign * Decimal(row["amount"])
        assert set(found.values()) <= {0}
    assert accepted_changes(kind, journal.read_text("ascii"), tmp_path, first) == []


@pytest.mark.parametrize("number", range(8 if IS_THOROUGH else 2))
def test_months(settle, named, tmp_path, number):
    """Journals of successive periods, joined to one book, and the statements that the programs print of it."""
    print(f"repeat with SETTLE_TEST_SEED={SEED}")
    draw = Draw(f"{SEED} months {number}")
    course = Course(settle, tmp_path, draw, named if number % 2 else None)
    course.run()
    for _ in range(12):
        course.payout() if draw.chance(0.4) else course.run()
    starts = ["2025-10-26", *sorted(draw.sample(["2025-10-29", "2025-11-01", "2025-11-02", "2025-11-04"], 2))]
    ends = [(date.fromisoformat(start) - timedelta(1)).isoformat() for start in starts[1:]] + ["2025-11-30"]
    _, transactions = course.ledger.journal(starts[0], ends[-1])
    posted = [(account, currency, Decimal(amount)) for _, _, postings in transactions for account, amount, currency, _ in postings
              if not account.startswith("equity")]
    for kind in JUDGES:
        book = tmp_path / f"book.{kind}"
        book.write_text("".join(
            settle("journal", "--ledger", course.path, "--since", start, "--until", end, "--book-since", starts[0], "--format",
                   kind, "--output", "-").stdout for start, end in zip(starts, ends)), "ascii")
        assert refusals(kind, book) == []
        name = accounts.beancount_name if kind == "beancount" else str
        assert summed(STATEMENTS[kind](book)) == summed((name(account), *rest) for account, *rest in posted), kind
