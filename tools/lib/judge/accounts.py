"""A second implementation of docs/spec/accounts.md: what balances, statements, journals and waiting records must be.

It knows the steps in the order in which they were made, and reads the directories of nights and payouts.
"""
import datetime
import json
import re
from decimal import Decimal

from model.files import csv_rows
from model.money import amount as units
from model.money import minor, text
from model.payouts import Balances, heading

COLUMNS = "currency,day,kind,number,reference,reason,payments,gross,passed_on,fee,net,refunds,refund_net,amount,balance"
OF_PAYMENTS = COLUMNS + ",pay_key,refund_key,role,counterparty"
NIGHT = "payments,gross,passed_on,fee,net,refunds,refund_net".split(",")
FEES = "account,currency,name,payments,fee,vat,refunds,fee_returned,vat_returned,total".split(",")
WAITING = "run,day,file,line,pay_key,refund_key,preapproval_key,outcome,code,field,currency,amount,message".split(",")
KEYS = ("refund_key", "pay_key", "preapproval_key")


def protected(word):
    return f"'{word}" if word[:1] in ("=", "+", "-", "@") else word


def columns(shown):
    return OF_PAYMENTS if shown == "payments" else COLUMNS


def section(account, currency, shown, opening, rows, until):
    """The lines of an account and currency between its opening and closing balance."""
    names = columns(shown).split(",")

    def line(cells):
        return ",".join(str(cells.get(name, "")) for name in names)

    lines = [line({"kind": "OPENING", "currency": currency} | opening | {"balance": text(opening["balance"], currency)})]
    balance = opening["balance"]
    for row in rows:
        details = [row]
        if shown == "payments" and row["kind"] == "RUN":
            details = [payment | {
                "kind": "REFUND" if payment["refund_key"] else "PAYMENT", "number": row["number"], "day": row["day"],
                "amount": Decimal(payment["net"])} for payment in row["night"].payments(account, currency)]
        for each in details:
            balance += each["amount"]
            lines.append(line(each | {"currency": currency, "amount": text(each["amount"], currency),
                                      "balance": text(balance, currency)}))
    return [*lines, line({"kind": "CLOSING", "currency": currency, "day": until, "balance": text(balance, currency)})]


class Booking:
    """A run or payout: its number, its own day, and the last run that was entered before it."""

    def __init__(self, kind, number, day, after, path):
        self.kind, self.number, self.after, self.path = kind, number, after, path
        self.own_day = min(day, datetime.datetime.now(datetime.timezone.utc).date().isoformat())
        self.day = None

    def rows(self, name):
        return csv_rows(self.path / name) if (self.path / name).exists() else []

    def payments(self, account, currency):
        """The account's rows of payments and refunds, with the sender, or for a secondary the primary."""
        entries = []
        for row in self.rows("settlement.csv"):
            if row["role"] == "SENDER":
                entries.append([])
            entries[-1].append(row)
        for entry in entries:
            parties = {row["role"]: row["account"] for row in entry}
            for row in entry:
                if row["role"] != "SENDER" and (row["account"], row["currency"]) == (account, currency):
                    yield row | {"counterparty": parties["PRIMARY" if row["role"] == "SECONDARY" else "SENDER"]}

    def entries(self):
        """What it books, in order: kind, account, currency, amount, reference, reason."""
        if self.kind == "run":
            for row in self.rows("receivers.csv"):
                if Decimal(row["payout"]):
                    yield "RUN", row["account"], row["currency"], Decimal(row["payout"]), "", ""
            return
        for row in self.rows("returned.csv"):
            yield "RETURNED", row["account"], row["currency"], Decimal(row["amount"]), row["reference"], row["reason"]
        for row in self.rows("adjusted.csv"):
            yield "ADJUSTED", row["account"], row["currency"], Decimal(row["amount"]), row["key"], row["reason"]
        for row in self.rows("payouts.csv"):
            yield "PAID", row["account"], row["currency"], -Decimal(row["amount"]), row["reference"], ""


