"""Running and measuring a command with its children."""
import os
import re
import subprocess
import sys
import threading
import time


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
