"""Measures the processor time of each part of a run, and the gain to expect from many cores.

The parts of a run with four threads, without a ledger and with a new one (docs/performance.md, "Lanes"). /proc has the time
of each thread, with the thread's name; it is read until the process ends. The end on one thread is what the main thread did
after the last worker, less an equal share of the work that all threads did. On many cores, a run should take the time of
its serial parts, plus that of the longest lane or all work divided by the cores, whichever is more. If the machine has the
cores, measured times are shown, too. Ends with 1 if something fails or misses its minimum.
"""
import os
import shutil
import statistics
import subprocess
import time
from pathlib import Path

from measure.processes import Failed
from measure.race import Verdicts, circumstances, generate, table

WORK = Path(__file__).resolve().parents[3] / ".build" / "measure"
# The names of threads, as the engine gives them (Sources/Threads).
LANES = ["stored digest", "checksums", "text digest", "report digest", "refundables"]
WORKER, TASKS = "worker", "tasks"


def add_options(parser, add_sizes, add_settle):
    add_sizes(parser, payments=200_000, runs=11)
    add_settle(parser)


def parts_of_run(settle, batch, threads, ledger):
    """Seconds of processor time of each part of a run and of the whole, and its wall seconds."""
    output, kept = WORK / "settled", WORK / "lanes.sqlite"
    shutil.rmtree(output, ignore_errors=True)
    for file in (kept, WORK / "lanes.sqlite-lock"):
        file.unlink(missing_ok=True)
    command = [settle, "run", batch, "--threads", threads, "--output", output, *(["--ledger", kept] if ledger else [])]
    return parts_of(*thread_times([str(word) for word in command]), threads)


def show(settle, batch, runs, verdicts):
    found = {}
    for ledger in (False, True):
        tried = [parts_of_run(settle, batch, 4, ledger) for _ in range(runs + 1)][1:]
        parts = sorted(tried, key=lambda run: run["whole"])[len(tried) // 2]
        # What a thread did after the last look at it belongs to no part.
        if not -0.005 <= parts["not seen"] <= (0.1 if verdicts.judges else 0.5) * parts["whole"] + 0.02:
            raise Failed(f"{parts['not seen']:.4f} s of {parts['whole']:.4f} s of processor time were not seen")
        for name in ("workers", "stored digest", "checksums", "report digest"):
            if parts[name] == 0:
                raise Failed(f"no time of {name} was seen: do the names here fit those in the engine?")
        found[ledger] = parts
        verdicts.judge(f"longest lane and end, of a run's processor time, {'with' if ledger else 'without'} a ledger",
                       (max(parts[lane] for lane in LANES) + parts["end, one thread"]) / parts["whole"],
                       *((0.08, 0.12) if ledger else (0.06, 0.09)))
    table(["part", "without a ledger, s", "share", "with a new one, s", "share"],
          [[name] + [cell for parts in found.values()
                     for cell in (f"{parts[name]:.3f}", f"{parts[name] / parts['whole']:.1%}")]
           for name in found[False] if name != "wall"])
    rows = []
    for cores in (1, 2, 4, 8, 16, 32):
        row = [f"{predicted(parts, 1) / predicted(parts, cores):.1f}x" for parts in found.values()]
        for ledger in found if cores <= os.cpu_count() else ():
            walls = [parts_of_run(settle, batch, cores, ledger)["wall"] for _ in range(runs)]
            row.append(f"{statistics.median(walls):.3f}")
        rows.append([str(cores), *row, *["-"] * (4 - len(row))])
    table(["cores", "gain without a ledger", "with one", "measured s without", "with"], rows)


def thread_times(command):
    """Runs a command and looks at its threads again and again. Returns its whole processor seconds, its wall seconds, and
    of each look the seconds so far of the main thread ("") and of all threads that had the same name."""
    start = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    known, spent, looks = {}, {}, []
    while True:
        ended, status, usage = os.wait4(child.pid, os.WNOHANG)
        if ended:
            break
        try:
            threads = os.listdir(f"/proc/{child.pid}/task")
        except OSError:
            continue
        for thread in threads:
            try:
                with open(f"/proc/{child.pid}/task/{thread}/schedstat", encoding="ascii") as file:
                    now = int(file.read().split()[0]) / 1e9
                with open(f"/proc/{child.pid}/task/{thread}/comm", encoding="ascii") as file:
                    name = "" if int(thread) == child.pid else file.read().strip()
            except OSError:
                continue  # It has just ended.
            # Threads that end are used again, under another name.
            spent[name] = spent.get(name, 0) + now - known.get(thread, 0)
            known[thread] = now
        looks.append(dict(spent))
        time.sleep(0.0005)
    wall = time.monotonic() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    with child.stderr as errors:
        if child.returncode != 0:
            raise Failed(f"ended with {child.returncode}: {errors.read().decode().strip()}")
    return usage.ru_utime + usage.ru_stime, wall, looks


def parts_of(whole, wall, looks, threads):
    """The seconds of each part of a run, by the looks at its threads."""
    last = looks[-1] if looks else {}
    at_work = [look for before, look in zip([{}] + looks, looks) if look.get(WORKER, 0) > before.get(WORKER, 0)]
    first, behind = (at_work[0], at_work[-1]) if at_work else (last, last)
    starting, main_at_end = first.get("", 0), last.get("", 0) - behind.get("", 0)
    tasks = last.get(TASKS, 0)
    own = min(main_at_end, tasks / (threads - 1)) if threads > 1 else 0
    parts = {"starting": starting, "workers": behind.get("", 0) - starting + last.get(WORKER, 0)}
    parts |= {lane: last.get(lane, 0) for lane in LANES}
    parts |= {"end, one thread": main_at_end - own, "end, all threads": tasks + own}
    return {**parts, "not seen": whole - sum(parts.values()), "whole": whole, "wall": wall}


def predicted(parts, cores):
    """The seconds that a run should take on this number of cores."""
    work = parts["workers"] + sum(parts[lane] for lane in LANES)
    return (parts["starting"] + parts["end, one thread"] + parts["end, all threads"] / cores
            + max(work / cores, *(parts[lane] for lane in LANES)))


def main(arguments, is_test=False):
    verdicts, load, settle = Verdicts(is_test), os.getloadavg()[0], arguments.settle.resolve()
    try:
        shutil.rmtree(WORK, ignore_errors=True)
        WORK.mkdir(parents=True)
        # A run must be long enough to be looked at while it lasts.
        batch = generate(settle, WORK / "lanes.jsonl.lz4", max(arguments.payments, 20_000))
        show(settle, batch, arguments.runs, verdicts)
    finally:
        shutil.rmtree(WORK, ignore_errors=True)
    circumstances(arguments, load)
    verdicts.show()
    return 1 if verdicts.missed else 0
