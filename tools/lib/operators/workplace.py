"""A folder in which an operator works. Everything done there is logged as shell commands, to be repeated by hand."""
import collections
import os
import shlex
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPO = HERE.parents[2]
SHIM = HERE.parent / "faults" / "shim.c"
# Every exit code that settle documents for the commands used here; a process that is killed has a negative one.
EXIT_CODES = {0, 1, 2, 3, 64, 66, 73, 74, 75, 78}

Outcome = collections.namedtuple("Outcome", "code text")


class Fault(Exception):
    """The engine broke a promise, or a sequence had another outcome than expected."""


class Workplace:
    def __init__(self, settle, shim, root):
        self.binary, self.shim, self.root = settle, shim, root
        root.mkdir(parents=True)
        self.log = []

    def sh(self, line):
        self.log.append(line)
        done = subprocess.run(
            ["bash", "-c", line], cwd=self.root, env={**os.environ, "REPO": str(REPO)}, capture_output=True, text=True,
            check=False)
        if done.returncode:
            raise OSError(f"{line}: {done.stderr.strip()}")

    def write(self, path, text):
        self.log.append(f"cat >{path} <<'END'\n{text}END")
        (self.root / path).write_text(text)

    def settle(self, arguments, kill=None):
        """Runs a command; `kill` is the call of the C library at which it is killed, as tools/lib/faults/shim.c takes it."""
        words = shlex.join(["settle", *arguments])
        environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no"}
        if kill:
            environment |= {"LD_PRELOAD": str(self.shim), "FAULT": kill}
            words = f"LD_PRELOAD=$shim FAULT='{kill}' {words}"
        self.log.append(words)
        try:
            done = subprocess.run(
                [self.binary, *arguments], cwd=self.root, env=environment, stdin=subprocess.DEVNULL,
                capture_output=True, text=True, errors="replace", check=False, timeout=120)
        except subprocess.TimeoutExpired as error:
            raise Fault(f"{words}: it hangs") from error
        outcome = Outcome(done.returncode, done.stdout + done.stderr)
        self.log += [f"# {line}" for line in [f"exit {outcome.code}", *done.stderr.splitlines()]]
        killed = kill and outcome.code == -9
        if not killed and outcome.code not in EXIT_CODES:
            raise Fault(f"{words}: exit {outcome.code}: {outcome.text}")
        return outcome

    def script(self, title):
        """The log as a script for bash. A kill may come a call earlier or later, because threads take turns."""
        head = [
            "#!/bin/bash", f"# {title}",
            '# Repeats what the operator did. SETTLE: the command; REPO: the root of the project.',
            ': "${REPO:?}"; settle() { "${SETTLE:-settle}" "$@"; }', 'cd "$(mktemp -d)"', "set -x",
        ]
        if any("$shim" in line for line in self.log):
            head.insert(5, 'shim=$PWD/shim.so; cc -shared -fPIC -o "$shim" "$REPO"/tools/lib/faults/shim.c')
        return "\n".join([*head, *self.log, ""])
