"""Honest operators and their troubles, at random."""
from model.payouts import payout_of
from operators.operator import Operator
from operators.shop import Shop

# What can happen to a lock file, in all of it or in one of its two slots. The other slot may say an older state.
DAMAGES = ["truncate -s 0 {0}", "head -c 576 /dev/urandom >{0}"]
HALF_DAMAGES = [
    "truncate -s 100 {0}", "printf x | dd of={0} conv=notrunc status=none",
    "printf x | dd of={0} bs=1 seek=512 conv=notrunc status=none",
]


class Honest(Operator):
    """Has nights, payouts and troubles. Follows the messages, and ends with everything paid once."""

    def __init__(self, workplace, generator):
        shops = [Shop(workplace, generator, key, generator.random() < 0.7, generator.random() < 0.2)
                 for key in generator.choice([[""], [""], ["a", "b"]])]
        super().__init__(workplace, generator, shops, kills=generator.choice([0, 0, 0.1, 0.3]))
        for shop in shops:
            if generator.random() < 0.4:
                # Parts of balances are paid, until the terms end.
                shop.write_terms("*,EUR,2000-01-01,,30,90,3.00", "*,USD,2000-01-01,2,10,1,", "bert@shop.example,EUR,2000-01-01,1,,,")
        # Copies of the ledger by settle ledger backup, and of both files.
        self.copies = {shop: [] for shop in shops}
        self.pairs = {shop: [] for shop in shops}
        # Shops whose lock file may say an older state, or nothing, until the next payout: the directories are the only
        # traces then.
        self.stale = set()

    def live(self):
        for shop in self.truths:
            shop.by_hand = self.generator.choice([0, 0, 0, 1, 2])
            for _ in range(shop.by_hand + 1):
                self.night(shop)
        for _ in range(self.generator.randint(8, 22)):
            shop = self.generator.choice(list(self.truths))
            event = self.generator.choices(*zip(*EVENTS.items()))[0]
            event(self, shop)
        self.finish()

    def made(self, shop, payout):
        payout.sent = self.generator.random() < 0.85

    def maybe(self, *options):
        return options if self.generator.random() < 0.5 else ()

    # Troubles

    def pay(self, shop):
        self.payout(shop)
        self.stale.discard(shop)

    def bank_returns(self, shop):
        truth = self.truths[shop]
        candidates = [reference for payout in truth.payouts if payout.sent and payout.number not in truth.given_up
                      and (truth.place(payout)) for reference in payout.payments if reference not in truth.returned]
        if candidates:
            truth.came_back(self.generator.choice(candidates))

    def send_late(self, shop):
        truth = self.truths[shop]
        for payout in truth.payouts:
            if not payout.dropped and truth.place(payout) and not set(truth.returned) & set(payout.payments):
                payout.sent = True

    def never_sent(self, shop):
        """A payout that was not sent is not wanted any more: all its references are given as returned."""
        truth = self.truths[shop]
        for payout in truth.payouts:
            if not payout.sent and not payout.dropped and payout.number not in truth.given_up:
                for reference in payout.payments:
                    truth.came_back(reference)

    def backup(self, shop):
        path = f"backups/{shop.prefix}{len(self.copies[shop])}"
        if self.exists(shop.ledger):
            self.settle(shop, ["ledger", "backup", shop.ledger, path])
            if self.exists(path):
                self.copies[shop].append(path)

    def copy_both(self, shop):
        """A copy of the disk: both files, with what is between two commands."""
        path = f"backups/{shop.prefix}pair-{len(self.pairs[shop])}"
        if self.exists(shop.ledger) and self.exists(f"{shop.ledger}-lock"):
            self.workplace.sh(f"cp {shop.ledger} {path}; cp {shop.ledger}-lock {path}-lock; "
                              f"[ ! -e {shop.ledger}-journal ] || cp {shop.ledger}-journal {path}-journal")
            self.pairs[shop].append(path)

    def put_back(self, shop):
        """An older copy, with the lock file that is there, or without a good one; a journal may be left of the last one."""
        if self.copies[shop]:
            self.remove(shop, "", *self.maybe("-journal"))
            self.workplace.sh(f"cp {self.generator.choice(self.copies[shop])} {shop.ledger}")
            self.generator.choice([self.keep_lock, self.keep_lock, self.lose_lock, self.damage_lock])(shop)

    def put_back_both(self, shop):
        """An older copy with its own lock file, which is deleted as operations.md says, or payouts that are all there."""
        if not self.pairs[shop]:
            return
        self.restore(shop, self.generator.choice(self.pairs[shop]))
        self.stale.add(shop)
        if not self.are_visible(shop) or self.generator.random() < 0.4:
            self.lose_lock(shop)
        else:
            # Nothing shows that the ledger lacks nights, and it would reject refunds of what they settled.
            shop.refund_share = 0

    def restore(self, shop, path):
        self.remove(shop, "", "-lock", "-journal")
        self.workplace.sh(f"for end in '' -lock -journal; do [ ! -e {path}$end ] || cp {path}$end {shop.ledger}$end; done")

    def are_visible(self, shop):
        """Whether all payouts are where the engine looks."""
        truth = self.truths[shop]
        depth = 2 if shop.days_apart else 1
        return all(
            any(place.startswith("payouts/") and place.count("/") == depth
                for place in truth.places.get(payout.digest, []))
            for payout in truth.payouts if not payout.dropped)

    def keep_lock(self, shop):
        pass

    def lose_lock(self, shop):
        self.remove(shop, "-lock")
        self.stale.discard(shop)

    def damage_lock(self, shop):
        if self.exists(f"{shop.ledger}-lock"):
            damage = self.generator.choice(DAMAGES + HALF_DAMAGES * self.are_visible(shop))
            self.workplace.sh(damage.format(f"{shop.ledger}-lock"))
            if damage in HALF_DAMAGES:
                self.stale.add(shop)

    def lose_ledger(self, shop):
        """The ledger is lost, and often its lock file; a copy is put back, or it is made again from the reports."""
        self.remove(shop, "", "-journal")
        self.generator.choice([self.keep_lock, self.lose_lock, self.damage_lock])(shop)
        if self.copies[shop] and self.generator.random() < 0.5:
            self.workplace.sh(f"cp {self.generator.choice(self.copies[shop])} {shop.ledger}")
        else:
            self.enter_again(shop)

    def new_by_mistake(self, shop):
        """Both files are lost, unnoticed, and the next night makes a new ledger."""
        # A refund of a night that the new ledger does not know would be rejected: such a ledger is made again from the
        # first night on, by an operator who understands what happened.
        has_refunds = any(night.refunds for night in shop.nights)
        if not shop.by_hand and not shop.days_apart and not has_refunds and self.are_visible(shop):
            self.remove(shop, "", "-lock", "-journal")
            shop.refund_share = 0
            self.follow(shop, shop.run(shop.new_night()))
            self.stale.add(shop)

    def move_ledger(self, shop):
        """The ledger gets another place, with its lock file or without."""
        old, new = shop.ledger, f"{shop.prefix}ledger-{self.generator.randint(1, 999)}"
        if self.exists(old) and not self.exists(f"{new}-lock"):
            self.workplace.sh(f"mv {old} {new}; [ ! -e {old}-journal ] || mv {old}-journal {new}-journal")
            if self.exists(f"{old}-lock") and self.generator.random() < 0.6:
                self.workplace.sh(f"mv {old}-lock {new}-lock")
            shop.ledger = new

    def lose_payout(self, shop):
        if found := [payout for payout in self.truths[shop].payouts if self.can_lose(shop, payout)]:
            for place in self.truths[shop].places.pop(self.generator.choice(found).digest):
                self.workplace.sh(f"rm -r {place}")

    def can_lose(self, shop, payout):
        truth = self.truths[shop]
        return shop not in self.stale and truth.place(payout) and self.may_lose(truth, payout)

    @staticmethod
    def may_lose(truth, payout):
        """Not if its money could then only be booked by an adjustment: it books what a lost payout paid, or a payout that
        is there books what it paid."""
        origins = [truth.with_number(payout_of(reference)) for reference in payout.returned]
        return all(truth.place(origin) and origin.number not in truth.given_up for origin in origins) and not any(
            truth.returned.get(reference) for reference in payout.payments)

    def move_payout(self, shop):
        """A payout directory gets another place, where the engine looks or where it does not."""
        truth = self.truths[shop]
        if found := [payout for payout in truth.payouts if truth.place(payout)]:
            payout = self.generator.choice(found)
            if folders := self.folders(shop, payout):
                new = f"{self.generator.choice(folders)}/moved-{payout.number}-{self.generator.randint(1, 999)}"
                new = f"{new}/out" if shop.days_apart else new
                self.workplace.sh(f"mkdir -p $(dirname {new}); mv {truth.place(payout)} {new}")
                truth.places[payout.digest] = [new]

    def folders(self, shop, _):
        """Where a payout may be moved."""
        if shop not in self.stale:
            return ["payouts", "old", "elsewhere/deep/down"]
        return [] if shop.days_apart else ["payouts", "old"]

    def lose_night(self, shop):
        self.workplace.sh(f"rm -rf {shop.prefix}nights/{self.generator.choice(shop.nights).number}")

    def new_machine(self, shop):
        """All files are copied to another disk, with their paths; the lock file is forgotten, or is not."""
        self.workplace.sh("mkdir ../next; cp -r . ../next/; rm -rf ./*; mv ../next/* .; rm -r ../next")
        if self.generator.random() < 0.5:
            self.lose_lock(shop)

    def remove(self, shop, *ends):
        self.workplace.sh("rm -f " + " ".join(shop.ledger + end for end in ends))

    def exists(self, path):
        return (self.workplace.root / path).exists()


EVENTS = {
    Honest.night: 9, Honest.pay: 14, Honest.bank_returns: 3, Honest.send_late: 2, Honest.never_sent: 1, Honest.backup: 7,
    Honest.copy_both: 3, Honest.put_back: 7, Honest.put_back_both: 3, Honest.lose_lock: 2, Honest.damage_lock: 1,
    Honest.lose_ledger: 3, Honest.move_ledger: 1, Honest.lose_payout: 4, Honest.move_payout: 3, Honest.lose_night: 1,
    Honest.new_machine: 1, Honest.new_by_mistake: 1,
}
