"""Interruptions at any moment: kill -9, signals, and other runs on the same output."""
import contextlib
import os
import signal
import threading
import time
from pathlib import Path

from faults.campaign import BATCH, OTHER, OUTPUT, Complaints, contents, place, sums_hold

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]
# A quiet machine must need at most a second; a slow or busy one needs more.
SOON = 5.0


def signalled(campaign, before, count, generator, signals):
    """Signals at random moments, including SIGKILL."""
    # The time of an undisturbed run, and a little more.
    most = 1.2 * campaign.run(campaign.folder("timed", campaign.large, "absent")).seconds
    for _ in range(count):
        delay, number = generator.uniform(0, most), generator.choice(signals)
        yield f"{before}: {number.name} after {delay:.4f} s", sent(
            campaign, campaign.large, before, number, lambda _, delay=delay: time.sleep(delay))


def signalled_at_calls(campaign, before):
    """A signal right before each call: the process is stopped there, gets the signal and is continued."""
    for at in range(1, campaign.counts(campaign.small, before)["any"] + 1):
        number = SIGNALS[at % len(SIGNALS)]
        yield f"{before}: {number.name} at call {at}", sent(
            campaign, campaign.small, before, number, wait_until_stopped, env=campaign.fault("any", at, "stop"))


def sent(campaign, batch, before, number, wait, env=None):
    """The body of a case: sends a signal to a run."""
    def body(name):
        folder = campaign.folder(name, batch, before)
        process = campaign.start(folder, campaign.arguments(before == "old"), env=env)
        wait(process)
        process.send_signal(number)
        process.send_signal(signal.SIGCONT)
        outcome = campaign.finish(process)
        if number == signal.SIGKILL:
            return campaign.judge(folder, batch, before, outcome, killed=True)
        return judge_signal(campaign, folder, batch, before, outcome, number)

    return body


def wait_until_stopped(process):
    """Waits until the process has stopped itself, or has ended; returns whether it has stopped."""
    for _ in range(30000):
        state = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        if state in "TZX":
            return state == "T"
        time.sleep(0.002)
    raise TimeoutError("it neither stopped nor ended")


def judge_signal(campaign, folder, reference, before, outcome, number):
    found, state = Complaints(), campaign.state(folder, reference)
    # A signal before main() has its default action.
    if outcome.code == -number:
        outcome = outcome._replace(code=128 + number)
    found.add(outcome.seconds > SOON, f"it takes {outcome.seconds:.1f} s to end")
    found.add(outcome.code not in (128 + number, reference.code), f"exit code {outcome.code}")
    found.add(campaign.kind != "adopt" and (outcome.code == reference.code) != (state == "new"),
              f"exit code {outcome.code}, but at the output: {state}")
    return found + campaign.judge(folder, reference, before, outcome)


def crowds(campaign, rounds, replace):
    """Eight runs at once on one output: one wins, or each in turn; the others must say so."""
    for number in range(rounds):

        def body(name):
            folder = campaign.folder(name, campaign.large, "old" if replace else "absent")
            place(campaign.other.batch, folder / OTHER)
            watch = Watch(folder / OUTPUT, replace)
            processes = []
            for runner in range(8):
                batch = OTHER if runner % 2 else BATCH
                processes.append(campaign.start(folder, campaign.arguments(replace=replace, batch=batch)))
                time.sleep(0.02 * (runner % 3))
            outcomes = [campaign.finish(process) for process in processes]
            return watch.end() + judge_crowd(campaign, folder, outcomes, replace, campaign.large)

        yield f"{'replacing' if replace else 'new'}, round {number}", body


def overtaken(generator, campaign, before):
    """Stops a run right before each call, then another on the same output at some call; continues the first, then the other."""
    replace = before == "old"
    calls = campaign.counts(campaign.small, before)["any"]
    for at in range(1, calls + 1):

        def body(name, at=at, other_at=generator.randint(1, calls + 10)):
            folder = campaign.folder(name, campaign.small, before)
            place(campaign.other.batch, folder / OTHER)
            runs = []
            for batch, number in ((BATCH, at), (OTHER, other_at)):
                runs.append(campaign.start(
                    folder, campaign.arguments(replace=replace, batch=batch),
                    env=campaign.fault(call="any", at=number, kind="stop")))
                wait_until_stopped(runs[-1])
            outcomes = []
            for process in runs:
                process.send_signal(signal.SIGCONT)
                outcomes.append(campaign.finish(process))
            return judge_crowd(campaign, folder, outcomes, replace, campaign.small)

        yield f"{before}: overtaken at call {at}", body


def judge_crowd(campaign, folder, outcomes, replace, reference):
    found = Complaints()
    codes = sorted(outcome.code for outcome in outcomes)
    # With a ledger, a later run of the same batch finds it settled, and ends with the first one's code.
    first = [outcome for outcome in outcomes if b"already settled by run" not in outcome.out]
    winners = [outcome for outcome in first if outcome.code == reference.code]
    # Reports of a run with a ledger are not replaced by those of another batch.
    losing = (75,) if replace and not campaign.ledger else (73, 75)
    found.add(any(outcome.hung for outcome in outcomes), "one hangs")
    found.add(not winners or (len(winners) > 1 and not replace) or not set(codes) <= {reference.code, *losing},
              f"exit codes {codes}")
    for outcome in outcomes:
        campaign.judge_words(outcome, found, None)
    files = contents(folder / OUTPUT) if (folder / OUTPUT).exists() else {}
    found.add(files not in (reference.files, campaign.other.files),
              f"neither batch's reports are at the output: {sorted(files)}")
    found.add(campaign.left(folder), f"left behind: {', '.join(campaign.left(folder))}")
    if campaign.ledger and files == campaign.other.files:
        campaign.judge_next(folder, campaign.other, "new", found, OTHER)
    else:
        campaign.judge_next(folder, reference, "new", found)
    return found


class Watch:
    """Checks an output again and again while runs work on it: it must be complete whenever it exists."""

    def __init__(self, output, must_exist):
        self.output, self.must_exist, self.complaints = output, must_exist, []
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.look_on)
        self.thread.start()

    def end(self):
        self.ended.set()
        self.thread.join()
        return self.complaints[:1]

    def look_on(self):
        while not self.ended.wait(0.001):
            self.look()

    def look(self):
        try:
            directory = os.open(self.output, os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:
            if self.must_exist:
                self.complaints.append("for a moment nothing is at the output")
            return
        is_whole, is_replaced = False, True
        with contextlib.suppress(FileNotFoundError):
            is_whole = sums_hold(contents(f"/proc/self/fd/{directory}"))
        # Reports that have just been replaced are being removed.
        with contextlib.suppress(FileNotFoundError):
            is_replaced = not os.path.samestat(os.fstat(directory), os.stat(self.output))
        os.close(directory)
        if not is_whole and not is_replaced:
            self.complaints.append("for a moment half reports are at the output")
