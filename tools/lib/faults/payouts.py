"""Tries `settle payout` with the same faults as a run."""
import json
import shutil

from faults.campaign import BATCH, LEDGER, OUTPUT, Campaign, Reference, contents, sums_hold
from model.files import csv_rows
from model.payouts import DEBTOR, payees

INPUTS = ("payees.csv", "debtor.json", "returned.csv", "adjustments.csv", "retry.csv")


class PayoutCampaign(Campaign):
    """Its reference is the second payout of a ledger, which books a return of the first, and an adjustment."""

    def prepare(self):
        self.first = None
        self.base = self.work / "base"
        nights = [self.settle_night(number) for number in (1, 2)]
        keys = {(row["account"], row["currency"]) for night in nights for row in csv_rows(night / OUTPUT / "receivers.csv")}
        rows = payees(sorted(keys))
        (self.base / "payees.csv").write_text("\n".join(rows))
        euros = {"IBAN": DEBTOR["EUR"]["IBAN"] | {"maximum": 5}}
        (self.base / "debtor.json").write_text(json.dumps({"EUR": euros, "USD": DEBTOR["USD"]}))
        first = self.run(self.base, [*self.arguments()[:-8], "--until", "1", "--date", "2026-11-23", "--output", "first"])
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
        assert outcome.code in (0, 1) and sums_hold(files) and len(files) > 6, outcome.err
        self.small = self.old = Reference(folder / BATCH, outcome.code, files)

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

    def arguments(self, replace=False, batch=BATCH, ledger=True):
        return ["payout", "--ledger", LEDGER, "--payees", "payees.csv", "--debtor", "debtor.json",
                "--returned", "returned.csv", "--adjustments", "adjustments.csv", "--date", "2026-11-24", "--output", OUTPUT]

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
                                                        "--adjustments", "adjustments.csv"]):
            self.judge_verified(folder, found, arguments)
        other = self.run(folder, ["payout", "--ledger", LEDGER, "--payees", "retry.csv", "--debtor", "debtor.json",
                                  "--date", "2026-11-25", "--output", "next"])
        paid = (folder / "next/payouts.csv").read_text().count("\n") - 1 if other.code in (0, 1) else None
        # The account whose payment came back; no one else.
        found.add(paid != 1, f"the next payout, exit code {other.code}, has {paid} payments: {other.err.decode()}")
        shutil.rmtree(folder / "next", ignore_errors=True)
        self.judge_lost(folder, found, self.arguments())
