"""The telco benchmark on Python's decimal, for tools/telco: the same as `telco price`, as one would write it.

usage: telco_peer.py FILE PASSES LINES-FILE

Prices the calls of FILE so many times, writes a line for each call, and prints totals and seconds as `telco price` does.
"""
import json
import statistics
import struct
import sys
import time
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Context, Decimal, setcontext

LOCAL_RATE, DISTANCE_RATE = Decimal("0.0013"), Decimal("0.00894")
BASIC_TAX_RATE, DISTANCE_TAX_RATE = Decimal("0.0675"), Decimal("0.0341")
CENT = Decimal("0.01")


def bill(durations):
    """The totals, and the lines as one text."""
    prices = basic_taxes = distance_taxes = Decimal("0.00")
    costs = []
    for (duration,) in struct.iter_unpack(">Q", durations):
        is_distance = duration & 1
        price = (duration * (DISTANCE_RATE if is_distance else LOCAL_RATE)).quantize(CENT, ROUND_HALF_EVEN)
        basic_tax = (price * BASIC_TAX_RATE).quantize(CENT)
        basic_taxes += basic_tax
        cost = price + basic_tax
        if is_distance:
            distance_tax = (price * DISTANCE_TAX_RATE).quantize(CENT)
            distance_taxes += distance_tax
            cost += distance_tax
        prices += cost
        costs.append(cost)
    costs.append("")
    return (prices, basic_taxes, distance_taxes), "\n".join(map(str, costs))


def main():
    _, file, passes, lines = sys.argv
    setcontext(Context(prec=28, rounding=ROUND_DOWN))
    with open(file, "rb") as binary:
        durations = binary.read()
    seconds = []
    for _ in range(int(passes)):
        start = time.perf_counter()
        (prices, basic_taxes, distance_taxes), text = bill(durations)
        seconds.append(time.perf_counter() - start)
    with open(lines, "w", encoding="ascii") as output:
        output.write(text)
    print(json.dumps({
        "calls": len(durations) // 8, "seconds": statistics.median(seconds), "prices": str(prices),
        "basicTax": str(basic_taxes), "distanceTax": str(distance_taxes),
    }))


if __name__ == "__main__":
    main()
