"""The batches whose pages are opened: ordinary ones, and ones made to break a page."""
import json

from model.files import ROOT, framed, write_lines
from model.money import DECIMALS

# Each would do harm, or be lost, if it were taken for anything but text.
HOSTILE = [
    "</script><script>window.broken=1</script>", "<img src=x onerror=window.broken=2>", "<!--", "-->", "]]>",
    "<![CDATA[", "</style><style>*{display:none}", "</title></table><svg onload=window.broken=3>",
    "<a href=javascript:alert(4)>x</a>", "\" autofocus onfocus=alert(5) x=\"", "' onmouseover='alert(6)",
    "&lt;b&gt; &amp; &#60;b&#62; &nbsp;", "`${alert(7)}`", "a\u2028b\u2029c", "\u202etxt.exe\u202c",
    "\u2066\u2067\u2068abc", "\u200b\ufeff\u00ad\u2060x", "x\u0301" * 20,
    "\u0645\u0631\u062d\u0628\u0627 \u05e9\u05dc\u05d5\u05dd", "  two  spaces  ", "=cmd|'/C calc'!A0", "W" * 64,
    "\U0001f469\u200d\U0001f469\u200d\U0001f467 \U0001f600", "a,b;\"c\"", "\u0001\u001b[31m\u0007\u007f\u0085",
    "{{7*7}}", "<table><tr><td>", "<base href=//h.example>", "<meta http-equiv=refresh content=0>", "\\u003cb\\u003e",
    "\ue000\ufffe", "<iframe srcdoc=x>", "<link rel=stylesheet href=//h.example>", "<form><input name=x>",
    "%3Cscript%3E", "\u3164\u115f",
]
NIGHT = "2026-11-20T22:00:00Z"
AT_HOME = {"BRL": "BR", "MYR": "MY", "TRY": "TR"}


def payment(number, subtotal="10.00", currency="USD", **more):
    country = {"country": AT_HOME[currency]} if currency in AT_HOME else {}
    return {"payKey": f"K-{number}", "paymentCurrency": currency, "recipient": f"shop{number % 97}@shop.example",
            "subTotal": subtotal, **country, **more}


def hostile_records():
    for number, text in enumerate(HOSTILE):
        key = f"H.{number}"
        yield {"payKey": key, "recipient": "a@b.example", "subTotal": text, "feePayer": text, "paymentCurrency": text,
               "paymentType": text, "country": text, "status": text, "fundingSource": text, "ipnUrl": text,
               "createdAt": text, "sender": text}
        yield {"payKey": text, "recipient": text, "subTotal": "1", "type": text}
        yield json.dumps({text: text, "payKey": key}, ensure_ascii=False).encode() + b"<script>"
    yield from (b"\xff\xfe<script>", b"<!DOCTYPE html><script>alert(8)</script>", b"[]", b"{}", b"\"</script>\"")
    # An account and a pay key may also contain markup.
    yield {"payKey": "A.1", "recipient": "a&lt'amp;{{x}}|`~#@b.example", "subTotal": "5.00",
           "sender": "x'onload=1@b.example"}
    yield {"payKey": "A.2", "recipient": ("a" * 60 + "'&") * 3 + "@" + "b" * 40 + ".example", "subTotal": "5.00"}


def wide_records(codes):
    for number, code in enumerate(codes):
        digits = DECIMALS[code]
        whole = "1" + ("9876543210" * 7)[number:number + (61 if number % 2 else 39)]
        subtotal = whole + ("." + "7" * digits if digits else "")
        for place, status in enumerate(["COMPLETED", "COMPLETED", "CREATED", "OTHER"]):
            yield payment(number * 10 + place, subtotal, code, status=f"STATUS_{status}", sender="s@b.example")
        yield payment(number * 10 + 5, subtotal, code, feePayer="<b>", sender="s@b.example")


def paper_records():
    """The largest amounts that are never broken, in every column, with long words and longer amounts next to them."""
    states = ["STATUS_COMPLETED", "STATUS_CREATED", "STATUS_OTHER"]
    for number in range(60):
        more = {"payKey": "W" * 64} if number == 7 else {}
        yield payment(number, "12345678901.34", list(AT_HOME)[number % 3] if number % 2 else "EUR",
                      status=states[number % 3], sender="s@b.example", **more)
    for number, state in enumerate(states):
        yield payment(100 + number, "9" * 38 + ".99", "USD", status=state)


