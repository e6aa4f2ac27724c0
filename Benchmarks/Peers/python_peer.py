"""The settlement in plain Python: orjson for the JSON, decimal for the money, a process for each thread.

usage: python_peer.py BATCH OUTPUT-DIRECTORY THREADS

orjson has no way to keep a JSON number's text: it makes it a float. The float's shortest spelling gives back what was
written as long as that had at most 15 digits, so such numbers are exact; longer ones are silently another amount.
JSON strings go into Decimal as they stand. (The standard library's json has parse_float=Decimal and is exact for
all of them, at several times the cost.)
"""

import itertools
import multiprocessing
import subprocess
import sys
from collections import defaultdict
from decimal import ROUND_HALF_UP, Decimal, getcontext

import orjson
import tables

CHUNK = 5000
ZERO = Decimal(0)
TABLES = tables.read()
UNITS = {currency: Decimal(1).scaleb(-places) for currency, places in TABLES.places.items()}
RATES = {
    (name, crosses): Decimal(plan.rate) + (Decimal(plan.cross_border) if crosses else 0)
    for name, plan in TABLES.plans.items()
    for crosses in (False, True)
}
FIXED = {
    (name, currency): Decimal(fixed) for name, plan in TABLES.plans.items() for currency, fixed in plan.fixed.items()
}


def decimal(value):
    return Decimal(value if type(value) is not float else repr(value))


class Receiver:
    __slots__ = ("account", "country", "kind", "sub_type", "is_primary", "invoice", "gross", "passed_on", "fee", "own")

    def __init__(self, fields, subtotal):
        self.account = fields["recipient"].lower()
        self.country = fields.get("country")
        self.kind = fields.get("paymentType") or "TYPE_NOT_SET"
        self.sub_type = fields.get("paymentSubType") or "SUBTYPE_NOT_SET"
        self.is_primary = False
        self.invoice = fields.get("invoiceData")
        self.gross = subtotal
        if self.invoice:
            self.gross += decimal(self.invoice["totalTax"]) + decimal(self.invoice["totalShipping"])
        self.passed_on = ZERO


def items_agree(invoice, subtotal, unit):
    total = ZERO
    for item in invoice["invoiceItems"]:
        price = decimal(item["totalPrice"])
        product = decimal(item["itemPrice"]) * decimal(item["itemCount"])
        if price > product.quantize(unit, ROUND_HALF_UP):
            return False
        total += price
    return total == subtotal


def plan_of(receiver, funding):
    if receiver.kind == "TYPE_PERSONAL":
        return TABLES.personal[funding]
    return TABLES.accounts.get(receiver.account) or TABLES.sub_types.get(receiver.sub_type) or TABLES.default


def settle(payment):
    """The lines of a payment, sender first; None where a check fails, empty where it is not completed."""
    get = payment.get
    currency = get("paymentCurrency") or "USD"
    unit = UNITS[currency]
    advanced = get("receiverPaymentDetails")
    receivers = []
    for fields in [payment] if advanced is None else advanced:
        subtotal = decimal(fields["subTotal" if advanced is None else "subtotal"])
        receiver = Receiver(fields, subtotal)
        if advanced is not None and fields.get("isPrimary"):
            receiver.is_primary = True
        if receiver.invoice and receiver.invoice.get("invoiceItems"):
            if not items_agree(receiver.invoice, subtotal, unit):
                return None
        receivers.append(receiver)

    primary = next((receiver for receiver in receivers if receiver.is_primary), None)
    if primary:
        kind, sent = "CHAINED", primary.gross
        primary.passed_on = sum(receiver.gross for receiver in receivers if receiver is not primary)
        if primary.passed_on > primary.gross:
            return None
    else:
        kind, sent = "PARALLEL" if len(receivers) > 1 else "SIMPLE", sum(receiver.gross for receiver in receivers)

    funding, sender_country = get("fundingSource") or "BALANCE", get("senderCountry")
    for receiver in receivers:
        kept = receiver.gross - receiver.passed_on
        plan = plan_of(receiver, funding)
        crosses = receiver.kind != "TYPE_PERSONAL" and bool(
            sender_country and receiver.country and sender_country != receiver.country
        )
        fee = (RATES[plan, crosses] * kept + FIXED[plan, currency]).quantize(unit, ROUND_HALF_UP)
        receiver.own = receiver.fee = min(fee, kept)

    payer, sender_fee = get("feePayer") or "FEEPAYER_EACHRECEIVER", ZERO
    if payer == "FEEPAYER_SENDER":
        for receiver in receivers:
            if not (receiver.kind == "TYPE_PERSONAL" and receiver.country in ("IN", "DE")):
                sender_fee += receiver.own
                receiver.fee = ZERO
    elif payer != "FEEPAYER_EACHRECEIVER":
        fees = sum(receiver.own for receiver in receivers)
        for receiver in receivers:
            receiver.fee = fees if receiver.is_primary == (payer == "FEEPAYER_PRIMARYRECEIVER") else ZERO
            if receiver.fee > receiver.gross - receiver.passed_on:
                return None

    if (get("status") or "STATUS_COMPLETED") != "STATUS_COMPLETED":
        return []
    sender = (get("sender") or "").lower()
    lines = [(kind, "SENDER", sender, currency, -sent, ZERO, sender_fee, -sent - sender_fee)]
    for receiver in receivers:
        role = "RECEIVER" if not primary else "PRIMARY" if receiver.is_primary else "SECONDARY"
        net = receiver.gross - receiver.passed_on - receiver.fee
        account = receiver.account
        lines.append((kind, role, account, currency, receiver.gross, receiver.passed_on, receiver.fee, net))
    return lines


