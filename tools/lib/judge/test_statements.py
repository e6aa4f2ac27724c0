"""Statements, read with Python's csv and tarfile modules: their sums must be those of receivers.csv.

Statements of all accounts of a batch with defects and refunds, in both formats: columns, order of rows, dates, footers,
balances, and sums by account and currency. Archives must have the same files, first the list, then by number.
"""
import csv
import functools
import json
import re
import tarfile
from collections import Counter, defaultdict
from decimal import Decimal

import pytest
from model.files import csv_rows, write_lines

DATE = re.compile(r"\d{4}/\d\d/\d\d \d\d:\d\d:\d\d \+0000")
COLUMNS = (
    "Transaction ID,Invoice ID,PayPal Reference ID,PayPal Reference ID Type,Transaction Event Code,"
    "Transaction Initiation Date,Transaction Completion Date,Transaction Debit or Credit,Gross Transaction Amount,"
    "Gross Transaction Currency,Fee Debit or Credit,Fee Amount,Fee Currency,Custom Field,Consumer ID,Payment Tracking ID,"
    "Store ID,Bank Reference ID,Credit Transactional Fee,Credit Promotional Fee,Credit Term"
).split(",")
PLAIN = "pay_key,created_at,role,counterparty,currency,gross,passed_on,fee,net,custom_id,description,refund_key".split(",")
LENGTHS = {"RH": 6, "FH": 2, "SH": 5, "CH": 22, "SB": 22, "SF": 19, "SC": 2, "RF": 19, "RC": 2, "FF": 2}
EVENTS = {"T0006": "CR", "T0001": "DR", "T1107": "DR", "T1115": "CR"}
read = functools.partial(csv_rows, reader=csv.reader)


