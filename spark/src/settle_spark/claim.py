"""The claim of an output at a URI: which plan, of which work directory, may write and remove there."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from .steps import BUSY, Failure

CLAIM = "claim.json"
_HEAD = {"format": "settle-claim", "version": 1}


@dataclass(frozen=True)
class Claim:
    """A plan's SHA-256, its work directory as messages show it, and the digest of what its command settles."""

    plan: str
    work: str
    batch: str

    @property
    def text(self) -> bytes:
        """The file."""
        return (json.dumps({**_HEAD, **asdict(self)}, separators=(",", ":"), ensure_ascii=False) + "\n").encode()

    def is_of_same_job(self, other: Claim | None) -> bool:
        """Whether the same plan of the same work directory has both."""
        return other is not None and (self.plan, self.work) == (other.plan, other.work)

    @staticmethod
    def read(fields: object) -> Claim | None:
        """The claim in a claim's file or in a manifest; nothing if it is not one."""
        values = [fields.get(name) for name in ("plan", "work", "batch")] if isinstance(fields, dict) else []
        return Claim(*map(str, values)) if values and None not in values else None


def claim_in(text: bytes | None) -> Claim | None:
    """The claim in the text of a claim's file; nothing if that is missing or damaged."""
    try:
        return None if text is None else Claim.read(json.loads(text))
    except ValueError:
        return None


def claimed(output: str, found: Claim | None) -> Failure:
    """The failure of a job whose output another one has claimed (75)."""
    job = f"the job with --work {found.work}" if found else "a job whose claim cannot be read"
    lost = f"If {found.work} is lost" if found else "If its work directory is lost"
    return Failure(BUSY, f"{output}: is claimed by {job}, which alone may write there. {lost}, delete {output}/{CLAIM} "
                         "when no driver and no task of it is at work")
