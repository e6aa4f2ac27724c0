"""Compares two commits end to end: how long settle takes, and whether the results are the same.

OLD and NEW are commits; NEW is HEAD by default. `.` is the current working tree, without files that git does not track.
Both are built for release in .build/compare-commits; the builds are kept for the next time.

Then both settle the same generated batch, with one thread and with two, and validate it, in alternating rounds. The first
round warms the caches and does not count. It prints the medians of wall time, CPU time and peak memory, the ratio of NEW to
OLD, and the quartiles of the paired runs' ratios. Compare a commit with itself to see how much the machine varies.
`lz4 -dc BATCH | wc -l` also runs in each round, as a measure of the machine. If the reports of two runs differ, it names them
and ends with 1.
"""
import os
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

from measure.processes import Failed, output_of, say
from measure.race import Contender, circumstances, generate, lz4_floor, medians, race, table

ROOT = Path(__file__).resolve().parents[3]
WORK = ROOT / ".build" / "compare-commits"
SIDES = ("OLD", "NEW")
WAYS = {"settle run, 1 thread": 1, "settle run, 2 threads": 2, "settle validate": None}


def add_options(parser, add_sizes, _):
    parser.add_argument("old")
    parser.add_argument("new", nargs="?", default="HEAD")
    add_sizes(parser, payments=200_000, runs=9)
    parser.add_argument("--defects", default="0.01", metavar="RATE")


def git(*arguments, place=ROOT):
    return output_of(["git", "-C", place, *arguments]).strip()


def commit_of(name):
    """The commit of a name; for `.` a commit of the working tree, or HEAD if nothing is changed."""
    changed = git("stash", "create") if name == "." else ""
    return changed or git("rev-parse", "--verify", "HEAD" if name == "." else f"{name}^{{commit}}")


def build(commits):
    """Builds the settle command of each commit, in one folder so that what they share is built once."""
    tree = WORK / "tree"
    options = ["swift", "build", "-c", "release", "--package-path", tree, "--scratch-path", WORK / "build"]
    if not tree.exists():
        git("clone", "--quiet", "--shared", "--no-checkout", ROOT, tree)
    for side, commit in commits.items():
        git("checkout", "--quiet", "--force", "--detach", commit, place=tree)
        say(f"Building {side}, {git('log', '-1', '--format=%h %s', commit)}")
        if subprocess.run([*options, "--product", "settle"], stdout=sys.stderr, check=False).returncode != 0:
            raise Failed(f"{side}, {commit[:12]}, does not build")
        shutil.copy2(Path(output_of([*options, "--show-bin-path"]).strip()) / "settle", WORK / f"{side}-settle")
    return {side: WORK / f"{side}-settle" for side in SIDES}


def contender(side, command, way, batch):
    output, threads = WORK / "settled", WAYS[way]
    name = f"{side}, {way}"
    if threads is None:
        return Contender(name, [command, "validate", batch], allowed=(0, 1), makes="the findings")
    return Contender(name, [command, "run", batch, "--output", output, "--threads", threads], output, (0, 1), "the reports")


def show(took, floor):
    wall, processor, _ = medians(took[floor])
    rows = [["lz4 -dc, wc -l", f"{wall:.3f}", "", "", "", f"{processor:.3f}", "", "", "", "", ""]]
    for way in WAYS:
        old, new = (medians(took[f"{side}, {way}"]) for side in SIDES)
        paired = [second[0] / first[0] for first, second in zip(*(took[f"{side}, {way}"] for side in SIDES))]
        quarters = "{:.3f} to {:.3f}".format(*statistics.quantiles(paired, n=4)[::2]) if len(paired) > 3 else "-"
        rows.append([
            way, f"{old[0]:.3f}", f"{new[0]:.3f}", f"**{new[0] / old[0]:.3f}**", quarters,
            f"{old[1]:.3f}", f"{new[1]:.3f}", f"{new[1] / old[1]:.3f}",
            f"{old[2]:.0f}", f"{new[2]:.0f}", f"{new[0] / wall:.2f}"])
    table(["what", "OLD s", "NEW s", "ratio", "paired runs", "OLD CPU s", "NEW CPU s", "ratio", "OLD MB", "NEW MB",
           "NEW over floor"], rows)


def compare(commands, named, arguments):
    """Races two commands and prints the result; returns 1 if their reports differ."""
    batch = WORK / "batch.jsonl.lz4"
    batch.unlink(missing_ok=True)
    generate(commands["NEW"], batch, arguments.payments, "--defects", arguments.defects)
    load, floor = os.getloadavg()[0], lz4_floor(batch)
    took, wrong = race(
        [floor, *(contender(side, commands[side], way, batch) for way in WAYS for side in SIDES)], arguments.runs, WORK)
    circumstances(arguments, load)
    for side in SIDES:
        print(f"{side}: {named[side]}")
    show(took, floor.name)
    shutil.rmtree(WORK / "settled", ignore_errors=True)
    batch.unlink()
    print("\n*** THE RESULTS DIFFER: ***" if wrong else "\nAll runs of both made the same reports, byte for byte.",
          *(f"*** {sentence}" for sentence in wrong), sep="\n")
    return int(bool(wrong))


def self_test(arguments):
    """Checks that a command agrees with itself, and that one with other results does not."""
    WORK.mkdir(parents=True, exist_ok=True)
    settle, other = arguments.settle.resolve(), WORK / "other-settle"
    other.write_text(f'#!/usr/bin/env bash\n"{settle}" "$@"; status=$?\n'
                     f'[ "$1" != run ] || echo "one more row" >>"{WORK}/settled/receivers.csv"\nexit $status\n')
    other.chmod(0o755)
    for new, expected in (settle, 0), (other, 1):
        if compare({"OLD": settle, "NEW": new}, dict.fromkeys(SIDES, "a command"), arguments) != expected:
            raise Failed(f"{new} was compared with {settle}, and the result was not {expected}")


def main(arguments):
    WORK.mkdir(parents=True, exist_ok=True)
    commits = {"OLD": commit_of(arguments.old), "NEW": commit_of(arguments.new)}
    named = {side: git("log", "-1", "--format=%h %s", commit) for side, commit in commits.items()}
    return compare(build(commits), named, arguments)
