"""Records for test_schema.py: some records with each field left out or replaced by many values, one or several at once."""
import copy
import functools
import json
import operator

ABSENT = object()


class Raw(str):
    """JSON text that is used unchanged."""


# Records from which others are made: each field of the tables in batch.md is in one of them.
ITEM = {"name": "Lamp", "itemId": "L-1", "itemPrice": "9.99", "itemCount": 2, "totalPrice": "19.98"}
PARTY = {
    "recipient": "shop@mail.example", "country": "DE", "paymentType": "TYPE_SERVICE", "paymentSubType": "SUBTYPE_RENT",
    "invoiceData": {"totalTax": "1.60", "totalShipping": 4, "invoiceItems": [ITEM]}, "description": "A lamp",
    "customId": "c-1", "merchantName": "Lamps",
}
ADDRESS = {
    "name": "A Buyer", "street1": "1 Main St", "street2": "", "city": "Fresno", "state": "CA", "postalcode": "93650",
    "country": "United States", "countrycode": "US",
}
AMOUNTS = {"currency": "USD", "payment_amount": "5.00", "tax": 0.5, "shipping": "1"}
TOP = {
    "type": "payment", "payKey": "AP-1", "status": "STATUS_COMPLETED", "createdAt": "2026-11-20T08:30:00Z",
    "paymentCurrency": "EUR", "sender": "+819012345678", "senderCountry": "FR", "fundingSource": "BANK",
    "memo": "Thanks", "ipnUrl": "https://shop.example/ipn?x=1",
}
CARD = {"cardNumber": "4111111111111111", "expirationDate": "11/26", "entry": "KEYED", "cvv2": "123", "postalCode": "SW1A 1AA"}
LEAST = {"payKey": "AP-1", "recipient": "a@b.example", "subTotal": "1.00"}
RECEIVER = {"recipient": "a@b.example", "subtotal": 1.5}
BASES = [
    LEAST,
    LEAST | {"fundingSource": "CARD", "card": CARD},
    LEAST | {"card": {"entry": "SWIPED"}},
    TOP | {"feePayer": "FEEPAYER_SENDER", **PARTY, "subTotal": "19.98"},
    TOP | {"feePayer": "FEEPAYER_PRIMARYRECEIVER", "receiverPaymentDetails": [
        PARTY | {"subtotal": "19.98", "isPrimary": True},
        {"recipient": "b@mail.example", "subtotal": 5, "isPrimary": False, "paymentType": "TYPE_SERVICE"}]},
    TOP | {"receiverPaymentDetails": [RECEIVER]},
    TOP | {"paymentType": "TYPE_SERVICE", "paymentSubType": "SUBTYPE_RENT", "receiverPaymentDetails": [
        RECEIVER, {"recipient": "b@mail.example", "subtotal": 5, "paymentType": "TYPE_GOODS", "paymentSubType": "SUBTYPE_NOT_SET"}]},
    TOP | {"receiverPaymentDetails": [{"recipient": f"a{n}@b.example", "subtotal": "1"} for n in range(6)]},
    LEAST | {"shippingAddress": ADDRESS, "adjustedAmounts": AMOUNTS, "amountErrorCode": "AMOUNT_ERROR_NONE"},
    {"payKey": "AP-1", "receiverPaymentDetails": [RECEIVER],
     "adjustedAmounts": [{"amounts": AMOUNTS, "recipient": "a@b.example"}]},
]
REFUND = {
    "type": "refund", "refundKey": "RF-1", "payKey": "AP-1", "currencyCode": "EUR", "createdAt": "2026-11-20T08:30:00Z",
    "reason": "broken", "ipnUrl": "https://shop.example/ipn?x=1",
}
CREATE = {
    "type": "preapproval", "preapprovalKey": "PA-1", "createdAt": "2026-11-20T08:30:00Z", "startingDate": "2026-11-20Z",
    "endingDate": "2027-11-20T00:00:00Z", "currencyCode": "USD", "maxTotalAmountOfAllPayments": "100.00",
}
CONFIRM = CREATE | {"action": "CONFIRM", "senderEmail": "a@b.example"}
PREAPPROVED = TOP | {"preapprovalKey": "PA-1", "pinVerified": True, "recipient": "a@b.example", "subTotal": "1.00"}
BASES += [
    {"type": "refund", "refundKey": "RF-1", "payKey": "AP-1"},
    REFUND | {"amount": "1.00"},
    REFUND | {"receivers": [{"recipient": "a@b.example", "amount": 1}, {"recipient": "b@b.example", "amount": "1"}]},
    REFUND | {"receivers": [{"recipient": f"a{n}@b.example", "amount": "1"} for n in range(7)]},
    CREATE,
    CREATE | {
        "action": "CREATE", "senderEmail": "a@b.example", "ipnUrl": "https://a.example/ipn", "maxAmountPerPayment": 5,
        "maxNumberOfPayments": 7, "maxNumberOfPaymentsPerPeriod": 1, "paymentPeriod": "WEEKLY", "dateOfMonth": 31,
        "dayOfWeek": "MONDAY", "pinType": "REQUIRED", "feesPayer": "SENDER"},
    CONFIRM, CREATE | {"action": "CANCEL"}, PREAPPROVED,
]
LATER_BATCH = [
    CREATE, CONFIRM, PREAPPROVED | {"sender": "a@b.example", "recipient": "c@mail.example", "paymentCurrency": "USD"},
    REFUND | {"amount": "0.40", "currencyCode": "USD"}, REFUND | {"refundKey": "RF-2", "payKey": "AP-2"},
]
HEADER = {"type": "header", "batchId": "b-1", "createdAt": "2026-11-20T22:00:00Z"}
TRAILER = {"type": "trailer", "recordCount": 0, "totals": {"USD": "0.00", "JPY": 0}, "refundTotals": {"USD": "0.00"}}

