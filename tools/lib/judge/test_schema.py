"""The JSON Schema of records and the description of reports, by PyPI's jsonschema, RE2 and frictionless.

The schema and the engine judge the same records (schema_cases.py). A record without an error must pass the schema, and so
must one whose errors are all in LATER: other records decide these. A record with an error in REFUSED must fail it, unless
that is a wrong decimal or count written as a JSON number, whose digits no validator sees. The same is true of headers and
trailers. RE2 must also compile the patterns: many validators have no look-ahead. SETTLE_THOROUGH=1 tries four times as many.
"""
import collections
import decimal
import json
import os
import random
import re
import shutil

import frictionless
import jsonschema
import pytest
import re2
from model.files import ROOT, json_lines, write_lines
from programs import IS_THOROUGH
from schema_cases import HEADER, LATER_BATCH, TRAILER, Raw, payments, text_of, variations

PAYMENTS, RANDOM, SEED = 1000 if IS_THOROUGH else 250, 2000, int(os.environ.get("SETTLE_TEST_SEED") or 1)
# Errors that a schema of one record can find. It cannot find errors that a JSON parser hides (RECORD_TOO_LONG, INVALID_UTF8,
# MALFORMED_JSON, DUPLICATE_FIELD), and rules between values.
REFUSED = {
    "NOT_AN_OBJECT", "UNKNOWN_RECORD_TYPE", "MISSING_FIELD", "WRONG_TYPE", "INVALID_VALUE", "INVALID_RECIPIENT",
    "DECIMAL_SYNTAX", "NEGATIVE_AMOUNT", "AMOUNT_NOT_POSITIVE", "CURRENCY_NOT_SUPPORTED", "COUNTRY_NOT_SUPPORTED",
    "PAYMENT_SHAPE", "RECEIVER_COUNT", "MULTIPLE_PRIMARY", "SUBTYPE_NOT_ALLOWED", "FUNDING_SOURCE_MISMATCH",
    "REFUND_SHAPE", "SENDER_REQUIRED",
}
LATER = re.compile("PAYMENT_NOT_SETTLED|PREAPPROVAL_.*")
# Changed reports: the file, a pattern of bytes in it, their replacement, and the name of frictionless' error.
CHANGED = [
    ("settlement.csv", rb"\nAP-\w+,", b"\n,", "constraint-error"),
    ("settlement.csv", rb",SENDER,", b",PAYER,", "constraint-error"),
    ("settlement.csv", rb",USD,", b",XXX,", "constraint-error"),
    ("settlement.csv", rb"0,\n", b"O,\n", "type-error"),
    ("settlement.csv", rb",passed_on,", b",passed,", "incorrect-label"),
    ("receivers.csv", rb",(\d+),", b",-1,", "constraint-error"),
    ("receivers.csv", rb"\n(.*\n)", rb"\n\1\1", "primary-key"),
    ("totals.csv", rb"\nUSD,.*", b"", "foreign-key"),
    ("control.csv", rb"\nUSD,.*", b"", "foreign-key"),
    ("exceptions.csv", rb",DECIMAL_SYNTAX,", b",DECIMALS,", "constraint-error"),
    ("refunds.csv", rb"\nRF-1,", b"\n,", "constraint-error"),
    ("preapprovals.csv", rb",ACTIVE,", b",GONE,", "constraint-error"),
]


@pytest.fixture(scope="module")
def validator(settle):
    return jsonschema.Draft202012Validator(json.loads(settle("schema").stdout))


def test_schema_itself(settle, validator):
    assert settle("schema").stdout.encode() == (ROOT / "data/batch.schema.json").read_bytes()
    validator.check_schema(validator.schema)
    patterns = re.findall(r'"pattern": ("(?:[^"\\]|\\.)*")', settle("schema").stdout)
    for pattern in patterns:
        re2.compile(json.loads(pattern))
    assert patterns


def errors_by_line(settle, batch):
    """The findings of `settle validate` by line, as code and field."""
    found = collections.defaultdict(list)
    for finding in json_lines(settle("validate", batch, "--format", "jsonl", exits=[0, 1]).stdout):
        if finding["severity"] == "error":
            found[finding["line"]].append((finding["code"], finding["field"]))
    return found


def parsed(line):
    """A line's value, or None and False if it is not JSON for Python."""
    def refuse(constant):
        raise ValueError(constant)

    try:
        line.encode("utf-8")
        return json.loads(line, parse_constant=refuse), True
    except (ValueError, RecursionError):
        return None, False


def is_number_at(record, pointer):
    """Whether a JSON Pointer leads to a JSON number."""
    for key in pointer.split("/")[1:]:
        record = record[int(key)] if isinstance(record, list) else record[key]
    return type(record) in (int, float)


