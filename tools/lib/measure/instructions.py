"""Counts the instructions that settling a fixed batch takes, stage by stage, and compares with the recorded ones.

Callgrind counts `settle run --threads 1` on a generated batch of 5,000 payments, one in a hundred with a defect, and on
an empty batch. The difference is the cost of payments; the empty batch without the dynamic loader is the row "start-up".
A function belongs to the stage of the module that its symbol names first, so code inlined into another stage counts
there. The kernel is not counted. The key of the hash tables is random, so the mean of three runs counts.

Ends with 1 if the total, or a stage of at least 2 % of it, differs from the record by more than 3 %, or a smaller stage by
more than 3 % of that 2 %. The C library may differ by 10 %: copying memory depends on alignment. Digests and start-up are
not in the total, because valgrind's processor lacks the SHA instructions; they are compared on their own.

If the batch, Swift or the kind of processor differs from the record, counts cannot be compared: it fails unless
--where-comparable is given. A library of another version is not judged, nor are the C library and digests if valgrind shows
another processor. Installs valgrind if it is missing. Runs in /tmp, so that all paths have the same length.
"""
import collections
import datetime
import hashlib
import platform
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from measure import callgrind
from measure.processes import Failed, output_of

ROOT = Path(__file__).resolve().parents[3]
BASELINE = ROOT / "tools/lib/measure/instructions.tsv"
PAYMENTS, RUNS = 5000, 3
GENERATE = ["--seed", "1", "--defects", "0.01", "--threads", "1", "--output"]

TOLERANCE, SMALL = 0.03, 0.02
LOOSE = {"C library": 0.10}

# In the order of the data flow.
MODULES = [
    "Input", "ExactArithmetic", "Money", "Records", "Text", "Claims", "Postings", "Rules", "Documents", "BatchRun",
]
LIBRARIES = {"liblz4": "LZ4", "libxxhash": "xxHash", "libgmp": "GMP", "libswiftCore": "Swift's runtime", "libc": "C library",
             "ld-linux-x86-64": "loader", "libnettle": "digests"}
DIGESTS, START = "digests", "start-up"
STAGES = MODULES + ["command"] + list(LIBRARIES.values()) + ["other"]
BY_PROCESSOR = ("C library", "loader", DIGESTS)
# What valgrind's processor takes over from the real one.
FLAGS = ("avx", "avx2", "cx16", "f16c", "rdrand", "rdtscp", "ssse3")

MODULE = re.compile("|".join(
    [f"{len(name)}{name}" for name in MODULES]
    + ["(?P<BatchRun>11Publication|11Bookkeeping|10LedgerRuns)", "(?P<Text>5Bytes)", "(?P<digests>7Digests)", "(?P<command>6settle|14ArgumentParser|11SampleBatch)"]))
# Swift's libraries are linked into the command: the runtime, and prebuilt code of the standard library.
RUNTIME = re.compile(r"_*swift|\$s[sS]|_Z\w*swift")


class Incomparable(Exception):
    """Why the counts cannot be compared with the record, and whether another Swift or processor is the cause."""


def stage_of(place, function):
    """The stage of a function of an object file."""
    library = Path(place).name.split(".")[0]
    if library != "settle":
        return LIBRARIES.get(library, "other")
    found = MODULE.search(function)
    if not found:
        return "Swift's runtime" if RUNTIME.match(function) else "other"
    return found.lastgroup or found[0].lstrip("0123456789")


def counted(folder):
    """Counts runs on the batches of a folder: instructions per payment by stage, and the object files."""
    def run(batch):
        shutil.rmtree(folder / "out", ignore_errors=True)
        return callgrind.count(["./settle", "run", batch, "--threads", "1", "--output", "out"], folder, (0, 1))

    empty = run("empty.jsonl.lz4")
    full = sum((run("batch.jsonl.lz4") for _ in range(RUNS)), collections.Counter())
    stages = dict.fromkeys(STAGES, 0.0)
    for place, count in full.items():
        stages[stage_of(*place)] += (count / RUNS - empty[place]) / PAYMENTS
    stages[START] = float(sum(count for place, count in empty.items() if stage_of(*place) != "loader"))
    return stages, {Path(place) for place, _ in full}


def circumstances(folder, objects):
    """What must be equal for counts to be comparable, by name."""
    flags = re.findall(r"^(?:flags|Features)\s*:.*", Path("/proc/cpuinfo").read_text("utf-8", "replace"), re.M)[0].split()
    text = subprocess.run(["lz4", "-dc", folder / "batch.jsonl.lz4"], capture_output=True, check=True).stdout
    told = {
        "batch": f"{PAYMENTS} payments, {len(text)} bytes, SHA-256 {hashlib.sha256(text).hexdigest()[:16]}",
        "swift": re.search(r"Swift version .*", output_of(["swift", "--version"]))[0],
        "processor": " ".join([platform.machine(), *(flag for flag in FLAGS if flag in flags)]),
        "valgrind": output_of(["valgrind", "--version"]).strip(),
    }
    for path in sorted(objects):
        stage = LIBRARIES.get(path.name.split(".")[0])
        if stage:
            told[stage] = f"{path.resolve().name}, SHA-256 {hashlib.sha256(path.read_bytes()).hexdigest()[:16]}"
    return told


