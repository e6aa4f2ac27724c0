import pytest

from settle_spark.steps import Failure
from settle_spark.uri import divided, expect_valid_uri, shown, without_secrets


def refusal(name: str) -> str:
    with pytest.raises(Failure) as failure:
        expect_valid_uri(name, "--work")
    assert failure.value.code == 64 and "SEC" not in str(failure.value) and "RET" not in str(failure.value)
    return str(failure.value)


def test_a_name_is_shown_without_its_query() -> None:
    assert shown("s3://bucket/a b?region=x&scheme=http") == "s3://bucket/a b"
    assert shown("/a?b") == "/a?b"


@pytest.mark.parametrize("name", [
    "s3://bucket/a@b", "s3://bucket/a:b@c?region=@", "hdfs://node:8020/a@b", "hdfs:///a", "file:///a@b", "/a://b@c",
    "a@b", "", "s3://bucket/a?endpoint_override=minio:9000&scheme=http", "abfs://account.blob.core.windows.net/c/a",
    "abfs://container@account.dfs.core.windows.net/a", "abfss://c-1@account.blob.core.windows.net", "gs://my_bucket.x/a#b",
    "night:/x", "C:/a",
])
def test_names_without_users_are_taken(name: str) -> None:
    expect_valid_uri(name, "--work")


@pytest.mark.parametrize("name", [
    "s3://KEY:SECRET@bucket/a", "s3://KEY@bucket", "s3://KEY:SEC/RET@bucket/a?region=SECRET",
    "s3://KEY:12/SECRET@bucket/a", "s3://KEY:/SECRET/RET@bucket", "gs://KEY:SEC/RET@bucket", "hdfs://user@host:1/a",
    "hdfs://user:SEC/RET@host:1/a", "s3a://KEY:SEC/RET@bucket", "s3://KEY:SEC#RET@bucket", "s3://KEY:SEC%2FRET@bucket",
    "abfs://container:SECRET@account.dfs.core.windows.net/a",
])
def test_a_user_or_a_key_is_refused_and_never_shown(name: str) -> None:
    text = refusal(name)
    assert text.startswith(f"--work {name.partition(':')[0]}://...: give user names and keys by the env")


@pytest.mark.parametrize("name", [
    "s3://KEY:SEC?RET@bucket/a", "s3://KEY:SEC%40bucket/a", "s3:///KEY:SECRET@bucket/a", "s3:///SECRET/a", "s3://KEY%3ASECRET/a",
    "hdfs://host:SECRET/a", "s3:/KEY:SECRET@bucket/a", "s3:KEY:SECRET@bucket/a", "gs:/SECRET", "S3:/KEY:SECRET@bucket",
    "S3://KEY:SEC/RET@bucket", "s3a:/KEY:SECRET@bucket/a", "dbfs:/SECRET", "dbfs://SECRET", "abfs:/c@SECRET",
])
def test_what_is_no_uri_is_refused_and_never_shown(name: str) -> None:
    refusal(name)


def test_a_container_may_be_in_hadoops_place() -> None:
    assert divided("abfs://night@account.dfs.core.windows.net/a/b?enable_tls=true") == divided(
        "abfs://account.blob.core.windows.net/night/a/b?enable_tls=true")


def test_one_slash_is_told() -> None:
    assert refusal("s3:/bucket/a").endswith("write s3:// with two slashes")
    assert refusal("s3a:/bucket/a").endswith("write s3:// with two slashes")
    assert "file:// with two slashes, and then the path" in refusal("file:/a")
    assert "/dbfs/... or /Volumes/..." in refusal("dbfs:/mnt/a") and "/dbfs/..." in refusal("dbfs://mnt/a")


def test_other_spellings_of_stores_are_named() -> None:
    assert refusal("s3a://bucket/a?SECRET").endswith("write s3://")
    assert refusal("s3n://bucket/a").endswith("write s3://")
    assert refusal("wasbs://account/a").endswith("write abfss://")
    assert "use a path, or one of s3://, gs://" in refusal("ftp://host/a")


@pytest.mark.parametrize("name", [
    "abfs://account.blob.core.windows.net/c/a?client_secret=SECRET",
    "abfs://account/c/a?tenant_id=x&client_secret=SECRET", "s3://bucket/a?colour=SECRET", "s3://bucket/a?SECRET",
    "s3://bucket/a?region=SEC&access_key=RET", "file:///a?SECRET",
    "gs://bucket/a?json_credentials=SECRET", "s3://bucket/a?region=a?SECRET=x&b",
])
def test_a_query_sets_only_what_is_known(name: str) -> None:
    text = refusal(name)
    assert "give keys by the environment" in text and "?" not in text


@pytest.mark.parametrize("text, expected", [
    ("s3://bucket/a?region=SECRET: cannot be read", "s3://bucket/a: cannot be read"),
    ("s3://bucket/a?endpoint_override=h:9&x=SECRET, and s3://b?SECRET", "s3://bucket/a, and s3://b"),
    ("unrecognized arguments: s3://KEY:SEC/RET@bucket/a?x=SECRET -q", "unrecognized arguments: s3://...@bucket/a -q"),
    ("unrecognized arguments: s3://KEY:SEC?RET@bucket/a", "unrecognized arguments: s3://...@bucket/a"),
    ("unrecognized arguments: s3://KEY:SEC#RET@b s3:/KEY:SECRET@b", "unrecognized arguments: s3://...@b s3:/...@b"),
    ("unrecognized arguments: s3:KEY:SECRET@b s3://KEY:SEC%40b", "unrecognized arguments: s3:...@b s3://...@b"),
    ("abfs://night@account.dfs.core.windows.net/a: is lost", "abfs://night@account.dfs.core.windows.net/a: is lost"),
    ("hdfs://SECRET@host:1/a is lost", "hdfs://...@host:1/a is lost"),
    ("What? See https://example.org/a@b", "What? See https://example.org/a@b"),
])
def test_messages_have_no_secrets(text: str, expected: str) -> None:
    assert without_secrets(text) == expected
