"""Batches for test_journals.py, made to exploit the grammars of hledger, ledger and beancount."""
from model.files import ROOT
from model.money import DECIMALS

DAY = ["--date", "2026-11-20"]
CHAINED = {"feePayer": "FEEPAYER_SECONDARYONLY"}


def payment(key, receivers, currency="USD", **fields):
    """A payment; receivers are pairs of account and amount, the first is the primary if only others pay fees."""
    details = [{"recipient": account, "subtotal": str(amount)} for account, amount in receivers]
    if fields.get("feePayer") == "FEEPAYER_SECONDARYONLY":
        details[0]["isPrimary"] = True
    return {"payKey": key, "paymentCurrency": currency, "receiverPaymentDetails": details, **fields}


def edge_accounts():
    """Accounts that exploit the three grammars."""
    local = "a!#$%&'*+/=?^_{|}~.-"
    accounts = [f"{local}@shop.example", f"0{local}@x.y", f"{'z' + local * 9}@{'y' * 60}.example"]
    accounts += [f"a{sign}b@c.example" for sign in "!#$%&'*+/=?^_{|}~-."]
    accounts += [f"a{sign}@c.example" for sign in "*!=|"]
    accounts += ["+1234567", "+491511234567890", "1234567@c.example", "x2b1234567@c.example", "X@C.EXAMPLE"]
    accounts += ["2026-11-20@c.example", "unknown@c.example", "a--b@c-d.example", "a-40b-2ec@d.example", "a.b.c@d.e.f"]
    accounts += ["a" * 100 + "-" * 90 + "@" + "b" * 60 + ".cd", "open@c.example", "0.00@usd.example", "a=1.00@usd.eur"]
    return [account for account in accounts if len(account) <= 255]


def hostile_lines():
    """Edge accounts, all currencies, wide amounts, no sender, odd dates and keys, nets of zero."""
    accounts = edge_accounts()
    codes = sorted(DECIMALS)
    lines = []
    for number, account in enumerate(accounts):
        code = codes[number % len(codes)]
        amount = "100" if DECIMALS[code] == 0 else "100.07"
        other = accounts[(number + 7) % len(accounts)]
        fields = {"sender": accounts[(number + 3) % len(accounts)]} if number % 4 else {}
        lines.append(payment(f"A.{number}_-", [(account, amount), (other, "55")], code, **fields))
    for number, code in enumerate(codes):
        tail = "" if DECIMALS[code] == 0 else ".12"
        # Different amounts in each currency, so that none can be mistaken for another.
        digits = f"{10 + number}" + "1234567890" * 6
        for width in (17, 18, 19, 27, 28, 36, 37, 40, 60):
            lines.append(payment(f"{number}.{width}", [(accounts[width % 5], digits[:width] + tail), (accounts[5], "1")],
                                 code, sender=accounts[6 + width % 3]))
        nines = "9" * 18 + ("" if DECIMALS[code] == 0 else ".99")
        lines.append(payment(f"N-{code}", [(accounts[0], nines), (accounts[1], nines), (accounts[5], nines)], code))
        zeros = "1" + "0" * 39
        lines.append(payment(f"C-{code}", [(accounts[2], zeros), (accounts[3], zeros)], code, **CHAINED))
    # Each keeps less than its fee: a net of zero, which is left out, of an account with no other postings.
    lines.append(payment("Z-1", [("zero@net.example", "0.01"), ("one@net.example", "50.00")], sender="payer@net.example"))
    lines.append(payment("Z-2", [("all@net.example", "0.10")], sender="payer@net.example"))
    dates = [
        "0001-01-01T00:00:00+23:59", "0001-01-01T00:00:00Z", "1399-12-31T23:59:59Z", "1400-01-01T00:00:00Z",
        "1582-10-10T12:00:00Z", "1900-02-28T23:59:59-00:01", "2024-02-29T00:00:00+00:01", "2026-12-31T23:30:00-01:00",
        "9999-12-30T23:59:59Z", "9999-12-31T00:00:00Z", "9999-12-31T23:59:59-23:59",
    ]
    for number, date in enumerate(dates):
        lines.append(payment(f"2026-11-20.{number}", [("day@c.example", 5 + number)], "JPY", createdAt=date))
    for key in ("1", "10.00", "include", "end", "P--", "balance", "A.E18", "account", "2026-11-20"):
        lines.append(payment(key, [("key@c.example", "7.00")], sender="payer@c.example"))
    lines.append(payment("1", [("key@c.example", "7.00")], sender="repeated@c.example"))
    return lines


