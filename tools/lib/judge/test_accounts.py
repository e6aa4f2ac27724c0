"""Balances, statements, journals and waiting records over nights, by a second implementation in Python (accounts.py).

Random courses of runs, refunds, agreements and payouts, with payments that come back and adjustments, late batches and
batches of days to come, must give every line. SETTLE_TEST_SEED sets the seed; SETTLE_THOROUGH=1 draws more courses.
"""
import csv
import json
import os
import time
from decimal import Decimal

import accounts
import pytest
from model import money
from model.files import csv_rows, csv_table, framed, write_lines
from model.payouts import payees as payees_of
from model.terms import Terms
from programs import IS_THOROUGH, Draw

SEED = os.environ.get("SETTLE_TEST_SEED") or str(int(time.time()))
TODAY = time.strftime("%Y-%m-%d", time.gmtime())
SHOPS = ["a@x.example", "ab@x.example", "b.c@x.example", "shop0123456789@long.example", "shop0123456788@long.example",
         "+4915112345678"]
CURRENCIES = ["EUR", "JPY", "USD"]
DAYS = [f"2025-10-{day:02d}" for day in range(26, 32)] + [f"2025-11-{day:02d}" for day in range(1, 8)]
AGREEMENT = {"startingDate": "2025-10-01Z", "endingDate": "2025-12-01Z", "currencyCode": "EUR",
             "maxTotalAmountOfAllPayments": "100.00"}


