"""Makes the amounts of a generated batch 36 digits longer, for tools/measure targets: only zeros still fit 64 bits.

usage: lz4 -dc BATCH | wide_amounts.py | lz4 > WIDE-BATCH

Multiplies subtotals, taxes, shipping, prices, and the trailer's totals by 10^36 + 7, exactly. Amounts of one to seven
digits become amounts of 37 to 43; counts stay the same. Sums and products stay correct, except item totals that were
rounded up: such an item becomes one piece at its total. So a batch without defects still has none.
"""
import decimal
import re
import sys
from decimal import Decimal

FACTOR = 10**36 + 7
NUMBER = rb'("?)(-?[0-9.]+(?:[eE][+-]?[0-9]+)?)"?'
ITEM = re.compile(rb'"itemPrice":%b,"itemCount":%b,"totalPrice":%b' % (NUMBER, NUMBER, NUMBER))
FIELD = re.compile(
    rb'"(subTotal|subtotal|totalTax|totalShipping|itemPrice|totalPrice)":("?)(-?[0-9]+)(?:\.([0-9]+))?')
TRAILER = re.compile(rb'"([A-Z]{3})":(")(-?[0-9]+)(?:\.([0-9]+))?')


def exact(match):
    """The item, with a price and count whose product is not below its total."""
    price, count, total = (Decimal(match[group].decode()) for group in (2, 4, 6))
    if total <= price * count:
        return match[0]
    return b'"itemPrice":"%b","itemCount":1,"totalPrice":"%b"' % (match[6], match[6])


def widened(match):
    """The field with FACTOR times its number and the same number of decimals; an exponent after it may stay."""
    name, quote, whole, decimals = match.groups(default=b"")
    digits = str(int(whole + decimals) * FACTOR).rjust(len(decimals) + 1, "0")
    point = len(digits) - len(decimals)
    number = digits[:point] + ("." + digits[point:] if decimals else "")
    return b'"%b":%b%b' % (name, quote, number.encode())


def main():
    # A product of a price and a count has fewer digits than this, so none is rounded.
    decimal.setcontext(decimal.Context(prec=128, traps=[decimal.Inexact, decimal.InvalidOperation]))
    for line in sys.stdin.buffer:
        if line.startswith(b'{"type":"trailer"'):
            line = TRAILER.sub(widened, line)
        else:
            line = FIELD.sub(widened, ITEM.sub(exact, line))
        sys.stdout.buffer.write(line)


if __name__ == "__main__":
    main()
