"""A shop: its batches, payees and files, and the commands that its operator types."""
import datetime
import json

from model.files import framed
from model.money import amount
from model.payouts import COLUMNS, DEBTOR, payee
from model.terms import COLUMNS as TERMS

FEES = "docs/spec/examples/payouts/fees.json"
ACCOUNTS = [("anna", "EUR"), ("bert", "EUR"), ("cleo", "EUR"), ("dave", "USD"), ("emil", "JPY")]


class Night:
    """A batch: payments as key to account, currency and minor units, and the keys of payments that it refunds."""

    def __init__(self, number):
        self.number, self.payments, self.refunds = number, {}, []


class Shop:
    """What one ledger serves. With a key, its files have a prefix, so that shops can be in one folder."""

    def __init__(self, workplace, generator, key="", has_debtor=True, days_apart=False):
        self.workplace, self.generator, self.key = workplace, generator, key
        self.prefix = f"{key}-" if key else ""
        self.ledger = f"{self.prefix}ledger"
        self.nights, self.by_hand, self.day, self.has_debtor = [], 0, 0, has_debtor
        self.refund_share = 0.4
        # If days are apart, payouts are in payouts/DAY/out.
        self.days_apart = days_apart
        self.has_terms = False
        self.accounts = {account: number for number, account in enumerate(ACCOUNTS, 1)}
        workplace.sh(f"mkdir -p {self.prefix}inbox {self.prefix}nights payouts backups disk")
        workplace.sh(f'cp "$REPO"/{FEES} {self.prefix}fees.json')
        workplace.write(f"{self.prefix}debtor.json", json.dumps(DEBTOR) + "\n")
        self.write_payees()

    def write_payees(self):
        rows = [payee(f"{name}@shop.example", currency, number) for (name, currency), number in self.accounts.items()]
        self.workplace.write(f"{self.prefix}payees.csv", "\n".join([",".join(COLUMNS), *rows]) + "\n")

    def write_terms(self, *rows):
        """What is not free yet from now on; without rows nothing is held."""
        self.has_terms = True
        self.workplace.write(f"{self.prefix}terms.csv", "\n".join([",".join(TERMS), *rows]) + "\n")

    def other_bank(self, account):
        """The payee has another bank account from now on."""
        self.accounts[account] += 1000
        self.write_payees()

    def new_night(self):
        """Writes the next night's batch: payments, and now and then a refund of an earlier one."""
        night = Night(len(self.nights) + 1)
        refunded = {key for earlier in self.nights for key in earlier.refunds}
        open_keys = [key for earlier in self.nights for key in earlier.payments if key not in refunded]
        if open_keys and self.generator.random() < self.refund_share:
            night.refunds.append(self.generator.choice(open_keys))
        for number in range(1, self.generator.randint(2, 4)):
            account, currency = self.generator.choice(ACCOUNTS)
            night.payments[f"N{self.prefix}{night.number}-{number}"] = (account, currency, self.generator.randint(100, 9999))
        self.write_night(night)
        return night.number

    def write_night(self, night):
        records = [{"type": "refund", "refundKey": f"R-{key}", "payKey": key} for key in night.refunds]
        records += [{"payKey": key, "paymentCurrency": currency, "recipient": f"{account}@shop.example",
                     "subTotal": amount(minor, currency)} for key, (account, currency, minor) in night.payments.items()]
        self.nights.append(night)
        self.workplace.write(self.batch(night.number), "".join(
            json.dumps(record) + "\n" for record in framed(records, f"{self.prefix}{night.number}")))

    def batch(self, number):
        return f"{self.prefix}inbox/{number}.jsonl"

    def run(self, number, *options, output=None):
        """The command that settles a night."""
        return ["run", self.batch(number), "--fees", f"{self.prefix}fees.json", "--output",
                output or f"{self.prefix}nights/{number}", "--ledger", self.ledger, "--quiet", *options]

    def payout(self, day, *options, output=None):
        """The command that makes the payout of a day."""
        debtor = ["--debtor", f"{self.prefix}debtor.json"] if self.has_debtor else []
        debtor += ["--terms", f"{self.prefix}terms.csv"] if self.has_terms else []
        return ["payout", "--ledger", self.ledger, "--payees", f"{self.prefix}payees.csv", *debtor, "--date", date(day),
                "--output", output or self.output(day), "--quiet", *options]

    def output(self, day):
        output = f"payouts/{self.prefix}{day}"
        if self.days_apart:
            (self.workplace.root / output).is_dir() or self.workplace.sh(f"mkdir -p {output}")
            return f"{output}/out"
        return output

    def next_day(self):
        self.day += 1
        return self.day


def date(day):
    return str(datetime.date(2026, 1, 1) + datetime.timedelta(day))