class Ledger:
    def __init__(self):
        self.bookings = []
        self.first_run = 1
        # The runs in which a record of an agreement was accepted, by key.
        self.accepted = {}

    def run(self, day, path):
        number = sum(each.kind == "run" for each in self.bookings) + 1
        self.bookings.append(Booking("run", number, day, number, path))

    def payout(self, day, path):
        runs = [each.number for each in self.bookings if each.kind == "run"]
        number = len(self.bookings) - len(runs) + 1
        self.bookings.append(Booking("payout", number, day, runs[-1], path))
        self.first_run = heading(path)["since"]

    def dated(self):
        """All bookings in entry order, with their booking days."""
        latest = ""
        for each in self.bookings:
            latest = each.day = max(latest, each.own_day)
            yield each

    def booked(self):
        """The bookings that count, in entry order, with their booking days."""
        for each in self.dated():
            if each.kind == "payout" or each.number >= self.first_run:
                yield each

    # Balances

    def balances(self, until=None, terms=None):
        """The lines of `settle balances --format csv`, with what terms hold on that day."""
        balances, earned = Balances(), {}
        for booking in self.booked():
            if booking.day <= (until or "9999-12-31"):
                for kind, account, currency, amount, _, _ in booking.entries():
                    balances.add((account, currency), amount, booking.after)
                    if kind == "RUN":
                        earned.setdefault((account, currency), []).append((booking.own_day, minor(amount, currency)))

        def held(key):
            if terms is None:
                return ""
            day = until or datetime.datetime.now(datetime.timezone.utc).date().isoformat()
            delayed, reserved, kept, free = terms.held(*key, minor(balances[key], key[1]), earned.get(key, []), day)
            return "".join(f",{units(part, key[1])}" for part in (free, delayed, reserved, kept))

        return ["account,currency,balance,since" + (",free,delayed,reserved,kept" if terms else "")] + [
            f"{key[0]},{key[1]},{text(balances[key], key[1])},{balances.since[key]}{held(key)}"
            for key in sorted(balances, key=lambda key: (key[0].encode(), key[1])) if balances[key]]

    # Statements

    def known(self, account):
        return any(row["account"] == account for each in self.bookings for row in each.rows("receivers.csv")) \
            or any(entry[1] == account for each in self.bookings for entry in each.entries())

    def statements(self, since, until, accounts=None, shown="nights"):
        """The files of statements, by name; `shown` is `nights`, `payments` or `nothing` of nights."""
        rows = self.rows_by_account(since, until, shown != "nothing")
        named = accounts if accounts is not None else sorted(rows, key=str.encode)
        files = {"accounts.csv": "number,account,file\n" + "".join(
            f"{number},{account},{number}.csv\n" for number, account in enumerate(named, 1))}
        for number, account in enumerate(named, 1):
            lines = [columns(shown)]
            for currency in sorted(rows.get(account, {})):
                opening, between = rows[account][currency]
                lines += section(account, currency, shown, {"day": since, "balance": opening}, between, until)
            files[f"{number}.csv"] = "".join(line + "\n" for line in lines)
        return files

    # Contents of the payments of payouts

    def book_order(self):
        """The bookings that count, in book order, with their booking days."""
        return sorted(self.booked(), key=lambda each: (
            (each.number, 0) if each.kind == "run" else (heading(each.path)["until"], each.number)))

    def book(self, account, currency):
        """The entries of an account and currency in book order: booking, kind, amount, reference, reason, balance."""
        balance, entries = Decimal(0), []
        for booking in self.book_order():
            for kind, *key, amount, reference, reason in booking.entries():
                if key == [account, currency]:
                    balance += amount
                    entries.append((booking, kind, amount, reference, reason, balance))
        return entries

    def contents(self, account, currency, reference):
        """The last payment before one, if any; its contents; the payment itself."""
        book = self.book(account, currency)
        end = next(place for place, entry in enumerate(book) if entry[3] == reference and entry[1] == "PAID")
        start = max((place for place, entry in enumerate(book[:end]) if entry[1] == "PAID"), default=-1)
        return book[start] if start >= 0 else None, book[start + 1:end], book[end]

    def transfers(self, payout, shown, only=None):
        """The payments of a payout, or one of them: reference, account and the lines of their sections."""
        for row in payout.rows("payouts.csv"):
            account, currency, reference = row["account"], row["currency"], row["reference"]
            if only not in (None, reference):
                continue
            previous, between, paid = self.contents(account, currency, reference)
            rows = []
            for booking, kind, amount, name, reason, _ in [*between, paid]:
                row = {"day": booking.day, "kind": kind, "number": booking.number, "amount": amount,
                       "reference": protected(name), "reason": protected(reason)}
                if kind == "RUN":
                    rows += [each for key, each in self.rows_of(booking, shown != "nothing") if key == (account, currency)]
                else:
                    rows.append(row)
            opening = {"day": rows[0]["day"], "balance": Decimal(0)} if previous is None else {
                "day": previous[0].day, "balance": previous[5], "number": previous[0].number, "reference": previous[3]}
            yield reference, account, section(account, currency, shown, opening, rows, payout.day)

    def way(self, run, account, currency):
        """In which payments what a run gave an account left, why it waits, and what the last payment carried."""
        if run < self.first_run:
            return [], "NOT_COUNTED", None
        book = self.book(account, currency)
        at = next((place for place, entry in enumerate(book) if entry[:2][1] == "RUN" and entry[0].number == run), None)
        if at is None:
            return [], "ZERO", None
        return self.way_from(book, at, run, account, currency)

    def way_from(self, book, at, run, account, currency):
        references = []
        while paid := next((entry for entry in book[at:] if entry[1] == "PAID"), None):
            references.append(paid[3])
            at = next((place for place, entry in enumerate(book) if entry[1] == "RETURNED" and entry[3] == paid[3]), None)
            if at is None:
                return references, None, text(paid[5], currency)
        order = self.book_order()
        payouts = [place for place, each in enumerate(order) if each.kind == "payout"]
        if not payouts or all(heading(order[place].path)["until"] < run for place in payouts):
            return references, "NO_PAYOUT", None
        counted = order[:payouts[-1] + 1]
        if not next((entry[5] for entry in reversed(book) if entry[0] in counted), Decimal(0)):
            return references, "ZERO", None
        return references, next((row["reason"] for row in order[payouts[-1]].rows("carried.csv")
                                 if (row["account"], row["currency"]) == (account, currency)), "CARRIED"), None

    def returned_way(self, account, currency, reference):
        """The same for a payment that came back; None if it did not."""
        book = self.book(account, currency)
        at = next((place for place, entry in enumerate(book) if entry[1] == "RETURNED" and entry[3] == reference), None)
        return None if at is None else self.way_from(book, at, 0, account, currency)

    def rows_by_account(self, since, until, with_nights=True):
        """By account and currency the opening balance and the rows between."""
        openings, rows = {}, {}
        for booking in self.booked():
            if booking.day > until:
                continue
            if booking.day < since:
                for _, account, currency, amount, _, _ in booking.entries():
                    openings[account, currency] = openings.get((account, currency), Decimal(0)) + amount
                continue
            for key, row in self.rows_of(booking, with_nights):
                rows.setdefault(key, []).append(row)
        by_account = {}
        for key in rows.keys() | {key for key, opening in openings.items() if opening}:
            by_account.setdefault(key[0], {})[key[1]] = (openings.get(key, Decimal(0)), rows.get(key, []))
        return by_account

    @staticmethod
    def rows_of(booking, with_nights):
        if booking.kind == "run":
            for row in booking.rows("receivers.csv"):
                if with_nights or Decimal(row["payout"]):
                    figures = {name: row[name] for name in NIGHT} if with_nights else {}
                    yield (row["account"], row["currency"]), figures | {
                        "day": booking.day, "kind": "RUN", "number": booking.number, "amount": Decimal(row["payout"]),
                        "night": booking}
            return
        for kind, account, currency, amount, reference, reason in booking.entries():
            yield (account, currency), {
                "day": booking.day, "kind": kind, "number": booking.number, "amount": amount,
                "reference": protected(reference), "reason": protected(reason)}

    # Fees

    def fees(self, since, until, named=None):
        """The rows of `settle fees --format csv`, and the totals by currency."""
        rows, totals = {}, {}
        for booking in self.booked():
            if booking.kind != "run" or not since <= booking.day <= until:
                continue
            for account, currency, name, fee, vat, is_refund in self.charged(booking):
                totals[currency] = totals.get(currency, 0) + fee + vat
                if named is None or account in named:
                    row = rows.setdefault((account.encode(), currency, name), [0, Decimal(0), Decimal(0)] * 2)
                    place, sign = (3, -1) if is_refund else (0, 1)
                    row[place:place + 3] = row[place] + 1, row[place + 1] + sign * fee, row[place + 2] + sign * vat
        return [FEES] + [
            [account.decode(), currency, name, *(str(each) if isinstance(each, int) else text(each, currency) for each in row),
             text(row[1] + row[2] - row[4] - row[5], currency)]
            for (account, currency, name), row in sorted(rows.items())], totals

    @staticmethod
    def charged(booking):
        """The fees of a night: bearer, currency, name, fee, VAT, whether of a refund."""
        if (booking.path / "fees.csv").exists():
            for row in booking.rows("fees.csv"):
                yield (row["bearer"], row["currency"], row["name"], Decimal(row["fee"]), Decimal(row["vat"]),
                       bool(row["refund_key"]))
            return
        for row in booking.rows("settlement.csv"):
            if Decimal(row["fee"]):
                yield row["account"], row["currency"], "fee", Decimal(row["fee"]), Decimal(0), bool(row["refund_key"])

    # Journals

    def journal(self, since, until, book=None, kind="hledger"):
        """The accounts, commodities and addresses that a journal declares, sorted, and its transactions.

        A transaction is (day, description, postings), a posting (account, amount, currency, asserted).
        """
        book = book or since
        rows = self.rows_by_account(book, until)
        keys = sorted(((account, currency) for account in rows for currency in rows[account]),
                      key=lambda key: (key[0].encode(), key[1]))
        before, within = [], []
        for currency in sorted({currency for _, currency in keys}):
            opened = [(receiver(account), -rows[account][currency][0]) for account, each in keys if each == currency]
            (within if book == since else before).append((book, f"opening balances {currency}", self.postings(
                [*opened, ("equity:opening", -sum(amount for _, amount in opened))], currency)))
        for booking in self.booked():
            if book <= booking.day <= until:
                (before if booking.day < since else within).extend(self.transactions(booking))
        known, used = ({(account, currency) for _, _, postings in part for account, _, currency, _ in postings}
                       for part in (before, within))
        asserted = {}
        for account, currency in keys:
            if (receiver(account), currency) in used:
                opening, between = rows[account][currency]
                asserted.setdefault(account, []).append(
                    (receiver(account), text(0, currency), currency,
                     text(-opening - sum(each["amount"] for each in between), currency)))
        transactions = [each for each in within if each[2]]
        declared = [name for name in {name for each in used for name in each} - {name for each in known for name in each}]
        if kind == "hledger":
            return sorted(declared), transactions + [(until, "balance assertions", each) for each in asserted.values()]
        day = (datetime.date.fromisoformat(until) + datetime.timedelta(1)).isoformat()
        addresses = [f"address: {name.split(':')[2]}" for name in declared if name.startswith(receiver(""))]
        return sorted([*map(beancount_name, declared), *addresses]), [
            (day, description, [(beancount_name(account), *rest) for account, *rest in postings])
            for day, description, postings in transactions] + [
            (day, "balance", [(beancount_name(account), None, currency, balance)])
            for each in asserted.values() for account, _, currency, balance in each]

    @staticmethod
    def postings(amounts, currency):
        return [(account, text(amount, currency), currency, None) for account, amount in amounts if amount]

    def transactions(self, booking):
        if booking.kind == "run":
            for total in booking.rows("totals.csv"):
                currency = total["currency"]
                figures = {name: Decimal(value) for name, value in total.items() if name != "currency"}
                yield booking.day, f"run {booking.number} {currency}", self.postings([
                    ("assets:senders", figures["sender_amount"] + figures["sender_fees"] - figures["refunded"]),
                    *((receiver(account), -amount) for _, account, each, amount, _, _ in booking.entries()
                      if each == currency),
                    *income(booking.path, currency, figures)], currency)
            return
        for kind, account, currency, amount, reference, reason in booking.entries():
            name = {"RETURNED": "return", "PAID": "payout", "ADJUSTED": "adjustment"}[kind]
            other = "assets:payouts"
            if kind == "ADJUSTED" and reason != "PAID-BY-HAND":
                other = "equity:opening" if reason == "OPENING" else f"expenses:adjustments:{reason}"
            yield booking.day, " ".join(filter(None, [name, reference, reason])), self.postings(
                [(receiver(account), -amount), (other, amount)], currency)

    # Waiting

    def waiting(self, since=None, until=None):
        """The rows of `settle waiting --format csv`, and how many rows have no key."""
        known = [each for each in self.dated() if each.kind == "run" and (until is None or each.day <= until)]
        nights = [each for each in known if since is None or since <= each.day]
        last, rows, without = {}, [], 0
        for night in nights:
            records = {}
            for row in night.rows("exceptions.csv"):
                records.setdefault((row["file"], row["line"]), []).append(row)
            for record in records.values():
                key = self.key_of(record)
                without += 0 if key else len(record)
                if key:
                    last[key] = night.number
                rows += [(night, key, row) for row in record]
        done = self.done(known)
        return [WAITING] + [
            [str(night.number), night.own_day, *(row[column] for column in WAITING[2:])] for night, key, row in rows
            if (since is not None if key is None else last[key] == night.number and not done(key, night.number))], without

    @staticmethod
    def key_of(record):
        """The kind of key of a record and the key; None if it has none."""
        fields = {row["field"] for row in record}
        for kind, own in zip(KEYS, ("/refundKey", "/payKey", None)):
            if record[0][kind]:
                return kind, record[0][kind]
            if own in fields:
                return None
        return None

    def done(self, runs):
        """Whether one of these runs settled a key, made it, or accepted it after a run."""
        numbers = {each.number for each in runs}
        settled = {row["pay_key"] for each in runs for row in each.rows("settlement.csv") if row["kind"] != "REFUND"}
        refunded = {row["refund_key"] for each in runs for row in each.rows("refunds.csv")}

        def is_done(key, run):
            kind, name = key
            if kind == "preapproval_key":
                return any(later > run and later in numbers for later in self.accepted.get(name, []))
            return name in (settled if kind == "pay_key" else refunded)

        return is_done


