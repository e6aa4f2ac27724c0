"""A race: commands run in turns, so that whatever else the machine does slows all of them.

The first round warms the caches and does not count. Commands that should make the same are compared.
"""
import collections
import datetime
import hashlib
import os
import re
import shutil
import statistics
from dataclasses import dataclass
from pathlib import Path

from measure.processes import Failed, measure, output_of, say


@dataclass
class Contender:
    """A command of a race."""

    name: str
    command: list
    # The directory that it makes; it is removed before each run: a nightly run would not find it either.
    output: Path = None
    allowed: tuple = (0,)
    # Contenders with the same text must make the same files in their outputs, or print the same.
    makes: str = ""


def lz4_floor(batch):
    """Only expanding the batch and finding its lines."""
    return Contender(f"lz4 -dc, wc -l, {batch.name}", ["bash", "-c", 'lz4 -dc "$0" | wc -l', batch])


def generate(settle, batch, payments, *options):
    say(f"Generating {payments} payments")
    output_of([settle, "generate", "--payments", payments, "--seed", 1, *options, "--output", batch])
    return batch


def race(contenders, runs, work):
    """Runs contenders in turns. Returns the costs of each run by name, and the differences in what they made, as sentences."""
    took, expected, wrong = collections.defaultdict(list), {}, {}
    log = work / "log"
    for run in range(runs + 1):
        say(f"Round {run} of {runs}" if run else "Warming up")
        for contender in contenders:
            if contender.output:
                shutil.rmtree(contender.output, ignore_errors=True)
            with open(log, "wb") as said:
                costs, status = measure(contender.command, said)
            if status not in contender.allowed:
                last = log.read_text("utf-8", "replace").strip()[-300:]
                raise Failed(f"{contender.name} ended with {status}: {last}")
            took[contender.name].append(costs)
            if contender.makes:
                made = {file.name: digest(file) for file in (contender.output.iterdir() if contender.output else [log])}
                first, known = expected.setdefault(contender.makes, (contender.name, made))
                names = sorted({name for name, _ in known.items() ^ made.items()})
                if names:
                    wrong[f"{contender.name}, differs from {first} in {', '.join(names)}"] = True
    return {name: costs[1:] for name, costs in took.items()}, list(wrong)


def digest(path):
    """The SHA-256 of a file, read in pieces: this process's memory would count as the next command's peak."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def medians(costs):
    """The medians of wall seconds, processor seconds and peak MB."""
    return [statistics.median(values) for values in zip(*costs)]


def table(header, rows):
    print(f"\n| {' | '.join(header)} |\n|{'---|' * len(header)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")


def circumstances(arguments, load):
    """What the tables depend on."""
    model = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text("utf-8", "replace"))
    print(f"\n{datetime.date.today()}, {os.cpu_count()} cores, {model[1] if model else 'unknown processor'}, "
          f"load {load:.1f} before; {arguments.payments} payments; medians of {arguments.runs} interleaved runs.")


class Verdicts:
    """A table of measured values and their targets."""

    def __init__(self, is_test):
        # At a size that proves nothing, no target counts as missed.
        self.judges, self.missed, self.rows = not is_test, 0, []

    def judge(self, what, value, target, least, unit="", more_is_better=False):
        sign = -1 if more_is_better else 1
        verdict = "met" if sign * value <= sign * target else "minimum met" if sign * value <= sign * least else "MISSED"
        self.missed += self.judges and verdict == "MISSED"
        places = 0 if unit == " MB" else 2
        self.rows.append([what, f"**{value:.{places}f}{unit}**", f"{target:g}{unit}", f"{least:g}{unit}",
                          verdict if self.judges else "-"])

    def show(self):
        table(["what", "measured", "target", "at least", "verdict"], self.rows)
