"""Makes each call of the C library that works on files fail in turn, once or always, and kills the process at each."""
import errno
import itertools
import os

ERRORS = {
    "open": ["EIO", "EACCES", "EMFILE", "ENOSPC", "EINTR"],
    "read": ["EIO", "EINTR", "EAGAIN", "short", "nothing"],
    "pread": ["EIO", "EINTR", "short"],
    "write": ["EIO", "ENOSPC", "EFBIG", "EINTR", "EAGAIN", "short", "nothing"],
    "pwrite": ["EIO", "ENOSPC", "EINTR", "short"],
    "close": ["EIO", "EINTR"],
    "fsync": ["EIO", "ENOSPC", "EINTR"],
    "fdatasync": ["EIO", "ENOSPC", "EINTR"],
    "sync_file_range": ["EIO", "ENOSPC", "ENOSYS"],
    "ftruncate": ["EIO", "ENOSPC"],
    "lseek": ["EIO"],
    "stat": ["EIO", "EACCES", "EINTR"],
    "mkdir": ["EIO", "ENOSPC", "EROFS", "EINTR"],
    "unlink": ["EIO", "EACCES", "EINTR"],
    "rename": ["EIO", "ENOSPC", "EXDEV", "EINTR", "EINVAL"],
    "flock": ["EIO", "ENOLCK", "EINTR", "EWOULDBLOCK"],
    "fcntl": ["EIO", "EACCES", "EINTR"],
    "chmod": ["EIO", "EPERM"],
    "fdopendir": ["ENOMEM"],
    "readdir": ["EIO"],
    "fadvise": ["EIO"],
    "poll": ["EIO"],
}


def how_often(call, error):
    """Whether to fail once (0) or always (1). No system interrupts every call, or makes each do nothing. If a lock is always
    refused (EACCES), a reader waits three seconds each time, which is longer than a case may take."""
    never = error in ("EINTR", "nothing") or (call, error) in (("write", "EAGAIN"), ("fcntl", "EACCES"))
    return (0,) if never else (0, 1)


def failures(counts):
    """Each call with each error that it may give, once and always: a title, the shim's fault, and how it is judged."""
    for call, errors in ERRORS.items():
        for at, error in itertools.product(range(1, counts[call] + 1), errors):
            # settle reports this in its own words, as a lock that another process holds: SQLite treats every error of
            # its locks like that, and tries again for three seconds.
            is_held = error == "EWOULDBLOCK" or call == "fcntl"
            number = getattr(errno, error, None)
            fault = {"call": call, "at": at, **({"errno": number} if number else {"kind": error})}
            for ever in how_often(call, error):
                yield f"{call} {at} {error} {'for good' if ever else 'once'}", {**fault, "ever": ever}, {
                    # What another process seems to hold, or what cannot be removed, stays.
                    "may_leave": call == "unlink" or is_held, "speechless": call == "write" and ever,
                    "wrong": os.strerror(number) if number and not is_held else None}


def failing_calls(campaign, before):
    for title, fault, judging in failures(campaign.counts(campaign.small, before)):
        # What cannot be listed stays too.
        if fault["call"] == "readdir" or (fault["call"] == "stat" and fault["ever"]):
            judging["may_leave"] = True
        yield f"{before}: {title}", campaign.tried(campaign.small, before, {"env": campaign.fault(**fault)}, **judging)


def killed_at_calls(campaign, before):
    """Kills the process right before and right after each call."""
    for at in range(1, campaign.counts(campaign.small, before)["any"] + 1):
        for kind in ("kill", "killed"):
            yield f"{before}: {kind} at call {at}", campaign.tried(
                campaign.small, before, {"env": campaign.fault(call="any", at=at, kind=kind)}, killed=True)
