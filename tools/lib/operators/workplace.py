"""A folder in which an operator works. Everything done there is logged as shell commands, to be repeated by hand."""
import os
import shlex
import subprocess

from faults.driver import EXIT_CODES, ROOT


class Fault(Exception):
    """The engine broke a promise, or a sequence had another outcome than expected."""


class Workplace:
    def __init__(self, driver, root):
        self.driver, self.root = driver, root
        root.mkdir(parents=True)
        self.log = []

    def sh(self, line):
        self.log.append(line)
        done = subprocess.run(
            ["bash", "-c", line], cwd=self.root, env={**os.environ, "REPO": str(ROOT)}, capture_output=True, text=True,
            check=False)
        if done.returncode:
            raise OSError(f"{line}: {done.stderr.strip()}")

    def write(self, path, text):
        self.log.append(f"cat >{path} <<'END'\n{text}END")
        (self.root / path).write_text(text)

    def settle(self, arguments, kill=None):
        """Runs a command; `kill` is the call of the C library, its number and kind, at which it is killed (shim.c)."""
        words, environment = shlex.join(["settle", *arguments]), self.driver.fault(*kill) if kill else None
        if kill:
            words = f"LD_PRELOAD=$shim FAULT='{environment['FAULT']}' {words}"
        self.log.append(words)
        outcome = self.driver.run(self.root, arguments, env=environment)
        if outcome.hung:
            raise Fault(f"{words}: it hangs")
        self.log += [f"# {line}" for line in [f"exit {outcome.code}", *outcome.err.decode("utf-8", "replace").splitlines()]]
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
