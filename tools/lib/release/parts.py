"""The third-party parts of a binary: Swift packages, Swift's runtime, libraries of Debian, each with its licence."""
import functools
import json
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

# Debian's packages of libraries, with the licence of the parts that the binary uses.
LIBRARIES = {
    "libgmp": "LGPL-3.0-or-later OR GPL-2.0-or-later",
    "liblz4": "BSD-2-Clause",
    "libexpat": "MIT",
    "nettle": "LGPL-3.0-or-later OR GPL-2.0-or-later",
    "libsqlite3": "blessing",
    "libxxhash": "BSD-2-Clause",
    "libstdc++": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libgcc": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libc6": "LGPL-2.1-or-later",
    "ca-certificates": "MPL-2.0 AND GPL-2.0-or-later",
    # libcurl, and what it needs.
    "libcurl4": "curl",
    "libbrotli": "MIT",
    "libcom-err2": "MIT",
    "libffi": "MIT",
    "libgnutls": "LGPL-2.1-or-later",
    "libgssapi-krb5": "MIT",
    "libhogweed": "LGPL-3.0-or-later OR GPL-2.0-or-later",
    "libidn2": "LGPL-3.0-or-later OR GPL-2.0-or-later",
    "libk5crypto": "MIT",
    "libkeyutils": "LGPL-2.0-or-later",
    "libkrb5": "MIT",
    "libldap": "OLDAP-2.8",
    "libnghttp2": "MIT",
    "libp11-kit": "BSD-3-Clause",
    "libpsl": "MIT",
    "librtmp": "LGPL-2.1-or-later",
    "libsasl2": "BSD-3-Clause-Attribution",
    "libssh2": "BSD-3-Clause",
    "libssl": "Apache-2.0",
    "libtasn1": "LGPL-2.1-or-later",
    "libunistring": "LGPL-3.0-or-later OR GPL-2.0-or-later",
    "libzstd": "BSD-3-Clause",
    "zlib1g": "Zlib",
}
# Static libraries with which each command is linked, instead of shared ones of the same names.
STATIC = {
    "settle": ("expat", "gmp", "lz4", "nettle", "sqlite3", "xxhash", "stdc++"),
    "settle-deliver": ("gmp", "nettle", "stdc++"),
}


@dataclass
class Part:
    """A part of a release: where it comes from, its licence, and the texts that must be included."""

    name: str
    version: str
    licence: str
    source: str
    package_url: str
    texts: list = field(default_factory=list)


def output_of(*command, **options):
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=True, **options).stdout


def static_library(name):
    """The file of a static library, as the compiler finds it; fails if it is not installed."""
    path = Path(output_of("cc", f"-print-file-name=lib{name}.a").strip())
    if not path.is_absolute():
        raise OSError(f"lib{name}.a is not installed")
    return path.resolve()


@functools.cache
def debian_package(path):
    """The Debian package that a file belongs to."""
    for name in (path, path.resolve(), Path("/usr", *path.parts[1:])):
        if found := subprocess.run(["dpkg-query", "-S", name], capture_output=True, text=True, check=False).stdout:
            return found.split(":")[0]
    raise OSError(f"no Debian package has {path}")


def debian_part(package):
    version = output_of("dpkg-query", "-W", "-f=${Version}", package)
    licence = next(licence for name, licence in LIBRARIES.items() if name in package)
    return Part(
        package, version, licence, f"https://packages.debian.org/{package}",
        f"pkg:deb/debian/{package}@{quote(version, '')}", [Path("/usr/share/doc", package, "copyright")])


def licence_of(text):
    if "Apache License" in text[:200]:
        return "Apache-2.0 WITH Swift-exception" if "Runtime Library Exception" in text else "Apache-2.0"
    if "Permission is hereby granted, free of charge" in text:
        return "MIT"
    raise ValueError(f"a licence that is neither Apache's nor MIT: {text[:80]!r}")


def linked_checkouts(binary):
    """The names of the checkouts from which object files of the binary come."""
    build = binary.parent
    objects = (build / f"{binary.name}.product" / "Objects.LinkFileList").read_text(encoding="utf-8").split("\n")
    modules = {build / re.search(r"/([^/]+\.build)/", path)[1] for path in objects if path}
    found = set()
    for module in sorted(modules):
        for record in [*module.glob("sources"), *sorted(module.rglob("*.d"))][:1]:
            source = re.search(r"/checkouts/([^/]+)/", record.read_text(encoding="utf-8"))
            if source:
                found.add(source[1])
    return sorted(found)


def swift_packages(binary):
    """The packages that are linked in, by the build's own records."""
    scratch = binary.parents[2]
    state = json.loads((scratch / "workspace-state.json").read_text(encoding="utf-8"))
    pins = {entry["subpath"]: entry for entry in state["object"]["dependencies"]}
    for subpath in linked_checkouts(binary):
        checkout = scratch / "checkouts" / subpath
        location = pins[subpath]["packageRef"]["location"].removesuffix(".git")
        pinned = pins[subpath]["state"]["checkoutState"]
        texts = sorted(checkout.glob("LICENSE*")) + sorted(checkout.glob("NOTICE*"))
        path = location.removeprefix("https://")
        yield Part(
            subpath, pinned["version"], licence_of(texts[0].read_text(encoding="utf-8")),
            f"git+{location}@{pinned['revision']}", f"pkg:swift/{path}@{pinned['version']}", texts)


def swift_folder():
    """Where Swift is installed: the folder of its bin and share."""
    target = json.loads(output_of("swift", "-print-target-info"))
    return Path(target["paths"]["runtimeResourcePath"]).parents[1]


def swift_runtime():
    version = re.search(r"Swift version (\S+)", output_of("swift", "--version"))[1]
    text = swift_folder() / "share" / "swift" / "LICENSE.txt"
    return Part(
        "swift", version, licence_of(text.read_text(encoding="utf-8")), "https://www.swift.org/download/",
        f"pkg:generic/swift@{version}", [text])


def parts(binary):
    """Everything that is linked statically into the binary, which is where it was built."""
    libraries = {debian_package(static_library(name)) for name in STATIC[binary.name]}
    libraries.add(debian_package(static_library("gcc")))
    return [*swift_packages(binary), swift_runtime(), *map(debian_part, sorted(libraries))]
