"""Limits: a full file system, the size of files, the number of files, memory."""
import contextlib
import os
import subprocess
from pathlib import Path

from faults.campaign import BATCH
from faults.power import mounted, sh


def full(campaign, count, generator):
    """A file system with little room, and with more for the next run."""
    need = sum(len(data) // 4096 + 1 for data in campaign.large.files.values()) * 4
    for number in range(count):
        size = generator.randint(1, need) if number else 1

        def body(name, size=size):
            with mounted("settle-faults", campaign.work / name, "-t", "tmpfs", "-o", f"size={size}k") as mount:
                os.symlink(campaign.large.batch, mount / BATCH)
                outcome = campaign.run(mount)
                sh("mount", "-o", "remount,size=256m", mount)
                complaints = [] if outcome.code in (73, 74) or size > need * 0.9 else [f"exit code {outcome.code}"]
                return complaints + campaign.judge(
                    mount, campaign.large, "absent", outcome, wrong="No space left on device")

        yield f"{size} KiB of room", body


def can_mount(campaign):
    """Whether a file system can be mounted here."""
    try:
        with mounted("settle-faults", campaign.work / "mount", "-t", "tmpfs"):
            return True
    except OSError:
        return False


def least_space(settle):
    """The address space that the command needs to start: with less, the system kills it before its first step."""
    return next(size for size in range(16 << 20, 1 << 30, 2 << 20) if subprocess.run(
        ["prlimit", f"--as={size}", settle, "--version"], capture_output=True, check=False).returncode == 0)


def limited(campaign, count, generator):
    """Limits of the process: the size of files, open files, address space."""
    least = least_space(campaign.settle)
    largest = max(len(data) for data in campaign.large.files.values())
    for number in range(count):
        limit = [
            f"--fsize={generator.randint(0, int(largest * 1.1))}", f"--nofile={generator.randint(3, 24)}",
            f"--as={generator.randint(least, least + (100 << 20))}",
        ][number % 3]
        before = generator.choice(["absent", "old"])

        def body(name, limit=limit, before=before):
            folder = campaign.folder(name, campaign.large, before)
            outcome = campaign.run(folder, campaign.arguments(replace=before == "old"), wrapper=["prlimit", limit, "--"])
            if outcome.code == 127 and b"error while loading shared libraries" in outcome.err:
                return []  # it never started
            wrong = "File too large" if "fsize" in limit else "Too many open files" if "nofile" in limit else None
            return campaign.judge(
                folder, campaign.large, before, outcome, killed="--as" in limit, wrong=wrong)

        yield f"{before}: {limit}", body


@contextlib.contextmanager
def memory_group():
    """A control group whose memory can be limited: its folder and the limit's file; None if it cannot be made."""
    for root, limit in (("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")):
        group = Path(root) / f"settle-faults-{os.getpid()}"
        try:
            group.mkdir()
        except OSError:
            continue
        try:
            if (group / limit).exists():
                yield group, group / limit
                return
        finally:
            group.rmdir()
    yield None


def little_memory(campaign, group, count, generator):
    """Memory that the system promised but does not have: the kernel kills the run, or the run uses less."""
    folder_of_group, limit = group
    for _ in range(count):
        size = generator.randint(2 << 20, 60 << 20)

        def body(name, size=size):
            folder = campaign.folder(name, campaign.large, "absent")
            limit.write_text(str(size))
            outcome = campaign.run(
                folder, wrapper=["sh", "-c", f'echo $$ >{folder_of_group}/cgroup.procs && exec "$@"', "sh"])
            return campaign.judge(folder, campaign.large, "absent", outcome, killed=True)

        yield f"{size >> 10} KiB of memory", body
