"""The other commands: what they write is whole or not there, and they end with the right code."""
from calls import failures
from campaign import BATCH, LEDGER, OUTPUT, read_counts

MADE = "made.jsonl"


class Command:
    """A command, and what it gives when nothing goes wrong."""

    def __init__(self, campaign, name, arguments):
        self.campaign, self.name, self.arguments = campaign, name, arguments
        folder = self.folder(f"{name}-once")
        counts = folder / "counts"
        self.expected = campaign.run(folder, arguments, env=campaign.fault(counts=counts))
        assert self.expected.code in (0, 1), self.expected.err
        self.made = self.made_in(folder)
        self.counts = read_counts(counts)

    def folder(self, name):
        return self.campaign.folder(name, self.campaign.small, "absent")

    @staticmethod
    def made_in(folder):
        return (folder / MADE).read_bytes() if (folder / MADE).exists() else None

    def tried(self, fault, **judging):
        """The body of a case: the command is run with a fault, and judged."""
        def body(name):
            folder = self.folder(name)
            return self.judge(folder, self.campaign.run(folder, self.arguments, env=self.campaign.fault(**fault)), **judging)

        return body

    def judge(self, folder, outcome, killed=False, may_leave=False, speechless=False, wrong=None):
        complaints = []
        self.campaign.judge_end(outcome, (self.expected.code, 66, 73, 74, 75), killed, complaints.append)
        if outcome.code == self.expected.code and outcome.out != self.expected.out:
            complaints.append("success, but not all of it is on standard output")
        if not self.expected.out.startswith(outcome.out):
            complaints.append("something else is on standard output")
        if not speechless and outcome.code >= 0:
            self.campaign.judge_words(outcome, complaints.append, wrong)
        made = self.made_in(folder)
        if made not in (None, self.made) or (outcome.code == self.expected.code and made != self.made):
            complaints.append(f"{MADE} has {made and len(made)} bytes")
        left = [name for name in self.campaign.left(folder) if name != MADE]
        if left and not (left == [f".{MADE}.partial"] and (may_leave or (killed and outcome.code < 0))):
            complaints.append(f"left behind: {', '.join(left)}")
        again = self.campaign.run(folder, self.arguments)
        left = [name for name in self.campaign.left(folder) if name != MADE]
        if again.code != self.expected.code or self.made_in(folder) != self.made or left:
            complaints.append(f"the next: exit code {again.code}, left behind: {left}")
        return complaints


class Verify(Command):
    """Reports that are read: what cannot be read is no finding, and what is not read is not called right."""

    def __init__(self, campaign):
        super().__init__(campaign, "verify", ["verify", OUTPUT, "--batch", BATCH, *asked(campaign)])
        assert self.expected.code == 0, self.expected.out

    def folder(self, name):
        folder = super().folder(name)
        outcome = self.campaign.run(folder)
        assert outcome.code == self.campaign.small.code, outcome.err
        return folder


def commands(campaign):
    return [
        Verify(campaign),
        Command(campaign, "generate", ["generate", "--payments", "300", "--seed", "3", "--output", MADE, "--replace"]),
        Command(campaign, "validate", ["validate", BATCH, *asked(campaign)]),
        Command(campaign, "explain", ["explain", BATCH, "--pay-key", first_key(campaign), *asked(campaign)]),
    ]


def asked(campaign):
    return ["--ledger", LEDGER] if campaign.ledger else []


def first_key(campaign):
    settlement = campaign.small.files["settlement.csv"].decode().split("\n")
    return settlement[1].split(",")[0]


def faults(command):
    """Each call with each error that it may give, once and for good, and the command killed at each."""
    for title, call, fault, ever, held, words in failures(command.counts):
        yield f"{command.name}: {title}", command.tried(
            fault, may_leave=call == "unlink" or held, speechless=call == "write" and ever, wrong=words)
    for at in range(1, command.counts["any"] + 1):
        yield f"{command.name}: killed at call {at}", command.tried({"call": "any", "at": at, "kind": "killed"}, killed=True)
