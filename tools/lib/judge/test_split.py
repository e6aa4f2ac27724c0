"""Splits, by the published vectors of other libraries.

../shared/data/peer-allocations.jsonl has the vectors; it is not part of the project, and without it nothing is checked.
Vectors of the eight conventions are tried. Four differ on purpose (docs/spec/split-command.md, "Conventions").
"""
import json

import pytest
from model.files import ROOT, json_lines

VECTORS = ROOT.parent / "shared/data/peer-allocations.jsonl"
CONVENTIONS = {
    "floor_to_first", "floor_to_last", "floor_to_largest_ratio", "largest_remainder", "floor_remainder_separate",
    "block_remainder_separate", "cascade_from_last_truncate", "round_each_last_absorbs",
}
# One library drops the amount if all ratios are zero, one overflows, two refuse ratios with a sum above 1.
ON_PURPOSE = {"pv0115": "zero_ratio_sum", "pv0123": None, "pv0209": None, "pv0272": None}


@pytest.mark.skipif(not VECTORS.exists(), reason=f"there is no {VECTORS}")
def test_split(settle):
    vectors = [v for v in json_lines(VECTORS.read_text("utf-8")) if v["convention"] in CONVENTIONS]
    told = settle("split", input="".join(json.dumps(vector) + "\n" for vector in vectors), exits=[1])
    answers = json_lines(told.stdout)
    assert len(answers) == len(vectors)
    for vector, answer in zip(vectors, answers):
        if vector["id"] in ON_PURPOSE:
            assert answer.get("error") == ON_PURPOSE[vector["id"]], vector
        elif vector["expected"] is None:
            assert answer.get("error") == vector["expect_error"], vector
        else:
            assert answer.get("parts") == vector["expected"], vector
