"""What a command does how often, measured for the compiler.

A command that counts settles generated batches, with each kind of record and both without and with a ledger. With these
counts the compiler places the common paths of the next build together, which saves 5 to 9 % of a run's time. They are the
same each time: the work has one thread, and SETTLE_PROFILE gives the hash of accounts a fixed key (KeyedHash). Functions
that did no work are left out, and compiled as ever.
"""
import json
import os
import subprocess
from pathlib import Path

from release.parts import output_of

# The compiler's options for a command that counts.
COUNTING = [
    "-Xfrontend", "-ir-profile-generate", "-DSETTLE_PROFILE",
    # The linker adds the runtime that writes the counts when the command ends.
    "-Xclang-linker", "-fprofile-generate",
]
FEATURES = "splits,amounts,cards,refunds,preapprovals,fees"
NIGHTS = 3


def with_counts(profile):
    """The compiler's options for a command that is built with the counts of a profile."""
    return ["-Xfrontend", f"-ir-profile-use={profile}"]


def batches():
    """The batches of the work: a name, and what `settle generate` makes it of."""
    yield "plain.jsonl.lz4", ["--payments", "100000", "--seed", "1"]
    yield "defects.jsonl", ["--payments", "50000", "--seed", "3", "--defects", "0.01"]
    for night in range(1, NIGHTS + 1):
        yield f"night-{night}.jsonl.lz4", [
            "--payments", "30000", "--seed", "2", "--features", FEATURES, "--night", str(night), "--of", str(NIGHTS)]


def make(settle, folder):
    """Lets a command that counts do the work, and returns the profile."""
    folder.mkdir()
    # Swift's own hash tables have random keys too.
    environment = os.environ | {"LLVM_PROFILE_FILE": str(folder / "%p.profraw"), "SWIFT_DETERMINISTIC_HASHING": "1"}

    def do(*arguments):
        done = subprocess.run(
            [settle, *arguments, "--quiet"], cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        # 1 only means that payments were rejected, as the defects should be.
        if done.returncode not in (0, 1):
            raise ValueError(f"settle {' '.join(arguments)}: ends with {done.returncode}: {done.stderr.decode().strip()}")

    for batch, options in batches():
        do("generate", *options, "--threads", "1", "--output", batch)
    # Only the work counts, not the making of its batches.
    for counts in folder.glob("*.profraw"):
        counts.unlink()
    for batch, _ in batches():
        do("run", batch, "--threads", "1", "--output", f"{batch}.reports")
        do("run", batch, "--threads", "1", "--ledger", "ledger.sqlite", "--output", f"{batch}.entered")
    profile = folder / "settle.profdata"
    subprocess.run([llvm_profdata(), "merge", "--sparse", "-o", profile, *sorted(folder.glob("*.profraw"))], check=True)
    return profile


def llvm_profdata():
    """The program that merges counts. It must be that of the Swift that counted."""
    paths = json.loads(output_of("swiftc", "-print-target-info"))["paths"]
    return Path(paths["runtimeResourcePath"]).parents[1] / "bin" / "llvm-profdata"
