"""The batches whose pages are opened: ordinary ones, and such as somebody writes who wants to break a page."""
import json
import subprocess
from decimal import Decimal
from pathlib import Path

# Each would do harm, or be lost, if it were taken for more than a text.
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
DIGITS = {"JPY": 0, "HUF": 0, "TWD": 0}
AT_HOME = {"BRL": "BR", "MYR": "MY", "TRY": "TR"}


def currencies(settle):
    lines = subprocess.run([settle, "currencies"], stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()
    return [line.split()[0] for line in lines[1:]]


def payment(number, subtotal="10.00", currency="USD", **more):
    country = {"country": AT_HOME[currency]} if currency in AT_HOME else {}
    return {"payKey": f"K-{number}", "paymentCurrency": currency, "recipient": f"shop{number % 97}@shop.example",
            "subTotal": subtotal, **country, **more}


def framed(records, batch_id):
    """Records between a header and the trailer that fits them, where each has an amount of two decimals or none."""
    totals = {}
    for record in records:
        code = record.get("paymentCurrency", "USD")
        totals[code] = totals.get(code, Decimal(0)) + Decimal(record["subTotal"])
    header = {"type": "header", "batchId": batch_id, "createdAt": "2026-11-20T22:00:00Z"}
    trailer = {"type": "trailer", "recordCount": len(records),
               "totals": {code: format(total, "f") for code, total in totals.items()}}
    return [header, *records, trailer]


def write(path, records):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(
        (record if isinstance(record, bytes) else json.dumps(record).encode()) + b"\n" for record in records))
    return path


def hostile_records():
    for number, text in enumerate(HOSTILE):
        key = f"H.{number}"
        yield {"payKey": key, "recipient": "a@b.example", "subTotal": text, "feePayer": text, "paymentCurrency": text,
               "paymentType": text, "country": text, "status": text, "fundingSource": text, "ipnUrl": text,
               "createdAt": text, "sender": text}
        yield {"payKey": text, "recipient": text, "subTotal": "1", "type": text}
        yield json.dumps({text: text, "payKey": key}, ensure_ascii=False).encode() + b"<script>"
    yield from (b"\xff\xfe<script>", b"<!DOCTYPE html><script>alert(8)</script>", b"[]", b"{}", b"\"</script>\"")
    # What an account and a pay key may have is markup, too.
    yield {"payKey": "A.1", "recipient": "a&lt'amp;{{x}}|`~#@b.example", "subTotal": "5.00",
           "sender": "x'onload=1@b.example"}
    yield {"payKey": "A.2", "recipient": ("a" * 60 + "'&") * 3 + "@" + "b" * 40 + ".example", "subTotal": "5.00"}


def wide_records(codes):
    for number, code in enumerate(codes):
        digits = DIGITS.get(code, 2)
        whole = "1" + ("9876543210" * 7)[number:number + (61 if number % 2 else 39)]
        subtotal = whole + ("." + "7" * digits if digits else "")
        for place, status in enumerate(["COMPLETED", "COMPLETED", "CREATED", "OTHER"]):
            yield payment(number * 10 + place, subtotal, code, status=f"STATUS_{status}", sender="s@b.example")
        yield payment(number * 10 + 5, subtotal, code, feePayer="<b>", sender="s@b.example")


def paper_records():
    """The largest amounts that are never broken, in every column; long words and longer amounts beside them."""
    states = ["STATUS_COMPLETED", "STATUS_CREATED", "STATUS_OTHER"]
    for number in range(60):
        more = {"payKey": "W" * 64} if number == 7 else {}
        yield payment(number, "12345678901.34", list(AT_HOME)[number % 3] if number % 2 else "EUR",
                      status=states[number % 3], sender="s@b.example", **more)
    for number, state in enumerate(states):
        yield payment(100 + number, "9" * 38 + ".99", "USD", status=state)


class Directory:
    """A published directory to be opened: its name here, its place, and whether all its figures are ordinary."""

    def __init__(self, name, path):
        self.name, self.path = name, path


