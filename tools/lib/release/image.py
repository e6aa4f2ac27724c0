"""The OCI image: the commands, the libraries and the loader they start with, CA certificates, and a user who is not root.
It is a tar of an OCI image layout, which podman, skopeo and docker load take."""
import gzip
import hashlib
import io
import json
import tarfile
import time
from pathlib import Path

USER = 65532
PLACE = "work"
TYPES = "application/vnd.oci.image"
FILES = {
    "etc/passwd": f"root:x:0:0:root:/root:/sbin/nologin\nsettle:x:{USER}:{USER}:settle:/{PLACE}:/sbin/nologin\n",
    "etc/group": f"root:x:0:\nsettle:x:{USER}:\n",
    "etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
}
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")


def tar_of(files, folders, epoch):
    """The bytes of a tar. files maps names to contents and modes, folders names to modes and owners."""
    written = io.BytesIO()
    parents = {str(parent): (0o755, 0) for name in [*files, *folders] for parent in Path(name).parents}
    entries = {name: (None, *folder) for name, folder in (parents | folders).items() if name != "."}
    entries |= {name: (content, mode, 0) for name, (content, mode) in files.items()}
    with tarfile.open(fileobj=written, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name, (content, mode, owner) in sorted(entries.items()):
            entry = tarfile.TarInfo(name)
            entry.mtime, entry.mode, entry.uid, entry.gid = epoch, mode, owner, owner
            entry.type = tarfile.DIRTYPE if content is None else tarfile.REGTYPE
            entry.size = len(content or b"")
            tar.addfile(entry, io.BytesIO(content or b""))
    return written.getvalue()


def image(binaries, libraries, notices, release):
    """The bytes of the image. libraries are files of this machine; they get the same paths in the image."""
    files = {name: (text.encode(), 0o644) for name, text in FILES.items()}
    files[str(CERTIFICATES)[1:]] = (CERTIFICATES.read_bytes(), 0o644)
    for library in libraries:
        files[str(library)[1:]] = (library.read_bytes(), 0o755)
    system = tar_of(files, {"tmp": (0o1777, 0), PLACE: (0o755, USER)}, release.epoch)
    commands = {f"usr/bin/{name}": (binary.read_bytes(), 0o755) for name, binary in binaries.items()}
    commands["usr/share/doc/settle/copyright"] = (notices.encode(), 0o644)

    blobs = {}

    def blob(content, kind):
        digest = hashlib.sha256(content).hexdigest()
        blobs[f"blobs/sha256/{digest}"] = (content, 0o644)
        return {"mediaType": f"{TYPES}.{kind}", "digest": f"sha256:{digest}", "size": len(content)}

    def document(content, kind):
        return blob(json.dumps(content, sort_keys=True).encode(), kind)

    labels = {
        "org.opencontainers.image.title": "settle", "org.opencontainers.image.version": release.version,
        "org.opencontainers.image.revision": release.commit, "org.opencontainers.image.licenses": "Apache-2.0",
    }
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(release.epoch))
    layers = [system, tar_of(commands, {}, release.epoch)]
    config = document({
        "architecture": release.architecture, "os": "linux", "created": created,
        "config": {
            "User": f"{USER}:{USER}", "Entrypoint": ["/usr/bin/settle"], "WorkingDir": f"/{PLACE}",
            "Env": ["PATH=/usr/bin"], "Labels": labels},
        "rootfs": {
            "type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(layer).hexdigest()}" for layer in layers]},
        "history": [{"created": created, "created_by": "tools/release"} for _ in layers],
    }, "config.v1+json")
    manifest = document({
        "schemaVersion": 2, "mediaType": f"{TYPES}.manifest.v1+json", "config": config,
        "layers": [blob(gzip.compress(layer, 6, mtime=0), "layer.v1.tar+gzip") for layer in layers],
        "annotations": labels,
    }, "manifest.v1+json")
    manifest["annotations"] = {"org.opencontainers.image.ref.name": f"settle:{release.version}"}
    manifest["platform"] = {"architecture": release.architecture, "os": "linux"}
    index = {"schemaVersion": 2, "mediaType": f"{TYPES}.index.v1+json", "manifests": [manifest]}
    return tar_of(blobs | {
        "oci-layout": (b'{"imageLayoutVersion":"1.0.0"}', 0o644),
        "index.json": (json.dumps(index, sort_keys=True).encode(), 0o644),
    }, {}, release.epoch)