def settle_chunk(chunk, earlier=frozenset()):
    """The chunk's text for settlement.csv, its totals, its pay keys and its counts. `earlier` are keys before it."""
    text, keys, counts = [], {}, [0, 0, 0]
    by_account = defaultdict(lambda: [0, ZERO, ZERO, ZERO, ZERO])
    by_currency = defaultdict(lambda: [0, ZERO, ZERO, ZERO, ZERO])
    for line in chunk:
        payment = orjson.loads(line)
        if (payment.get("type") or "payment") != "payment":
            continue
        counts[0] += 1
        key = payment["payKey"]
        lines = settle(payment)
        if lines is None or key in keys or key in earlier:
            counts[2] += 1
        elif lines:
            counts[1] += 1
            total = by_currency[lines[0][3]]
            total[0] += 1
            for kind, role, account, currency, gross, passed_on, fee, net in lines:
                places = TABLES.places[currency]
                text.append(
                    f"{key},{kind},{role},{account},{currency},"
                    f"{gross:.{places}f},{passed_on:.{places}f},{fee:.{places}f},{net:.{places}f}\n"
                )
                total[4] += fee
                if role == "SENDER":
                    total[1] -= gross
                    total[2] += fee
                else:
                    total[3] += net
                    add(by_account[account, currency], (1, gross, passed_on, fee, net))
        keys[key] = None
    return "".join(text), dict(by_account), dict(by_currency), keys, counts


def add(total, amounts):
    for index, amount in enumerate(amounts):
        total[index] += amount


def write(path, columns, rows):
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(columns + "\n")
        for names, currency, count, amounts in rows:
            places = TABLES.places[currency]
            file.write(",".join([*names, str(count), *(f"{amount:.{places}f}" for amount in amounts)]) + "\n")


def wide():
    """Sums and products of amounts of 38 digits stay exact."""
    getcontext().prec = 76


def main(batch, output, threads):
    wide()
    reader = subprocess.Popen(["lz4", "-dc", batch], stdout=subprocess.PIPE)
    chunks = iter(lambda: list(itertools.islice(reader.stdout, CHUNK)), [])
    earlier, counts = set(), [0, 0, 0]
    by_account = defaultdict(lambda: [0, ZERO, ZERO, ZERO, ZERO])
    by_currency = defaultdict(lambda: [0, ZERO, ZERO, ZERO, ZERO])
    with (
        multiprocessing.Pool(threads, wide) as pool,
        open(f"{output}/settlement.csv", "w", encoding="utf-8", newline="") as settlement,
    ):
        settlement.write("pay_key,kind,role,account,currency,gross,passed_on,fee,net\n")
        # A pool reads its whole input ahead, so chunks are handed out a few at a time.
        waiting = []
        for chunk in itertools.chain(chunks, itertools.repeat(None)):
            if chunk:
                waiting.append((chunk, pool.apply_async(settle_chunk, (chunk,))))
                if len(waiting) <= 2 * threads:
                    continue
            if not waiting:
                break
            oldest, pending = waiting.pop(0)
            result = pending.get()
            # A chunk is settled as if no key of it came before; seldom is that wrong, and then it is done again.
            if not earlier.isdisjoint(result[3]):
                result = settle_chunk(oldest, earlier)
            text, accounts, currencies, keys, counted = result
            settlement.write(text)
            earlier.update(keys)
            add(counts, counted)
            for name, amounts in accounts.items():
                add(by_account[name], amounts)
            for name, amounts in currencies.items():
                add(by_currency[name], amounts)
    if reader.wait() != 0:
        raise SystemExit("lz4 failed")
    write(
        f"{output}/receivers.csv",
        "account,currency,payments,gross,passed_on,fee,net",
        ((names, names[1], amounts[0], amounts[1:]) for names, amounts in sorted(by_account.items())),
    )
    write(
        f"{output}/totals.csv",
        "currency,payments,sender_amount,sender_fees,receiver_net,fees,balance",
        (
            ([name], name, count, [sent, sender_fees, net, fees, sent + sender_fees - net - fees])
            for name, (count, sent, sender_fees, net, fees) in sorted(by_currency.items())
        ),
    )
    print(*counts)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
