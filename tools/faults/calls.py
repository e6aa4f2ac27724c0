"""Every call of the C library that files take going wrong: each in turn, once and for good; the process killed at each."""
import errno
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
    """Whether once (0) or for good (1): no system interrupts every call, or says of each that it did nothing. A lock that
    is refused for good (EACCES) has a reader wait three seconds a look, which is longer than a case may take."""
    never = error in ("EINTR", "nothing") or (call, error) in (("write", "EAGAIN"), ("fcntl", "EACCES"))
    return (0,) if never else (0, 1)


def is_held(call, error):
    """Whether this error says that another process holds the lock, which settle says in other words: SQLite takes every
    error of its locks for that, and asks again for three seconds."""
    return error == "EWOULDBLOCK" or call == "fcntl"


def what(error):
    """How the shim is told of an error, and what settle should say of it."""
    if error in ("short", "nothing"):
        return {"kind": error}, None
    number = getattr(errno, error)
    return {"kind": "error", "errno": number}, os.strerror(number)


def failures(counts):
    """Each call with each error that it may give, once and for good: a title, the call, the environment of the shim,
    whether it is for good, whether another process seems to hold a lock, and the words that are due."""
    for call, errors in ERRORS.items():
        for at in range(1, counts[call] + 1):
            for error in errors:
                for ever in how_often(call, error):
                    fault, words = what(error)
                    held = is_held(call, error)
                    title = f"{call} {at} {error} {'for good' if ever else 'once'}"
                    yield title, call, dict(call=call, at=at, ever=ever, **fault), ever, held, None if held else words


def failing_calls(campaign, before):
    for title, call, fault, ever, held, words in failures(campaign.counts(campaign.small, before)):
        # What another seems to hold stays, and what cannot be listed or removed.
        may_leave = call in ("unlink", "readdir") or held or (call == "stat" and ever)
        yield f"{before}: {title}", campaign.tried(
            campaign.small, before, {"env": campaign.fault(**fault)}, may_leave=may_leave, wrong=words,
            speechless=call == "write" and ever)


def killed_at_calls(campaign, before):
    """The process killed right before and right after each call."""
    for at in range(1, campaign.counts(campaign.small, before)["any"] + 1):
        for kind in ("kill", "killed"):
            yield f"{before}: {kind} at call {at}", campaign.tried(
                campaign.small, before, {"env": campaign.fault(call="any", at=at, kind=kind)}, killed=True)
