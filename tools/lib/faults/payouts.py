"""Tries `settle payout` with the same faults as a run."""
import json
import shutil

from faults.campaign import BATCH, LEDGER, OUTPUT, Campaign, Reference, contents, sums_hold
from model.files import csv_rows
from model.payouts import DEBTOR, payees

INPUTS = ("payees.csv", "debtor.json", "terms.csv", "returned.csv", "adjustments.csv", "retry.csv")
# The terms of all accounts in both currencies: a tenth is reserved until long after the last payout.
TERMS = "account,currency,from,delay_days,reserve_percent,reserve_days,minimum_balance\n" + "".join(
    f"*,{currency},2000-01-01,,10,365,\n" for currency in ("EUR", "USD"))


class PayoutCampaign(Campaign):
    """Its reference is the second payout of a ledger, which books a return of the first, and an adjustment."""

    # The options of each payout, and those of the second alone.
    each, second = [], []
    # The files that the second makes at least, and the payments of the one after it: to the account whose payment came
    # back, and to no one else.
    files, paid_next = 7, 1

    def prepare(self):
        self.first = None
        self.base = self.work / "base"
        nights = [self.settle_night(number) for number in (1, 2)]
        keys = {(row["account"], row["currency"]) for night in nights for row in csv_rows(night / OUTPUT / "receivers.csv")}
        rows = payees(sorted(keys))
        (self.base / "payees.csv").write_text("\n".join(rows))
        euros = {"IBAN": DEBTOR["EUR"]["IBAN"] | {"maximum": 5}}
        (self.base / "debtor.json").write_text(json.dumps({"EUR": euros, "USD": DEBTOR["USD"]}))
        (self.base / "terms.csv").write_text(TERMS)
        first = self.run(self.base, self.payout("payees.csv", "2026-11-23", "first", "--until", "1"))
        assert first.code in (0, 1) and (self.base / "first/payouts.csv").read_text().count("\n") > 1, first.err
        (self.base / "returned.csv").write_text("reference,reason\nP1-1,AC04\n")
        paid = csv_rows(self.base / "first/payouts.csv")
        account, currency = paid[0]["account"], paid[0]["currency"]
        (self.base / "adjustments.csv").write_text(f"key,account,currency,amount,reason\nA-1,{account},{currency},1,bonus\n")
        # The bank was wrong: the returned payment may go to the same bank account again.
        (self.base / "retry.csv").write_text("\n".join(
            row + "retry P1-1" * row.startswith(f"{account},{currency},") for row in rows))
        folder = self.folder("reference", None, "absent")
        outcome = self.run(folder)
        files = contents(folder / OUTPUT)
        assert outcome.code in (0, 1) and sums_hold(files) and len(files) >= self.files, outcome.err
        self.small = self.old = Reference(folder / BATCH, outcome.code, files)
        if self.paid_next is None:
            self.paid_next = self.pay_next(folder)[1]

    def settle_night(self, number):
        night = self.work / f"night-{number}"
        night.mkdir()
        self.base.mkdir(exist_ok=True)
        for arguments in (
                ["generate", "--payments", "60", "--seed", "5", "--features", "refunds", "--night", str(number), "--of", "2",
                 "--output", BATCH],
                ["run", BATCH, "--output", OUTPUT, "--ledger", self.base / LEDGER]):
            outcome = self.run(night, [str(argument) for argument in arguments])
            assert outcome.code in (0, 1), outcome.err
        return night

    def folder(self, name, batch, before):
        # One level deeper than the others': a payout looks for payouts of its ledger next to its folder.
        folder = self.work / name / "in"
        shutil.rmtree(folder.parent, ignore_errors=True)
        folder.mkdir(parents=True)
        for file in (LEDGER, LEDGER + "-lock", *INPUTS):
            shutil.copyfile(self.base / file, folder / file)
        return folder

    def payout(self, payees, date, output, *options):
        return ["payout", "--ledger", LEDGER, "--payees", payees, "--debtor", "debtor.json", "--date", date,
                "--output", output, *self.each, *options]

    def arguments(self, replace=False, batch=BATCH, ledger=True):
        return self.payout("payees.csv", "2026-11-24", OUTPUT, "--returned", "returned.csv",
                           "--adjustments", "adjustments.csv", *self.second)

    def left(self, folder):
        return [name for name in super().left(folder) if name not in INPUTS]

    def judge_ledger(self, folder, reference, found, batch):
        """The payout is in the ledger once, and no one is paid again; without its file nothing is paid."""
        self.judge_again(folder, reference, found, "already made as payout 2", self.arguments())
        history = self.run(folder, ["history", "--ledger", LEDGER, "--payouts", "--format", "jsonl"])
        found.add(history.code != 0 or history.out.count(b"\n") != 2,
                  f"the history, exit code {history.code}, has {history.out.count(b'{')} payouts")
        for arguments in (["ledger", "verify", LEDGER], ["verify", OUTPUT, "--ledger", LEDGER, "--payees", "payees.csv",
                                                        "--debtor", "debtor.json", "--returned", "returned.csv",
                                                        "--adjustments", "adjustments.csv", *self.each]):
            self.judge_verified(folder, found, arguments)
        other, paid = self.pay_next(folder)
        found.add(paid != self.paid_next, f"the next payout, exit code {other.code}, has {paid} payments, expected "
                                          f"{self.paid_next}: {other.err.decode()}")
        shutil.rmtree(folder / "next", ignore_errors=True)
        self.judge_lost(folder, found, self.arguments())

    def pay_next(self, folder):
        """Makes the next payout; returns also the number of its payments."""
        outcome = self.run(folder, self.payout("retry.csv", "2026-11-25", "next"))
        made = outcome.code in (0, 1)
        return outcome, (folder / "next/payouts.csv").read_text().count("\n") - 1 if made else None


class TermsCampaign(PayoutCampaign):
    """The same by terms: the second payout begins with what the first one held."""

    each = ["--terms", "terms.csv"]


class BookingCampaign(PayoutCampaign):
    """The same, but the second payout pays no one: all payments are those of the next."""

    second, files, paid_next = ["--no-payments"], 6, None
