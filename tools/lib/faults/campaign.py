"""What the parts of tools/faults share: the batches, a run, and what must be true after it."""
import collections
import hashlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from faults.driver import EXIT_CODES, Driver

REPORTS = [
    "SHA256SUMS", "control.csv", "exceptions.csv", "preapprovals.csv", "receivers.csv", "refunds.csv", "settlement.csv",
    "summary.json", "totals.csv",
]
SIGNALLED = {129, 130, 143}
# The exit codes of a process that the system kills, or that gets no memory.
ENDS = {signal.SIGKILL, signal.SIGILL, signal.SIGTRAP, signal.SIGABRT, signal.SIGSEGV}
BATCH = "batch.lz4"
OTHER = "other.lz4"
OUTPUT = "out"
PARTIAL = ".out.partial"
LINK = ".out.ledger"
LEDGER = "ledger.db"
PLACES = rf"\bout\b|batch\.lz4|made\.jsonl|payees\.csv|debtor\.json|terms\.csv|returned\.csv|adjustments\.csv|^settle: error: (\.|{tempfile.gettempdir()}(/settle)?): |standard output|ledger\.db|(payouts|terms|bookings)/base\b"


class Complaints(list):
    def add(self, is_wrong, complaint):
        if is_wrong:
            self.append(complaint)


# The expected result of a batch, from a run without faults.
Reference = collections.namedtuple("Reference", "batch code files")


