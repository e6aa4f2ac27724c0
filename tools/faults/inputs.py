"""A batch file that changes while it is read."""
import os
import signal

from campaign import BATCH, place
from moments import wait_until_stopped

# What is said of the first four; the other two leave what was opened as it is.
CHANGED = "while it was read"


def cut(batch, size):
    os.truncate(batch, size)
    return CHANGED


def emptied(batch, _):
    os.truncate(batch, 0)
    return CHANGED


def grown(batch, _):
    with open(batch, "ab") as file:
        file.write(b"{}\n")
    return CHANGED


def rewritten(batch, size):
    with open(batch, "r+b") as file:
        file.seek(size)
        file.write(b"\n")
    return CHANGED


def replaced(batch, _):
    other = batch.with_name("another")
    other.write_bytes(b"{}\n")
    os.rename(other, batch)


def removed(batch, _):
    os.unlink(batch)


def changes(campaign, reads_tried, generator):
    """Each change before each read; what was opened is read, or the run ends and says why not."""
    # The language's own reads come before the batch is opened.
    since = {"from": BATCH}
    reads = campaign.counts(campaign.large, "absent", **since)["read"]
    for change in (cut, emptied, grown, rewritten, replaced, removed):
        # A run with a ledger looks at the batch's beginning first, and once more at the end: it may find another batch there.
        tried = range(8, reads - 3) if campaign.ledger else range(1, reads + 1)
        for at in sorted(generator.sample(tried, min(len(tried), reads_tried))):

            def body(name, change=change, at=at):
                folder = campaign.folder(name, campaign.large, "absent")
                batch = folder / BATCH
                # A copy: the others' is not to be changed.
                data = batch.read_bytes()
                batch.unlink()
                batch.write_bytes(data)
                process = campaign.start(folder, env=campaign.fault(call="read", at=at, kind="stop", **since))
                # How often it reads differs a little from run to run.
                words = change(batch, len(data) // 2) if wait_until_stopped(process) else None
                process.send_signal(signal.SIGCONT)
                outcome = campaign.finish(process)
                batch.unlink(missing_ok=True)
                place(campaign.large.batch, batch)
                complaints = []
                expected = {74 if words else campaign.large.code}
                if campaign.ledger:
                    expected |= {campaign.large.code, 66, 74}
                if outcome.code not in expected:
                    complaints.append(f"exit code {outcome.code} where {expected} is due")
                words = words if outcome.code == 74 else None
                return complaints + campaign.judge(folder, campaign.large, "absent", outcome, wrong=words)

            yield f"{change.__name__} before read {at}", body