@pytest.fixture(scope="module")
def batch(generated, tmp_path_factory):
    """A batch with refunds of every seventh payment, full or partial."""
    made = generated(5000, "--seed", 11, "--defects", "0.1", "--accounts", 300)
    *lines, last = made.read_bytes().splitlines()
    keys = re.findall(r'"payKey": ?"([A-Za-z0-9._-]+)"', b"\n".join(lines).decode(errors="replace"))[::7]
    part = {"amount": "1.00", "currencyCode": "USD"}
    refunds = [{"type": "refund", "refundKey": f"R-{number}", "payKey": key, **({} if number % 2 else part)}
               for number, key in enumerate(keys)]
    trailer = json.loads(last)
    trailer["recordCount"] += len(refunds)
    trailer["refundTotals"] = {"USD": str((len(refunds) + 1) // 2)}
    return write_lines(tmp_path_factory.mktemp("statements") / "batch.jsonl", [*lines, *refunds, trailer])


@pytest.fixture(scope="module")
def receivers(settle, batch, returning, tmp_path_factory):
    """The rows of receivers.csv."""
    output = tmp_path_factory.mktemp("settled") / "reports"
    settle("run", batch, "--fees", returning, "--output", output, exits=[1])
    rows = read(output / "receivers.csv")[1:]
    assert rows
    return [(*row[:2], int(row[2]), *map(Decimal, row[3:7]), int(row[7]), *map(Decimal, row[8:])) for row in rows]


def signed(direction, amount):
    assert direction in ("CR", "DR") and re.fullmatch(r"\d+", amount)
    return Decimal(amount).scaleb(-2) * (1 if direction == "CR" else -1)


def stl_sums(path, account):
    """Gross received, passed on, fees and net of refunds of a settlement report by currency; payments; refunds."""
    assert path.read_bytes()[:3] == b"\xef\xbb\xbf"
    rows = read(path, encoding="utf-8-sig")
    assert re.fullmatch("RH FH SH CH (SB )*(SF )*SC (RF )+RC FF", " ".join(row[0] for row in rows))
    assert all(len(row) == LENGTHS[row[0]] for row in rows)
    assert rows[0][2:] == ["A", account, "009", ""] and rows[1] == ["FH", "01"]
    assert rows[2][3:] == [account, ""] and rows[3] == ["CH", *COLUMNS]
    body = [row for row in rows if row[0] == "SB"]
    sums, footed = (defaultdict(lambda: [Decimal(0)] * 4) for _ in range(2))
    for row in body:
        assert DATE.fullmatch(row[6]) and DATE.fullmatch(row[7])
        assert not row[14].endswith("\\") and (len(row[14]) <= 20 or "." in row[14])
        assert row[8] == EVENTS[row[5]]
        assert row[13] == row[10] if row[12] else row[11:14] == ["", "", ""], "half a fee, or one in another currency"
        gross, fee = signed(row[8], row[9]), signed(row[11], row[12]) if row[12] else Decimal(0)
        footed[row[10]][0 if row[8] == "CR" else 1] += abs(gross)
        footed[row[10]][2 if row[11] == "CR" else 3] += abs(fee)
        if row[5] in ("T1107", "T1115"):
            assert row[4] == "TXN" and row[14] == ""
            sums[row[10]][3] += gross + fee
        else:
            sums[row[10]][0 if row[8] == "CR" else 1] += abs(gross)
            sums[row[10]][2] -= fee
    kinds = [row[5] in ("T1107", "T1115") for row in body]
    assert kinds == sorted(kinds), "a refund before a payment"
    for kind in ("SF", "RF"):
        footers = [row for row in rows if row[0] == kind]
        assert [row[1] for row in footers] == sorted(sums)
        for row in footers:
            credits, debits, back, fees = footed[row[1]]
            assert [Decimal(text).scaleb(-2) for text in row[2:6]] == [credits, debits, back, fees]
            balances = [signed(row[place], row[place + 1]) for place in range(6, 18, 2)]
            assert balances == [0, credits - debits + back - fees] * 3
            assert row[18] == str(len(body))
    assert all(row[1] == str(len(body)) for row in rows if row[0] in ("SC", "RC", "FF"))
    return sums, *(Counter(row[10] for row in body if row[5] == event) for event in ("T0006", "T1107"))


def csv_sums(path, account):
    """The same for plain CSV."""
    header, *rows = read(path)
    assert header == PLAIN
    sums = defaultdict(lambda: [Decimal(0)] * 4)
    for row in rows:
        assert len(row) == 12 and row[3] != account
        assert not any(text.startswith(("=", "+", "-", "@", "\t", "\r")) for text in row[9:11]), "a formula"
        gross, passed_on, fee, net = map(Decimal, row[5:9])
        assert gross - passed_on - fee == net
        for place, figure in ((3, net),) if row[11] else enumerate((gross, passed_on, fee)):
            sums[row[4]][place] += figure
    kinds = [row[11] != "" for row in rows]
    assert kinds == sorted(kinds), "a refund before a payment"
    return sums, *(Counter(row[4] for row in rows if (row[11] != "") == is_refund) for is_refund in (False, True))


@pytest.mark.parametrize("kind, sums_of", [("stl", stl_sums), ("csv", csv_sums)], ids=["stl", "csv"])
def test_statements(settle, batch, returning, receivers, tmp_path, kind, sums_of):
    output, archive = tmp_path / kind, tmp_path / f"{kind}.tar"
    for path in (output, archive):
        settle("statement", batch, "--all-accounts", "--format", kind, "--fees", returning, "--output", path, exits=[0, 1])
    header, *accounts = read(output / "accounts.csv")
    assert header == ["number", "account", "file"]
    found = []
    for number, account, file in accounts:
        assert file.split("/")[0].split(".")[0] == number
        sums, payments, refunds = sums_of(output / file, account)
        for currency in sorted(sums):
            gross, passed_on, fee, refunded = sums[currency]
            net = gross - passed_on - fee
            found.append((account, currency, payments[currency], gross, passed_on, fee, net, refunds[currency], refunded,
                          net + refunded))
    assert found == receivers
    assert [row[1] for row in accounts] == sorted(row[1] for row in accounts)
    names = ["accounts.csv", *(row[2] for row in accounts)]
    assert sum(path.is_file() for path in output.rglob("*")) == len(names)
    with tarfile.open(archive, "r:") as members:
        files = [(member.name, members.extractfile(member).read()) for member in members]
    assert files == [(name, (output / name).read_bytes()) for name in names]
