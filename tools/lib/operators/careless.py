"""Careless operators: any command at any time, but nothing untrue. They may be refused, but must never pay twice."""
from operators.honest import DAMAGES, HALF_DAMAGES, Honest
from operators.workplace import Fault


class Careless(Honest):
    """Uses the commands and the files at random.

    What the engine promises needs a trace of each payout: the lock file, or its directory where the engine looks. So
    the operator takes care that one is left; `known` is the highest number that the lock file in use has surely seen.
    """

    def __init__(self, workplace, generator):
        super().__init__(workplace, generator)
        shops = list(self.truths)
        self.known = {shop: 0 for shop in shops}
        # Shops that have lost both files: a new ledger may be made.
        self.bare = set()
        # Other copies of the ledger in use, and what the lock file of each has seen.
        self.machines = {shop: {} for shop in shops}
        self.kill_share = generator.choice([0, 0.1, 0.25])

    def live(self):
        for shop in self.truths:
            self.new_night(shop)
            self.pay(shop)
        for _ in range(self.generator.randint(20, 45)):
            shop = self.generator.choice(list(self.truths))
            self.generator.choices(*zip(*EVENTS.items()))[0](self, shop)

    def kill(self):
        return self.some_kill() if self.generator.random() < self.kill_share else None

    def settle(self, shop, arguments, kill=None):
        outcome = super().settle(shop, arguments, kill)
        if outcome.code in (0, 1):
            truth = self.truths[shop]
            if "--give-up" in arguments:
                self.succeeded(shop, arguments, 9)
            elif "--last-payout" in arguments or arguments[0] == "payout" and "--output" in arguments:
                self.known[shop] = max(self.known[shop], truth.last())
                self.bare.discard(shop)
        return outcome

    def command(self, shop, arguments):
        outcome = self.settle(shop, arguments, self.kill())
        if outcome.code in (64, 74) and self.generator.random() < 0.6:
            self.heed(shop, arguments, outcome)
        return outcome

    def heed(self, shop, arguments, outcome):
        """Does some of what a message advises, and often tries the command again."""
        for advice in self.advice(outcome):
            for answer in self.answers(shop, advice, outcome):
                if self.generator.random() < 0.8:
                    self.settle(shop, answer, self.kill())
        if self.generator.random() < 0.6:
            self.settle(shop, arguments, self.kill())

    def enter_again(self, shop, depth=0):
        """Is done only by chance."""

    # Commands

    def new_night(self, shop):
        self.command(shop, shop.run(shop.new_night(), *self.maybe("--adopt"), *self.maybe("--existing-ledger")))

    def old_night(self, shop):
        number = self.generator.choice(shop.nights).number
        output = self.generator.choice([None, None, f"{shop.prefix}nights/again-{self.generator.randint(1, 99)}"])
        option = self.generator.choice([(), ("--adopt",), ("--adopt",), ("--republish",)])
        self.command(shop, shop.run(number, *option, output=output))

    def in_order(self, shop):
        for night in shop.nights:
            self.command(shop, shop.run(night.number, "--adopt"))

    def pay(self, shop):
        day = shop.next_day() if not shop.day or self.generator.random() < 0.7 else self.generator.randint(1, shop.day)
        truth, options = self.truths[shop], []
        if self.generator.random() < 0.3:
            options += ["--until", str(self.generator.randint(1, len(shop.nights)))]
        if self.generator.random() < 0.5:
            options += ["--since", "1"]
        if self.generator.random() < 0.2:
            options += ["--minimum", "EUR=20"]
        if truth.unbooked() and self.generator.random() < 0.7:
            options += ["--returned", f"{shop.prefix}returned-{day}.csv"]
            self.write_returned(shop, options)
        output = None
        if self.generator.random() < 0.3:
            output = shop.output(f"{day}-{self.generator.randint(1, 99)}")
        if self.generator.random() < 0.15:
            options += ["--republish"]
        self.command(shop, shop.payout(day, *options, output=output))

    def adopt(self, shop):
        options = self.maybe("--last-payout", str(self.truths[shop].last()))
        self.command(shop, ["ledger", "adopt", shop.ledger, *options])

    def adopt_payout(self, shop):
        truth = self.truths[shop]
        if places := [truth.place(payout) for payout in truth.payouts if truth.place(payout)]:
            self.command(shop, ["payout", "adopt", self.generator.choice(places), "--ledger", shop.ledger])

    def adopt_payouts(self, shop):
        truth = self.truths[shop]
        for payout in sorted(truth.payouts, key=lambda payout: payout.number):
            if place := truth.place(payout):
                self.command(shop, ["payout", "adopt", place, "--ledger", shop.ledger])

    def give_up_lost(self, shop):
        truth = self.truths[shop]
        if lost := [payout.number for payout in truth.payouts if not truth.place(payout)]:
            self.command(shop, self.give_up(shop, self.generator.choice(lost)))

    def give_up_missing(self, shop):
        """Uses --give-up for a payout that was never made, or that is there: both must be refused."""
        number = self.generator.randint(1, len(self.truths[shop].payouts) + 2)
        payout = self.truths[shop].with_number(number)
        if not payout or self.is_visible(shop, payout):
            self.command(shop, self.give_up(shop, number))

    def adopt_other(self, shop):
        """The other shop's payout. Only a ledger without payouts could take it for one of its own."""
        others = [place for truth in self.truths.values() if truth.shop != shop
                  for payout in truth.payouts if (place := truth.place(payout))]
        if others and self.exists(shop.ledger):
            history = self.workplace.settle(["history", "--ledger", shop.ledger, "--payouts", "--format", "jsonl"])
            entries = [line for line in history.text.splitlines() if '"payout"' in line]
            if history.code == 0 and any('"missing":true' not in line and '"givenUp":true' not in line for line in entries):
                place = self.generator.choice(others)
                if self.command(shop, ["payout", "adopt", place, "--ledger", shop.ledger]).code == 0:
                    raise Fault(f"{place}, a payout of another shop, was entered")

    def backup(self, shop):
        path = f"backups/{shop.prefix}{len(self.copies[shop])}"
        if self.exists(shop.ledger) and self.command(shop, ["ledger", "backup", shop.ledger, path]).code == 0:
            self.copies[shop].append(path)

    # Troubles that leave a trace of each payout

    def is_visible(self, shop, payout, folders=("payouts", "old")):
        depth = 2 if shop.days_apart else 1
        folders = ("payouts",) if shop.days_apart else folders
        return any(place.split("/")[0] in folders and place.count("/") == depth
                   for place in self.truths[shop].places.get(payout.digest, []))

    def is_traced(self, shop, known, losing=None, folders=("payouts", "old")):
        return all(
            payout.number <= known or payout.dropped or payout is not losing and self.is_visible(shop, payout, folders)
            for payout in self.truths[shop].payouts)

    def copy_both(self, shop):
        before = len(self.pairs[shop])
        super().copy_both(shop)
        if len(self.pairs[shop]) > before:
            self.pairs[shop][-1] = (self.pairs[shop][-1], self.known[shop])

    def put_back_both(self, shop):
        if not self.pairs[shop]:
            return
        path, known = self.generator.choice(self.pairs[shop])
        if self.is_traced(shop, known):
            self.restore(shop, path)
            self.known[shop] = known

    def other_machine(self, shop):
        """Goes on with another copy of the ledger, made now or used before; both stay in use."""
        machines = self.machines[shop]
        if len(machines) < 2 and self.exists(shop.ledger):
            path = f"{shop.prefix}machine-{self.generator.randint(1, 999)}"
            has_lock = self.exists(f"{shop.ledger}-lock") and self.generator.random() < 0.7
            self.workplace.sh(f"cp {shop.ledger} {path}" + f"; cp {shop.ledger}-lock {path}-lock" * has_lock)
            machines[path] = self.known[shop] * has_lock
        path = self.generator.choice([*machines, shop.ledger])
        if self.exists(path) and path != shop.ledger and self.is_traced(shop, machines[path]):
            machines[shop.ledger] = self.known[shop]
            shop.ledger, self.known[shop] = path, machines[path]

    def put_back_lock(self, shop):
        """An older lock file only."""
        if self.pairs[shop]:
            path, known = self.generator.choice(self.pairs[shop])
            if self.is_traced(shop, known):
                self.workplace.sh(f"cp {path}-lock {shop.ledger}-lock")
                self.known[shop] = known

    def can_lose_lock(self, shop):
        """A ledger without a lock file is refused. If both are lost, a new ledger may be made, which finds directories of
        another name only in the parent of the output."""
        return self.exists(shop.ledger) or not shop.days_apart and self.is_traced(shop, 0, folders=("payouts",))

    def lose_lock(self, shop):
        if self.can_lose_lock(shop):
            self.remove(shop, "-lock")
            self.lost_lock(shop)

    def damage_lock(self, shop):
        if self.exists(f"{shop.ledger}-lock") and self.can_lose_lock(shop):
            damages = DAMAGES + HALF_DAMAGES * self.is_traced(shop, 0)
            self.workplace.sh(self.generator.choice(damages).format(f"{shop.ledger}-lock"))
            self.lost_lock(shop)

    def lost_lock(self, shop):
        self.known[shop] = 0
        if not self.exists(shop.ledger):
            self.bare.add(shop)

    def put_back(self, shop):
        if self.copies[shop]:
            super().put_back(shop)
            self.bare.discard(shop)

    def move_ledger(self, shop):
        before = shop.ledger
        super().move_ledger(shop)
        if shop.ledger != before and not self.exists(f"{shop.ledger}-lock"):
            self.known[shop] = 0

    def lose_ledger(self, shop):
        if self.exists(f"{shop.ledger}-lock") and self.is_traced(shop, self.known[shop]):
            self.remove(shop, "", *self.maybe("-journal"))

    def can_lose(self, shop, payout):
        return shop not in self.bare and super().can_lose(shop, payout) and self.is_traced(shop, self.known[shop], payout)

    def folders(self, shop, payout):
        folders = ["payouts"] if shop.days_apart or shop in self.bare else ["payouts", "old"]
        is_traced = shop not in self.bare and self.is_traced(shop, self.known[shop], payout)
        return [*folders, *["elsewhere/deep/down"] * is_traced]


EVENTS = {
    Careless.new_night: 8, Careless.old_night: 6, Careless.in_order: 4, Careless.pay: 16, Careless.adopt: 6,
    Careless.adopt_payout: 3, Careless.adopt_payouts: 4, Careless.adopt_other: 1, Careless.give_up_lost: 3,
    Careless.give_up_missing: 1, Careless.bank_returns: 3, Careless.send_late: 2, Careless.never_sent: 1,
    Careless.backup: 5, Careless.copy_both: 3, Careless.put_back: 5, Careless.put_back_both: 3,
    Careless.put_back_lock: 2, Careless.other_machine: 3, Careless.lose_lock: 1, Careless.damage_lock: 1,
    Careless.lose_ledger: 2, Careless.move_ledger: 1, Careless.lose_payout: 3, Careless.move_payout: 4,
    Careless.lose_night: 1, Careless.new_machine: 1,
}