class Campaign(Driver):
    def __init__(self, settle, work, jobs, ledger, kind="kept"):
        """The kind of ledger, if any, is kept (it has an earlier night), new, or adopt (new, and the reports exist)."""
        super().__init__(settle, work)
        self.jobs, self.ledger, self.kind = jobs, ledger, kind
        self.lock = threading.Lock()
        self.cases, self.complaints = 0, []
        self.prepare()

    def prepare(self):
        # The ledger knows a night before, of which the small batch refunds payments.
        self.first = None
        if self.ledger and self.kind == "kept":
            first = self.make_reference("first", payments=120, defects="0.05", seed=12)
            self.first = first.batch.parent / LEDGER
        # The small one makes few calls, so that each can fail; the large one takes long enough to be killed.
        self.old = self.make_reference("old", payments=40, defects="0.1", seed=11)
        self.small = self.make_reference("small", payments=120, defects="0.05", seed=12, night=2)
        self.large = self.make_reference("large", payments=20000, defects="0.01", seed=13)
        self.other = self.make_reference("other", payments=15000, defects="0.01", seed=14, file=OTHER)

    def empty(self, name):
        """A folder with the ledger of the earlier night, if there is one."""
        folder = self.work / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        if self.first:
            for ending in ("", "-lock"):
                shutil.copyfile(f"{self.first}{ending}", folder / (LEDGER + ending))
        return folder

    def make_reference(self, name, payments, defects, seed, file=BATCH, night=1):
        folder = self.empty(name)
        subprocess.run(
            [self.settle, "generate", "--payments", str(payments), "--seed", str(seed), "--defects", defects,
             "--features", "refunds,preapprovals", "--night", str(night), "--of", "2", "--output", file],
            cwd=folder, check=True, stderr=subprocess.DEVNULL)
        outcome = self.run(folder, self.arguments(batch=file))
        assert outcome.code == 1, f"the {name} batch: exit code {outcome.code}: {outcome.err}"
        files = contents(folder / OUTPUT)
        assert sorted(files) == REPORTS and sums_hold(files), f"the {name} batch: {sorted(files)}"
        return Reference(folder / file, outcome.code, files)

    def folder(self, name, batch, before):
        """A folder with a batch in it, and with the old reports if `before` says so."""
        folder = self.empty(name)
        self.fill(folder, batch, before)
        return folder

    def fill(self, folder, batch, before):
        if before == "old":
            place(self.old.batch, folder / BATCH)
            # Without a ledger: reports that a ledger knows are not replaced.
            outcome = self.run(folder, self.arguments(ledger=False))
            assert outcome.code == self.old.code, outcome.err
            (folder / BATCH).unlink()
        if before == "new":
            shutil.copytree(batch.batch.parent / OUTPUT, folder / OUTPUT)
        place(batch.batch, folder / BATCH)

    def arguments(self, replace=False, batch=BATCH, ledger=True):
        # From three threads on, lanes take part of the work.
        arguments = ["run", batch, "--output", OUTPUT, "--threads", "3" if self.ledger else "2"]
        if self.kind == "adopt":
            arguments.append("--adopt")
        elif replace:
            arguments.append("--replace")
        if self.ledger and ledger:
            arguments += ["--ledger", LEDGER]
        return arguments

    def start(self, folder, arguments=None, **how):
        return super().start(folder, arguments or self.arguments(), **how)

    def tried(self, batch, before, running, **judging):
        """The body of a case: runs the batch in a folder of its own, replaces old reports, and judges the result."""
        def body(name):
            folder = self.folder(name, batch, before)
            return self.judge(folder, batch, before, self.run(folder, self.arguments(before == "old"), **running), **judging)

        return body

    def counts(self, batch, before, **since):
        """How often a run makes each call."""
        folder = self.folder("counted", batch, before)
        self.run(folder, self.arguments(before == "old"), env=self.fault(counts=folder / "counts", **since))
        return read_counts(folder / "counts")

    def state(self, folder, reference):
        """The state of the output: absent, old, new, or what is wrong with it."""
        output = folder / OUTPUT
        if not os.path.lexists(output):
            return "absent"
        if output.is_symlink() or not output.is_dir():
            return "no directory"
        files = contents(output)
        sizes = ", ".join(f"{name} {len(data)}" for name, data in sorted(files.items()))
        return "new" if files == reference.files else "old" if files == self.old.files else f"neither old nor new: {sizes}"

    def judge(self, folder, reference, before, outcome, killed=False, may_leave=False, wrong=None, speechless=False):
        """What is wrong after a run with a fault; then the next run must put it right."""
        found = Complaints()
        code, state = outcome.code, self.state(folder, reference)
        was_killed = killed and code < 0
        self.judge_end(outcome, EXIT_CODES - {64} | SIGNALLED, killed, found)
        if code in (0, 1):
            found.add(code != reference.code, f"exit code {code}, expected {reference.code}")
            found.add(state != "new", f"success, but at the output: {state}")
        elif was_killed:
            found.add(state not in (before, "new"), f"at the output, where it was {before}: {state}")
        else:
            found.add(state != before and b" is complete, but may be lost " not in outcome.err,
                      f"failure, but at the output, where it was {before}: {state}")
        left = self.left(folder)
        # If the ledger can no longer be read, it is undecided whether the run was entered.
        undecided = self.ledger and b"the next run with this ledger completes this one or clears it away" in outcome.err
        may_leave = may_leave or undecided or was_killed
        found.add(not set(left) <= ({PARTIAL, LINK} if may_leave else set()), f"left behind: {', '.join(left)}")
        made = [name for name in (LEDGER, LEDGER + "-lock", LEDGER + "-journal") if (folder / name).exists()]
        found.add(self.kind != "kept" and made and code not in (0, 1) and not may_leave,
                  f"a run that enters nothing leaves {', '.join(made)}")
        if state == "new":
            for path, mode in [(folder / OUTPUT, 0o700), *((file, 0o600) for file in (folder / OUTPUT).iterdir())]:
                is_mode = path.stat().st_mode & 0o777
                found.add(is_mode != mode, f"{path.name}: mode {is_mode:o}")
        if not speechless and not was_killed:
            self.judge_words(outcome, found, wrong)
        self.judge_next(folder, reference, state, found)
        return found

    @staticmethod
    def judge_end(outcome, codes, killed, found):
        found.add(outcome.hung, "it hangs")
        found.add(not outcome.hung and outcome.code < 0 and not (killed and -outcome.code in ENDS),
                  f"it crashes: signal {-outcome.code}")
        found.add(outcome.code >= 0 and outcome.code not in codes, f"exit code {outcome.code}")

    def left(self, folder):
        known = {BATCH, OTHER, OUTPUT, "counts", "lost+found"}
        known |= {LEDGER + suffix for suffix in ("", "-wal", "-shm", "-journal", "-lock")}
        return sorted(set(os.listdir(folder)) - known)

    @staticmethod
    def judge_words(outcome, found, wrong):
        text = outcome.err.decode("utf-8", "replace")
        found.add(re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", text), f"control characters on standard error: {text!r}")
        found.add(re.search("Fatal error|Backtrac|BUG", text), f"words of a crash: {text[:300]!r}")
        if outcome.code < 64 or outcome.code >= 128:
            return
        # A warning comes first if no ledger is given, or a new one is made.
        text = re.sub(r"\Asettle: warning: (no ledger given|new ledger)[^\n]*\n", "", text)
        # The commands that settle it are on lines of their own. A file of options that reads as empty has a finding instead.
        lines = r"settle: error: [^\n]+\n(  settle [^\n]+\n)*|[^\s:]+: error: INVALID_[A-Z]+: [^\n]+\n"
        found.add(not re.fullmatch(lines, text), f"not one line of text: {text!r}")
        # Errors within SQLite have its own words.
        is_said = not wrong or re.search(f"{re.escape(wrong)}|the ledger cannot be read|or cannot be read|open the ledger", text)
        found.add(not is_said, f"it does not say what went wrong ({wrong}): {text!r}")
        found.add(not re.search(PLACES, text), f"it does not say where: {text!r}")

    def judge_next(self, folder, reference, state, found, batch=BATCH):
        """The next run, without a fault, must give the same bytes and leave nothing behind."""
        outcome = self.run(folder, self.arguments(state != "absent", batch))
        after, left = self.state(folder, reference), self.left(folder)
        found.add(outcome.code != reference.code or after != "new",
                  f"the next run: exit code {outcome.code}, at the output: {after}: {outcome.err.decode()}")
        found.add(left, f"the next run leaves: {', '.join(left)}")
        if self.ledger:
            self.judge_ledger(folder, reference, found, batch)

    def judge_ledger(self, folder, reference, found, batch):
        """The run must be in the ledger once: run again, it says so, writes nothing and ends as before. The whole ledger
        must be as it was written, and without its file nothing is settled."""
        self.judge_again(folder, reference, found, "already settled by run", self.arguments(True, batch))
        found.add(self.state(folder, reference) != "new", "a repeated run changes the output")
        history = self.run(folder, ["history", "--ledger", LEDGER, "--format", "jsonl"])
        rows = history.out.decode().splitlines()
        distinct = {re.sub(r'"(number|run|time)":[^,}]*', "", row) for row in rows}
        found.add(history.code != 0 or not rows or len(distinct) != len(rows),
                  f"the history, exit code {history.code}, has {len(rows)} runs, {len(distinct)} of them distinct")
        self.judge_verified(folder, found, ["ledger", "verify", LEDGER])
        # With --adopt it would be made again.
        self.judge_lost(folder, found, [word for word in self.arguments(True, batch) if word != "--adopt"])

    def judge_again(self, folder, reference, found, words, arguments):
        again = self.run(folder, arguments)
        found.add(again.code != reference.code or words not in again.text, f"again: exit code {again.code}: {again.text}")

    def judge_verified(self, folder, found, arguments):
        verified = self.run(folder, arguments)
        found.add(verified.code != 0, f"{' '.join(arguments[:2])}: {verified.text}")

    def judge_lost(self, folder, found, arguments):
        """Without the file of the ledger, nothing is done."""
        (folder / LEDGER).unlink()
        lost = self.run(folder, arguments)
        found.add(lost.code != 74 or "the ledger is gone" not in lost.text or (folder / LEDGER).exists(),
                  f"a lost ledger: exit code {lost.code}: {lost.text}")

    def section(self, title, cases, jobs=None):
        """Tries cases, several at a time; a case is a name and a function that returns its complaints."""
        begun = time.monotonic()
        cases = list(cases)

        def attempt(case):
            name, body = case
            with self.lock:
                self.cases += 1
                folder = f"case-{self.cases}"
            try:
                found = body(folder)
            except Exception as error:  # a case that cannot be tried is also a complaint
                found = [f"{type(error).__name__}: {error}"]
            shutil.rmtree(self.work / folder, ignore_errors=True)
            with self.lock:
                for complaint in (" ".join(complaint.split()) for complaint in found):
                    self.complaints.append(f"{title}: {name}: {complaint}")
                    print(f"  WRONG {name}: {complaint}", flush=True)

        with ThreadPoolExecutor(jobs or self.jobs) as pool:
            list(pool.map(attempt, cases))
        print(f"{title}: {len(cases)} cases, {time.monotonic() - begun:.0f} s", flush=True)

    def skip(self, title, reason):
        print(f"{title}: skipped: {reason}", flush=True)


def read_counts(file):
    """How often a process made each call, from the shim's file."""
    return {name: int(count) for name, count in map(str.split, file.read_text().splitlines())}


def contents(directory):
    return {entry.name: Path(entry.path).read_bytes() for entry in os.scandir(directory)}


def sums_hold(files):
    """Whether SHA256SUMS has the right digest of every other file."""
    lines = [f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files) if name != "SHA256SUMS"]
    return files.get("SHA256SUMS") == "".join(lines).encode()


def place(file, path):
    """Gives the same file another name."""
    try:
        os.link(file, path)
    except OSError:
        shutil.copy2(file, path)
