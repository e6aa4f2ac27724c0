"""The name, contents and files of a release: binaries, Debian package, wheel, OCI image, SPDX document, checksums."""
import hashlib
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from release import debian, image, sbom, wheel
from release.parts import debian_package, debian_part, output_of, parts


@dataclass
class Release:
    """The commit of a release, and the names that depend on it."""

    version: str
    commit: str
    epoch: int
    date: str
    maintainer: str
    architecture: str

    @staticmethod
    def of_head(root):
        version = re.search(r'let number = "([^"]+)"', (root / "Sources/Version/SettleVersion.swift").read_text("utf-8"))[1]
        told = output_of("git", "log", "-1", "--format=%H%n%ct%n%cs%n%cn <%ce>", cwd=root).split("\n")
        return Release(
            version, told[0], int(told[1]), told[2], told[3], output_of("dpkg", "--print-architecture").strip())


def notices(made):
    """The licence of settle, and the texts that its commands' parts require; each text once."""
    texts = {}
    for part in made:
        for path in part.texts:
            texts.setdefault(path.read_text(encoding="utf-8"), []).append(f"{part.name} ({path.name})")
    held = "\n".join(f"  {part.name} {part.version}: {part.licence}, {part.source}" for part in made)
    return (
        "settle is under the Apache License, Version 2.0, which on Debian is in\n"
        "/usr/share/common-licenses/Apache-2.0. Its commands contain, or run with:\n\n" + held + "\n\n"
        "To use another version of a library, as the LGPL of GMP and nettle allows, build settle again: its source has\n"
        "everything that this needs (tools/release).\n\n"
        + "\n\n".join(f"{'=' * 80}\n{', '.join(names)}\n{'=' * 80}\n\n{text}" for text, names in texts.items()))


def pack(root, built, release, out, compression=("-Zxz",)):
    """Makes all files of a release in the folder out, from the checkout at root and the commands where they were built.

    Returns the commands of the release by their names.
    """
    suffix = f"{release.version}-linux-{release.architecture}"
    binaries = {binary.name: out / f"{binary.name}-{suffix}" for binary in built}
    out.mkdir(parents=True)
    for binary in built:
        subprocess.run(["strip", "--strip-all", "-o", binaries[binary.name], binary], check=True)
        binaries[binary.name].chmod(0o755)
    libraries = debian.shared_libraries(binaries.values())
    linked = {binary.name: parts(binary) for binary in built}
    loaded = {name: sorted({*map(debian_package, debian.shared_libraries([binary]))}) for name, binary in binaries.items()}
    shared = [debian_part(name) for name in sorted({*sum(loaded.values(), []), "ca-certificates"})]
    texts = notices([*{part.name: part for held in linked.values() for part in held}.values(), *shared])
    with tempfile.TemporaryDirectory() as folder:
        debian.stage(root, binaries, texts, release, Path(folder, "settle"))
        debian.package(
            Path(folder, "settle"), binaries.values(), release,
            out / f"settle_{release.version.replace('-', '~')}_{release.architecture}.deb", compression)
    wheel.wheel(root, binaries["settle"], texts, release, out)
    (out / f"settle-{suffix}.oci.tar").write_bytes(image.image(binaries, libraries, texts, release))
    commands = {name: (digest(binary), linked[name], loaded[name]) for name, binary in binaries.items()}
    (out / f"settle-{release.version}.spdx.json").write_text(sbom.document(release, commands, shared), "utf-8")
    sums = [f"{digest(path)}  {path.name}\n" for path in sorted(out.iterdir())]
    (out / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    return binaries


def digest(path):
    """The SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
