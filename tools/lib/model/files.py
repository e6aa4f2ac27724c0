"""Files that judges, operators and faults write for settle, and read from it."""
import csv
import io
import json
from collections import Counter
from decimal import Decimal
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def csv_table(text, reader=csv.DictReader):
    """The rows of a CSV text by column, or as lists by csv.reader; all as text."""
    return list(reader(io.StringIO(text, newline=""), strict=True))


def csv_rows(path, reader=csv.DictReader, encoding="utf-8"):
    """The rows of a CSV file."""
    return csv_table(path.read_bytes().decode(encoding), reader)


def json_lines(text):
    """The values of lines of JSON."""
    return [json.loads(line) for line in text.split("\n") if line]


def write_lines(path, records):
    """Writes records as lines of a batch: text and bytes unchanged, anything else as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(
        (record if isinstance(record, bytes) else
         (record if isinstance(record, str) else json.dumps(record)).encode("utf-8", "surrogateescape")) + b"\n"
        for record in records))
    return path


def framed(records, batch_id, created_at=None, **others):
    """Records between a header and a trailer, which has the sums of payments to one receiver, or others."""
    sums = Counter()
    for record in records:
        if isinstance(record, dict) and "subTotal" in record:
            sums[record.get("paymentCurrency", "USD")] += Decimal(record["subTotal"])
    header = {"type": "header", "batchId": batch_id} | ({"createdAt": created_at} if created_at else {})
    totals = {currency: f"{total:f}" for currency, total in sums.items()}
    return [header, *records, {"type": "trailer", "recordCount": len(records), "totals": totals} | others]
