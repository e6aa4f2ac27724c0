"""Counts the instructions of a command with valgrind's callgrind, by function.

Counts, not times: the same program with the same input gives the same count on a loaded machine as on an idle one,
but for what is random in it. Instructions of the kernel are not counted.
"""
import collections
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from measure.processes import Failed, output_of

NAME = re.compile(r"\((\d+)\)(?: (.*))?$")


def without_debugging_symbols(program, copy):
    """Copies a program so that valgrind can read it: 3.19 cannot read the debugging symbols that Swift writes."""
    output_of(["strip", "-g", "-o", copy, program])


def count(command, folder, allowed=(0,)):
    """Instructions of a command run in a folder, as a Counter of (path of the object file, mangled function name).

    The environment is empty but for the switch that makes Swift's own sets and dictionaries hash alike in each run.
    """
    with tempfile.TemporaryDirectory() as place:
        profile = Path(place, "callgrind.out")
        valgrind = shutil.which("valgrind")
        if valgrind is None:
            raise Failed("there is no valgrind; tools/lib/install-packages valgrind binutils")
        done = subprocess.run(
            [valgrind, "--tool=callgrind", "--demangle=no", f"--callgrind-out-file={profile}", *map(str, command)],
            cwd=folder,
            env={"SWIFT_DETERMINISTIC_HASHING": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        if done.returncode not in allowed or not profile.exists():
            last = (done.stderr.strip() or "no word").splitlines()[-1]
            raise Failed(f"{os.path.basename(str(command[0]))} ended with {done.returncode} under valgrind: {last}")
        return parsed(profile)


def parsed(profile):
    """The self cost of each function in a callgrind file; see "Callgrind Format Specification" in its manual."""
    names = {}

    def name(kind, text):
        """Names are written once and then only numbered; objects and functions have separate numbers."""
        number, spelled = NAME.match(text).groups()
        if spelled is not None:
            names[kind, number] = spelled
        return names[kind, number]

    costs = collections.Counter()
    place, function, total, is_call = "", "", None, False
    with open(profile, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            key, _, value = line.rstrip("\n").partition("=")
            if line[0] in "+-*0123456789":
                # The line after calls= has the cost of the called function, which is counted there.
                if not is_call:
                    costs[place, function] += int(line.split()[1])
                is_call = False
            elif key == "ob":
                place = name("ob", value)
            elif key == "fn":
                function = name("fn", value)
            elif key in ("cob", "cfn"):
                name(key[1:], value)
            elif key == "calls":
                is_call = True
            elif line.startswith("totals:"):
                total = int(line.split()[1])
    if total is None or sum(costs.values()) != total:
        raise Failed(f"callgrind counted {total} instructions, its functions have {sum(costs.values())}")
    return costs
