"""An honest operator: follows the messages of settle, and answers their questions truthfully."""
import json
import re
import shlex

from model.files import csv_rows
from model.money import minor
from model.payouts import payout_of
from operators.truth import Truth, places
from operators.workplace import Fault

ADVICE = re.compile(r"^  (settle .*?)(?:\s{2,}\(.*)?$", re.M)
# Kills that leave much half done: at a call that changes files. Each has a number up to which it is made.
CHANGES = {"rename": 1, "fsync": 17, "fdatasync": 20, "pwrite": 60, "write": 3, "unlink": 8, "mkdir": 1, "chmod": 10}
ANY_CALL = 450


class Operator:
    """Works for some shops in one folder. Honest; see careless.py for the other kind."""

    def __init__(self, workplace, generator, shops, kills=0.0):
        self.workplace, self.generator, self.kills = workplace, generator, kills
        self.truths = {shop: Truth(shop) for shop in shops}
        self.given = 0

    def settle(self, shop, arguments, kill=None):
        """Runs a command and looks at what it published."""
        outcome = self.workplace.settle(arguments, kill)
        truth = self.truths[shop]
        ledger = arguments[arguments.index("--ledger") + 1] if "--ledger" in arguments else shop.ledger
        others = [other for other in self.truths.values() if other != truth]
        for payout in truth.look(lambda: self.history(shop, ledger), others):
            self.made(shop, payout)
        return outcome

    def made(self, shop, payout):
        """Is called for each payout that appears."""

    def find_places(self):
        for truth in self.truths.values():
            truth.places = places(self.workplace.root)

    def history(self, shop, ledger):
        """The nights of the ledger in their order."""
        outcome = self.workplace.settle(["history", "--ledger", ledger, "--format", "jsonl"])
        if outcome.code:
            raise Fault(f"after a payout, history ends with {outcome.code}: {outcome.text}")
        batches = [json.loads(line)["batchId"] for line in outcome.text.splitlines() if line.startswith("{")]
        return [int(batch.removeprefix(shop.prefix)) for batch in batches]

    def some_kill(self):
        if self.generator.random() < 0.5:
            call = self.generator.choice(list(CHANGES))
            at = self.generator.randint(1, CHANGES[call])
        else:
            call, at = "any", self.generator.randint(1, ANY_CALL)
        return call, at, self.generator.choice(["kill", "killed"])

    # Following messages

    def follow(self, shop, arguments, depth=0):
        """Gives a command, and follows its messages until it succeeds."""
        arguments, said = list(arguments), []
        for _ in range(12):
            outcome = None
            while self.generator.random() < self.kills:
                outcome = self.settle(shop, arguments, self.some_kill())
                if outcome.code != -9:
                    break
                outcome = None
            outcome = outcome or self.settle(shop, arguments)
            if outcome.code in (0, 1):
                self.succeeded(shop, arguments, depth)
                return outcome
            said.append(outcome.text)
            if outcome.code == 3 and arguments[0] == "payout" and "already made" in outcome.text:
                return outcome
            if depth > 5 or not self.advised(shop, arguments, outcome, depth):
                break
        raise Fault(f"an honest operator is stuck: {shlex.join(['settle', *arguments])} ends with {outcome.code}: "
                    f"{outcome.text.strip()}")

    def succeeded(self, shop, arguments, depth):
        truth = self.truths[shop]
        if "--give-up" in arguments:
            for option, value in zip(arguments, arguments[1:]):
                for number in numbers(value) if option == "--give-up" else []:
                    truth.given_up.add(number)
                    if "--payments" not in arguments and (payout := truth.with_number(number)):
                        payout.dropped = True
        elif arguments[:2] == ["ledger", "adopt"]:
            self.enter_again(shop, depth + 1)

    def enter_again(self, shop, depth=0):
        """Enters the nights that were settled before; those that the ledger has are settled already."""
        for night in shop.nights:
            self.follow(shop, shop.run(night.number, "--adopt"), depth)

    def advised(self, shop, arguments, outcome, depth):
        """Does what a message advises; false if it advises nothing."""
        text = outcome.text
        if outcome.code == 64 and "--since" in text and "--since" not in arguments:
            arguments += ["--since", str(shop.by_hand + 1)]
            return True
        if outcome.code == 64 and "--last-payout" in text and "--last-payout" not in arguments:
            arguments += ["--last-payout", str(self.truths[shop].last())]
            return True
        if match := re.search(r"payout (\d+) is known, and --last-payout", text):
            # It was not sent, and its directory is lost, so that the operator did not name it.
            arguments[arguments.index("--last-payout") + 1] = match[1]
            return True
        if match := re.search(r"(\S+-(?:journal|wal)) belongs to another state", text):
            self.workplace.sh(f"mv {match[1]} ..")
            return True
        for code, option, other in ((73, "--adopt", "--existing-ledger"), (3, "--republish", "--adopt")):
            if outcome.code == code and arguments[0] == "run" and option not in arguments:
                arguments[:] = [argument for argument in arguments if argument != other] + [option]
                return True
        commands, done = self.advice(outcome), set()
        for command in commands:
            for answer in self.answers(shop, command, outcome):
                subject = about(answer)
                if subject in done:
                    continue
                self.follow(shop, answer, depth + 1)
                done.add(subject)
        if commands and "--returned" in arguments:
            self.write_returned(shop, arguments)
        return bool(commands)

    @staticmethod
    def advice(outcome):
        """The commands that a message advises."""
        return [shlex.split(line)[1:] for line in ADVICE.findall(outcome.text)]

    def answers(self, shop, command, outcome):
        """The commands that an honest operator gives if this one is advised."""
        truth = self.truths[shop]
        if "PAYEES" in command:
            # A directory that is gone; the payout was sent, or its payments come back in the end.
            return []
        if "--since" in command:
            command[command.index("--since") + 1] = str(shop.by_hand + 1)
        if "--last-payout" in command:
            command[command.index("--last-payout") + 1] = str(truth.last())
            if "was made again by settle run --adopt" in outcome.text:
                truth.forget_above(truth.last())
        if command[0] == "run":
            # Its batch and directory are the operator's to fill in.
            return [shop.run(night.number, "--adopt") for night in shop.nights]
        if command[:2] == ["payout", "adopt"]:
            places = [place for payout in sorted(truth.payouts, key=lambda payout: payout.number)
                      if (place := truth.place(payout))]
            wanted = command[2]
            return [["payout", "adopt", place, *command[3:]] for place in places
                    if wanted == "DIRECTORY" or truth.is_same(place, wanted)]
        if "--give-up" not in command:
            return [command]
        missing = numbers(command[command.index("--give-up") + 1])
        # That another shop is there, and where the witness is, is true as advised.
        more = ["--not-ours"] if "--not-ours" in command else []
        if "--witness" in command:
            more += command[command.index("--witness"):][:2]
        return [self.answer_to_missing(shop, number, more) for number in missing]

    def answer_to_missing(self, shop, number, more=()):
        """A payout that is there is adopted; another one is given up, with what it paid."""
        truth = self.truths[shop]
        payout = truth.with_number(number)
        if payout and (place := truth.place(payout)):
            return ["payout", "adopt", place, "--ledger", shop.ledger, *[word for word in more if word != "--not-ours"]]
        return [*self.give_up(shop, number), *more]

    def give_up(self, shop, number):
        payout = self.truths[shop].with_number(number)
        command = ["ledger", "adopt", shop.ledger, "--give-up", str(number)]
        if not payout or not payout.sent:
            return command
        self.given += 1
        path = f"{shop.prefix}lost-{number}-{self.given}.csv"
        self.workplace.write(path, self.truths[shop].payments_file(payout))
        return [*command, "--payments", path]

    # What an operator does every day

    def night(self, shop):
        number = shop.new_night()
        self.follow(shop, shop.run(number, *(["--existing-ledger"] if number > 1 else [])))

    def payout(self, shop, *options):
        """Makes the payout of the next day, with what came back."""
        day, truth = shop.next_day(), self.truths[shop]
        arguments = shop.payout(day, *options)
        if returned := truth.unbooked():
            arguments += ["--returned", f"{shop.prefix}returned-{day}.csv"]
            self.write_returned(shop, arguments)
            for account, currency, _ in (self.payment(truth, reference) for reference in returned):
                if shop.accounts[account, currency] < 1000:
                    shop.other_bank((account, currency))
        return day, self.follow(shop, arguments)

    def write_returned(self, shop, arguments):
        """Writes what came back and is not booked; that may change when missing payouts are entered."""
        self.workplace.write(arguments[arguments.index("--returned") + 1], "reference,reason\n" + "".join(
            f"{reference},AC04\n" for reference in self.truths[shop].unbooked()))

    @staticmethod
    def payment(truth, reference):
        return truth.with_number(payout_of(reference)).payments[reference]

    def finish(self):
        """In the end every shop must reach a ledger in which everything is paid exactly once."""
        self.kills = 0.0
        for shop, truth in self.truths.items():
            if shop.has_terms:
                shop.write_terms()
            self.enter_again(shop)
            for _ in range(5):
                for payout in truth.payouts:
                    self.send_or_return(truth, payout)
                day, _ = self.payout(shop)
                carried = self.carried(shop, day)
                if not truth.unbooked() and all(balance < 0 or reason == "RETURNED" for balance, reason in carried.values()):
                    break
            else:
                raise Fault(f"an honest operator is stuck: after five payouts there is still unpaid {carried}")
            unpaid = truth.unpaid([night.number for night in shop.nights])
            balances = {account: balance for account, (balance, _) in carried.items()}
            if unpaid != balances:
                raise Fault(f"in the end the balances are {balances}; they should be {unpaid}")
            verified = self.settle(shop, ["ledger", "verify", shop.ledger])
            if verified.code:
                raise Fault(f"in the end the ledger does not verify: {verified.text}")

    @staticmethod
    def send_or_return(truth, payout):
        """A payout that was not sent is sent; if it is lost, all its references are given as returned."""
        if payout.sent or payout.dropped or set(truth.returned) & set(payout.payments):
            return
        if truth.place(payout):
            payout.sent = True
        elif payout.number not in truth.given_up:
            for reference in payout.payments:
                truth.came_back(reference)

    def carried(self, shop, day):
        return {(row["account"].split("@")[0], row["currency"]): (minor(row["balance"], row["currency"]), row["reason"])
                for row in csv_rows(self.workplace.root / shop.output(day) / "carried.csv")}


def numbers(text):
    """The numbers of N or N-M."""
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def about(command):
    """What a command is about: two commands about one payout are alternatives."""
    if "--give-up" in command:
        return command[command.index("--give-up") + 1]
    return tuple(command)
