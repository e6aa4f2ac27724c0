"""The Debian package: commands, man pages, completions, the nightly job with its units and settings, documents."""
import gzip
import os
import re
import shutil
import subprocess
from pathlib import Path

from install.manual import roff
from release.parts import debian_package, output_of

SCRIPTS = Path(__file__).resolve().parent / "debian"


def shared_libraries(binaries):
    """The files of the libraries that the binaries load, and of their loader."""
    loaded = "".join(output_of("ldd", binary) for binary in binaries)
    return sorted({Path(path) for path in re.findall(r"(?:=> |^\s)(/\S+)", loaded, re.MULTILINE)})


def needs(binaries):
    """The Debian packages of the libraries that the binaries name, the C library with the newest version that one needs."""
    asked = "".join(output_of("readelf", "-V", "-W", binary) for binary in binaries)
    newest = max(re.findall(r"GLIBC_([0-9.]+)", asked), key=lambda version: [*map(int, version.split("."))])
    named = "".join(output_of("readelf", "-d", binary) for binary in binaries)
    packages = sorted({debian_package(path) for path in shared_libraries(binaries) if f"[{path.name}]" in named})
    return [f"libc6 (>= {newest})" if package == "libc6" else package for package in packages]


def copy(source, target, mode=0o644):
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    target.chmod(mode)


def stage(root, binaries, notices, release, folder):
    """Lays out the files of the package; the checkout at root has all except binaries and notices."""
    subprocess.run(
        [root / "tools/install", "--deliver", "--prefix", "/usr"], check=True, stdout=subprocess.DEVNULL,
        env=os.environ | {
            "SETTLE": str(binaries["settle"]), "SETTLE_DELIVER": str(binaries["settle-deliver"]),
            "DESTDIR": str(folder), "SOURCE_DATE_EPOCH": str(release.epoch)})
    share = folder / "usr/share"
    (share / "zsh/site-functions").rename(share / "zsh/vendor-completions")
    nightly, documents = root / "tools/nightly", share / "doc/settle"
    copy(nightly / "settle-nightly", folder / "usr/bin/settle-nightly", 0o755)
    for unit in *nightly.glob("*.service"), *nightly.glob("*.timer"):
        copy(unit, folder / "usr/lib/systemd/system" / unit.name)
    copy(nightly / "nightly.conf", folder / "etc/settle/nightly.conf")
    for example in nightly / "alerts.yml", nightly / "settle-nightly.cron", root / "data/example.jsonl":
        copy(example, documents / "examples" / example.name)
    for moved in [*folder.glob("usr/lib/systemd/system/*"), *folder.rglob("nightly.conf"), *folder.rglob("*.cron")]:
        text = moved.read_text(encoding="utf-8").replace("/usr/local/bin", "/usr/bin")
        moved.write_text(text.replace("/etc/systemd", "/usr/lib/systemd"), encoding="utf-8")
    (share / "man/man1/settle-nightly.1").write_text(nightly_page(nightly, release), encoding="utf-8")
    for name in "README.md", "SECURITY.md", "docs/operations.md":
        copy(root / name, documents / Path(name).name)
    (documents / "copyright").write_text(notices, encoding="utf-8")
    copy(root / "CHANGELOG.md", documents / "changelog")
    for text in [*sorted((share / "man/man1").iterdir()), documents / "changelog"]:
        text.with_name(text.name + ".gz").write_bytes(gzip.compress(text.read_bytes(), 9, mtime=0))
        text.unlink()


def nightly_page(nightly, release):
    """The man page of the nightly job, from its help."""
    said = output_of(nightly / "settle-nightly", "--help").strip().split("\n")
    title, rest = roff(said[0].rstrip(".")), roff("\n".join(said[2:]))
    return (
        f'.TH SETTLE\\-NIGHTLY 1 "{release.date}" "settle {roff(release.version)}" "settle"\n.SH NAME\n'
        f"settle\\-nightly \\- {title}\n.SH DESCRIPTION\n.nf\n{rest}\n.fi\n.SH SEE ALSO\n\\fBsettle\\fR(1)\n")


def package(folder, binaries, release, target, compression):
    """Makes the package from a folder that stage has filled."""
    control = folder / "DEBIAN"
    control.mkdir()
    for script in sorted(SCRIPTS.iterdir()):
        copy(script, control / script.name, 0o755)
    (control / "conffiles").write_text("/etc/settle/nightly.conf\n", encoding="utf-8")
    installed = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) // 1024
    (control / "control").write_text(
        "Package: settle\n"
        # A tilde sorts before the end of the text: 1.0.0~rc.1 is older than 1.0.0.
        f"Version: {release.version.replace('-', '~')}\n"
        f"Architecture: {release.architecture}\nMaintainer: {release.maintainer}\nInstalled-Size: {installed}\n"
        f"Depends: {', '.join([*needs(binaries), 'passwd'])}\n"
        "Recommends: ca-certificates\nSuggests: bsd-mailx\nSection: utils\nPriority: optional\n"
        "Description: batch settlement engine for payments\n"
        " Reads a night's batch of payments, checks each, works out who gets how much and\n"
        " who bears which fee, and writes the settlement as CSV files, all or nothing.\n"
        " All arithmetic is exact. A systemd timer, off until it is enabled, settles the\n"
        " batch of each night. settle-deliver sends notifications by HTTP.\n", encoding="utf-8")
    for path in sorted(folder.rglob("*")):
        if path.is_dir():
            path.chmod(0o755)
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", *compression, "--build", folder, target], check=True,
        stdout=subprocess.DEVNULL, env=os.environ | {"SOURCE_DATE_EPOCH": str(release.epoch)})
    shutil.rmtree(control)