def refund_nights(write):
    """Three nights on one ledger: the second refunds payments of both, in more currencies than it has payments in."""
    terms = {"startingDate": "2026-11-20Z", "endingDate": "2027-11-19Z", "currencyCode": "EUR",
             "maxTotalAmountOfAllPayments": "1000.00", "senderEmail": "s@b.example"}

    def agreement(number, time, **more):
        return {"type": "preapproval", "preapprovalKey": f"PA-{number}", "createdAt": f"2026-11-20T{time}:00Z", **more}

    def refund(key, **more):
        return {"type": "refund", "refundKey": f"R-{key}", "payKey": f"K-{key}", **more}

    agreements = [agreement(n, "08:00", **terms) for n in range(5)]
    agreements += [agreement(n, "09:00", action="CONFIRM") for n in range(3)] + [agreement(0, "09:30", action="CANCEL")]
    under = [payment(100 + n, "20.00", "EUR", preapprovalKey="PA-2", createdAt="2026-11-20T10:00:00Z",
                     sender="s@b.example") for n in range(2)]
    paid = [payment(n, "12345678.90" if n % 2 else "1000", "USD" if n % 2 else "JPY") for n in range(8)]
    second = [payment(n, "10.00", "EUR") for n in range(20, 24)] + under + [*map(refund, [0, 1, 2, 3, 20, 21, 999])]
    return [write("refunds-1", agreements + paid),
            write("refunds-2", [*second, refund(5, amount="1234567.89", currencyCode="USD")]),
            write("refunds-3", [refund(6), refund(7)])]


WARN = ["--control-totals", "warn"]
# The records of each batch of one file, and the exit code and options of its run.
RECORDS = {
    "wide": (lambda: wide_records(DECIMALS), 1, *WARN),
    "whole": (lambda: framed([payment(n) for n in range(9)], "w" * 64, NIGHT), 0),
    "no-records": (lambda: framed([], "none", NIGHT), 0),
    "no-currency": (lambda: ["x", "[]", "{}"], 1),
    "waiting": (lambda: [payment(n, status="STATUS_CREATED" if n < 30 else "STATUS_OTHER") for n in range(55)], 0),
    "mismatch": (lambda: framed([payment(1), payment(2, "0.00")], "mismatch", NIGHT, recordCount=3), 1, *WARN),
    # Everything that was read is settled, but it is not everything that was sent.
    "mismatch-whole": (lambda: framed(
        [payment(1)], "mismatch-whole", NIGHT, recordCount=2, totals={"USD": "9999.00", "EUR": "5.00"}), 0, *WARN),
    "paper": (lambda: paper_records(), 0),
    "crowd": (lambda: ["<b>"] * 499_990 + [payment(1, "-1")] * 10, 1),
}
# The exit codes of the other batches.
OTHERS = {"example": 1, "generated": 1, "hostile": 1, "many-files": 0, "refunds-1": 0, "refunds-2": 1, "refunds-3": 0}
NAMES = [*OTHERS, *RECORDS]


def files_of(settle, name, root):
    """Writes the files of a batch."""
    def write(stem, records):
        return write_lines(root / f"{stem}.jsonl", records)

    if name == "example":
        return [ROOT / "data/example.jsonl"]
    if name == "generated":
        settle("generate", "--payments", 4000, "--seed", 3, "--defects", "0.1", "--output", root / "generated.jsonl")
        return [root / "generated.jsonl"]
    if name == "hostile":
        # The name of a file may contain anything except a zero byte and a slash; a slash separates folders.
        return [
            write("\u202e<img src=x onerror=alert(9)>]]>\u2028&amp;\"' <!--", [payment(1)]),
            write("x</script><svg onload=alert(10)>\n\t", ["<script>"]),
            write("\udcff\udcfe\udc80<b>", hostile_records())]
    if name == "many-files":
        return [write(f"part-{number:03}-{'n' * 200}", [payment(number)]) for number in range(120)]
    return [write(name, RECORDS[name][0]())]


def make(settle, name, root):
    """Settles a batch; returns the published directory."""
    def settled(name, files, *options):
        exit_code, *more = RECORDS[name][1:] if name in RECORDS else [OTHERS[name]]
        settle("run", *files, "--output", root / f"out-{name}", *more, *options, exits=[exit_code])
        return root / f"out-{name}"

    if not name.startswith("refunds"):
        return settled(name, files_of(settle, name, root))
    nights = refund_nights(lambda stem, records: write_lines(root / f"{stem}.jsonl", records))
    for number, night in enumerate(nights[:int(name[-1])], 1):
        directory = settled(f"refunds-{number}", [night], "--ledger", root / "ledger")
    return directory
