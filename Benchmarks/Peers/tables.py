"""The fee schedule and the currencies of data/, as rows that any peer can load. Decimals stay the strings they are."""

import csv
import json
from pathlib import Path
from typing import NamedTuple

DATA = Path(__file__).resolve().parents[2] / "data"


class Plan(NamedTuple):
    rate: str
    cross_border: str  # what a border adds to the rate: 0 where the plan opts out
    fixed: dict[str, str]  # currency -> amount


class Tables(NamedTuple):
    places: dict[str, int]  # currency -> decimals of an amount
    plans: dict[str, Plan]
    default: str
    personal: dict[str, str]  # funding source -> plan
    sub_types: dict[str, str]  # sub type -> plan
    accounts: dict[str, str]  # account in lower case -> plan


def read() -> Tables:
    with open(DATA / "currencies.csv", newline="", encoding="utf-8") as file:
        places = {row["code"]: int(row["settlement_decimals"]) for row in csv.DictReader(file)}
    fees = json.loads((DATA / "fees.json").read_text(encoding="utf-8"))
    if fees["rounding"] != "HALF_UP":
        raise SystemExit("the peers round half up; data/fees.json says " + fees["rounding"])
    plans = {
        name: Plan(
            rate=plan["rate"],
            cross_border=fees["crossBorder"] if plan.get("crossBorder", True) else "0",
            fixed=fees["fixed"][plan["fixed"]] if "fixed" in plan else dict.fromkeys(places, "0"),
        )
        for name, plan in fees["plans"].items()
    }
    accounts = {account.lower(): plan for account, plan in fees["accounts"].items()}
    return Tables(places, plans, fees["default"], fees["personal"], fees["subTypes"], accounts)
