"""System calls failing below the C library, by strace: what the shim cannot reach, such as memory and threads."""
import re
import shutil
import subprocess
from collections import Counter

CALL = re.compile(r"^(\d+) +(\w+)\(", re.M)
# Where settle itself begins; earlier calls are those of the loader and of Swift.
BEGIN = "rt_sigaction(SIGPIPE"
# These do not fail, or not as strace can make them fail: a futex that is woken, a break that stays where it is. If a
# thread's stack cannot be unmapped, the C library itself aborts.
NEVER = {
    "execve", "exit", "exit_group", "rt_sigreturn", "restart_syscall", "rt_sigtimedwait", "futex", "getpid", "gettid",
    "geteuid", "arch_prctl", "munmap", "set_tid_address",
}
ERRORS = {
    "mmap": ["ENOMEM"], "mremap": ["ENOMEM"], "mprotect": ["ENOMEM"], "clone3": ["EAGAIN"],
    "futex": ["EINTR"], "write": ["EIO", "ENOSPC"], "read": ["EIO"], "openat": ["EIO", "EMFILE"],
}

# If these fail, there is no memory, which ends the process like a kill.
MEMORY = {"mmap", "mremap", "mprotect", "brk"}


def why_not(campaign):
    if not shutil.which("strace"):
        return "there is no strace"
    done = subprocess.run(["strace", "-f", "-o", "/dev/null", "true"], capture_output=True, check=False)
    return None if done.returncode == 0 else "strace may not trace here"


def counted(campaign, before):
    """For each system call: how often a thread makes it before settle begins, and at most in total."""
    folder = campaign.folder("traced", campaign.small, before)
    log = campaign.work / "traced.log"
    campaign.run(folder, campaign.arguments(replace=before == "old"), wrapper=["strace", "-f", "-o", str(log)])
    begin, _, rest = log.read_text(errors="replace").partition(BEGIN)
    ahead, most = Counter(name for _, name in CALL.findall(begin)), {}
    for (_, name), count in Counter(CALL.findall(begin + BEGIN + rest)).items():
        most[name] = max(most.get(name, 0), count)
    return {name: (ahead[name], count) for name, count in most.items() if name not in NEVER}


def failing(campaign, before):
    """Makes each system call fail in turn, once and always; of frequent ones, the first and some later ones."""
    for name, (ahead, most) in sorted(counted(campaign, before).items()):
        for at in range(ahead + 1, most + 1):
            for error in ERRORS.get(name, ["EIO"]):
                for ever in ("", "+"):
                    # Dispatch asks again for a thread that it did not get, and waits until it gets one.
                    if name == "clone3" and ever and at > ahead + 1:
                        continue
                    # brk does not fail: it returns where the break is.
                    what = "retval=0" if name == "brk" else f"error={error}"
                    inject = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"inject={name}:{what}:when={at}{ever}"]
                    yield f"{before}: {name} {at} {what} {'for good' if ever else 'once'}", campaign.tried(
                        campaign.small, before, {"wrapper": inject}, killed=name in MEMORY,
                        may_leave=name in ("unlinkat", "getdents64", "lseek"), speechless=name == "write")
