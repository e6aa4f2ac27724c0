"""A second implementation of docs/spec/contents.md: what is in a transfer, which rows a statement has for payments, and
where the money of a key went.

It reads the directories of nights and payouts, in the order in which `accounts.Ledger` knows them.
"""
from decimal import Decimal

import accounts
from model.files import csv_rows
from model.money import text
from model.payouts import heading

FURTHER = ["pay_key", "refund_key", "role", "counterparty"]
COLUMNS = accounts.COLUMNS.split(",")


class Transfer:
    """A payment of a payout: its contents, what was before and after it."""

    def __init__(self, reference, key, booking, previous, opening):
        self.reference, self.key, self.booking = reference, key, booking
        self.previous, self.opening, self.entries, self.carried = previous, opening, [], None
        self.amount = None


class Contents(accounts.Ledger):
    """The transfers of a ledger, read once."""

    def read(self):
        """Reads all entries in book order."""
        self.transfers, self.balances_after, self.came_back, self.holder = {}, {}, {}, {}
        open_ones, last = {}, {}
        for booking in self.in_book_order():
            for kind, account, currency, amount, reference, reason in booking.entries():
                key = account, currency
                balance = self.balances_after.get(key, Decimal(0)) + amount
                now = open_ones.setdefault(key, Transfer(None, key, None, last.get(key), balance - amount))
                self.balances_after[key] = balance
                if kind != "PAID":
                    now.entries.append((kind, booking, amount, balance, reference, reason))
                    if kind == "RETURNED":
                        self.came_back[reference] = booking
                    self.holder[kind, booking.number, reference, key] = now
                    continue
                now.reference, now.booking, now.amount, now.carried = reference, booking, amount, balance
                self.transfers[reference] = last[key] = now
                del open_ones[key]
        return self

    def in_book_order(self):
        return sorted(self.booked(), key=lambda each: (
            (each.number, 0, 0) if each.kind == "run" else (heading(each.path)["until"], 1, each.number)))

    # Rows of payments

    @staticmethod
    def payment_rows(booking, key):
        """The account's rows of a night, but for those of senders: cells, and their rows in settlement.csv."""
        senders, primaries = {}, {}
        rows = booking.rows("settlement.csv")
        for row in rows:
            place = row["pay_key"], row["refund_key"]
            if row["role"] == "SENDER":
                senders[place] = row["account"]
            if row["role"] == "PRIMARY":
                primaries[place] = row["account"]
        for row in rows:
            if (row["account"], row["currency"]) == key and row["role"] != "SENDER":
                place = row["pay_key"], row["refund_key"]
                others = primaries if row["role"] == "SECONDARY" else senders
                yield {"kind": "REFUND" if row["refund_key"] else "PAYMENT", "amount": Decimal(row["net"]),
                       "counterparty": others[place]} | {name: row[name] for name in (
                           "gross", "passed_on", "fee", "net", "pay_key", "refund_key", "role")}, row

    def cells_of(self, booking, with_nights, with_payments):
        """The rows that a statement has of a run or payout, by account and currency."""
        for key, cells in self.rows_of(booking, with_nights):
            if cells["kind"] != "RUN" or not with_payments:
                yield key, cells
                continue
            for row, _ in self.payment_rows(booking, key):
                yield key, {"day": booking.day, "number": booking.number} | row

    # Statements

    def period(self, since, until, named):
        """The files of statements with payments over a period."""
        openings, rows = {}, {}
        for booking in self.booked():
            if booking.day < since:
                for _, account, currency, amount, _, _ in booking.entries():
                    openings[account, currency] = openings.get((account, currency), Decimal(0)) + amount
            elif booking.day <= until:
                for key, cells in self.cells_of(booking, True, True):
                    rows.setdefault(key, []).append(cells)
        keys = rows.keys() | {key for key, opening in openings.items() if opening}
        named = named or sorted({key[0] for key in keys}, key=str.encode)
        sections = {account: [
            lines([{"day": since, "kind": "OPENING"}, *rows.get((account, currency), []),
                   {"day": until, "kind": "CLOSING"}], currency, openings.get((account, currency), Decimal(0)), True)
            for currency in sorted(currency for each, currency in keys if each == account)] for account in named}
        return files(sections, True)

    def sections(self, references, with_nights, with_payments):
        """The sections of transfers, by reference."""
        return {each: self.section(self.transfers[each], with_nights, with_payments) for each in references}

    def section(self, transfer, with_nights, with_payments):
        rows = []
        for kind, booking, amount, _, reference, reason in transfer.entries:
            if kind == "RUN":
                rows += [cells for key, cells in self.cells_of(booking, with_nights, with_payments) if key == transfer.key]
            else:
                rows.append({"day": booking.day, "kind": kind, "number": booking.number, "amount": amount,
                             "reference": accounts.protected(reference), "reason": accounts.protected(reason)})
        booking, previous = transfer.booking, transfer.previous
        rows.append({"day": booking.day, "kind": "PAID", "number": booking.number, "reference": transfer.reference,
                     "amount": transfer.amount})
        opening = {"kind": "OPENING", "day": previous.booking.day if previous else rows[0]["day"]}
        if previous:
            opening |= {"number": previous.booking.number, "reference": previous.reference}
        return lines([opening, *rows, {"day": booking.day, "kind": "CLOSING"}], transfer.key[1], transfer.opening,
                     with_payments)

    def of_payout(self, references, with_nights=True, with_payments=True):
        """The files of `statement --payout`."""
        by_account = {}
        for reference, section in self.sections(references, with_nights, with_payments).items():
            by_account.setdefault(self.transfers[reference].key[0], []).append(section)
        return files(by_account, with_payments)

    def one_file(self, references):
        """The lines of `statement --payout --output FILE.csv`."""
        return [",".join(["payout_reference", "account", *COLUMNS, *FURTHER])] + [
            f"{reference},{self.transfers[reference].key[0]},{line}"
            for reference, section in self.sections(references, True, True).items() for line in section]

    # Find

    def found(self, reference, reads_reports=True):
        """The fields of contents of a reference, as `find` has them in JSON."""
        transfer = self.transfers[reference]
        currency = transfer.key[1]
        came_back = reference in self.came_back
        return {
            "previous": transfer.previous.reference if transfer.previous else None,
            "opening": text(transfer.opening, currency),
            "entries": [{"kind": kind.lower(), "number": booking.number, "amount": text(amount, currency),
                         "balance": text(balance, currency)} for kind, booking, amount, balance, _, _ in transfer.entries],
            "carried": text(transfer.carried, currency),
            "paidOut": [self.way(transfer.key, self.returned_in(reference), None, reads_reports)] if came_back else None}

    def payments_of(self, reference, since=None, until=None):
        """The rows that `find --payments` lists, without days."""
        transfer = self.transfers[reference]
        for kind, booking, _, _, _, _ in transfer.entries:
            if kind == "RUN" and (since is None or since <= booking.day <= until):
                for cells, row in self.payment_rows(booking, transfer.key):
                    yield {"run": booking.number, "lookedAt": True, "account": row["account"], "payKey": row["pay_key"],
                           "refundKey": row["refund_key"] or None, "kind": row["kind"], "role": row["role"],
                           "currency": row["currency"], "gross": row["gross"], "passedOn": row["passed_on"],
                           "fee": row["fee"], "net": row["net"]}

    def returned_in(self, reference):
        """The transfer, made or not, whose contents have the return of one."""
        return self.holder["RETURNED", self.came_back[reference].number, reference, self.transfers[reference].key]

    def paid_out(self, run, parties, currency):
        """The field `paidOut` of a record that a run settled or refunded."""
        return [self.way((each["account"], currency), self.holder.get(("RUN", run, "", (each["account"], currency))), run)
                for each in parties if each["role"] != "SENDER"]

    def way(self, key, held, run, reads_reports=True):
        """Which transfers an entry was in; `held` is the one that has it, made or not, and None if there is no entry."""
        references, came_back = [], True
        while held is not None and held.reference:
            references.append(held.reference)
            came_back = held.reference in self.came_back
            if not came_back:
                break
            held = self.returned_in(held.reference)
        is_paid = bool(references) and not came_back
        carried = text(self.transfers[references[-1]].carried, key[1]) if is_paid else None
        return {"account": key[0], "references": references,
                "waits": None if is_paid else self.waits(key, held, run, reads_reports), "carried": carried}

    def waits(self, key, held, run, reads_reports):
        payouts = [each for each in self.in_book_order() if each.kind == "payout"]
        if run is not None:
            if run < self.first_run:
                return "NOT_COUNTED"
            if held is None:
                return "ZERO"
            if not any(heading(each.path)["until"] >= run for each in payouts):
                return "NO_PAYOUT"
        after = self.after_last_payout(payouts[-1])
        if not after.get(key):
            return "ZERO"
        carried = csv_rows(payouts[-1].path / "carried.csv") if reads_reports else []
        return next((row["reason"] for row in carried
                     if (row["account"], row["currency"]) == key), "CARRIED")

    def after_last_payout(self, last):
        balances = {}
        for booking in self.in_book_order():
            for _, account, currency, amount, _, _ in booking.entries():
                balances[account, currency] = balances.get((account, currency), Decimal(0)) + amount
            if booking is last:
                return balances


def lines(rows, currency, opening, with_payments):
    """Rows as lines of CSV, with the balance after each."""
    balance, told = opening, []
    for cells in rows:
        balance += cells.get("amount", 0)
        cells = cells | {"currency": currency, "balance": text(balance, currency)} | (
            {"amount": text(cells["amount"], currency)} if "amount" in cells else {})
        told.append(",".join(str(cells.get(column, "")) for column in COLUMNS + (FURTHER if with_payments else [])))
    return told


def files(sections, with_payments):
    """The files of statements by name, from the sections of each account."""
    head = ",".join(COLUMNS + (FURTHER if with_payments else []))
    made = {f"{number}.csv": "".join(f"{line}\n" for line in [head, *sum(each, [])])
            for number, each in enumerate(sections.values(), 1)}
    return made | {"accounts.csv": "number,account,file\n" + "".join(
        f"{number},{account},{number}.csv\n" for number, account in enumerate(sections, 1))}
