"""Shared by the measuring tools: running and measuring a command, tables, the machine."""
import os
import re
import subprocess
import sys
import threading
import time


# What a run must remember, from ARCHITECTURE.md with the tables at their emptiest: bytes per pay key, and per row of
# receivers.csv in addition to its text. And what else may be used, in MB.
PAY_KEY, ACCOUNT, REST = 43, 48 + 11, 120


class Failed(Exception):
    """A program ended with an error; this is its last line."""


def say(text):
    print(text, file=sys.stderr, flush=True)


def output_of(command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failed((done.stderr.strip() or f"ended with {done.returncode}").splitlines()[-1])
    return done.stdout


def peaks(process, known):
    """Records each descendant's highest resident size so far, in KiB."""
    try:
        with open(f"/proc/{process}/status", encoding="ascii", errors="replace") as file:
            found = re.search(r"VmHWM:\s+(\d+)", file.read())
        if found:
            known[process] = int(found[1])
        with open(f"/proc/{process}/task/{process}/children", encoding="ascii") as file:
            children = file.read().split()
    except OSError:
        return
    for child in children:
        peaks(int(child), known)


def measure(command, log):
    """Wall and CPU seconds and peak MB of a command with all its children, and its exit status."""
    known, ended = {}, threading.Event()
    start = time.monotonic()
    child = subprocess.Popen([str(part) for part in command], stdout=log, stderr=log, stdin=subprocess.DEVNULL)

    def watch():
        while not ended.wait(0.05):
            peaks(child.pid, known)

    watcher = threading.Thread(target=watch)
    watcher.start()
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.monotonic() - start
    ended.set()
    watcher.join()
    child.returncode = os.waitstatus_to_exitcode(status)
    known[child.pid] = max(known.get(child.pid, 0), usage.ru_maxrss if len(known) < 2 else 0)
    peak = max(sum(known.values()), usage.ru_maxrss) * 1024 / 1e6
    return (wall, usage.ru_utime + usage.ru_stime, peak), child.returncode


def memory_bound(pay_keys, receivers):
    """The MB that a run may take for a number of pay keys and a receivers.csv, and the number of its rows."""
    rows = text = 0
    with open(receivers, "rb") as file:
        next(file)
        for line in file:
            rows += 1
            text += len(b",".join(line.split(b",", 2)[:2]))
    return REST + (pay_keys * PAY_KEY + rows * ACCOUNT + text) / 1e6, rows


def table(header, rows):
    print(f"\n| {' | '.join(header)} |\n|{'---|' * len(header)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")


def machine():
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        model = re.search(r"model name\s*: (.*)", file.read())
    return f"{os.cpu_count()} cores, {model[1] if model else 'unknown processor'}"
