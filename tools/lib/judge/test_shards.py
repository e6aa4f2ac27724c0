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


HARM = {
    "changed": lambda path, text: path.write_bytes(text[:len(text) // 2] + bytes([text[len(text) // 2] ^ 1])
                                                   + text[len(text) // 2 + 1:]),
    "cut": lambda path, text: path.write_bytes(text[:-1]),
    "longer": lambda path, text: path.write_bytes(text + b"7,7\n"),
    "empty": lambda path, text: path.write_bytes(b""),
    "gone": lambda path, text: path.unlink(),
}


def test_damage(settle, settle_path, batch, tmp_path):
    """Damages each file of each step. What the message says, pasted into a shell, repairs it."""
    settle("run", batch, "--output", tmp_path / "one", exits=(1,))
    whole, work = tmp_path / "whole", tmp_path / "my work"
    settle("shard", "plan", batch, "--work", whole, "--shards", 2, "-q")
    settle("shard", "hash", 0, "--work", whole)
    for number in range(len(json.loads((whole / "plan.json").read_text())["shards"])):
        settle("shard", "run", number, "--work", whole)
    settle("merge", whole, "--output", tmp_path / "two", exits=(1,))
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/settle").symlink_to(settle_path)
    shell = os.environ | {"PATH": f"{tmp_path}/bin:{os.environ['PATH']}"}
    files = sorted(path.relative_to(whole) for path in whole.glob("*/*"))
    assert len(files) > 60
    for place, file in enumerate(files):
        text = (whole / file).read_bytes()
        harm = list(HARM)[place % len(HARM)] if text else ("longer", "gone")[place % 2]
        run("cp", "-a", whole, work)
        # In place, so that it harms every step that shares the file.
        HARM[harm](work / file, text)
        failed = settle("merge", work, "--output", tmp_path / "merged", exits=(74,)).stderr
        command = failed[min(failed.find(word) for word in ("rm -r ", "settle shard ") if word in failed):]
        subprocess.run(["bash", "-euc", command], env=shell, check=True, stdout=subprocess.DEVNULL)
        settle("merge", work, "--output", tmp_path / "merged", exits=(1,))
        assert not filecmp.dircmp(tmp_path / "one", tmp_path / "merged").diff_files, f"{file} {harm}: {failed}"
        run("rm", "-r", work, tmp_path / "merged")


def test_not_whole(settle, batch, tmp_path):
    """A step that lost its digests does not end with 0."""
    work = tmp_path / "work"
    settle("shard", "plan", batch, "--work", work, "--shards", 2, "-q")
    settle("shard", "run", 0, "--work", work)
    (work / "run-0/SHA256SUMS").unlink()
    assert "rm -r" in settle("shard", "run", 0, "--work", work, exits=(74,)).stderr