# These replace every field.
VALUES = [
    None, True, False, 0, 1, -1, 31, 32, 999999999, 1000000000, [], [None], [1], [{}], {}, {"a": 1}, "", " ", " 1",
    "1 ", "1\n", "AP-1\n", "\u0000", "9" * 64, "9" * 65, "0." + "0" * 62 + "1", "0." + "0" * 63 + "1",
    "a" * 64, "a" * 65, "e" * 255, "e" * 256, "😀" * 255, "😀" * 256, "m" * 1000, "m" * 1001, "😀" * 1000, "😀" * 1001,
    *map(Raw, ["-0", "0.0", "1e2", "1E-2", "1e64", "1e65", "2.50", "1e-65", "9" * 64, "9" * 65]),
    *"x 0 1 -1 -0 -0.00 -0e5 0e0 1.5 1.50 01 1. .5 +1 1,5 １ 1e2 1e 1e+2 1e+064 1e-64 1e65 -1e2 1e-65 0.1e064".split(),
    *"0x1 NaN null true header trailer payment PAYMENT USD usd JPY XXX DE de DEU ZZ AMOUNT_CANCEL_TXN".split(),
    *"AMOUNT_ERROR BALANCE balance STATUS_OTHER STATUS_created FEEPAYER_EACHRECEIVER FEEPAYER_SECONDARYONLY".split(),
    *"TYPE_NOT_SET TYPE_GOODS TYPE_PERSONAL TYPE_SERVICE CREATE CONFIRM CANCEL cancel DAILY SUNDAY".split(),
    *"NOT_REQUIRED EACHRECEIVER SUBTYPE_NOT_SET SUBTYPE_TRANSFER SUBTYPE_OTHER -AP .AP _AP A.P_-9 Ä".split(),
]
DAYS = "2024-02-29 2023-02-29 2000-02-29 1900-02-29 2026-04-31 0000-01-01 0001-01-01 0004-02-29 2026-13-01 " \
    "2026-00-01 2026-01-00 ２026-01-01"
TIMES = "24:00:00Z 23:60:00Z 23:59:60Z 00:00:00z 00:00:00 00:00:00.Z 00:00:00.123456789012Z 00:00:00+23:59 " \
    "00:00:00-24:00 00:00:00+2359 00:00:00+00:60"
