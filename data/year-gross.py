#!/usr/bin/env python3
"""Adds up receivers.csv of several nights: what each account was paid in gross, by currency, as tax offices ask for it.

usage: year-gross.py DIRECTORY... >gross.csv
"""
import csv
import sys
from decimal import Decimal

sums = {}
for directory in sys.argv[1:]:
    with open(f"{directory}/receivers.csv", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            of_account = sums.setdefault((row["account"], row["currency"]), [0, Decimal(0), Decimal(0), Decimal(0)])
            for place, column in enumerate(("payments", "gross", "fee", "refund_net")):
                of_account[place] += Decimal(row[column])
print("account,currency,payments,gross,fee,refund_net")
for (account, currency), figures in sorted(sums.items()):
    print(account, currency, *figures, sep=",")
