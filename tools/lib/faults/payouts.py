"""Tries `settle payout` with the same faults as a run."""
import shutil

from faults.campaign import BATCH, LEDGER, OUTPUT, Campaign, Reference, contents, sums_hold

DEBTOR = '{"EUR":{"IBAN":{"name":"Pay","iban":"DE89370400440532013000","maximum":5}},"USD":{"ACH":{"name":"Pay",' \
    '"company":"1123456789","odfi":"021000021","destination":"021000021","destinationName":"Bank","origin":"123456789"}}}'
HEADER = "account,currency,name,method,iban,bic,routing,account_number,account_type,holder,hold"
INPUTS = ("payees.csv", "debtor.json", "returned.csv", "adjustments.csv", "retry.csv")


def iban(number):
    """A German IBAN of a number."""
    bank = f"37040044{number:010d}"
    return f"DE{98 - int(bank + '131400') % 97:02d}{bank}"


class PayoutCampaign(Campaign):
    """Its reference is the second payout of a ledger, which books a return of the first, and an adjustment."""

    def prepare(self):
        self.first = None
        self.base = self.work / "base"
        nights = [self.settle_night(number) for number in (1, 2)]
        rows = {tuple(row.split(",")[:2]) for night in nights
                for row in (night / OUTPUT / "receivers.csv").read_text().splitlines()[1:]}
        payees = [HEADER] + [
            f"{account},{currency},Payee,ACH,,,011000015,{number},CHECKING,PERSON," if currency == "USD" else
            f"{account},{currency},Payee,IBAN,{iban(number)},COBADEFFXXX,,,,,"
            for number, (account, currency) in enumerate(sorted(rows), 12345678)]
        (self.base / "payees.csv").write_text("\n".join(payees))
        (self.base / "debtor.json").write_text(DEBTOR)
        first = self.run(self.base, [*self.arguments()[:-8], "--until", "1", "--date", "2026-11-23", "--output", "first"])
        assert first.code in (0, 1) and (self.base / "first/payouts.csv").read_text().count("\n") > 1, first.err
        (self.base / "returned.csv").write_text("reference,reason\nP1-1,AC04\n")
        account, currency = (self.base / "first/payouts.csv").read_text().split("\n")[1].split(",")[1:3]
        (self.base / "adjustments.csv").write_text(f"key,account,currency,amount,reason\nA-1,{account},{currency},1,bonus\n")
        # The bank was wrong: the returned payment may go to the same bank account again.
        (self.base / "retry.csv").write_text("\n".join(
            row + "retry P1-1" * row.startswith(f"{account},{currency},") for row in payees))
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