def income(directory, currency, figures):
    """The postings of a night's fees, by its row of totals.csv."""
    named = json.loads((directory / "summary.json").read_text("utf-8")).get("fees")
    if named is None:
        return [("income:fees", figures["fees_returned"] - figures["fees"])]
    rows = [row for row in named if row["currency"] == currency]
    return [(f"income:fees:{row['name']}", Decimal(row["feeReturned"]) - Decimal(row["fee"])) for row in rows] + [
        ("liabilities:vat", sum((Decimal(row["vatReturned"]) - Decimal(row["vat"]) for row in rows), Decimal(0)))]


def receiver(account):
    return f"liabilities:receivers:{account}"


ESCAPES = {".": "-", "@": "-At-", "-": "-Dash-", "_": "-Under-", "+": "-Plus-"}


def beancount_name(name):
    """The name in beancount of an account of hledger; a commodity is the same."""
    if ":" not in name:
        return name
    kind, group, *rest = name.split(":", 2)
    words = [kind.capitalize(), group.capitalize()]
    for last in rest:
        if kind == "expenses" and not re.fullmatch("[A-Z0-9][A-Z0-9-]*", last):
            last = "Reason-" + re.sub("[^A-Za-z0-9]", lambda each: f"-{ord(each[0]):02X}", last)
        elif kind in ("assets", "liabilities") and last.startswith("+"):
            last = last[1:]
        elif kind in ("assets", "liabilities"):
            last = "".join(each if each.isalnum() else ESCAPES.get(each, f"-X{ord(each):02X}-") for each in last)
        words.append(last[0].upper() + last[1:])
    return ":".join(words)


def parse_journal(lines, kind="hledger"):
    """What a journal declares, sorted, and its transactions, in the form of `Ledger.journal`.

    Of beancount's assertions only those of receivers.
    """
    declared, transactions = [], []
    for line in lines:
        words = line.split()
        if line[:1].isdigit() and kind == "beancount":
            if words[1] in ("open", "commodity"):
                declared.append(words[2])
            elif words[1] == "balance":
                if words[2].startswith("Liabilities:Receivers:"):
                    assert words[4:6] == ["~", "0"]
                    transactions.append((words[0], "balance", [(words[2], None, words[6], words[3])]))
            else:
                transactions.append((words[0], line.split('"')[1], []))
        elif line[:1].isdigit():
            day, _, description = line.partition(" ")
            transactions.append((day, description, []))
        elif words[:1] in (["account"], ["commodity"]):
            declared.append(words[1])
        elif words[:1] == ["address:"]:
            declared.append("address: " + words[1].strip('"'))
        elif line.startswith("  "):
            account, _, rest = line.strip().partition("  ")
            posted, _, asserted = rest.strip().partition(" = ")
            amount, currency = posted.split(" ")
            transactions[-1][2].append((account, amount, currency, asserted.split(" ")[0] or None))
    return sorted(declared), transactions