def measured(settle):
    """The results of `counted` and `circumstances` for a command."""
    with tempfile.TemporaryDirectory(prefix="settle-instructions-", dir="/tmp") as place:
        folder = Path(place)
        callgrind.without_debugging_symbols(settle, folder / "settle")
        for name, payments in (("batch", PAYMENTS), ("empty", 0)):
            output_of([folder / "settle", "generate", "--payments", payments, *GENERATE, folder / f"{name}.jsonl.lz4"])
        stages, objects = counted(folder)
        return stages, circumstances(folder, objects)


def record(stages, told):
    lines = ["# Instructions for each payment by stage, and those of a start; tools/measure instructions --record writes this.",
             f"# recorded\t{datetime.date.today()}"]
    lines += [f"# {name}\t{value}" for name, value in told.items()]
    lines += ["stage\tinstructions"] + [f"{stage}\t{count:.1f}" for stage, count in stages.items()]
    BASELINE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def recorded():
    """The stages and circumstances of the record."""
    lines = [line.split("\t") for line in BASELINE.read_text(encoding="utf-8").splitlines()[1:]]
    told = {name[2:]: value for name, value in lines if name.startswith("# ")}
    stages = {name: float(value) for name, value in lines if not name.startswith("# ") and name != "stage"}
    if list(stages) != STAGES + [START]:
        raise Incomparable(f"{BASELINE.name} has unexpected stages: {', '.join(stages)}", False)
    return stages, told


def not_judged(told, told_then):
    """The stages that cannot be judged here, with the reason. Raises if none can be."""
    others = {name: f"recorded with {told_then.get(name)}; this is {told.get(name)}"
              for name in told.keys() | told_then.keys() if told.get(name) != told_then.get(name)}
    if "batch" in others:
        raise Incomparable(f"batch: {others['batch']}", False)
    if "swift" in others or told["processor"].split()[0] != told_then["processor"].split()[0]:
        raise Incomparable(others.get("swift") or others["processor"], True)
    reasons = {stage: others[stage] for stage in LIBRARIES.values() if stage in others}
    for name in {"processor", "valgrind"} & others.keys():
        reasons = dict.fromkeys(BY_PROCESSOR, others[name]) | reasons
    if {"C library", "Swift's runtime"} & set(reasons):
        reasons[START] = "most of it is in the C library and Swift's runtime"
    return reasons


def verdict(now, then, total, tolerance):
    """The verdict on a count; empty if it is within the tolerance."""
    if abs(now - then) <= tolerance * max(then, SMALL * total):
        return ""
    return "MORE" if now > then else "LESS"


def compare(stages, told):
    """Prints the table; returns how many rows are beyond the tolerance."""
    before, told_then = recorded()
    reasons = not_judged(told, told_then)
    in_total = [stage for stage in STAGES if stage != DIGESTS and stage not in reasons]
    total, total_then = (sum(counts[stage] for stage in in_total) for counts in (stages, before))
    rows = [(stage, stages[stage], before[stage]) for stage in (*STAGES, START)]
    rows.insert(-1, ("total without digests", total, total_then))
    wrong = 0
    print(f"\n{told['batch']}; recorded {told_then['recorded']}\n")
    print(f"{'instructions per payment':<24}{'recorded':>12}{'now':>12}{'change':>9}")
    for name, now, then in rows:
        said = "not judged" if name in reasons else verdict(now, then, total_then, LOOSE.get(name, TOLERANCE))
        wrong += said in ("MORE", "LESS")
        change = f"{100 * (now / then - 1):+.2f} %" if then > 0.05 else "-"
        print(f"{name:<24}{then:>12.1f}{now:>12.1f}{change:>9}  {said}".rstrip())
    for stage, reason in reasons.items():
        print(f"\n{stage}: not judged, nor in the total: {reason}")
    return wrong


def add_options(parser, *_):
    parser.add_argument("--record", action="store_true", help=f"write the counts to {BASELINE.relative_to(ROOT)}, after a "
                        "change that is meant to change them")
    parser.add_argument("--settle", type=Path, metavar="FILE",
                        help="count this command instead of the one that `tools/test build command` makes")
    parser.add_argument("--where-comparable", action="store_true",
                        help="end with 0 and say why if Swift or the kind of processor differs from the record")


def main(arguments):
    subprocess.run([ROOT / "tools/lib/install-packages", "binutils", "valgrind"], check=True)
    if not arguments.settle:
        subprocess.run([ROOT / "tools/test", "build", "command"], check=True)
    try:
        stages, told = measured(arguments.settle or ROOT / ".build" / "checked" / "release" / "settle")
        if arguments.record:
            record(stages, told)
            print(f"recorded in {BASELINE.relative_to(ROOT)}")
            return 0
        wrong = compare(stages, told)
    except Incomparable as problem:
        why, is_elsewhere = problem.args
        if is_elsewhere and arguments.where_comparable:
            print(f"instructions: not comparable here: {why}")
            return 0
        raise Failed(f"{why}\nLook at the difference, then: tools/measure instructions --record") from problem
    if wrong:
        print(f"\nFAILED: {wrong} of these are further from the record than allowed. If that is intended: "
              "tools/measure instructions --record, and commit the record with the change")
        return 1
    print("\nAll stages that were judged match the record")
    return 0
