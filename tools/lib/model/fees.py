"""A second reading of docs/spec/fees.md: what receivers pay by the names of a schedule's fees, and what refunds return.

Amounts are minor units; everything between is an exact fraction.
"""
import math
from fractions import Fraction

from model.money import DECIMALS

BASES = {"KEPT": (), "WITHOUT_TAX": ("tax",), "WITHOUT_SHIPPING": ("shipping",), "ITEMS": ("tax", "shipping")}
ROUNDINGS = {
    "UP": lambda value: -math.floor(-value) if value > 0 else math.floor(value),
    "DOWN": math.trunc, "CEILING": math.ceil, "FLOOR": math.floor,
    "HALF_UP": lambda value: nearest(value, lambda low: value > 0),
    "HALF_DOWN": lambda value: nearest(value, lambda low: value < 0),
    "HALF_EVEN": lambda value: nearest(value, lambda low: low % 2 == 1),
}


def nearest(value, takes_upper):
    low = math.floor(value)
    half = value - low - Fraction(1, 2)
    return low + int(half > 0 or half == 0 and takes_upper(low))


class Row:
    """A fee of a receiver, and whether a refund returns it; None leaves that to the schedule of the refund's night."""

    def __init__(self, name, fee, vat, returns):
        self.name, self.fee, self.vat, self.returns = name, fee, vat, returns

    def returned(self, before, after, refundable):
        """What comes back when so much of the part has been refunded before and after."""
        return tuple(math.floor(Fraction(amount * after, refundable)) - math.floor(Fraction(amount * before, refundable))
                     for amount in (self.fee, self.vat))


class Schedule:
    def __init__(self, text):
        self.text = text
        self.plans = text["plans"]
        self.is_named = any("fees" in plan for plan in self.plans.values())
        self.accounts = {account.lower(): plan for account, plan in text["accounts"].items()}
        self.has_categories = any("categories" in entry for plan in self.plans.values() for entry in plan.get("fees", []))

    def round(self, value):
        return ROUNDINGS[self.text["rounding"]](value)

    def plan(self, receiver, payment):
        text = self.text
        if receiver.get("type") == "TYPE_PERSONAL":
            return self.plans[text["personal"][payment["source"]]]
        name = self.accounts.get(receiver["account"]) or text["subTypes"].get(receiver.get("subtype", "SUBTYPE_NOT_SET"))
        return self.plans[name or text["default"]]

    def fixed(self, name, currency):
        """An amount of a table, in minor units, not rounded; None if it leaves the currency out."""
        amount = self.text["fixed"][name].get(currency)
        return None if amount is None else Fraction(amount) * 10 ** DECIMALS[currency]

    def fits(self, entry, receiver, payment):
        given = {"categories": receiver.get("category"), "countries": receiver.get("country"),
                 "currencies": payment["currency"], "fundingSources": payment["source"]}
        return all(value in entry[key] for key, value in given.items() if key in entry) and all(
            self.fixed(entry[key], payment["currency"]) is not None for key in ("fixed", "min", "max") if key in entry)

    def assess(self, receiver, payment):
        """The fees of a receiver, and its notices."""
        plan = self.plan(receiver, payment)
        entries = plan.get("fees") or [
            {"name": "fee", "crossBorder": plan.get("crossBorder", True)} | {key: plan[key] for key in ("rate", "fixed") if key in plan}]
        rows, notices, left = [], [], receiver["kept"]
        for name in dict.fromkeys(entry["name"] for entry in entries):
            entry = next((each for each in entries if each["name"] == name and self.fits(each, receiver, payment)), None)
            if entry is None:
                notices.append("FEE_NOT_SET")
            elif receiver["kept"] > 0:
                fee, vat = self.fee(entry, receiver, payment)
                if fee + vat > left:
                    notices.append("FEE_CAPPED")
                    rate = Fraction(entry.get("vat", "0"))
                    vat = self.round(left * rate / (1 + rate))
                    fee = left - vat
                left -= fee + vat
                returns = entry.get("refunds", self.text.get("refunds", "KEEP")) == "RETURN"
                rows.append(Row(name, fee, vat, returns if self.is_named else None))
        return rows, sorted(set(notices))

    def fee(self, entry, receiver, payment):
        base = max(receiver["kept"] - sum(receiver.get(part, 0) for part in BASES[entry.get("base", "KEPT")]), 0)
        rate = Fraction(entry.get("rate", "0"))
        countries = payment.get("country"), receiver.get("country")
        is_abroad = all(countries) and countries[0] != countries[1] and receiver.get("type") != "TYPE_PERSONAL"
        if entry.get("crossBorder", False) and is_abroad:
            rate += Fraction(self.text["crossBorder"])
        fee = rate * base + (self.fixed(entry["fixed"], payment["currency"]) if "fixed" in entry else 0)
        if "min" in entry:
            fee = max(fee, self.fixed(entry["min"], payment["currency"]))
        if "max" in entry:
            fee = min(fee, self.fixed(entry["max"], payment["currency"]))
        fee = self.round(fee)
        return fee, self.round(Fraction(entry.get("vat", "0")) * fee)