class Course:
    """A course of nights and payouts in a folder, and what the second implementation knows of it."""

    def __init__(self, settle, folder, draw, schedule=None):
        """Fees are by a schedule, if one is given."""
        self.settle, self.folder, self.draw, self.options = settle, folder, draw, ["--fees", schedule] if schedule else []
        self.path = folder / "ledger"
        self.ledger = accounts.Ledger()
        # Keys to use again, payments that may come back, and the last day of a payout.
        self.has_terms = False
        self.settled, self.left, self.paid, self.payout_day, self.until, self.names = [], [], [], "2025-10-26", 1, 0

    def name(self, start):
        self.names += 1
        return f"{start}-{self.names}"

    # Nights

    def payment(self):
        draw, currency = self.draw, self.draw.choice(CURRENCIES)
        amount = draw.randrange(1, 30_000)
        record = {
            "payKey": self.left.pop() if self.left and draw.chance(0.4) else self.name("N"), "paymentCurrency": currency,
            "recipient": draw.choice(SHOPS), "subTotal": money.amount(amount, currency)}
        if draw.chance(0.5):
            record["sender"] = draw.choice(["ben@mail.example", "Cleo@mail.example", SHOPS[0]])
        if draw.chance(0.2):
            primary, *others = draw.sample(SHOPS, draw.randrange(2, 4))
            parts = [{"recipient": primary, "subtotal": money.amount(amount + 1, currency), "isPrimary": True}] + [
                {"recipient": other, "subtotal": money.amount(1 + amount // (len(others) + 1), currency)} for other in others]
            draw.shuffle(parts)
            return {"payKey": record["payKey"], "paymentCurrency": currency, "receiverPaymentDetails": parts} | {
                name: record[name] for name in ("sender",) if name in record}
        if draw.chance(0.15):
            record["status"] = draw.choice(["STATUS_CREATED", "STATUS_OTHER"])
        elif draw.chance(0.1):
            record["recipient"] = "no account, \"quoted\""
        elif draw.chance(0.05):
            record |= {"payKey": "not a key", "preapprovalKey": "A-1"}
        elif draw.chance(0.05):
            record["subTotal"] = "0.35"
        return record

    def refund(self):
        draw = self.draw
        record = {"type": "refund", "refundKey": self.name("R"), "payKey": draw.choice(self.settled or ["none"])}
        if draw.chance(0.15):
            record["payKey"] = "never-settled"
        elif draw.chance(0.1):
            record["refundKey"] = "no key!"
        return record

    def preapproval(self):
        record = {"type": "preapproval", "preapprovalKey": f"A-{self.draw.randrange(4)}", "createdAt": "2025-09-20T00:00:00Z"}
        return record | ({"action": "CANCEL"} if self.draw.chance(0.4) else AGREEMENT)

    def run(self):
        draw, number = self.draw, sum(each.kind == "run" for each in self.ledger.bookings) + 1
        day = draw.choice(DAYS) if draw.chance(0.95) else "2090-01-01"
        records = [self.payment() for _ in range(draw.randrange(8))] + [self.refund() for _ in range(draw.randrange(3))] + \
            [self.preapproval() for _ in range(draw.randrange(3))]
        draw.shuffle(records)
        if records and draw.chance(0.2):
            records.append(draw.choice(records))
        if draw.chance(0.05):
            records.append("{broken")
        is_dated = draw.chance(0.9)
        batch = write_lines(self.folder / f"night {number}.jsonl",
                            framed(records, f"night-{number}", f"{day}T20:00:00Z" if is_dated else None, totals={}))
        out = self.folder / f"run-{number}"
        self.settle("run", batch, "--output", out, "--ledger", self.path, "--control-totals", "warn",
                    *self.options, exits=[0, 1])
        self.ledger.run(day if is_dated else "9999-12-31", out)
        rows = csv_rows(out / "exceptions.csv")
        bad = {int(row["line"]) for row in rows}
        for line, record in enumerate(records, 2):
            if isinstance(record, dict) and record.get("type") == "preapproval" and line not in bad:
                self.ledger.accepted.setdefault(record["preapprovalKey"], []).append(number)
        self.settled += [row["pay_key"] for row in csv_rows(out / "settlement.csv") if row["role"] in ("RECEIVER", "PRIMARY")]
        self.left += [row["pay_key"] for row in rows if row["pay_key"] and row["code"] != "DUPLICATE_PAY_KEY"]

    # Payouts

    def payout(self):
        draw, number = self.draw, sum(each.kind == "payout" for each in self.ledger.bookings) + 1
        runs = sum(each.kind == "run" for each in self.ledger.bookings)
        self.payout_day = draw.choice([day for day in DAYS if day >= self.payout_day])
        options = ["--date", self.payout_day]
        self.until = draw.randrange(self.until, runs + 1) if draw.chance(0.3) else runs
        options += ["--until", self.until] if self.until < runs else []
        if number == 1 and self.until > 1:
            options += ["--since", draw.choice([1, 1, draw.randrange(1, self.until + 1)])]
        payees = write_lines(self.folder / f"payees-{number}.csv", payees_of(
            [(shop, currency) for shop in SHOPS for currency in CURRENCIES if draw.chance(0.8)]))
        back = draw.sample(self.paid, min(len(self.paid), draw.randrange(4))) if draw.chance(0.7) else []
        if back:
            options += ["--returned", write_lines(self.folder / f"returned-{number}.csv", ["reference,reason", *(
                f"{reference},{draw.choice(['AC04', '-x', 'R03'])}" for reference in back)])]
        if draw.chance(0.6):
            options += ["--adjustments", write_lines(
                self.folder / f"adjusted-{number}.csv", ["key,account,currency,amount,reason", *map(",".join, self.adjustments())])]
        if self.has_terms or draw.chance(0.3):
            self.has_terms = True
            options += ["--terms", write_lines(self.folder / f"terms-{number}.csv", self.terms().lines())]
        options += ["--no-payments"] if draw.chance(0.15) else []
        out = self.folder / f"payout-{number}"
        told = self.settle("payout", "--ledger", self.path, "--payees", payees, "--output", out, *options, exits=None)
        if told.returncode not in (0, 1):
            assert told.returncode == 78 and "UNKNOWN_ACCOUNT" in told.stderr, told.stderr
            return
        self.ledger.payout(self.payout_day, out)
        self.paid = [each for each in self.paid if each not in back] + [row["reference"] for row in csv_rows(out / "payouts.csv")]

    def terms(self):
        draw, terms = self.draw, Terms()
        for account in [*SHOPS, "*"]:
            for currency in CURRENCIES:
                for start in draw.sample(["2000-01-01", *DAYS], draw.randrange(3)):
                    terms.add(account, currency, start, draw.randrange(6), draw.choice([0, 1000, 3333, 10_000]), draw.randrange(9),
                              draw.choice([0, 0, 700]))
        return terms

    def adjustments(self):
        for _ in range(self.draw.randrange(1, 4)):
            currency, units = self.draw.choice(CURRENCIES), self.draw.choice([-1, 1]) * self.draw.randrange(1, 5_000)
            yield [self.name(self.draw.choice(["F", "-", "a.b"])), self.draw.choice(SHOPS), currency,
                   money.amount(units, currency),
                   self.draw.choice(["CHARGEBACK", "-bonus", "b_1", "0", "OPENING", "PAID-BY-HAND"])]

    # What is compared

    def ask(self, *words):
        return self.settle(*words, "--ledger", self.path)

    def days(self):
        known = sorted({each.own_day for each in self.ledger.bookings} | {"2025-10-31", "2025-11-03"})
        first, last = sorted(self.draw.choices([*known, "2000-01-01", "2099-12-31"], k=2))
        return first, last

    def check_held(self):
        """By terms: now, and on days that are past or to come."""
        terms = self.terms()
        path = write_lines(self.folder / "terms.csv", terms.lines())
        for until in (None, *self.days(), self.draw.choice(DAYS)):
            lines = self.ledger.balances(until, terms)
            options = ["--until", until] if until else []
            told = self.ask("balances", "--format", "csv", "--terms", path, *options)
            assert told.stdout.splitlines() == lines
            last = max(each.day for each in self.ledger.dated())
            assert ("--no-payments" in told.stderr) == (until is not None and last <= until < TODAY)

    def check_balances(self):
        self.check_held()
        assert self.ask("balances", "--format", "csv").stdout.splitlines() == self.ledger.balances()
        for until in self.days():
            lines = self.ledger.balances(until)
            assert self.ask("balances", "--format", "csv", "--until", until).stdout.splitlines() == lines
            told = self.ask("balances", "--format", "jsonl", "--until", until).stdout
            assert [",".join(map(str, json.loads(line).values())) for line in told.splitlines()] == lines[1:]

    def check_statements(self, name):
        first, last = self.days()
        period = ["statement", "--since", first, "--until", last, "--format", "csv"]
        known = [shop for shop in SHOPS if self.ledger.known(shop)]
        for number, (choice, flags) in enumerate([
                (None, []), (None, ["--no-nights"]), (None, ["--rows", "payments"]),
                (self.draw.sample(known, min(2, len(known))), []),
                (self.draw.sample(known, min(1, len(known))), ["--rows", "payments"])]):
            if choice == []:
                continue
            out = self.folder / f"{name}-{number}"
            self.ask(*period, *flags, *(["--all-accounts"] if choice is None else ["--account", *map(str.upper, choice)]),
                     "--output", out)
            shown = "nothing" if "--no-nights" in flags else "payments" if "payments" in flags else "nights"
            files = self.ledger.statements(first, last, choice, shown)
            assert {path.name: path.read_bytes().decode() for path in out.iterdir()} == files
        return first, last

    def check_contents(self, name):
        """What the payments of a payout consist of."""
        payouts = [each for each in self.ledger.booked() if each.kind == "payout"]
        if not payouts:
            return
        payout = self.draw.choice(payouts)
        paid = [row["reference"] for row in payout.rows("payouts.csv")]
        for number, (shown, flags) in enumerate([
                ("payments", []), ("nights", ["--rows", "nights"]), ("nothing", ["--no-nights"])]):
            for only in (None, *self.draw.sample(paid, min(1, len(paid)))):
                out = self.folder / f"{name}-{number}-{only}"
                self.ask("statement", "--payout", only or payout.number, *flags, "--format", "csv", "--output", out)
                self.ask("statement", "--payout", only or payout.number, *flags, "--format", "csv", "--output", f"{out}.csv")
                transfers = list(self.ledger.transfers(payout, shown, only))
                header = accounts.columns(shown)
                sheets = {}
                for _, account, lines in transfers:
                    sheets.setdefault(account, [header]).extend(lines)
                files = {f"{place}.csv": lines for place, lines in enumerate(sheets.values(), 1)} | {
                    "accounts.csv": ["number,account,file", *(
                        f"{place},{account},{place}.csv" for place, account in enumerate(sheets, 1))]}
                assert {path.name: path.read_text("utf-8").splitlines() for path in out.iterdir()} == files
                assert (self.folder / f"{out.name}.csv").read_text("utf-8").splitlines() == [
                    f"payout_reference,account,{header}", *(
                        f"{reference},{account},{line}" for reference, account, lines in transfers for line in lines)]
        for row in payout.rows("payouts.csv"):
            self.check_reference(row["account"], row["currency"], row["reference"])

    def check_reference(self, account, currency, reference):
        told = [json.loads(line) for line in self.ask(
            "find", reference, "--payments", "--format", "jsonl").stdout.splitlines()]
        previous, between, paid = self.ledger.contents(account, currency, reference)
        nights = [booking for booking, kind, *_ in between if kind == "RUN"]
        assert [[row[name] for name in ("run", "payKey", "net")] for row in told[:-1]] == [
            [night.number, row["pay_key"], row["net"]] for night in nights for row in night.payments(account, currency)]
        kinds = {"RUN": "run", "RETURNED": "returned", "ADJUSTED": "adjusted"}
        way = self.ledger.returned_way(account, currency, reference)
        assert list(told[-1].items())[-5:] == list({
            "previous": previous and previous[3], "opening": money.text(previous[5] if previous else 0, currency),
            "entries": [{"kind": kinds[kind], "number": booking.number, "amount": money.text(amount, currency),
                         "balance": money.text(balance, currency)} for booking, kind, amount, _, _, balance in between],
            "carried": money.text(paid[5], currency),
            "paidOut": way and [dict(zip(("account", "references", "waits", "carried"), (account, *way)))]}.items())

    def check_ways(self):
        """Where the money of some payments and refunds went."""
        for night in self.draw.sample(self.nights(), min(3, len(self.nights()))):
            rows = night.rows("settlement.csv")
            for key in self.draw.sample(sorted({row["pay_key"] for row in rows}), min(2, len({row["pay_key"] for row in rows}))):
                for record in map(json.loads, self.ask("find", key, "--format", "jsonl").stdout.splitlines()):
                    ways = record.get("paidOut")
                    receivers = [party for party in record.get("parties") or [] if party["role"] != "SENDER"]
                    assert (ways is None) == (record["outcome"] not in ("SETTLED", "REFUNDED"))
                    assert (ways or []) == [
                        {"account": party["account"]} | dict(zip(("references", "waits", "carried"), self.ledger.way(
                            record["run"], party["account"], record["currency"]))) for party in receivers]

    def nights(self):
        return [each for each in self.ledger.bookings if each.kind == "run"]

    def check_journal(self, first, last):
        for book, kind in ((None, "hledger"), (self.draw.choice([day for day in ("2000-01-01", *DAYS, first) if day <= first]),
                                               self.draw.choice(["hledger", "beancount"]))):
            options = ["--book-since", book] if book else []
            told = self.ask("journal", "--since", first, "--until", last, *options, "--format", kind, "--output", "-").stdout
            assert accounts.parse_journal(told.splitlines(), kind) == self.ledger.journal(first, last, book, kind)

    def check_fees(self):
        first, last = self.days()
        named = self.draw.sample([*SHOPS, ""], 2)
        for options, accounts_named in (([], None), ([word for name in named for word in ("--account", name.upper())], named)):
            told = self.ask("fees", "--since", first, "--until", last, "--format", "csv", *options)
            rows, totals = self.ledger.fees(first, last, accounts_named)
            assert csv_table(told.stdout, csv.reader) == rows
            for name in accounts_named or []:
                assert (f"{name} was charged nothing" in told.stderr) == (name not in {row[0] for row in rows[1:]})
        # The books of the same period have the same sums.
        _, transactions = self.ledger.journal(first, last)
        booked = {}
        for _, _, postings in transactions:
            for account, amount, currency, _ in postings:
                if account.startswith(("income:", "liabilities:vat")):
                    booked[currency] = booked.get(currency, 0) - Decimal(amount)
        assert {each: total for each, total in totals.items() if total} == {each: total for each, total in booked.items() if total}

    def check_waiting(self):
        first, last = self.days()
        for since, until in ((None, None), (None, last), (first, last), (first, None)):
            options = ["--since", since] * (since is not None) + ["--until", until] * (until is not None)
            told = self.ask("waiting", "--format", "csv", *options)
            rows, without = self.ledger.waiting(since, until)
            assert csv_table(told.stdout, csv.reader) == rows
            assert ("without a valid key" in told.stderr) == (without > 0 and since is None)
            objects = [json.loads(line) for line in self.ask("waiting", "--format", "jsonl", *options).stdout.splitlines()]
            assert [["" if value is None else str(value) for value in each.values()] for each in objects] == rows[1:]


@pytest.mark.parametrize("number", range(60 if IS_THOROUGH else 12))
def test_course(settle, returning, tmp_path, number):
    print(f"repeat with SETTLE_TEST_SEED={SEED}")
    course = Course(settle, tmp_path, Draw(f"{SEED} {number}"), returning if number % 2 else None)
    course.run()
    for step in range(course.draw.randrange(4, 14)):
        course.payout() if course.draw.chance(0.35) else course.run()
        if step % 4 == 3:
            course.check_balances()
            course.check_waiting()
            course.check_fees()
            course.check_journal(*course.check_statements(f"statements-{step}"))
            course.check_contents(f"contents-{step}")
            course.check_ways()
    course.check_balances()
    course.check_fees()
    course.check_waiting()
    course.check_journal(*course.check_statements("statements"))
    course.check_contents("contents")
    course.check_ways()
