"""Named fees, by a second reading of docs/spec/fees.md (model/fees.py).

Drawn courses of nights on one ledger, with schedules with and without named fees, categories, bearers, chains, splits and
refunds: settlement.csv, fees.csv, the sums and notices of summary.json, `settle fees`, and the books of the period must be
the model's, with any number of threads and in shards. SETTLE_TEST_SEED sets the seed; SETTLE_THOROUGH=1 draws more courses.
"""
import csv
import json
import os
import time
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from math import floor

import accounts
import pytest
from model import fees, money
from model.files import csv_rows, csv_table, framed, write_lines
from programs import IS_THOROUGH, Draw

SEED = os.environ.get("SETTLE_TEST_SEED") or str(int(time.time()))
CURRENCIES = ["EUR", "EUR", "USD", "JPY", "HUF"]
SHOPS = ["anna@x.example", "bert@x.example", "chie@x.example", "old@x.example", "+4915112345678", "z.z@x.example"]
CATEGORIES = ["books", "Books", "art.1", "x"]
COUNTRIES = ["DE", "FR", "IN", "US"]
SOURCES = ["BALANCE", "BANK", "CARD"]
NAMES = ["commission", "processing", "listing", "fee", "a-9"]
NOTICES = ("FEE_NOT_SET", "FEE_CAPPED", "FEE_PAYER_OVERRIDDEN")
HEADER = "pay_key,account,bearer,name,currency,fee,vat,refund_key"


# Schedules

def table(draw, low, high, is_whole):
    """A table of fixed fees, in few currencies unless it is whole."""
    names = list(money.DECIMALS) if is_whole else draw.sample(sorted(set(CURRENCIES)), draw.randrange(1, 4))
    return {name: draw.choice(["{:.0f}", "{:.2f}", "{:.4f}"]).format(draw.uniform(low, high)) for name in names}


def schedule(draw, is_named):
    fixed = {"all": table(draw, 0, 1, True)}
    plans = {"old": {"rate": draw.choice(["0", "0.029", "0.5"]), "fixed": "all"}, "free": {"rate": "0.01", "crossBorder": False}}
    for plan in ("market", "gold") if is_named else ():
        plans[plan] = {"fees": entries(draw, fixed)}
    named = list(plans) if is_named else ["old", "free"]
    text = {
        "rounding": draw.choice(list(fees.ROUNDINGS)), "plans": plans, "default": draw.choice(named[-2:]),
        "personal": {source: draw.choice(named) for source in SOURCES}, "subTypes": {},
        "accounts": {"Old@x.example": "old", "BERT@x.example": draw.choice(named)}, "crossBorder": "0.013", "fixed": fixed}
    return text | ({"refunds": draw.choice(["KEEP", "RETURN"])} if draw.chance(0.7) else {})


def entries(draw, fixed):
    made = []
    for name in draw.sample(NAMES, draw.randrange(1, 5)):
        for _ in range(draw.randrange(1, 4)):
            entry = {"name": name}
            for key, low, high, chance in (("fixed", 0, 2, 0.5), ("min", 0, 3, 0.3), ("max", 3, 40, 0.3)):
                if draw.chance(chance):
                    entry[key] = f"{key}-{len(fixed)}"
                    fixed[entry[key]] = table(draw, low, high, draw.chance(0.5))
            if draw.chance(0.8):
                entry["rate"] = draw.choice(["0.12", "0.029", "0.3333", "0.6", "1", "0.00015"])
            if draw.chance(0.5):
                entry["base"] = draw.choice(list(fees.BASES))
            if draw.chance(0.6):
                entry["vat"] = draw.choice(["0.19", "0.07", "1", "0.081", "0"])
            if draw.chance(0.4):
                entry["refunds"] = draw.choice(["KEEP", "RETURN"])
            if draw.chance(0.3):
                entry["crossBorder"] = draw.chance(0.8)
            for key, values in (("categories", CATEGORIES), ("countries", COUNTRIES), ("currencies", sorted(set(CURRENCIES))),
                                ("fundingSources", SOURCES)):
                if draw.chance(0.25):
                    entry[key] = draw.sample(values, draw.randrange(1, len(values)))
            made.append(entry)
            if not is_narrow(entry) and is_whole(entry, fixed):
                break
    draw.shuffle(made)
    # An entry that fits everything comes last: those of its name after it would never be reached.
    return sorted(made, key=lambda entry: not is_narrow(entry) and is_whole(entry, fixed))


