"""Measures settle against the targets of docs/performance.md, in interleaved runs, and prints the table.

  speed     settle run with two threads and with one, and settle validate, relative to `lz4 -dc FILE | wc -l`; and the same
            batch with amounts of about 40 digits, which needs GMP (tools/lib/measure/wide_amounts.py)
  large     5,000,000 payments and 200,000: the cost per payment must not grow. 1.6 GB of LZ4 and 3 GB of reports
  memory    the peak at 1,000,000 payments and 500,000 accounts

Times are of whole processes that write all reports. Each round tries every command once; the first one warms the caches and
does not count. Ratios are ratios of medians. `large` has a third of the runs. Runs with one thread and with two must
publish the same reports, and no payment may be rejected. The target for memory is 120 MB, plus 43 bytes per pay key, plus
59 bytes and the text of account and currency per row of receivers.csv. Ends with 1 if something fails or misses its
minimum.
"""
import os
import shutil
from pathlib import Path

from measure.processes import Failed, output_of
from measure.race import Contender, Verdicts, circumstances, generate, lz4_floor, medians, race, table

ROOT = Path(__file__).resolve().parents[3]
WORK = ROOT / ".build" / "measure"
PARTS = ["speed", "large", "memory"]
# What a run must remember, from ARCHITECTURE.md with the tables at their emptiest: bytes per pay key, and per row of
# receivers.csv in addition to its text. And what else may be used, in MB.
PAY_KEY, ACCOUNT, REST = 43, 48 + 11, 120


def add_options(parser, add_sizes, add_settle):
    add_sizes(parser, payments=200_000, runs=11)
    add_settle(parser)
    parser.add_argument("--only", choices=PARTS, nargs="+", default=PARTS)


class Targets:
    """The command to measure, and the rows of the two tables: verdicts and rates."""

    def __init__(self, arguments, is_test):
        self.settle, self.payments, self.runs = arguments.settle.resolve(), arguments.payments, arguments.runs
        self.verdicts, self.rates = Verdicts(is_test), []

    def generate(self, name, payments, *options):
        return generate(self.settle, WORK / f"{name}.jsonl.lz4", payments, *options)

    def run(self, batch, threads=2, makes=""):
        output = WORK / f"{batch.name}-{threads}"
        return Contender(f"settle run, {threads} thread{'s' if threads > 1 else ''}, {batch.name}",
                         [self.settle, "run", batch, "--threads", threads, "--output", output], output, makes=makes)

    def race(self, runs, *entries):
        """The medians of contenders with their batches and numbers of payments; adds their rates to the table."""
        took, wrong = race([contender for contender, _, _ in entries], runs, WORK)
        if wrong:
            raise Failed(wrong[0])
        found = []
        for contender, batch, payments in entries:
            wall, processor, peak = medians(took[contender.name])
            size = int(output_of(["bash", "-c", 'lz4 -dc "$0" | wc -c', batch]))
            self.rates.append([contender.name, f"{payments}", f"{wall:.3f}", f"{processor:.3f}",
                               f"{payments / wall / 1000:.0f}", f"{size / wall / 1e6:.0f}", f"{peak:.0f}"])
            found.append((wall, processor, peak))
        return found

    def speed(self):
        """The normal batch, and the wide one in the same rounds."""
        batch, wide = self.generate("normal", self.payments), WORK / "wide.jsonl.lz4"
        output_of(["bash", "-c", 'set -o pipefail; lz4 -dc "$0" | python3 "$1" | lz4 -qf - "$2"', batch,
                   ROOT / "tools/lib/measure/wide_amounts.py", wide])
        (floor, *_), (one, *_), (two, *_), (validate, *_), (of_wide, *_) = self.race(self.runs, *(
            (contender, of, self.payments) for contender, of in (
                (lz4_floor(batch), batch),
                (self.run(batch, 1, "the reports"), batch),
                (self.run(batch, 2, "the reports"), batch),
                (Contender(f"settle validate, {batch.name}", [self.settle, "validate", batch]), batch),
                (self.run(wide), wide))))
        judge = self.verdicts.judge
        judge("`settle run` over `lz4 -dc FILE \\| wc -l`", two / floor, 0.8, 1.2)
        judge("the same with `--threads 1`", one / floor, 1.5, 2.0)
        judge("two threads over one", one / two, 1.85, 1.7, "x", more_is_better=True)
        judge("`settle validate` over the floor", validate / floor, 0.8, 1.1)
        judge("40 digits over normal, per payment", of_wide / two, 3, 6, "x")

    def large(self):
        counts = (self.payments, self.payments * 25)
        batches = [self.generate(name, count) for name, count in zip(("small", "large"), counts)]
        (small, *_), (large, *_) = self.race(
            max(1, (self.runs + 2) // 3), *((self.run(batch), batch, count) for batch, count in zip(batches, counts)))
        self.verdicts.judge(
            f"{counts[1]:,} payments over {counts[0]:,}, per payment", large / small / 25, 1.0, 1.15)

    def memory(self):
        payments = self.payments * 5
        batch = self.generate("memory", payments, "--accounts", payments // 2)
        contender = self.run(batch)
        ((_, _, peak),) = self.race(1, (contender, batch, payments))
        bound, rows = memory_bound(payments, contender.output / "receivers.csv")
        self.verdicts.judge(
            f"peak memory at {payments:,} payments, {payments // 2:,} accounts ({rows:,} rows of receivers.csv)",
            peak, round(bound), round(bound), " MB")


def memory_bound(pay_keys, receivers):
    """The MB that a run may take for a number of pay keys and a receivers.csv, and the number of its rows."""
    rows = text = 0
    with open(receivers, "rb") as file:
        next(file)
        for line in file:
            rows += 1
            text += len(b",".join(line.split(b",", 2)[:2]))
    return REST + (pay_keys * PAY_KEY + rows * ACCOUNT + text) / 1e6, rows


def main(arguments, is_test=False):
    targets, load = Targets(arguments, is_test), os.getloadavg()[0]
    try:
        shutil.rmtree(WORK, ignore_errors=True)
        WORK.mkdir(parents=True)
        for part in arguments.only:
            getattr(targets, part)()
    finally:
        shutil.rmtree(WORK, ignore_errors=True)
    circumstances(arguments, load)
    targets.verdicts.show()
    table(["command", "payments", "wall s", "CPU s", "1000 payments/s", "MB/s of JSON", "peak MB"], targets.rates)
    return 1 if targets.verdicts.missed else 0
