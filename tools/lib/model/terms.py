"""A second implementation of free.md: what terms hold of a balance, in minor units, and which errors terms files have."""
import datetime
import re

from model.money import DECIMALS, amount

COLUMNS = "account,currency,from,delay_days,reserve_percent,reserve_days,minimum_balance".split(",")


def day(text):
    return datetime.date.fromisoformat(text)


class Terms:
    """Rows by account (`*` for all) and currency, each a list by day of delay, hundredths of a per cent, days, minimum."""

    def __init__(self):
        self.rows = {}

    def add(self, account, currency, start, delay=0, percent=0, reserve=0, minimum=0):
        self.rows.setdefault((account, currency), {})[start] = (delay, percent, reserve, minimum)

    def lines(self, form=lambda number: str(number)):
        """The lines of the file; zeros may be written in other forms."""
        yield ",".join(COLUMNS)
        for (account, currency), rows in self.rows.items():
            for start, (delay, percent, reserve, minimum) in rows.items():
                share = f"{percent // 100}" if percent % 100 == 0 else f"{percent // 100}.{percent % 100:02d}"
                yield f"{account},{currency},{start},{form(delay)},{share},{reserve},{amount(minimum, currency)}"

    def in_force(self, account, currency, on):
        for holder in (account, "*"):
            starts = [start for start in self.rows.get((holder, currency), {}) if start <= on]
            if starts:
                return self.rows[holder, currency][max(starts)]
        return 0, 0, 0, 0

    def held(self, account, currency, balance, earned, on):
        """What is delayed, reserved, kept and free on a day, of a balance; `earned` has the day and amount of each run."""
        reserved = delayed = 0
        for night, minor in earned:
            if minor <= 0:
                continue
            delay, percent, reserve, _ = self.in_force(account, currency, night)
            age = (day(on) - day(night)).days
            share = minor * percent // 10_000 if reserve else 0
            if reserve and age < max(delay, reserve):
                reserved += share
            if delay and age < delay:
                delayed += minor - share
        left, parts = max(balance, 0), []
        for most in (reserved, delayed, self.in_force(account, currency, on)[3]):
            parts.append(min(most, left))
            left -= parts[-1]
        return parts[1], parts[0], parts[2], left


# Errors

def row_errors(row, seen):
    """The errors of a row, as column and code; `seen` has the account, currency and day of the rows before it."""
    def valid(column, code, is_valid):
        if not is_valid:
            yield column, code if row[column] else "MISSING_FIELD"

    account = bool(re.fullmatch(r"\*|[a-z0-9]+@[a-z0-9]+\.[a-z0-9]+", row["account"], re.I))
    currency = row["currency"] in DECIMALS
    start = is_day(row["from"])
    yield from valid("account", "INVALID_ACCOUNT", account)
    yield from valid("currency", "CURRENCY_NOT_SUPPORTED", currency)
    yield from valid("from", "INVALID_VALUE", start)
    if account and currency and start:
        key = (row["account"].lower(), row["currency"], row["from"])
        if key in seen:
            yield "from", "DUPLICATE_TERMS"
        seen.add(key)
    for column, other in (("delay_days", "delay_days"), ("reserve_days", "reserve_percent")):
        if not row[column]:
            if row[other]:
                yield column, "MISSING_FIELD"
        elif not re.fullmatch("0|[1-9][0-9]{0,2}", row[column]) or int(row[column]) > 365:
            yield column, "INVALID_VALUE"
    if not row["reserve_percent"]:
        if row["reserve_days"]:
            yield "reserve_percent", "MISSING_FIELD"
    elif not re.fullmatch(r"(0|[1-9][0-9]{0,2})(\.[0-9]{1,2})?", row["reserve_percent"]) or float(row["reserve_percent"]) > 100:
        yield "reserve_percent", "INVALID_VALUE"
    if row["minimum_balance"] and not is_minimum(row["minimum_balance"], row["currency"]):
        yield "minimum_balance", "INVALID_AMOUNT"


def is_day(text):
    try:
        return bool(re.fullmatch("20[0-9]{2}-[0-9]{2}-[0-9]{2}", text)) and bool(day(text))
    except ValueError:
        return False


def is_minimum(text, currency):
    found = re.fullmatch(r"(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?", text)
    if not found:
        return False
    decimals = len((found[2] or "").rstrip("0")) - int(found[3] or 0) if (found[2] or "").strip("0") else \
        -int(found[3] or 0) - (len(found[1]) - len(found[1].rstrip("0")))
    return currency not in DECIMALS or int(found[1] + (found[2] or "")) == 0 or decimals <= DECIMALS[currency]