def changed_lines():
    """The changed records as lines: a quarter of them, each with its own key unless the key is what is changed."""
    draw = random.Random(SEED)
    for number, line in enumerate(dict.fromkeys(map(text_of, payments(draw, RANDOM)))):
        # FUNDING_SOURCE_MISMATCH is rare, so none of these is left out.
        is_drawn = IS_THOROUGH or draw.random() < 0.25 or '"card":' in line and '"fundingSource":' in line
        # A header or trailer would end the batch.
        if is_drawn and '"type":"header"' not in line and '"type":"trailer"' not in line:
            line = line.replace('"payKey":"AP-1"', f'"payKey":"AP-{number}"')
            yield line.replace('"refundKey":"RF-1"', f'"refundKey":"RF-{number}"')


def test_records(settle, validator, generated, tmp_path):
    refused, disagreements = set(), []
    batches = [generated(PAYMENTS, "--seed", SEED, "--defects", defects) for defects in ("0", "0.5")]
    for batch in [*batches, write_lines(tmp_path / "changed.jsonl", changed_lines())]:
        found = errors_by_line(settle, batch)
        for number, line in enumerate(batch.read_text("utf-8", "surrogateescape").split("\n")[:-1], 1):
            record, is_json = parsed(line)
            passes = is_json and validator.is_valid(record)
            told = {code for code, field in found[number] if code in REFUSED and not (
                code in ("DECIMAL_SYNTAX", "INVALID_VALUE") and is_number_at(record, field)
                or code == "SENDER_REQUIRED" and field == "/senderEmail")}
            refused |= told
            if passes and told or not passes and all(LATER.fullmatch(code) for code, _ in found[number]):
                disagreements.append((ascii(line[:300]), found[number], f"passes the schema: {passes}"))
    assert disagreements[:20] == []
    assert refused == REFUSED, "errors that no record was tried with"


def beyond_schema(trailer):
    """Whether a trailer has faults that only the engine finds: digits of a JSON number, decimals of a currency."""
    both = [trailer.get("totals"), trailer.get("refundTotals")]
    amounts = [amount for totals in both if isinstance(totals, dict) for amount in totals.values()]
    return isinstance(trailer.get("recordCount"), Raw) or any(
        isinstance(amount, Raw) or isinstance(amount, str) and any(mark in amount for mark in ".eE") for amount in amounts)


@pytest.mark.parametrize("place, base", [(0, HEADER), (1, TRAILER)], ids=["header", "trailer"])
def test_frame(settle, validator, tmp_path, place, base):
    draw = random.Random(SEED)
    for record in variations(base):
        if record.get("type") != base["type"] or not IS_THOROUGH and draw.random() > 0.25:
            continue
        pair = [text_of(HEADER), text_of(TRAILER)]
        pair[place] = text_of(record)
        told = settle("validate", write_lines(tmp_path / "framed.jsonl", pair), exits=None).stderr
        is_taken = not any(code in told for code in ("INVALID_HEADER", "INVALID_TRAILER"))
        passes = validator.is_valid(json.loads(pair[place]))
        assert passes == is_taken or passes and beyond_schema(record), pair[place]


@pytest.fixture(scope="module")
def descriptor(settle):
    return json.loads(settle("schema", "--reports").stdout)


@pytest.fixture(scope="module")
def reports(settle, generated, tmp_path_factory):
    """The reports of two generated batches, and of one with refunds and an agreement."""
    folder = tmp_path_factory.mktemp("reports")
    batches = {defects: generated(PAYMENTS, "--seed", SEED, "--defects", defects) for defects in ("0", "0.5")}
    batches["later"] = write_lines(folder / "later.jsonl", map(text_of, LATER_BATCH))
    for name, batch in batches.items():
        settle("run", batch, "--output", folder / name, exits=[0, 1])
    return folder


@pytest.mark.parametrize("name", ["later", "0", "0.5"])
def test_reports(descriptor, reports, name):
    package = frictionless.Package(descriptor, basepath=str(reports / name))
    assert package.validate().flatten(["title", "message"]) == []
    assert [each["path"] for each in descriptor["resources"]] == sorted(p.name for p in (reports / name).glob("*.csv"))
    for resource in package.resources:
        amounts = [field.name for field in resource.schema.fields if field.type == "number"]
        for row in resource.read_rows():
            assert all(isinstance(row[name], (decimal.Decimal, type(None))) for name in amounts), row


@pytest.mark.parametrize("file, pattern, text, error", CHANGED)
def test_changed_report(descriptor, reports, tmp_path, file, pattern, text, error):
    shutil.copytree(reports / ("later" if file in ("refunds.csv", "preapprovals.csv") else "0.5"), tmp_path / "changed")
    changed, count = re.subn(pattern, text, (tmp_path / "changed" / file).read_bytes(), count=1)
    (tmp_path / "changed" / file).write_bytes(changed)
    told = frictionless.Package(descriptor, basepath=str(tmp_path / "changed")).validate()
    assert count == 1 and [error] in told.flatten(["type"]), told.flatten(["type", "message"])[:3]
