"""The other commands: their output must be complete or absent, and they must end with the right code."""
from faults.calls import failures
from faults.campaign import BATCH, LEDGER, OUTPUT, Complaints, read_counts

MADE = "made.jsonl"


class Command:
    """A command, and its result without faults."""

    def __init__(self, campaign, name, arguments):
        self.campaign, self.name, self.arguments = campaign, name, arguments
        folder = self.folder(f"{name}-once")
        counts = folder / "counts"
        self.expected = campaign.run(folder, arguments, env=campaign.fault(counts=counts))
        assert self.expected.code in ((0,) if name == "verify" else (0, 1)), self.expected.err
        self.made = self.made_in(folder)
        self.counts = read_counts(counts)

    def folder(self, name):
        return self.campaign.folder(name, self.campaign.small, "absent")

    @staticmethod
    def made_in(folder):
        return (folder / MADE).read_bytes() if (folder / MADE).exists() else None

    def tried(self, fault, **judging):
        """The body of a case: runs the command with a fault, and judges the result."""
        def body(name):
            folder = self.folder(name)
            return self.judge(folder, self.campaign.run(folder, self.arguments, env=self.campaign.fault(**fault)), **judging)

        return body

    def judge(self, folder, outcome, killed=False, may_leave=False, speechless=False, wrong=None):
        found = Complaints()
        is_done = outcome.code == self.expected.code
        self.campaign.judge_end(outcome, (self.expected.code, 66, 73, 74, 75), killed, found)
        found.add(is_done and outcome.out != self.expected.out, "success, but not all of it is on standard output")
        found.add(not self.expected.out.startswith(outcome.out), "something else is on standard output")
        if not speechless and outcome.code >= 0:
            self.campaign.judge_words(outcome, found, wrong)
        made, left = self.made_in(folder), self.left(folder)
        found.add(made not in (None, self.made) or (is_done and made != self.made), f"{MADE} has {made and len(made)} bytes")
        may_leave = may_leave or (killed and outcome.code < 0)
        found.add(left and not (left == [f".{MADE}.partial"] and may_leave), f"left behind: {', '.join(left)}")
        again, left = self.campaign.run(folder, self.arguments), self.left(folder)
        found.add(again.code != self.expected.code or self.made_in(folder) != self.made or left,
                  f"the next: exit code {again.code}, left behind: {left}")
        return found

    def left(self, folder):
        return [name for name in self.campaign.left(folder) if name != MADE]


class Verify(Command):
    """Reading reports: an unreadable report is not a finding, and an unread report is not called right."""

    def folder(self, name):
        folder = super().folder(name)
        outcome = self.campaign.run(folder)
        assert outcome.code == self.campaign.small.code, outcome.err
        return folder


def commands(campaign):
    asked = ["--ledger", LEDGER] if campaign.ledger else []
    first_key = campaign.small.files["settlement.csv"].decode().splitlines()[1].split(",")[0]
    return [
        Verify(campaign, "verify", ["verify", OUTPUT, "--batch", BATCH, *asked]),
        Command(campaign, "generate", ["generate", "--payments", "300", "--seed", "3", "--output", MADE, "--replace"]),
        Command(campaign, "validate", ["validate", BATCH, *asked]),
        Command(campaign, "explain", ["explain", BATCH, "--pay-key", first_key, *asked]),
    ]


def faults(command):
    """Each call with each error that it may give, once and always, and the command killed at each."""
    for title, fault, judging in failures(command.counts):
        yield f"{command.name}: {title}", command.tried(fault, **judging)
    for at in range(1, command.counts["any"] + 1):
        yield f"{command.name}: killed at call {at}", command.tried({"call": "any", "at": at, "kind": "killed"}, killed=True)
