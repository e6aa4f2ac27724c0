"""The metrics and the alarms on them, by Prometheus' own promtool; its Python client reads OpenMetrics.

This checks the metrics of runs, verifications and the nightly job, good and failed. promtool is on the PATH, or comes from
Debian's package of Prometheus, which is unpacked and not installed, because it would start a server.
"""
import os
import re
import shutil

import pytest
from model.files import ROOT, write_lines
from model.payouts import payees as payees_of
from programs import install, run
from prometheus_client import parser
from prometheus_client.openmetrics import parser as openmetrics

ALERTS = ROOT / "tools/nightly/alerts.yml"


@pytest.fixture(scope="module")
def promtool():
    unpacked = ROOT / ".build/promtool"
    program = shutil.which("promtool") or unpacked / "usr/bin/promtool"
    if not os.path.exists(program):
        install(programs=["apt-get", "dpkg"])
        unpacked.mkdir(exist_ok=True)
        # As root, apt-get would download as a user who may not write here, and warn.
        download = ["apt-get", "-q", "-o", "APT::Sandbox::User=root", "download", "prometheus"]
        if run(*download, cwd=unpacked, exits=None).returncode:
            run("apt-get", "-q", "update")
            run(*download, cwd=unpacked)
        run("dpkg", "-x", *unpacked.glob("prometheus_*.deb"), unpacked)
    return program


@pytest.fixture(scope="module")
def metrics(settle, settle_path, generated, tmp_path_factory):
    """The files of metrics, by what they are about."""
    folder = tmp_path_factory.mktemp("metrics")
    batch = generated(3000, "--seed", 1, "--defects", "0.3")

    def of(name, exit_code, *arguments):
        settle(*arguments, "--metrics", folder / f"{name}.prom", exits=[exit_code])

    of("run", 1, "run", batch, "--output", folder / "out")
    of("failed run", 73, "run", batch, "--output", folder / "out")
    of("small run", 1, "run", ROOT / "data/example.jsonl", "--output", folder / "small", "--ledger", folder / "ledger")
    payees = write_lines(folder / "payees.csv", payees_of([("books@shop.example", "USD")]))
    payout = ["payout", "--ledger", folder / "ledger", "--payees", payees, "--date", "2026-11-24",
              "--witness", folder / "witness"]
    of("payout", 1, *payout, "--output", folder / "payout")
    of("failed payout", 73, *payout, "--minimum", "EUR=1", "--output", folder / "payout")
    (folder / "answer").write_text(f"621021000021{'':17}0000003000{'P9-1':<15}\n799R03\n")
    of("returns", 1, "returns", folder / "answer", "--ledger", folder / "ledger", "--output", folder / "returns",
       "--confirm", "2026-11-01", "--as-of", "2026-11-30")
    of("failed returns", 66, "returns", folder / "none", "--ledger", folder / "ledger", "--output", folder / "other")
    of("verification", 0, "verify", folder / "out")
    of("failed verification", 66, "verify", folder / "none")
    (folder / "inbox").mkdir()  # there is no batch of yesterday
    run(ROOT / "tools/nightly/settle-nightly", exits=[66], env=os.environ | {
        "SETTLE": settle_path, "SETTLE_INBOX": str(folder / "inbox"), "SETTLE_OUTPUT": str(folder),
        "SETTLE_METRICS": str(folder / "job.prom"), "SETTLE_LEDGER": str(folder / "ledger"),
        "SETTLE_BACKUP": str(folder / "backup")})
    return {file.stem: file.read_text("utf-8") for file in folder.glob("*.prom")}


@pytest.mark.parametrize("name", [
    "run", "failed run", "small run", "verification", "failed verification", "payout", "failed payout", "returns",
    "failed returns", "job-unsettled",
    "job-job"])
def test_metrics(promtool, metrics, name):
    run(promtool, "check", "metrics", input=metrics[name])
    text, open_metrics = (
        [(f.name, f.type, f.documentation, f.samples) for f in reads.text_string_to_metric_families(metrics[name])]
        for reads in (parser, openmetrics))
    assert text == open_metrics != []


def test_alarms(promtool):
    run(promtool, "check", "rules", ALERTS)
    run(promtool, "test", "rules", ALERTS.with_name("alerts-test.yml"))


def test_names(metrics):
    """An alarm asks for metrics that a run, a verification or the job writes; no two of these write the same.

    The metric of the witness is in the file of the run or of the payout; the job keeps it in the newer one.
    """
    texts = [metrics[name] for name in ("small run", "verification", "payout", "returns", "job-unsettled", "job-job")]
    types = [re.findall(r"^# TYPE (\S+)", text, re.M) for text in texts]
    assert len(set().union(*types)) == sum(map(len, types))
    assert [name for name in set(re.findall("settle_[a-z_]*", ALERTS.read_text("utf-8")))
            if not re.search(f"^{name}[ {{]", "".join(texts), re.M)] == []
