"""Power cuts: mounts, checks and uses the disk as it may be after a cut at any moment.

The output is on an ext4 file system on a loop device. Its disk (logged-disk.c) logs what was written to it and when it was
told to make that durable. After a run, disks are made from this log: with everything that was durable at some moment, and
some of the pieces written after that. On each, the output must be absent, old or new, and complete; it must be new if the
run had ended by then.
"""
import contextlib
import functools
import os
import random
import struct
import subprocess
import threading
import time

from faults.campaign import LINK, PARTIAL, Complaints

SIZE = 64 << 20
PIECE = 4096  # a disk writes this many bytes completely or not at all


def sh(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise OSError(f"{command[0]}: {done.stderr.strip() or done.returncode}")
    return done.stdout.strip()


@contextlib.contextmanager
def mounted(device, folder, *options):
    folder.mkdir(exist_ok=True)
    sh("mount", *options, device, folder)
    try:
        yield folder
    finally:
        sh("umount", folder)


def why_not(campaign):
    """Why power cuts cannot be tried here; None if they can."""
    if os.geteuid() != 0:
        return "only root can mount a file system"
    if not os.path.exists("/dev/fuse"):
        return "there is no /dev/fuse"
    try:
        campaign.compile("logged-disk.c", "logged-disk", "-D_FILE_OFFSET_BITS=64", "-I/usr/include/fuse3", "-lfuse3")
        image = campaign.work / "probe.img"
        make_image(image)
        with mounted(image, campaign.work / "probe", "-o", "loop"):
            pass
    except (OSError, subprocess.CalledProcessError) as error:
        return f"no file system can be made and mounted: {error}"
    return None


def make_image(image):
    with open(image, "wb") as file:
        file.truncate(SIZE)
    sh("mkfs.ext4", "-q", "-F", "-J", "size=4", image)


class Recording:
    """What a run did to its disk."""

    def __init__(self, campaign, name, before, options=""):
        self.campaign, self.before, self.reference = campaign, before, campaign.large
        self.image, self.log = campaign.work / f"{name}.img", campaign.work / f"{name}.log"
        make_image(self.image)
        with mounted(self.image, campaign.work / f"{name}-base", "-o", "loop") as folder:
            campaign.fill(folder, self.reference, before)
        self.folder, self.mounting = campaign.work / name, threading.Lock()
        self.record(self.folder, options)
        self.entries = list(self.read())

    def record(self, folder, options):
        server = folder.with_suffix(".disk")
        server.mkdir()
        process = subprocess.Popen([self.campaign.work / "logged-disk", self.image, self.log, server])
        try:
            deadline = time.monotonic() + 60
            while not (server / "disk").exists() and time.monotonic() < deadline:
                time.sleep(0.01)
            loop = sh("losetup", "--find", "--show", server / "disk")
            try:
                with mounted(loop, folder, *(["-o", options] if options else [])):
                    self.begun = self.log.stat().st_size
                    outcome = self.campaign.run(folder, self.campaign.arguments(self.before == "old"))
                    self.ended = self.log.stat().st_size
                    assert outcome.code == self.reference.code, outcome.err
            finally:
                sh("losetup", "--detach", loop)
        finally:
            if os.path.ismount(server):
                for _ in range(100):  # the loop device may be released a moment later
                    if subprocess.run(["umount", server], capture_output=True, check=False).returncode == 0:
                        break
                    time.sleep(0.05)
            process.wait(20)

    def read(self):
        """The log's entries: where in the log each ends, and what was written where; None for a sync."""
        with open(self.log, "rb") as log:
            while kind := log.read(1):
                if kind == b"W":
                    offset, length = struct.unpack("<QI", log.read(12))
                    yield offset, log.read(length), log.tell()
                else:
                    yield None, None, log.tell()

    def moments(self, count, generator):
        """Numbers of entries after which the power is cut: around every sync during the run, and others."""
        during = [at for at, entry in enumerate(self.entries) if entry[2] > self.begun]
        demands = [at for at in during if self.entries[at][0] is None]
        last = next((at for at in during if self.entries[at][2] > self.ended), len(self.entries))
        chosen = {last, *demands, *(at + 1 for at in demands)}
        while len(chosen) < min(count, len(during)):
            chosen.add(generator.choice(during))
        return sorted(generator.sample(sorted(chosen - {last}), min(count - 1, len(chosen) - 1)) + [last])

    def cut(self, image, moment, generator):
        """Makes the disk that a power cut after `moment` entries leaves."""
        durable = max((at for at in range(moment) if self.entries[at][0] is None), default=-1)
        # Whether many or few of the unsynced pieces were written.
        share = generator.choice([0.0, 0.1, 0.5, 0.9, 1.0])
        sh("cp", "--sparse=always", self.image, image)
        with open(image, "r+b") as disk:
            for at, (offset, data, _) in enumerate(self.entries[:moment]):
                for start in range(0, len(data or ""), PIECE):
                    if at < durable or generator.random() < share:
                        disk.seek(offset + start)
                        disk.write(data[start : start + PIECE])

    def cases(self, count, generator):
        for moment in self.moments(count, generator):
            yield f"{self.before}: after {moment} of {len(self.entries)} entries", functools.partial(
                self.judge, moment, random.Random(generator.random()))

    def judge(self, moment, generator, name):
        """What is wrong with the disk after `moment` entries."""
        image, found = self.campaign.work / f"{name}.img", Complaints()
        self.cut(image, moment, generator)
        # At the run's path: a ledger knows the run's directory by its path.
        with self.mounting, mounted(image, self.folder, "-o", "loop") as folder:
            state = self.campaign.state(folder, self.reference)
            ended = moment > 0 and self.entries[moment - 1][2] >= self.ended
            found.add(state not in (("new",) if ended else (self.before, "new")),
                      f"{'after' if ended else 'during'} the run, at the output: {state}")
            left = [entry for entry in self.campaign.left(folder) if entry not in (PARTIAL, LINK)]
            found.add(left, f"left behind: {', '.join(left)}")
            self.campaign.judge_next(folder, self.reference, state, found)
        image.unlink()
        return found