DATES = [
    *(f"{day}T00:00:00Z" for day in DAYS.split()), *(f"2026-01-01T{time}" for time in TIMES.split()),
    "9999-12-31T23:59:59Z", "2026-01-01t00:00:00Z", "2026-01-01", "2026-01-01Z", "2026-02-30Z", "2026-01-01z",
    "0000-01-01Z", "2026-01-01Z\n", "2026-01-01T00:00:00Z\n", "2026-01-01 00:00:00Z",
]
ACCOUNTS = [
    *"a@b.c a@b @b.c a@ a@b..c a@-b.c a@b-.c a@b.c- a@b--c.d .a@b.c a.@b.c a..b@c.d a`@b.c a@b_c.d ä@b.c".split(),
    *"a@ä.c +1234567 +123456 +123456789012345 +1234567890123456 +0234567 1234567 + A!#$%&'*+/=?^_{|}~-@B.C".split(),
    "a b@c.d", "a@b.c\n", "a@" + "b" * 63 + ".c", "a@" + "b" * 64 + ".c", "a" * 251 + "@b.c", "a" * 252 + "@b.c",
    "+1 234567", "+1234567\n", "a@b.c, d@e.f",
]
URLS = [
    *"http://a https://a ftp://a http:// HTTP://a http://a:1 http://a:123456 http://a: http://a?b http://a#b".split(),
    *"http://a_b http://a/ä http://user@host".split(), "http://a/b c", "http://a\n", "http://a/\n",
    "http://" + "a" * 1017, "http://" + "a" * 1018,
]
CARD_FIELDS = {
    "cardNumber": ["378282246310005", "4222222222222", "6304000000000000000", "411111111116", "4111 1111 1111 1111", "",
                   "4111111111111111\n"],
    "expirationDate": ["1126", "11/2026", "112026", "13/26", "1/26", "11/026", "11-26", "11/26\n", ""],
    "entry": ["SWIPED", "swiped", ""],
    "cvv2": ["1234", "12", "12345", "12a", "123\n", ""],
    "postalCode": ["9", "-1", "A" * 16, "A" * 17, "", "9\n", "Ä"],
}
OWN = CARD_FIELDS | {
    "createdAt": DATES, "startingDate": DATES, "endingDate": DATES, "recipient": ACCOUNTS, "sender": ACCOUNTS,
    "senderEmail": ACCOUNTS, "ipnUrl": URLS,
}
OPTIONAL = "isPrimary subtotal subTotal recipient unknown description paymentSubType totals amount receivers " \
    "preapprovalKey dateOfMonth"


def text_of(value):
    """The JSON of a value, with Raw parts unchanged."""
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(name)}:{text_of(inner)}" for name, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(text_of, value)) + "]"
    return json.dumps(value)


def paths_of(value, path=()):
    """The paths of everything within a value."""
    for key, child in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield path + (key,)
        yield from paths_of(child, path + (key,))


def changed(record, path, change):
    """A copy with the value at a path replaced, or left out if there is no `change`."""
    record = copy.deepcopy(record)
    parent = functools.reduce(operator.getitem, path[:-1], record)
    if change is ABSENT:
        del parent[path[-1]]
    else:
        parent[path[-1]] = change
    return record


def changes_at(path):
    return [ABSENT, *VALUES, *OWN.get(path[-1], [])]


def variations(record):
    """A record with each of its parts changed in every way, and with optional fields."""
    yield record
    for path in paths_of(record):
        for change in changes_at(path):
            yield changed(record, path, change)
    for name in sorted({*OPTIONAL.split()} - {*record}):
        for value in ("x", 1, None, "a@b.example", True):
            yield record | {name: value}


def payments(generator, randoms):
    """Records made from the bases: each with one change, then some with several."""
    for base in BASES:
        yield from variations(base)
    seventh = {"recipient": "g@b.example", "subtotal": "1"}
    yield BASES[6] | {"receiverPaymentDetails": [*BASES[6]["receiverPaymentDetails"], seventh]}
    both = copy.deepcopy(BASES[4])
    both["receiverPaymentDetails"][1]["isPrimary"] = True
    yield both
    yield from ([], 1, "x", None, True, [BASES[0]], {})
    for _ in range(randoms):
        record = copy.deepcopy(generator.choice(BASES))
        for _ in range(generator.randint(2, 4)):
            path = generator.choice(list(paths_of(record)))
            record = changed(record, path, generator.choice(changes_at(path)))
        yield record