def is_narrow(entry):
    return any(key in entry for key in ("categories", "countries", "currencies", "fundingSources"))


def is_whole(entry, fixed):
    return all(len(fixed[entry[key]]) == len(money.DECIMALS) for key in ("fixed", "min", "max") if key in entry)


# Payments

class Payment:
    """A drawn payment, its record, and what the model makes of it."""

    def __init__(self, draw, key, has_categories):
        self.key, self.currency = key, draw.choice(CURRENCIES)
        self.source, self.country = draw.choice(SOURCES), draw.choice([None, *COUNTRIES])
        self.sender = draw.choice(["", "payer@x.example"])
        kind = draw.choice(["SIMPLE", "SIMPLE", "PARALLEL", "CHAINED", "SPLIT"])
        self.kind = "PARALLEL" if kind == "SPLIT" else kind
        count = 1 if kind == "SIMPLE" else draw.randrange(2, 5)
        self.receivers = [self.receiver(draw, account, kind, has_categories) for account in draw.sample(SHOPS, count)]
        if kind == "CHAINED":
            first, *others = self.receivers
            passed = sum(each["gross"] for each in others)
            first["subtotal"] += max(0, passed - first["gross"])
            first["gross"] = first["subtotal"] + first["tax"] + first["shipping"]
            first["kept"], first["passed"] = first["gross"] - passed, passed
        payers = {"CHAINED": ["PRIMARYRECEIVER"] + ["SECONDARYONLY"] * (count == 2)}.get(kind, ["SENDER"])
        self.payer = draw.choice(["EACHRECEIVER", *payers])
        self.is_personal = kind != "CHAINED" and draw.chance(0.15)
        for each in self.receivers:
            each["type"] = "TYPE_PERSONAL" if self.is_personal else "TYPE_GOODS"
        self.record = self.written(kind)
        self.taken = [0] * count

    @staticmethod
    def receiver(draw, account, kind, has_categories):
        amount = draw.choice([1, 2, 7, 30, 99, 100, 333, 1000, 12_490, 100_000, draw.randrange(1, 10_000), 10 ** 17])
        tax, shipping = (draw.randrange(0, amount + 20), draw.randrange(0, 50)) if kind != "SPLIT" and draw.chance(0.5) else (0, 0)
        gross = amount + tax + shipping
        receiver = {"account": account, "subtotal": amount, "tax": tax, "shipping": shipping, "gross": gross, "kept": gross,
                    "passed": 0, "country": draw.choice([None, *COUNTRIES])}
        if has_categories:
            receiver["category"] = draw.choice([None, *CATEGORIES])
        return receiver

    def text(self, minor):
        return money.amount(minor, self.currency)

    def written(self, kind):
        record = {"payKey": self.key, "paymentCurrency": self.currency, "feePayer": f"FEEPAYER_{self.payer}",
                  "fundingSource": self.source, "sender": self.sender or None, "senderCountry": self.country}
        if kind == "SPLIT":
            total = sum(each["gross"] for each in self.receivers)
            record["splitTotal"] = self.text(total)
        details = []
        for place, each in enumerate(self.receivers):
            detail = {"recipient": each["account"], "country": each["country"], "category": each.get("category"),
                      "paymentType": each["type"]}
            if kind == "SPLIT" and place > 0:
                detail["split"] = {"share": str(each["gross"])}
            elif kind == "SPLIT":
                detail["split"] = {"share": "1", "min": self.text(each["gross"]), "max": self.text(each["gross"])}
            else:
                detail["subTotal" if kind == "SIMPLE" else "subtotal"] = self.text(each["subtotal"])
            if each["tax"] or each["shipping"]:
                detail["invoiceData"] = {"totalTax": self.text(each["tax"]), "totalShipping": self.text(each["shipping"])}
            if kind == "CHAINED" and place == 0:
                detail["isPrimary"] = True
            details.append(detail)
        return record | (details[0] if kind == "SIMPLE" else {"receiverPaymentDetails": details})

    def bearer(self, place):
        """The receiver who bears the fees of another one; None for the sender."""
        if self.payer == "SENDER":
            return place if self.is_personal and self.receivers[place]["country"] in ("IN", "DE") else None
        return {"PRIMARYRECEIVER": 0, "SECONDARYONLY": 1}.get(self.payer, place)

    def borne(self, amounts):
        """Amounts of the receivers by who bears them; the sender's comes last."""
        sums = [0] * (len(amounts) + 1)
        for place, amount in enumerate(amounts):
            bearer = self.bearer(place)
            sums[-1 if bearer is None else bearer] += amount
        return sums

    def settle(self, rules):
        """Its notices, or None if fees exceed what a bearer keeps."""
        figures = {"currency": self.currency, "source": self.source, "country": self.country}
        self.is_named = rules.is_named
        assessed = [rules.assess(each, figures) for each in self.receivers]
        self.rows = [rows for rows, _ in assessed]
        self.fees = self.borne([sum(row.fee + row.vat for row in rows) for rows in self.rows])
        if any(fee > each["kept"] for fee, each in zip(self.fees, self.receivers)):
            return None
        overridden = ["FEE_PAYER_OVERRIDDEN"] * sum(
            self.payer == "SENDER" and self.bearer(place) is not None for place in range(len(self.receivers)))
        return [notice for _, notices in assessed for notice in notices] + overridden

    def account(self, place):
        return self.sender if place is None else self.receivers[place]["account"]

    @property
    def total(self):
        return sum(each["gross"] for each in self.receivers[:1 if self.kind == "CHAINED" else None])

    # The rows of settlement.csv

    def lines(self):
        parties = [("SENDER", self.sender, -self.total, 0, self.fees[-1])] + [
            (self.role(place), each["account"], each["gross"], each["passed"], fee)
            for place, (each, fee) in enumerate(zip(self.receivers, self.fees))]
        return [self.line(self.kind, *party, "") for party in parties]

    def role(self, place):
        return ("SECONDARY" if place else "PRIMARY") if self.kind == "CHAINED" else "RECEIVER"

    def line(self, kind, role, account, gross, passed, fee, refund):
        amounts = ",".join(map(self.text, (gross, passed, fee, gross - passed - fee)))
        return f"{self.key},{kind},{role},{account},{self.currency},{amounts},{refund}"

    def charges(self):
        """The rows of fees.csv."""
        return [self.charge(place, row.name, row.fee, row.vat, "") for place, rows in enumerate(self.rows) for row in rows
                if row.fee or row.vat]

    def charge(self, place, name, fee, vat, refund):
        return {"pay_key": self.key, "account": self.account(place), "bearer": self.account(self.bearer(place)), "name": name,
                "currency": self.currency, "fee": fee, "vat": vat, "refund_key": refund}


