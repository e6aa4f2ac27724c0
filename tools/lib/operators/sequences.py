"""Sequences by hand (sequences.txt): their steps, and what settle must answer."""
import re
import shlex
from pathlib import Path

from operators.operator import Operator
from operators.shop import Night, Shop
from operators.workplace import Fault

FILE = Path(__file__).resolve().parent / "sequences.txt"


def read():
    """The steps of each sequence by its name."""
    sequences = {}
    for line in FILE.read_text().splitlines():
        if line.startswith("== "):
            steps = sequences.setdefault(line[3:], [])
        elif line and not line.startswith("#"):
            steps.append(line)
    return sequences


def work(workplace, generator, steps):
    """Takes the steps of a sequence; then an honest operator must reach a ledger in which everything is paid once."""
    keys = ["", *(["b"] if any(step.startswith("b ") for step in steps) else [])]
    shops = {key: SequenceShop(workplace, generator, key) for key in keys}
    operator = Operator(workplace, generator, list(shops.values()))
    for step in steps:
        if step == "end":
            return
        Step(operator, shops, step).take()
    for shop in shops.values():
        shop.day, shop.days_apart = 50, any("/out" in step for step in steps)
    operator.finish()


class SequenceShop(Shop):
    """A shop whose nights are always the same: no refunds, and each night pays three accounts."""

    def has_night(self, number):
        while len(self.nights) < number:
            night = Night(len(self.nights) + 1)
            for account, currency, amount in (("anna", "EUR", 1000), ("bert", "EUR", 500), ("dave", "USD", 300)):
                night.payments[f"N{self.prefix}{night.number}-{account}"] = (account, currency, amount * night.number)
            self.write_night(night)


class Step:
    def __init__(self, operator, shops, text):
        self.operator, self.text, self.kill = operator, text, None
        command, _, expected = text.partition(" -> ")
        codes, _, words = expected.partition(":")
        self.codes = [int(code) for code in codes.split()] or [0, 1]
        self.expected = [word.rstrip() for word in words.split("|") if word.strip()]
        if match := re.match(r"kill (\w+) (\d+) (\w+): (.*)", command):
            *self.kill, command = match.groups()
        self.shop = shops[""]
        if command.startswith("b "):
            self.shop, command = shops["b"], command[2:]
        self.command = command

    @property
    def truth(self):
        return self.operator.truths[self.shop]

    def take(self):
        kind, _, rest = self.command.partition(" ")
        if kind == "$":
            try:
                self.operator.workplace.sh(rest)
            except OSError as error:
                raise Fault(f"{self.text}: {error}") from error
            self.operator.find_places()
        elif kind == "unsent":
            self.truth.with_number(int(rest)).sent = False
        elif kind == "terms":
            self.shop.write_terms(*rest.split())
        elif kind == "by-hand":
            self.shop.by_hand = int(rest)
        elif kind == "returned":
            day, *references = rest.split()
            for reference in references:
                self.truth.came_back(reference)
            self.operator.workplace.write(f"{self.shop.prefix}returned-{day}.csv", "reference,reason\n" + "".join(
                f"{reference},AC04\n" for reference in references))
        elif kind == "payments":
            payout = self.truth.with_number(int(rest))
            self.operator.workplace.write(f"{self.shop.prefix}lost-{rest}.csv", self.truth.payments_file(payout))
        else:
            self.give(kind, shlex.split(rest))

    def give(self, kind, rest):
        if kind == "settle":
            arguments = rest
        else:
            number, *options = rest
            output = options.pop(options.index("--output") + 1) if "--output" in options else None
            options = [option for option in options if option != "--output"]
            if kind == "run":
                self.shop.has_night(int(number))
            arguments = getattr(self.shop, kind)(int(number), *options, output=output)
        outcome = self.operator.settle(self.shop, arguments, self.kill)
        text = " ".join(outcome.text.split())
        if outcome.code not in self.codes:
            raise Fault(f"{self.text}: exit {outcome.code}: {text}")
        for word in self.expected:
            self.compare(word[1:], outcome.text)
        if outcome.code in (0, 1) and "--give-up" in arguments:
            self.operator.succeeded(self.shop, arguments, 0)

    def compare(self, word, text):
        """A word that begins with two spaces is a line of advice."""
        if word.startswith("!"):
            found = word[1:].lower() not in text.lower()
        elif word.startswith("  "):
            found = re.search(rf"^{re.escape(word)}( |$)", text, re.M)
        else:
            found = word.lower() in text.lower()
        if not found:
            raise Fault(f"{self.text}: the message should {'not ' * word.startswith('!')}have {word.lstrip('!')!r}: {text}")
