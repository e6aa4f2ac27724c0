"""S3, and servers like it, by boto3: its uploads can be aborted, and it writes a new object only if its name is free."""

from __future__ import annotations

import errno
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    CredentialRetrievalError,
    NoCredentialsError,
    PartialCredentialsError,
    SSOError,
    TokenRetrievalError,
)

from .store import Changed, Entry, Refused, StoredFile

_PART = 8 << 20
"""The bytes of each of the first parts of an upload, which has at most 10,000."""
_GROWS_AFTER = 1000
"""After this number of parts they become twice as long: an object may have terabytes."""
_PARTS_AT_ONCE = 4
_AT_MOST = 1000
"""The most objects that one request removes."""
_REFUSALS = frozenset({
    "401", "403", "AccessDenied", "AccountProblem", "AllAccessDisabled", "ExpiredToken", "ExpiredTokenException",
    "InvalidAccessKeyId", "InvalidClientTokenId", "InvalidSecurity", "InvalidToken", "NotSignedUp", "RequestExpired",
    "RequestTimeTooSkewed", "SignatureDoesNotMatch", "TokenRefreshRequired", "Unauthorized", "UnauthorizedAccess",
    "XAmzSecurityTokenExpired",
})


@contextmanager
def _as_errors_of_the_system() -> Iterator[None]:
    """Turns errors of boto3 into those of a file system."""
    try:
        yield
    except ClientError as error:
        code, message = (str(error.response.get("Error", {}).get(name, "")) for name in ("Code", "Message"))
        status = str(error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", ""))
        if code in ("NoSuchKey", "404", "NotFound"):
            raise FileNotFoundError(errno.ENOENT, "No such file or directory") from error
        if code in ("PreconditionFailed", "412"):
            raise FileExistsError(errno.EEXIST, "File exists") from error
        text = ": ".join(filter(None, dict.fromkeys((code, message)))) or str(error)
        if code in _REFUSALS or status in ("401", "403"):
            raise Refused(text) from error
        if code in ("NoSuchBucket", "InvalidBucketName"):
            raise NotADirectoryError(errno.ENOTDIR, text) from error
        raise OSError(text) from error
    except (CredentialRetrievalError, NoCredentialsError, PartialCredentialsError, SSOError,
            TokenRetrievalError) as error:
        raise Refused(str(error)) from error
    except BotoCoreError as error:
        raise OSError(str(error)) from error


class S3Store:
    """The objects of all buckets that are reached by one query."""

    def __init__(self, query: dict[str, str]) -> None:
        endpoint, is_virtual = query.get("endpoint_override"), query.get("force_virtual_addressing") == "true"
        if endpoint and "://" not in endpoint:
            endpoint = f"{query.get('scheme', 'https')}://{endpoint}"
        style = "virtual" if is_virtual else "path" if endpoint else "auto"
        self._client: Any = boto3.session.Session().client(
            "s3", region_name=query.get("region"), endpoint_url=endpoint,
            use_ssl=query.get("scheme", "https") != "http",
            verify=False if query.get("tls_verify_certificates") == "false" else query.get("tls_ca_file_path"),
            config=Config(
                retries={"mode": "standard", "total_max_attempts": 4}, max_pool_connections=64, connect_timeout=10,
                s3={"addressing_style": style},
                # Servers like S3 need not know the others.
                request_checksum_calculation="when_required", response_checksum_validation="when_required"))

    def open(self, path: str, version: str | None) -> StoredFile:
        """Opens a file, without a request."""
        return _S3File(self._client, path, version)

    def write(self, path: str, pieces: Iterable[bytes], only_new: bool) -> None:
        """Writes an object: in one request if it is small, otherwise by an upload that is aborted if anything fails."""
        place: dict[str, Any] = _place(path)
        blocks = _blocks(pieces)
        first, second = next(blocks, b""), next(blocks, None)
        with _as_errors_of_the_system():
            if second is None:
                self._put(path, only_new, lambda **same: self._client.put_object(**place, Body=first, **same))
                return
            upload = {**place, "UploadId": self._client.create_multipart_upload(**place)["UploadId"]}
            try:
                parts = self._uploaded(upload, first, second, blocks)
                self._put(path, only_new, lambda **same: self._client.complete_multipart_upload(
                    **upload, MultipartUpload={"Parts": parts}, **same))
            except BaseException:
                with suppress(BotoCoreError, ClientError):
                    self._client.abort_multipart_upload(**upload)
                raise

    def _put(self, path: str, only_new: bool, request: Callable[..., Any]) -> None:
        """Makes the request by which an object appears."""
        if only_new:
            try:
                request(IfNoneMatch="*")
                return
            except ClientError as error:
                if error.response["Error"].get("Code") != "NotImplemented":
                    raise
            if self.exists(path):
                raise FileExistsError(errno.EEXIST, "File exists", path)
        request()

    def _uploaded(self, upload: dict[str, Any], first: bytes, second: bytes, others: Iterator[bytes]) -> list[Any]:
        def sent(number: int, block: bytes) -> dict[str, Any]:
            answer = self._client.upload_part(**upload, PartNumber=number, Body=block)
            return {"PartNumber": number, "ETag": answer["ETag"]}

        parts: list[dict[str, Any]] = []
        coming: deque[Future[dict[str, Any]]] = deque()
        with ThreadPoolExecutor(_PARTS_AT_ONCE) as pool:
            number = 0
            for some in ((first, second), others):
                for block in some:
                    number += 1
                    coming.append(pool.submit(sent, number, block))
                    if len(coming) > _PARTS_AT_ONCE:
                        parts.append(coming.popleft().result())
            parts += [part.result() for part in coming]
        return parts

    def entries(self, path: str, recursive: bool) -> list[Entry]:
        """The objects and folders in a folder."""
        place = _place(path)
        prefix = place["Key"] and f"{place['Key']}/"
        found = []
        with _as_errors_of_the_system():
            pages = self._client.get_paginator("list_objects_v2").paginate(
                Bucket=place["Bucket"], Prefix=prefix, **({} if recursive else {"Delimiter": "/"}))
            for page in pages:
                found += [Entry(folder["Prefix"][len(prefix):].strip("/"), 0, False)
                          for folder in page.get("CommonPrefixes", ())]
                # Other programs mark folders by objects whose names end with a slash.
                found += [Entry(item["Key"][len(prefix):].strip("/"), item["Size"], not item["Key"].endswith("/"))
                          for item in page.get("Contents", ()) if item["Key"] != prefix]
        return found

    def exists(self, path: str) -> bool:
        """Whether an object exists."""
        # The answer to a HEAD would not say why it is refused.
        try:
            self.open(path, None).read(0, 1)
        except FileNotFoundError:
            return False
        return True

    def remove(self, path: str, is_file: bool) -> None:
        """Removes an object, or all in a folder."""
        place = _place(path)
        with _as_errors_of_the_system():
            if is_file:
                self._client.delete_object(**place)
                return
            pages = self._client.get_paginator("list_objects_v2").paginate(
                Bucket=place["Bucket"], Prefix=f"{place['Key']}/")
            for page in pages:
                self._delete(place["Bucket"], [item["Key"] for item in page.get("Contents", ())])

    def remove_files(self, paths: Sequence[str]) -> None:
        """Removes objects of one bucket."""
        places = [_place(path) for path in paths]
        with _as_errors_of_the_system():
            for start in range(0, len(places), _AT_MOST):
                some = places[start:start + _AT_MOST]
                self._delete(some[0]["Bucket"], [place["Key"] for place in some])

    def _delete(self, bucket: str, keys: list[str]) -> None:
        if keys:
            answer = self._client.delete_objects(
                Bucket=bucket, Delete={"Objects": [{"Key": key} for key in keys], "Quiet": True})
            for error in answer.get("Errors", ()):
                raise ClientError({"Error": error}, "DeleteObjects")

    def end_writes(self, path: str) -> None:
        """Aborts all uploads to a folder."""
        place = _place(path)
        with _as_errors_of_the_system():
            pages = self._client.get_paginator("list_multipart_uploads").paginate(
                Bucket=place["Bucket"], Prefix=f"{place['Key']}/")
            for upload in [upload for page in pages for upload in page.get("Uploads", ())]:
                with suppress(self._client.exceptions.NoSuchUpload):
                    self._client.abort_multipart_upload(
                        Bucket=place["Bucket"], Key=upload["Key"], UploadId=upload["UploadId"])


def _place(path: str) -> dict[str, str]:
    bucket, _, key = path.partition("/")
    return {"Bucket": bucket, "Key": key}


def _blocks(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The bytes in blocks of the lengths of parts; the last one may be shorter."""
    held, made, length = bytearray(), 0, _PART
    for piece in pieces:
        held += piece
        while len(held) > length:
            yield bytes(held[:length])
            del held[:length]
            made += 1
            length = _PART << (made // _GROWS_AFTER)
    if held:
        yield bytes(held)


class _S3File:
    """An object; its version is known from the first answer on, and all others must be of that version."""

    def __init__(self, client: Any, path: str, version: str | None) -> None:
        self._client = client
        self._place = _place(path)
        length, _, self._tag = (version or "").partition(" ")
        self._size = int(length) if version else None

    def version(self) -> str:
        """The size and the entity tag."""
        if not self._tag:
            self.read(0, 1)
        return f"{self.size()} {self._tag}"

    def size(self) -> int:
        """The size."""
        if self._size is None:
            self.read(0, 1)
        assert self._size is not None
        return self._size

    def read(self, offset: int, length: int) -> bytes:
        """At most a number of bytes."""
        same = {"IfMatch": f'"{self._tag}"'} if self._tag else {}
        try:
            with _as_errors_of_the_system():
                answer = self._client.get_object(
                    **self._place, **same, Range=f"bytes={offset}-{offset + length - 1}")
                found: bytes = answer["Body"].read()
        except FileExistsError as error:
            raise Changed("is another object") from error
        except OSError as error:
            if not str(error).startswith("InvalidRange"):
                raise
            # There is nothing at the offset.
            with _as_errors_of_the_system():
                answer, found = self._client.head_object(**self._place, **same), b""
            self._learn(answer["ContentLength"], answer["ETag"])
            return found
        range = re.fullmatch(r"bytes (\d+)-(\d+)/(\d+)", answer.get("ContentRange") or "")
        if not range or int(range[1]) != offset:
            raise OSError("the answer is not the range that was asked for")
        if len(found) != int(range[2]) + 1 - offset:
            # A proxy may end a body early, with a length that fits.
            raise OSError(f"the answer ended early, after {len(found)} of {int(range[2]) + 1 - offset} bytes")
        self._learn(int(range[3]), answer["ETag"])
        return found

    def _learn(self, size: int, tag: str) -> None:
        self._size, self._tag = size, tag.removeprefix("W/").strip('"')
