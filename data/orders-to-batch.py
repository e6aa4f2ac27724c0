"""Makes a batch of orders: orders-to-batch.py BATCH-ID <orders.csv >batch.jsonl"""
import csv
import json
import re
import sys
from decimal import Decimal

DECIMALS = {"EUR": 2, "USD": 2, "JPY": 0}  # more are in `settle currencies`
count, totals = 0, {}
print(json.dumps({"type": "header", "batchId": sys.argv[1]}))
for row in csv.DictReader(sys.stdin):
    currency, amount = row["currency"], row["amount"]
    record = {"payKey": row["order"], "paymentCurrency": currency, "recipient": row["shop"], "subTotal": amount}
    print(json.dumps(record))
    count += 1
    # A currency or an amount that is not valid counts nothing; any other mistake changes no sum.
    if currency in DECIMALS and re.fullmatch(r"(0|[1-9][0-9]*)(\.[0-9]+)?", amount):
        if Decimal(amount) == round(Decimal(amount), DECIMALS[currency]):
            totals[currency] = totals.get(currency, 0) + Decimal(amount)
print(json.dumps({"type": "trailer", "recordCount": count, "totals": {code: f"{total}" for code, total in totals.items()}}))
