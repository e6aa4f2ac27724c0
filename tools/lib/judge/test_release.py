"""A release: dpkg installs its package, its image runs, and man, systemd and PyPI's spdx-tools read its files.

All files of a release are made twice from the commands and must have the same bytes; with --release FOLDER the files of
tools/release are tried instead. dpkg installs the package into a root of its own: this machine's, with all changes kept in
memory (overlayfs). There a batch is settled as the unit would do it, by its user; then the package is purged. The image's
layers are unpacked, and its commands settle a batch and deliver messages in these alone. Both need root.
"""
import filecmp
import hashlib
import io
import json
import os
import shutil
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from model.files import ROOT
from programs import run
from release.release import Release, pack
from test_delivery import certificate, fill, secure, server  # noqa: F401

AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="that takes root")
# Makes a root in which changes stay in memory, and installs the package there ($1) with a batch ($2).
PACKAGE = r"""
set -eu
place=$(mktemp -d)
mount -t tmpfs none "$place"
mkdir "$place/upper" "$place/work" "$place/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$place/upper,workdir=$place/work" "$place/root"
mount -t proc none "$place/root/proc"
mount --bind /dev "$place/root/dev"
cp "$1" "$place/root/tmp/settle.deb"
cp "$2" "$place/root/tmp/batch.jsonl"
exec chroot "$place/root" bash -euc '
  cd /
  dpkg -i /tmp/settle.deb
  dpkg --verify settle
  install -m 0640 -o settle -g settle /tmp/batch.jsonl /var/lib/settle/inbox/2026-11-20.jsonl
  units=/usr/lib/systemd/system
  started=$(sed -n "s/^ExecStart=//p" $units/settle-nightly.service)
  setpriv --reuid settle --regid settle --clear-groups env -i PATH=/usr/bin "$started" 2026-11-20
  [ "$(stat -c "%U %a" /var/lib/settle/reports/2026-11-20)" = "settle 700" ]
  touch /tmp/outbox
  /usr/bin/settle-deliver /tmp/outbox --allow https://shop.example
  /usr/bin/settle history --ledger /var/lib/settle/ledger/ledger.sqlite | grep -q "^run 1 "
  if command -v systemd-analyze; then
    systemd-analyze verify $units/settle-nightly{.service,.timer,-failed.service}
  fi
  for page in /usr/share/man/man1/settle*.1.gz; do
    ! command -v man || [ -z "$(man --warnings -l "$page" 2>&1 >/dev/null)" ] || { echo "$page" >&2 && exit 1; }
  done
  dpkg --purge settle
  [ ! -e /usr/bin/settle ] && [ ! -e /usr/bin/settle-deliver ] && [ ! -e /etc/settle ]
  [ -s /var/lib/settle/ledger/ledger.sqlite ]
'
"""


@pytest.fixture(scope="module")
def release(request, settle_path, deliver_path, tmp_path_factory):
    """The folder of a release's files."""
    if request.config.getoption("release"):
        return Path(request.config.getoption("release")).absolute()
    os.umask(0o022)
    folder = tmp_path_factory.mktemp("release")
    for name in ("first", "second"):
        # The package is not compressed well: that would take longer than everything else.
        pack(ROOT, [Path(settle_path), Path(deliver_path)], Release.of_head(ROOT), folder / name, ("-Znone",))
    names = sorted(os.listdir(folder / "first"))
    assert filecmp.cmpfiles(folder / "first", folder / "second", names, shallow=False) == (names, [], [])
    return folder / "first"


@pytest.fixture(scope="module")
def batch(release, tmp_path_factory):
    path = tmp_path_factory.mktemp("batch") / "batch.jsonl"
    run(*release.glob("settle-[0-9]*-linux-*64"), "generate", "--payments", "300", "--seed", "1", "--output", path)
    return path


def test_sums(release):
    run("sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS", cwd=release)


@AS_ROOT
def test_package(release, batch):
    """It settles a night, and keeps the ledger when it is purged."""
    run("unshare", "-m", "bash", "-c", PACKAGE, "bash", *release.glob("*.deb"), batch)


def blob(layout, described):
    content = layout.extractfile("blobs/" + described["digest"].replace(":", "/")).read()
    assert len(content) == described["size"] and hashlib.sha256(content).hexdigest() == described["digest"][7:]
    return content


@AS_ROOT
def test_image(release, batch, tmp_path, server, secure):  # noqa: F811
    """Unpacks the layers in order; settles a batch and delivers messages there as the image's user."""
    root = tmp_path / "image"
    root.mkdir()
    with tarfile.open(*release.glob("*.oci.tar")) as layout:
        index = json.loads(layout.extractfile("index.json").read())
        manifest = json.loads(blob(layout, index["manifests"][0]))
        settings = json.loads(blob(layout, manifest["config"]))["config"]
        for layer in manifest["layers"]:
            with tarfile.open(fileobj=io.BytesIO(blob(layout, layer))) as files:
                files.extractall(root)
    place = Path(settings["WorkingDir"])
    work = root / place.relative_to("/")
    shutil.copyfile(batch, work / "batch.jsonl")
    origins = [f"http://127.0.0.1:{server.server_port}", f"https://127.0.0.1:{secure.server_port}"]
    fill(work / "outbox", [("A", origins[0] + "/ok"), ("B", origins[1] + "/ok")])
    os.chown(work / "outbox", work.stat().st_uid, -1)
    (root / "proc").mkdir()
    script = 'mount -t proc none "$1/proc"; exec chroot --userspec="$2" --groups= "$1" "${@:3}"'
    environment = dict(entry.split("=", 1) for entry in settings["Env"]) | {"PATH": os.environ["PATH"]}

    def in_image(*command, exits=(0,)):
        return run(
            "unshare", "-m", "bash", "-c", script, "bash", root, settings["User"], *command, env=environment, exits=exits)

    in_image(*settings["Entrypoint"], "run", place / "batch.jsonl", "--output", place / "reports")
    assert (work / "reports").stat().st_uid != 0
    told = in_image("/usr/bin/settle-deliver", place / "outbox", "--allow", *origins, "--allow-private", "--attempts", "1",
                    exits=[1]).stderr
    assert len(server.came) == 1 and f"message 2 to {origins[1]}: its certificate is not accepted" in told


def test_wheel(release, batch, tmp_path):
    """pip installs settle-spark and the command that it copies to executors; the command settles a batch."""
    name, = release.glob("settle_spark-*.whl")
    target = tmp_path / "installed"
    run(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-compile", "--target", target, name)
    with zipfile.ZipFile(name) as wheel:
        rows = wheel.read(next(file for file in wheel.namelist() if file.endswith("/RECORD"))).decode().splitlines()
        assert sorted(row.split(",")[0] for row in rows) == sorted(wheel.namelist())
    command, = release.glob("settle-[0-9]*-linux-*64")
    assert filecmp.cmp(target / "settle_spark/bin/settle", command, shallow=False)
    run(target / "settle_spark/bin/settle", "run", batch, "--output", tmp_path / "reports", exits=(0, 1))
    script = "from settle_spark.arguments import parse; print(parse(['a', '-o', 'b', '--work', 'c']).binary)"
    found = run(sys.executable, "-c", script, env=os.environ | {"PYTHONPATH": str(target)}).stdout.strip()
    assert found == str(target / "settle_spark/bin/settle")


def test_bill_of_materials(release):
    run(Path(sys.executable).with_name("pyspdxtools"), "--infile", *release.glob("*.spdx.json"), "--version", "SPDX-2.3")
