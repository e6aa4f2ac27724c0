"""What is in a payout, by a second implementation in Python (contents.py).

Random courses of nights, with chained and parallel payments and refunds, and of payouts, with payments that come back and adjustments,
must give every row of payments, the contents of every transfer, and the way of every key. SETTLE_TEST_SEED sets the seed; SETTLE_THOROUGH=1
draws more courses.
"""
import json

import contents
import pytest
import test_accounts
from model import money
from programs import IS_THOROUGH, Draw

SENDERS = ["ann@mail.example", "bob@mail.example", "a@x.example", None]


class Course(test_accounts.Course):
    def __init__(self, settle, folder, draw):
        super().__init__(settle, folder, draw)
        self.ledger, self.keys = contents.Contents(), []

    def payment(self):
        draw, currency = self.draw, self.draw.choice(test_accounts.CURRENCIES)
        record = {"payKey": self.name("N"), "paymentCurrency": currency}
        shops = draw.sample(test_accounts.SHOPS, draw.choice([1, 1, 2, 3]))
        sender = draw.choice([each for each in SENDERS if each not in shops])
        record |= {"sender": sender} if sender else {}
        self.keys.append(record["payKey"])
        if len(shops) == 1:
            return record | {"recipient": shops[0], "subTotal": money.amount(draw.randrange(1, 30_000), currency)}
        receivers = [{"recipient": shop, "subtotal": money.amount(draw.randrange(1, 9_000), currency)} for shop in shops]
        if draw.chance(0.6):
            receivers[0] |= {"isPrimary": True, "subtotal": money.amount(draw.randrange(18_000, 40_000), currency)}
            draw.shuffle(receivers)
        return record | {"receiverPaymentDetails": receivers}

    def refund(self):
        record = super().refund()
        self.keys += [record["refundKey"]] * (record["refundKey"] != "no key!")
        return record

    def run(self):
        super().run()
        rows = self.ledger.bookings[-1].rows("settlement.csv")
        self.settled += [row["pay_key"] for row in rows if row["role"] == "PRIMARY" and row["kind"] != "REFUND"]
        self.left = []

    # What is compared

    def statement(self, name, *words):
        out = self.folder / name
        self.ask("statement", "--format", "csv", "--output", out, *words)
        if out.suffix == ".csv":
            return out.read_bytes().decode().splitlines()
        return {path.name: path.read_bytes().decode() for path in out.iterdir()}

    def check_period(self):
        first, last = self.days()
        period = ["--since", first, "--until", last, "--rows", "payments"]
        assert self.statement("all", *period, "--all-accounts") == self.ledger.period(first, last, None)
        known = [shop for shop in test_accounts.SHOPS if self.ledger.known(shop)]
        if known:
            chosen = self.draw.sample(known, min(2, len(known)))
            assert self.statement("some", *period, "--account", *chosen) == self.ledger.period(first, last, chosen)

    def check_payouts(self):
        for booking in self.ledger.bookings:
            if booking.kind != "payout":
                continue
            number, references = booking.number, [row["reference"] for row in booking.rows("payouts.csv")]
            for name, words, choice in [
                    ("payments", [], {}), ("nights", ["--rows", "nights"], {"with_payments": False}),
                    ("amounts", ["--no-nights"], {"with_nights": False, "with_payments": False})]:
                assert self.statement(f"{name}-{number}", "--payout", number, *words) == self.ledger.of_payout(references, **choice)
            assert self.statement(f"{number}.csv", "--payout", number) == self.ledger.one_file(references)
            for reference in self.draw.sample(references, min(2, len(references))):
                assert self.statement(reference, "--payout", reference) == self.ledger.of_payout([reference])
                self.check_reference(reference)

    def check_reference(self, reference):
        first, last = self.days()
        for words, rows in [(["--ledger-only"], []), (["--payments"], [*self.ledger.payments_of(reference)]),
                            (["--payments", "--since", first, "--until", last], [*self.ledger.payments_of(reference, first, last)])]:
            told = [json.loads(line) for line in self.ask("find", reference, "--format", "jsonl", *words).stdout.splitlines()]
            expected = self.ledger.found(reference, "--ledger-only" not in words)
            assert {name: told[-1][name] for name in expected} == expected
            assert [{name: each[name] for name in each if name not in ("day", "directory", "directoryGone")} for each in told[:-1]] == rows

    def check_keys(self):
        for key in self.draw.sample(self.keys, min(12, len(self.keys))):
            done = self.settle("find", key, "--ledger", self.path, "--format", "jsonl", exits=(0, 1))
            for told in map(json.loads, done.stdout.splitlines()):
                expected = None
                if told["outcome"] in ("SETTLED", "REFUNDED"):
                    expected = self.ledger.paid_out(told["run"], told["parties"], told["currency"])
                assert told["paidOut"] == expected, key


@pytest.mark.parametrize("number", range(30 if IS_THOROUGH else 4))
def test_course(settle, tmp_path, number):
    draw = Draw(f"contents {test_accounts.SEED} {number}")
    print(f"SETTLE_TEST_SEED={test_accounts.SEED}")
    course = Course(settle, tmp_path, draw)
    course.run()
    for _ in range(10):
        (course.run if draw.chance(0.5) else course.payout)()
    for _ in course.ledger.dated():
        pass
    course.ledger.read()
    course.check_period()
    course.check_payouts()
    course.check_keys()
