"""The software bill of materials, as SPDX 2.3 in JSON: settle, what its binary holds, and what the image adds."""
import json
import time
import uuid

NOTHING = "NOASSERTION"


def identifier(name):
    return "SPDXRef-" + "".join(letter if letter.isalnum() else "-" for letter in name)


def package(part):
    return {
        "SPDXID": identifier(part.name), "name": part.name, "versionInfo": part.version, "downloadLocation": part.source,
        "filesAnalyzed": False, "licenseConcluded": part.licence, "licenseDeclared": part.licence,
        "copyrightText": NOTHING,
        "externalRefs": [
            {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": part.package_url}],
    }


def document(release, digest, parts, shared):
    """The document as text.

    digest is the SHA-256 of the binary, parts are linked into it, shared is what it runs with: the image holds that.
    """
    settle = {
        "SPDXID": "SPDXRef-settle", "name": "settle", "versionInfo": release.version,
        "downloadLocation": NOTHING, "filesAnalyzed": False, "licenseConcluded": "Apache-2.0",
        "licenseDeclared": "Apache-2.0", "copyrightText": NOTHING, "primaryPackagePurpose": "APPLICATION",
        "sourceInfo": f"commit {release.commit}", "checksums": [{"algorithm": "SHA256", "checksumValue": digest}],
    }
    image = {
        "SPDXID": "SPDXRef-image", "name": "settle image", "versionInfo": release.version,
        "downloadLocation": NOTHING, "filesAnalyzed": False, "licenseConcluded": NOTHING, "licenseDeclared": NOTHING,
        "copyrightText": NOTHING, "primaryPackagePurpose": "CONTAINER",
    }

    def related(subject, kind, others):
        return [
            {"spdxElementId": subject, "relationshipType": kind, "relatedSpdxElement": other} for other in others]

    named = uuid.uuid5(uuid.NAMESPACE_OID, release.commit + digest)
    own = [part for part in shared if part.name != "ca-certificates"]
    return json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"settle-{release.version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/settle-{named}",
        "creationInfo": {
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(release.epoch)),
            "creators": ["Tool: settle-tools-release"]},
        "packages": [settle, image, *map(package, [*parts, *shared])],
        "relationships": [
            *related("SPDXRef-DOCUMENT", "DESCRIBES", ["SPDXRef-settle", "SPDXRef-image"]),
            *related("SPDXRef-settle", "STATIC_LINK", [identifier(part.name) for part in parts]),
            *related("SPDXRef-settle", "DYNAMIC_LINK", [identifier(part.name) for part in own]),
            *related("SPDXRef-image", "CONTAINS", ["SPDXRef-settle", *(identifier(part.name) for part in shared)]),
        ],
    }, indent=1) + "\n"
