"""The Python wheel of settle-spark with the command in it: pip installs both; no registry and no build tool is needed."""
import base64
import hashlib
import re
import subprocess
import time
import tomllib
import zipfile

MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}


def version(release):
    """The release's version as Python writes it: 1.0.0-rc.4 is 1.0.0rc4."""
    return re.sub(r"-(a|b|rc)[a-z]*\.?", r"\1", release.version)


def platform(binary, release):
    """The platform that pip compares with the machine: it has a C library that is new enough for the binary."""
    told = subprocess.run(["readelf", "-V", binary], capture_output=True, text=True, check=True).stdout
    newest = max(tuple(map(int, found)) for found in re.findall(r"\bGLIBC_(\d+)\.(\d+)", told))
    return f"manylinux_{newest[0]}_{newest[1]}_{MACHINES[release.architecture]}"


def metadata(project, release, readme):
    """METADATA, by the fields of pyproject.toml."""
    lines = [
        "Metadata-Version: 2.4", f"Name: {project['name']}", f"Version: {version(release)}",
        f"Summary: {project['description']}", f"Requires-Python: {project['requires-python']}",
        "License-Expression: Apache-2.0", "License-File: LICENSE", "License-File: copyright",
        *(f"Requires-Dist: {wanted}" for wanted in project["dependencies"]),
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(lines) + "\n\n" + readme


def wheel(root, binary, texts, release, out):
    """Makes the wheel in the folder out; returns its path. The same files give the same bytes."""
    project = tomllib.loads((root / "spark/pyproject.toml").read_text("utf-8"))["project"]
    name, tag = project["name"].replace("-", "_"), f"py3-none-{platform(binary, release)}"
    info = f"{name}-{version(release)}.dist-info"
    scripts = "".join(f"{script} = {target}\n" for script, target in project["scripts"].items())
    sources = root / "spark/src" / name
    files = {f"{name}/{path.name}": path.read_bytes() for path in sources.iterdir() if path.suffix in (".py", ".typed")}
    files |= {
        f"{name}/bin/settle": binary.read_bytes(),
        f"{info}/METADATA": metadata(project, release, (root / "spark/README.md").read_text("utf-8")).encode(),
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: settle\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(),
        f"{info}/entry_points.txt": f"[console_scripts]\n{scripts}".encode(),
        f"{info}/licenses/LICENSE": (root / "LICENSE").read_bytes(),
        f"{info}/licenses/copyright": texts.encode(),
    }
    rows = [f"{file},sha256={_digest(content)},{len(content)}\n" for file, content in sorted(files.items())]
    files[f"{info}/RECORD"] = "".join([*rows, f"{info}/RECORD,,\n"]).encode()
    path = out / f"{name}-{version(release)}-{tag}.whl"
    date = time.gmtime(max(release.epoch, 315532800))[:6]  # A zip file begins with 1980.
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for file, content in sorted(files.items(), key=lambda each: (info in each[0], each[0])):
            entry = zipfile.ZipInfo(file, date)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if file.endswith("/bin/settle") else 0o100644) << 16
            made.writestr(entry, content)
    return path


def _digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
