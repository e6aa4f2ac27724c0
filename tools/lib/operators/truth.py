"""What is true of a shop, apart from what its ledger says: what was earned, paid, sent and returned.

It is known from the batches, from the payout directories that appeared, and from what the operator did with them.
"""
import hashlib
import os
from collections import defaultdict

from model import money
from model.files import csv_rows
from model.payouts import heading, payout_of
from operators.workplace import Fault


class Payout:
    """A payout directory that appeared."""

    def __init__(self, directory, digest):
        self.digest = digest
        said = heading(directory)
        self.number, self.name, self.until = said["number"], said["ledger"], said["until"]
        self.payments = {
            row["reference"]: (row["account"].split("@")[0], row["currency"], money.minor(row["amount"], row["currency"]))
            for row in csv_rows(directory / "payouts.csv")}
        self.returned = [row["reference"] for row in csv_rows(directory / "returned.csv")]
        # Sent to the bank, or to be sent. A payout that is dropped was not sent, and never will be.
        self.sent, self.dropped = True, False


class Truth:
    """What is true of one shop."""

    def __init__(self, shop):
        self.shop, self.payouts = shop, []
        # References that came back, and the number of the payout that booked each.
        self.returned = {}
        self.given_up = set()
        self.places = {}
        # Payouts of which nothing is left, and that no one received.
        self.gone = set()

    def earned(self, order, until=None):
        """What each account earned by the nights in this order that were not paid by hand.

        A refund counts if its payment was settled before; otherwise it is rejected.
        """
        sums, settled = defaultdict(int), {}
        for number in order[:until]:
            night = self.shop.nights[number - 1]
            by_hand = number <= self.shop.by_hand
            for key in night.refunds:
                if key in settled:
                    account, currency, amount = settled[key]
                    sums[account, currency] -= 0 if by_hand else amount
            for key, (account, currency, amount) in night.payments.items():
                settled[key] = (account, currency, amount)
                sums[account, currency] += 0 if by_hand else amount
        return sums

    def paid(self):
        """What was sent, or will be, and did not come back."""
        sums = defaultdict(int)
        for payout in self.payouts:
            if payout.dropped:
                continue
            for reference, (account, currency, amount) in payout.payments.items():
                if reference not in self.returned:
                    sums[account, currency] += amount
        return sums

    def place(self, payout):
        """A directory with this payout; None if it is lost."""
        return min(self.places.get(payout.digest, []), default=None)

    def is_same(self, place, other):
        """Whether two directories hold the same payout; messages may show paths from the root."""
        root = self.shop.workplace.root
        return any({place, os.path.relpath(root / other, root)} <= set(paths) for paths in self.places.values())

    def last(self):
        """The operator's word: the highest number of a payout that was sent or whose directory is there."""
        return max((payout.number for payout in self.payouts if payout.sent or self.place(payout)), default=0)

    def with_number(self, number):
        """The payout of a number: the one that was sent or is there, if there are several."""
        found = [payout for payout in self.payouts if payout.number == number]
        return max(found, key=lambda payout: (payout.sent, self.place(payout) is not None), default=None)

    def payments_file(self, payout):
        """What was paid by a payout that was sent and lost: without what came back, unless a payout that is there
        books that."""
        rows = ["key,account,currency,amount,reason"]
        for reference, (account, currency, amount) in payout.payments.items():
            booked = self.with_number(self.returned.get(reference))
            if reference in self.returned and not (booked and self.place(booked)):
                continue
            rows.append(f"paid-{reference},{account}@shop.example,{currency},{money.amount(-amount, currency)},lost")
        return "\n".join(rows) + "\n"

    def unbooked(self):
        """References that came back and that no payout of the ledger has booked."""
        lost = {payout.number for payout in self.payouts if payout.number in self.given_up}
        return [reference for reference, by in self.returned.items()
                if (by is None or by in lost) and payout_of(reference) not in lost]

    def forget_above(self, last):
        """No payout above this one was sent or is there: a new ledger without it knows none of their references."""
        self.returned = {reference: by for reference, by in self.returned.items() if by or payout_of(reference) <= last}

    def came_back(self, reference):
        self.returned.setdefault(reference, None)

    def look(self, history, others):
        """Looks for payout directories after a command; judges and returns those that are new.

        `history` returns the nights of the ledger in their order.
        """
        self.places = places(self.shop.workplace.root)
        known = self.gone | {payout.digest for truth in (self, *others) for payout in truth.payouts}
        new = []
        for digest, paths in self.places.items():
            if digest not in known:
                payout = Payout(self.shop.workplace.root / paths[0], digest)
                self.judge(payout, history())
                self.payouts.append(payout)
                self.returned |= {reference: payout.number for reference in payout.returned}
                new.append(payout)
        names = {payout.name for payout in self.payouts} & {
            payout.name for truth in others for payout in truth.payouts}
        if names:
            raise Fault(f"two shops have the name {names.pop()}")
        return new

    def judge(self, payout, order):
        """No reference is used twice, and no money is paid twice."""
        for earlier in [earlier for earlier in self.payouts if earlier.number >= payout.number]:
            if not earlier.sent and not self.place(earlier) and earlier.number not in self.given_up:
                self.payouts.remove(earlier)
                self.gone.add(earlier.digest)
                self.returned = {reference: by for reference, by in self.returned.items() if reference not in earlier.payments}
            elif earlier.number == payout.number:
                raise Fault(f"payout {payout.number} was made twice; its references are used again")
        payout_counts = self.earned(order, payout.until)
        # What comes back with this payout was not paid.
        paid = self.paid()
        for reference in payout.returned:
            origin = self.with_number(payout_of(reference))
            if not origin or reference not in origin.payments:
                raise Fault(f"payout {payout.number} books the return of {reference}, which was not paid")
            if reference not in self.returned:
                raise Fault(f"payout {payout.number} books the return of {reference}, which did not come back")
        for reference, (account, currency, amount) in payout.payments.items():
            balance = payout_counts[account, currency] - paid[account, currency]
            if amount > max(balance, 0):
                raise Fault(
                    f"{reference} pays {account} {amount} {currency} (minor units); {balance} is still unpaid: earned "
                    f"{payout_counts[account, currency]}, paid before {paid[account, currency]}")

    def unpaid(self, order):
        """For each account, what was earned and not paid, if it is not zero; below zero, it owes."""
        earned, paid = self.earned(order), self.paid()
        return {key: earned[key] - paid[key] for key in {*earned, *paid} if earned[key] != paid[key]}


def places(root):
    """The payout directories below a folder, by the digest of their SHA256SUMS; interrupted ones are hidden."""
    found = defaultdict(list)
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".")]
        if "payouts.json" in files and "SHA256SUMS" in files:
            with open(os.path.join(folder, "SHA256SUMS"), "rb") as sums:
                found[hashlib.sha256(sums.read()).hexdigest()].append(os.path.relpath(folder, root))
    return found