def refund(key, pay_key, **fields):
    """A refund; a full one without fields."""
    return {"type": "refund", "refundKey": key, "payKey": pay_key, **fields}


def refund_lines():
    """Payments and their refunds: full and partial, of wide amounts, a receiver that gets more than it gives."""
    digits = "1234567890" * 5
    one, two, three = ("one@r.example", "two@r.example", "three@r.example")
    return [
        payment("S-1", [(one, "25.00")], sender="payer@r.example"),
        payment("C-1", [(one, "100.00"), (two, "60.00"), (three, "30.00")], **CHAINED),
        payment("C-2", [(one, "100.00"), (two, "60.00")], "EUR", **CHAINED),
        payment("W-1", [(one, f"{digits}.99"), (two, "5.00")], feePayer="FEEPAYER_SENDER", sender="payer@r.example"),
        payment("J-1", [(two, "1" + "0" * 18)], "JPY"),
        refund("R-1", "S-1", createdAt="2026-12-01T00:00:00Z"),
        refund("R-2", "C-1", amount="50.01", currencyCode="USD"),
        refund("R-3", "C-2", receivers=[{"recipient": one, "amount": "10.00"}], currencyCode="EUR"),
        refund("R-4", "W-1", amount=f"{digits[:40]}.01", currencyCode="USD"),
        refund("R-5", "J-1"),
        refund("R-6", "C-1", amount="49.99", currencyCode="USD"),
        refund("2026-11-20", "W-1", receivers=[{"recipient": two, "amount": "0.01"}], currencyCode="USD"),
    ]


def widest_lines():
    """The most digits that amounts can have."""
    digits = "9876543210" * 7
    return [
        payment("W-1", [("a@b.example", f"{digits[:64]}e64"), ("b@b.example", f"{digits[:62]}.99")]),
        payment("W-2", [("a@b.example", f"{digits[:64]}e64"), ("b@b.example", "1")], "JPY", feePayer="FEEPAYER_SENDER"),
        payment("W-3", [("a@b.example", f"{'9' * 64}e64"), ("b@b.example", f"{'9' * 64}e63")], sender="c@b.example"),
    ]


REJECTED = [
    '{"type":"header","batchId":"night-1","createdAt":"2026-11-20T23:30:00-01:00"}', payment("R-1", []),
    '{"type":"trailer","recordCount":1,"totals":{}}',
]
FAR = [
    payment("F-1", [("a@b.example", "10.00")], createdAt="9999-12-31T23:59:59Z"),
    payment("F-2", [("a@b.example", "10.00")], createdAt="0001-01-01T00:00:00Z"),
]
# The lines of each batch, or a function that makes them, and the arguments of `settle journal`.
BATCHES = {
    "example": ((ROOT / "data/example.jsonl").read_text("utf-8").splitlines(), []),
    "generated": (lambda generated: generated(300, "--seed", 7, "--defects", "0.2"), []),
    "many": (lambda generated: generated(3000, "--seed", 7), []),
    "hostile": (hostile_lines(), DAY),
    "widest": (widest_lines(), DAY),
    "refunds": (refund_lines(), DAY),
    "named fees": (refund_lines(), DAY),
    "nothing settled": (REJECTED, []),
    "empty": ([], []),
    "dates far apart": (FAR, []),
}