def refund_nights(settle, root):
    """Two nights on one ledger: the second refunds payments of both, in more currencies than it has payments in."""
    terms = {"startingDate": "2026-11-20Z", "endingDate": "2027-11-19Z", "currencyCode": "EUR",
             "maxTotalAmountOfAllPayments": "1000.00", "senderEmail": "s@b.example"}
    agreements = [{"type": "preapproval", "preapprovalKey": f"PA-{n}", "createdAt": "2026-11-20T08:00:00Z", **terms}
                  for n in range(5)]
    agreements += [{"type": "preapproval", "preapprovalKey": f"PA-{n}", "createdAt": "2026-11-20T09:00:00Z",
                    "action": "CONFIRM"} for n in range(3)]
    agreements.append({"type": "preapproval", "preapprovalKey": "PA-0", "createdAt": "2026-11-20T09:30:00Z",
                       "action": "CANCEL"})
    under = [payment(100 + n, "20.00", "EUR", preapprovalKey="PA-2", createdAt="2026-11-20T10:00:00Z",
                     sender="s@b.example") for n in range(2)]
    paid = [payment(n, "12345678.90" if n % 2 else "1000", "USD" if n % 2 else "JPY") for n in range(8)]
    first = write(root / "refunds-1.jsonl", agreements + paid)
    second = [payment(n, "10.00", "EUR") for n in range(20, 24)] + under
    refunds = [{"type": "refund", "refundKey": f"R-{key}", "payKey": f"K-{key}"} for key in [0, 1, 2, 3, 20, 21, 999]]
    part = {"type": "refund", "refundKey": "R-5", "payKey": "K-5", "amount": "1234567.89", "currencyCode": "USD"}
    second = write(root / "refunds-2.jsonl", second + refunds + [part])
    alone = write(root / "refunds-3.jsonl",
                  [{"type": "refund", "refundKey": f"R-{key}", "payKey": f"K-{key}"} for key in [6, 7]])
    for name, file, expected in (("refunds-1", first, 0), ("refunds-2", second, 1), ("refunds-3", alone, 0)):
        yield settle_batch(settle, root, name, [file], expected, "--ledger", str(root / "ledger"))


def settle_batch(settle, root, name, files, expected, *options):
    path = root / f"out-{name}"
    status = subprocess.run([settle, "run", *map(str, files), "--output", path, *options], stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE)
    if status.returncode != expected:
        raise SystemExit(f"check-page: {name}: settle run ended with {status.returncode}: {status.stderr.decode()}")
    return Directory(name, path)


def make_all(settle, root, example):
    """Settles every batch; the directories in the order in which they are opened."""
    def run(name, files, expected, *options):
        return settle_batch(settle, root, name, files if isinstance(files, list) else [files], expected, *options)

    yield run("example", example, 1)
    generated = root / "generated.jsonl"
    subprocess.run([settle, "generate", "--payments", "4000", "--seed", "3", "--defects", "0.1", "--output", generated],
                   stderr=subprocess.DEVNULL, check=True)
    yield run("generated", generated, 1)
    # The name of a file may hold anything but a zero and a slash, and a slash parts folders.
    names = ["\u202e<img src=x onerror=alert(9)>]]>\u2028&amp;\"' <!--.jsonl",
             "x<" + "/script><svg onload=alert(10)>\n\t.jsonl"]
    files = [write(root / name, [record]) for name, record in zip(names, [payment(1), b"<script>"])]
    bad = root.as_posix().encode() + b"/\xff\xfe\x80<b>.jsonl"
    with open(bad, "wb") as file:
        file.write(b"\n".join(r if isinstance(r, bytes) else json.dumps(r).encode() for r in hostile_records()) + b"\n")
    yield run("hostile", [*files, bad.decode("utf-8", "surrogateescape")], 1)
    yield run("wide", write(root / "wide.jsonl", wide_records(currencies(settle))), 1, "--control-totals", "warn")
    yield run("whole", write(root / "whole.jsonl", framed([payment(n) for n in range(9)], "w" * 64)), 0)
    yield run("no-records", write(root / "none.jsonl", framed([], "none")), 0)
    yield run("no-currency", write(root / "no-currency.jsonl", [b"x", b"[]", b"{}"]), 1)
    waiting = [payment(n, status=status) for n, status in enumerate(["STATUS_CREATED"] * 30 + ["STATUS_OTHER"] * 25)]
    yield run("waiting", write(root / "waiting.jsonl", waiting), 0)
    wrong = framed([payment(1), payment(2, "0.00")], "mismatch")
    wrong[-1]["recordCount"] = 3
    yield run("mismatch", write(root / "mismatch.jsonl", wrong), 1, "--control-totals", "warn")
    # The whole of what was read is settled, and it is not all that was sent.
    short = framed([payment(1)], "mismatch-whole")
    short[-1].update(recordCount=2, totals={"USD": "9999.00", "EUR": "5.00"})
    yield run("mismatch-whole", write(root / "short.jsonl", short), 0, "--control-totals", "warn")
    yield from refund_nights(settle, root)
    yield run("paper", write(root / "paper.jsonl", paper_records()), 0)
    parts = [write(root / f"part-{number:03}-{'n' * 200}.jsonl", [payment(number)]) for number in range(120)]
    yield run("many-files", parts, 0)
    crowd = root / "crowd.jsonl"
    late = json.dumps(payment(1, "-1")).encode()
    crowd.write_bytes(b"<b>\n" * 499_990 + (late + b"\n") * 10)
    yield run("crowd", crowd, 1)