class Refund:
    """A drawn refund of a settled payment, and what the model makes of it."""

    def __init__(self, draw, key, payment):
        self.key, self.payment = key, payment
        remaining = [each["kept"] - taken for each, taken in zip(payment.receivers, payment.taken)]
        self.record = {"type": "refund", "refundKey": key, "payKey": payment.key}
        form = draw.choice(["full", "amount", "receivers"])
        if payment.is_personal or form == "full" and not any(payment.taken):
            self.parts = remaining
            if any(payment.taken):
                self.record |= {"amount": payment.text(sum(remaining)), "currencyCode": payment.currency}
        elif form == "receivers":
            place = draw.choice([place for place, each in enumerate(remaining) if each])
            self.parts = [0] * len(remaining)
            self.parts[place] = draw.choice([remaining[place], draw.randrange(1, remaining[place] + 1)])
            self.record |= {"currencyCode": payment.currency, "receivers": [
                {"recipient": payment.receivers[place]["account"], "amount": payment.text(self.parts[place])}]}
        else:
            amount = draw.choice([sum(remaining), draw.randrange(1, sum(remaining) + 1)])
            self.parts = self.divided(amount, remaining)
            self.record |= {"currencyCode": payment.currency, "amount": payment.text(amount)}

    def divided(self, amount, remaining):
        exact = [Fraction(amount * each, sum(remaining)) for each in remaining]
        parts = [floor(each) for each in exact]
        first = sorted(range(len(parts)), key=lambda place: (
            parts[place] - exact[place], self.payment.receivers[place]["account"].encode()))
        for place in first[:amount - sum(parts)]:
            parts[place] += 1
        return parts

    def settle(self, rules):
        """Takes the parts, and returns the rows of settlement.csv and of fees.csv."""
        payment, charges, returned = self.payment, [], []
        for place, (part, each) in enumerate(zip(self.parts, payment.receivers)):
            before, total = payment.taken[place], 0
            payment.taken[place] += part
            for row in payment.rows[place]:
                if row.returns if row.returns is not None else rules.text.get("refunds") == "RETURN":
                    fee, vat = row.returned(before, before + part, each["kept"])
                    total += fee + vat
                    charges += [payment.charge(place, row.name, -fee, -vat, self.key)] * ((fee, vat) != (0, 0))
            returned.append(total)
        back, passed = payment.borne(returned), sum(self.parts[1:]) if payment.kind == "CHAINED" else 0
        lines = [payment.line("REFUND", "SENDER", payment.sender, sum(self.parts), 0, -back[-1], self.key)]
        for place, (part, each) in enumerate(zip(self.parts, payment.receivers)):
            own = passed if place == 0 else 0
            if part + own or back[place]:
                lines.append(payment.line("REFUND", payment.role(place), each["account"], -part - own, -own, -back[place], self.key))
        return lines, charges


