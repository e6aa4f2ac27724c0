"""Amounts by currency, with the decimals of the specification."""
from decimal import Decimal

from model.files import ROOT, csv_rows

CURRENCIES = csv_rows(ROOT / "docs/spec/reference/currencies.csv")
DECIMALS = {row["code"]: int(row["settlement_decimals"]) for row in CURRENCIES}


def text(value, currency):
    return f"{value:.{DECIMALS[currency]}f}"


def amount(minor, currency):
    """The text of an amount in minor units."""
    return text(Decimal(minor).scaleb(-DECIMALS[currency]), currency)


def minor(amount, currency):
    """The minor units of an amount's text."""
    return int(Decimal(amount).scaleb(DECIMALS[currency]))
