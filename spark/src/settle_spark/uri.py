"""URIs: which ones are taken, and how messages show them."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl

from .steps import USAGE, Failure

_S3 = ("region", "scheme", "endpoint_override", "force_virtual_addressing", "tls_ca_file_path",
       "tls_verify_certificates")
_AZURE = ("enable_tls", "blob_storage_authority", "dfs_storage_authority")
_GOOGLE = ("scheme", "endpoint_override", "retry_limit_seconds", "project_id")
_HDFS = ("user", "replication", "buffer_size", "default_block_size", "kerb_ticket")
_QUERIES = {
    "s3": _S3, "gs": _GOOGLE, "gcs": _GOOGLE, "abfs": _AZURE, "abfss": _AZURE, "hdfs": _HDFS, "viewfs": _HDFS,
    "file": (),
}
"""The schemes of URIs, and what a query may set. It never has a key: a query may be in a log or a list of processes."""
_OF_STORES = frozenset({"s3", "gs", "gcs", "abfs", "abfss"})
"""The schemes whose URIs begin with a bucket or an account, which has no port."""
_MEANT = {"s3a": "s3", "s3n": "s3", "wasb": "abfs", "wasbs": "abfss", "adl": "abfs"}
"""The schemes that Hadoop uses, and those of the same stores here."""
_HOST = {scheme: r"[\w.-]+" if scheme in _OF_STORES else r"[\w.-]*(?::\d+)?" for scheme in _QUERIES}
"""What follows the two slashes: a bucket, an account or a host. Keys have other characters."""
_CONTAINER = re.compile(r"([\w$-]+)@([\w-]+)\.(?:dfs|blob)\.([\w.-]+)")
"""Hadoop's spelling of a container and an account."""
_PARTS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://([^/?#]*)/*([^?]*)(?:\?(.*))?", re.DOTALL)


def is_uri(name: str) -> bool:
    """Whether a name is a URI, not a path."""
    return re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", name) is not None


def shown(name: str) -> str:
    """The name for reports, messages and the ledger: a URI without its query."""
    return name.partition("?")[0] if is_uri(name) else name


def divided(name: str) -> tuple[str, str, str, str] | None:
    """A URI's scheme, authority, path and query; nothing for a path."""
    found = _PARTS.fullmatch(name)
    if not found:
        return None
    scheme, authority, path, query = found[1], found[2], found[3], found[4] or ""
    named = _CONTAINER.fullmatch(authority) if scheme in ("abfs", "abfss") else None
    if named:
        authority, path = f"{named[2]}.blob.{named[3]}", f"{named[1]}/{path}"
    return scheme, authority, path, query


def without_secrets(text: str) -> str:
    """A message without the users, keys and queries of the URIs in it."""
    text = re.sub(rf"\b({'|'.join({*_QUERIES, *_MEANT})}):(?!/)\S*(?:@|%40)", r"\1:...@", text)
    text = re.sub(r"([A-Za-z][A-Za-z0-9+.-]*:/{1,3})(?![\w$-]+@[\w-]+\.(?:dfs|blob)\.)"
                  r"(?:[^\s@/?#]*:\S*(?:@|%40)|[^\s@/?#]*@)", r"\1...@", text)
    return re.sub(r"(://[^\s?]*)\?\S*?(?=[:;,.'\")]*(?:\s|$))", r"\1", text)


def expect_valid_uri(name: str, option: str) -> None:
    """Refuses a URI with a user or a key, without showing it, or of no known store (64)."""
    if name.startswith("dbfs:"):
        raise Failure(USAGE, f"{option} dbfs:...: is not a file system known here; write its path on Databricks' machines, "
                             "/dbfs/... or /Volumes/...")
    parts = divided(name)
    if parts is None:
        scheme = name.partition(":")[0]
        if ":" in name and scheme.lower() in {*_QUERIES, *_MEANT}:
            raise Failure(USAGE, f"{option} {scheme}:...: is not a URI; write {_MEANT.get(scheme, scheme.lower())}:// with two "
                                 "slashes" + (", and then the path from its slash on" if scheme == "file" else ""))
        return
    scheme, authority, path, query = parts
    # An AWS key may have slashes, so what follows the first one may be the rest of a key.
    port = "" if scheme in _OF_STORES else r"(?!\d*$)"
    if "@" in authority or ("@" in path and re.search(f":{port}", authority)):
        raise Failure(USAGE, f"{option} {scheme}://...: give user names and keys by the environment, not in a URI")
    if scheme not in _QUERIES:
        meant = _MEANT.get(scheme)
        known = ", ".join(f"{name}://" for name in _QUERIES)
        advice = f"write {meant}://" if meant else f"use a path, or one of {known}"
        raise Failure(USAGE, f"{option} {scheme}://...: is not a file system known here; {advice}")
    if not re.fullmatch(_HOST[scheme], authority):
        what = "bucket or account" if scheme in _OF_STORES else "host"
        raise Failure(USAGE, f"{option} {scheme}://...: has no name of a {what} after the two slashes; give user names and keys "
                             "by the environment, not in a URI")
    allowed = _QUERIES[scheme]
    given = [field for field, _ in parse_qsl(query, keep_blank_values=True)]
    if any(field not in allowed for field in given):
        fields = f"may set {', '.join(allowed)}" if allowed else "is not used"
        raise Failure(USAGE, f"{option} {scheme}://...: has something else in its query, which {fields}; "
                             "give keys by the environment")