# Courses

class Course:
    def __init__(self, settle, folder, draw):
        self.settle, self.folder, self.draw = settle, folder, draw
        self.path, self.ledger = folder / "ledger", accounts.Ledger()
        self.settled, self.nights, self.shows_names = [], 0, False

    def run(self):
        draw, number = self.draw, self.nights + 1
        self.nights = number
        text = schedule(draw, draw.chance(0.6))
        rules = fees.Schedule(text)
        self.shows_names |= rules.is_named
        path = self.folder / f"fees-{number}.json"
        path.write_text(json.dumps(text))
        records, lines, charges, late, counts = [], [], [], [], Counter()
        sums = {"totals": Counter(), "refundTotals": Counter()}
        for place in range(draw.randrange(1, 12)):
            payment = Payment(draw, f"N{number}-{place}", rules.has_categories)
            records.append(payment.record)
            sums["totals"][payment.currency] += payment.total
            notices = payment.settle(rules)
            if notices is None:
                counts["FEES_EXCEED_AMOUNT"] += 1
                continue
            counts.update(notices)
            lines += payment.lines()
            charges += payment.charges()
            self.settled.append(payment)
        for place in range(draw.randrange(6)):
            open_payments = [each for each in self.settled if sum(each.taken) < sum(one["kept"] for one in each.receivers)]
            if open_payments:
                refund = Refund(draw, f"R{number}-{place}", draw.choice(open_payments))
                records.append(refund.record)
                if len(refund.record) > 3:
                    sums["refundTotals"][refund.payment.currency] += sum(refund.parts)
                rows, back = refund.settle(rules)
                lines += rows
                late += back
        trailer = {key: {currency: money.amount(sum, currency) for currency, sum in each.items()} for key, each in sums.items()}
        batch = write_lines(self.folder / f"night-{number}.jsonl", framed(
            records, f"n-{number}", f"2025-11-{number:02d}T20:00:00Z", **trailer))
        self.compare(number, batch, path, lines, charges + late, counts)

    def compare(self, number, batch, schedule_path, lines, charges, counts):
        day, out = f"2025-11-{number:02d}", self.folder / f"run-{number}"
        options = ["--fees", schedule_path, "--ledger", self.path]
        if self.draw.chance(0.7):
            self.settle("run", batch, "--output", out, "--threads", self.draw.choice([1, 2, 3, 7]), *options, exits=[0, 1])
        else:
            self.settle_in_shards(batch, out, options)
        self.ledger.run(day, out)
        assert (out / "settlement.csv").read_text("ascii").splitlines()[1:] == lines
        text = [",".join(money.amount(value, row["currency"]) if isinstance(value, int) else value for value in row.values())
                for row in charges]
        assert (out / "fees.csv").exists() == self.shows_names
        summary = json.loads((out / "summary.json").read_text())
        assert {name: summary["notices"].get(name, 0) for name in NOTICES} == {name: counts[name] for name in NOTICES}
        assert summary["errors"].get("FEES_EXCEED_AMOUNT", 0) == counts["FEES_EXCEED_AMOUNT"]
        if self.shows_names:
            assert (out / "fees.csv").read_text("ascii").splitlines() == [HEADER, *text]
            assert summary["fees"] == self.sums(charges)
        else:
            assert "fees" not in summary
        self.settle("verify", out, "--batch", batch, *options)

    def settle_in_shards(self, batch, out, options):
        work = out.with_name(f"{out.name}-work")
        self.settle("shard", "plan", batch, "--work", work, "--shard-size", self.draw.choice([400, 1500]), *options)
        plan = json.loads((work / "plan.json").read_text("utf-8"))
        assert plan["showsNames"] == self.shows_names
        self.settle("shard", "hash", 0, "--work", work)
        for number in range(len(plan["shards"])):
            self.settle("shard", "run", number, "--work", work)
        self.settle("merge", work, "--output", out, exits=[0, 1])

    @staticmethod
    def sums(charges):
        sums = {}
        for row in charges:
            each = sums.setdefault((row["currency"], row["name"]), Counter())
            ending, sign = ("Returned", -1) if row["refund_key"] else ("", 1)
            each[f"fee{ending}"] += sign * row["fee"]
            each[f"vat{ending}"] += sign * row["vat"]
        return [{"currency": currency, "name": name} | {
            key: money.amount(each[key], currency) for key in ("fee", "vat", "feeReturned", "vatReturned")}
            for (currency, name), each in sorted(sums.items())]

    def check_period(self):
        first, last = sorted(self.draw.choices([f"2025-11-{day:02d}" for day in range(1, self.nights + 2)], k=2))
        period = ["--ledger", self.path, "--since", first, "--until", last]
        for named in (None, ["anna@x.example", "payer@x.example", ""]):
            options = [word for name in named or [] for word in ("--account", name.upper())]
            told = self.settle("fees", *period, "--format", "csv", *options).stdout
            assert csv_table(told, csv.reader) == self.ledger.fees(first, last, named)[0]
        for kind in ("hledger", "beancount"):
            told = self.settle("journal", *period, "--format", kind, "--output", "-").stdout
            assert accounts.parse_journal(told.splitlines(), kind) == self.ledger.journal(first, last, kind=kind)


@pytest.mark.parametrize("number", range(200 if IS_THOROUGH else 30))
def test_course(settle, tmp_path, number):
    print(f"repeat with SETTLE_TEST_SEED={SEED}")
    course = Course(settle, tmp_path, Draw(f"{SEED} fees {number}"))
    for _ in range(course.draw.randrange(2, 6)):
        course.run()
    course.check_period()
    settle("ledger", "verify", course.path)
