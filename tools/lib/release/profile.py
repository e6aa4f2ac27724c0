"""What the command does how often, measured for the compiler.

A command that counts settles generated batches with every kind of record, without and with a ledger. With its counts the
compiler places the common paths of the next build together, which saves 5 to 6 % of a run's time.

The counts must be the same each time, as a release can be built again to the same bytes. So the work has one thread,
SETTLE_PROFILE gives the hash of accounts a fixed key (KeyedHash), and only functions count that do something for each
record, in the targets that settle records, and that did the same in every round. Rounds differ in the number of cores, and
in the lengths of paths and environment, which move what is in memory. All others are compiled as ever.
"""
import os
import subprocess

from release.parts import swift_folder

# The compiler's options for a command that counts.
COUNTING = [
    "-Xfrontend", "-ir-profile-generate", "-DSETTLE_PROFILE",
    # Only counts of places, not of values, which differ.
    "-Xllvm", "-disable-vp",
    # The linker adds the runtime that writes the counts when the command ends.
    "-Xclang-linker", "-fprofile-generate",
]
FEATURES = "splits,amounts,cards,refunds,preapprovals,fees"
NIGHTS = 3
# Not Ledger: its threads sort in another order each time.
TARGETS = (
    "BatchRun", "Bytes", "Claims", "Digests", "Documents", "ExactArithmetic", "Input", "Money", "Postings", "Records",
    "Rules", "Text",
)
ROUNDS = 8
# The highest count of a function that counts is at least this; a round settles 240,000 payments twice.
LEAST = 10_000


def with_counts(profile):
    """The compiler's options for a command that is built with the counts of a profile."""
    return ["-Xfrontend", f"-ir-profile-use={profile}"]


def make(settle, folder):
    """Lets a command that counts do the work, and returns the profile."""
    folder.mkdir()
    for batch, options in batches():
        do(settle, folder, "generate", *options, "--output", batch, "--quiet")
    rounds = []
    for number in range(ROUNDS):
        place = folder / ("round" * (1 + 3 * number))
        place.mkdir()
        for batch, _ in batches():
            run = "run", f"../{batch}", "--threads", "1", "--quiet", "--output"
            do(settle, place, *run, f"{batch}.reports", number=number)
            do(settle, place, *run, f"{batch}.entered", "--ledger", "ledger.sqlite", number=number)
        rounds.append(functions(place))
    same = {name: counts for name, counts in rounds[0].items() if all(other.get(name) == counts for other in rounds[1:])}
    prefixes = tuple(f"$s{len(target)}{target}" for target in TARGETS)
    kept = [name for name, counts in sorted(same.items()) if name[0].startswith(prefixes) and max(counts) >= LEAST]
    print(f"The compiler gets the counts of {len(kept)} functions")
    text = folder / "settle.proftext"
    # "$0" is for no bitmaps: without it llvm-profdata takes the "$" of the next name for their number.
    lines = (line for name in kept for line in (*name, len(same[name]), *same[name], "$0"))
    text.write_text("\n".join([":ir", *map(str, lines)]), encoding="utf-8")
    profile = folder / "settle.profdata"
    merge("-o", profile, text)
    return profile


def batches():
    """The batches of the work: a name, and what `settle generate` makes it of."""
    yield "plain.jsonl.lz4", ["--payments", "100000", "--seed", "1"]
    yield "defects.jsonl", ["--payments", "50000", "--seed", "3", "--defects", "0.01"]
    for night in range(1, NIGHTS + 1):
        yield f"night-{night}.jsonl.lz4", [
            "--payments", "30000", "--seed", "2", "--features", FEATURES, "--night", str(night), "--of", str(NIGHTS)]


def do(settle, place, *arguments, number=0):
    # Swift's own hash tables have random keys too.
    environment = {
        "PATH": os.environ["PATH"], "LLVM_PROFILE_FILE": str(place / "%p.profraw"), "SWIFT_DETERMINISTIC_HASHING": "1",
        "SETTLE_ROUND": "." * 777 * number,
    }
    cores = os.sched_getaffinity(0)
    done = subprocess.run(
        [settle, *arguments], cwd=place, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        preexec_fn=lambda: os.sched_setaffinity(0, {min(cores)} if number % 2 else cores))
    # 1 only means that payments were rejected, as the defects should be.
    if done.returncode not in (0, 1):
        raise ValueError(f"settle {' '.join(arguments)}: ends with {done.returncode}: {done.stderr.decode().strip()}")


def functions(place):
    """The counts of a round: for the name and hash of each function, those of its places."""
    text = place / "counts.proftext"
    merge("--text", "-o", text, *sorted(place.glob("*.profraw")))
    found = {}
    for block in text.read_text(encoding="utf-8").split("\n\n"):
        lines = [line for line in block.splitlines() if line and line[0] not in "#:"]
        if lines:
            name, code, number, *counts = lines
            if len(counts) != int(number):
                raise ValueError(f"{text}: {name} has {len(counts)} counts, expected {number}")
            found[name, code] = [int(count) for count in counts]
    return found


def merge(*arguments):
    """Merges counts with the program of the Swift that counted."""
    subprocess.run([swift_folder() / "bin" / "llvm-profdata", "merge", *arguments], check=True)
