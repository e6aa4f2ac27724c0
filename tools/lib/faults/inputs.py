"""A batch file that changes while it is read."""
import os
import signal

from faults.campaign import BATCH, place
from faults.moments import wait_until_stopped


def written(batch, mode, at, content):
    with open(batch, mode) as file:
        file.seek(*at)
        file.write(content)


def replaced(batch, _):
    batch.with_name("another").write_bytes(b"{}\n")
    batch.with_name("another").rename(batch)


# Changes of a batch, by half of its size; the last two do not change the opened file.
CHANGES = {
    "cut": os.truncate,
    "emptied": lambda batch, _: os.truncate(batch, 0),
    "grown": lambda batch, _: written(batch, "ab", (0, os.SEEK_END), b"{}\n"),
    "rewritten": lambda batch, half: written(batch, "r+b", (half,), b"\n"),
    "replaced": replaced,
    "removed": lambda batch, _: batch.unlink(),
}


def changes(campaign, reads_tried, generator):
    """Each change before each read: the run reads what it opened, or ends and says why not."""
    # Swift's own reads come before the batch is opened.
    since = {"from": BATCH}
    reads = campaign.counts(campaign.large, "absent", **since)["read"]
    for kind, change in CHANGES.items():
        # A run with a ledger reads the batch's beginning first, and again at the end: it may find another batch there.
        tried = range(8, reads - 3) if campaign.ledger else range(1, reads + 1)
        for at in sorted(generator.sample(tried, min(len(tried), reads_tried))):

            def body(name, kind=kind, change=change, at=at):
                folder = campaign.folder(name, campaign.large, "absent")
                batch = folder / BATCH
                # A copy: the file of other cases must not change.
                data = batch.read_bytes()
                batch.unlink()
                batch.write_bytes(data)
                process = campaign.start(folder, env=campaign.fault(call="read", at=at, kind="stop", **since))
                words = None
                # The number of reads differs a little between runs.
                if wait_until_stopped(process):
                    change(batch, len(data) // 2)
                    words = None if kind in ("replaced", "removed") else "while it was read"
                process.send_signal(signal.SIGCONT)
                outcome = campaign.finish(process)
                batch.unlink(missing_ok=True)
                place(campaign.large.batch, batch)
                complaints = []
                expected = {74 if words else campaign.large.code}
                if campaign.ledger:
                    expected |= {campaign.large.code, 66, 74}
                if outcome.code not in expected:
                    complaints.append(f"exit code {outcome.code}, expected {expected}")
                words = words if outcome.code == 74 else None
                return complaints + campaign.judge(folder, campaign.large, "absent", outcome, wrong=words)

            yield f"{kind} before read {at}", body
