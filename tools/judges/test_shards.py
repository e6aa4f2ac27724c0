"""A batch in shards whose files are elsewhere: plan and finish ask for bytes, hash and run read standard input.

The reports must be those of settle run. finish must read little: of plain text only the lines of records whose keys an
earlier shard claims, of LZ4 only the chunks that contain them.
"""
import filecmp
import json
import os
import subprocess

import pytest
from programs import install, run

install("lz4", programs=["lz4"])


def answered(command, files, first=""):
    """Runs a command that asks for ranges of files; returns the ranges."""
    asked = []
    with subprocess.Popen([str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        child.stdin.write(first.encode())
        child.stdin.flush()
        for question in child.stdout:
            number, offset, length = map(int, question.split())
            answer = files[number].read_bytes()[offset:offset + length]
            assert len(answer) == length, "a question goes beyond its file"
            asked.append((number, offset, length))
            child.stdin.write(answer)
            child.stdin.flush()
        assert child.wait(60) == 0
    return asked


@pytest.fixture(scope="module")
def batch(settle, tmp_path_factory):
    """A batch with refunds, whose last hundred payments repeat keys of the first."""
    path = tmp_path_factory.mktemp("shards") / "night.jsonl"
    settle("generate", "--payments", 2000, "--seed", 5, "--features", "refunds", "--defects", "0.02", "--output", path)
    lines = path.read_bytes().splitlines(keepends=True)[1:-1]
    path.write_bytes(b"".join(lines + [line for line in lines if b'"payKey"' in line][:100]))
    return path


@pytest.mark.parametrize("form", [[], ["-B4"], ["-B4", "-BD"], ["-B7"]], ids=["plain", "blocks", "linked", "large"])
def test_elsewhere(settle, settle_path, batch, tmp_path, form):
    name = tmp_path / ("night.jsonl.lz4" if form else "night.jsonl")
    if form:
        run("lz4", "-q", *form, batch, name)
    else:
        name.write_bytes(batch.read_bytes())
    settle("run", name, "--output", tmp_path / "one", exits=(1,))
    work, stored = tmp_path / "work", name.read_bytes()
    answered([settle_path, "shard", "plan", name, "--work", work, "--shards", 6, "--input", "-", "-q"], [name],
             f"{len(stored)} unchanged\n")
    plan = json.loads((work / "plan.json").read_text())
    assert len(plan["shards"]) > 1 or form[-1:] == ["-BD"] or form == ["-B7"]
    settle("shard", "hash", 0, "--work", work, "--input", "-", input=stored, text=False)
    for number, shard in enumerate(plan["shards"]):
        settle("shard", "run", number, "--work", work, "--input", "-", input=stored[shard["from"]:], text=False)
    settle("shard", "gather", "--work", work)
    read = {}
    for level in range(3):
        settle("shard", "claims", "--level", level, "--work", work)
        for number in range(len(plan["shards"])):
            read[level, number] = answered(
                [settle_path, "shard", "finish", number, "--level", level, "--work", work, "--input", "ask"], [name])
    settle("merge", work, "--output", tmp_path / "two", exits=(1,))
    assert not filecmp.dircmp(tmp_path / "one", tmp_path / "two").diff_files
    assert sorted(os.listdir(tmp_path / "one")) == sorted(os.listdir(tmp_path / "two"))
    if len(plan["shards"]) > 1:
        assert sum(map(len, read.values())) >= 1, "no record was judged again"
    assert not any(asked for (level, _), asked in read.items() if level > 0), "refunds are judged from kept lines"
    if not form:
        verdicts = (work / "verdicts-0/verdicts.csv").read_text().splitlines()
        lost = sum(row.split(",")[2] == "1" for row in verdicts)
        # Refunds among them are judged from kept lines.
        assert 0 < sum(map(len, read.values())) <= lost
