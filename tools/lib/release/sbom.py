"""The software bill of materials, as SPDX 2.3 in JSON: the commands, their parts, and what the image adds."""
import json
import time
import uuid

NOTHING = "NOASSERTION"


def identifier(name):
    return "SPDXRef-" + "".join(letter if letter.isalnum() else "-" for letter in name)


def package(name, version, licence, source=NOTHING, **more):
    return {
        "SPDXID": identifier(name), "name": name, "versionInfo": version, "downloadLocation": source, "filesAnalyzed": False,
        "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": NOTHING, **more}


def document(release, commands, shared):
    """The document as text.

    commands maps each command to the SHA-256 of its binary, the parts that are linked into it, and the names of those that
    it loads; shared are the parts that the commands need to run: the image has these.
    """
    applications = [
        package(name, release.version, "Apache-2.0", primaryPackagePurpose="APPLICATION",
                sourceInfo=f"commit {release.commit}", checksums=[{"algorithm": "SHA256", "checksumValue": digest}])
        for name, (digest, _, _) in commands.items()]
    parts = {part.name: part for _, linked, _ in commands.values() for part in linked}.values()
    others = [package(part.name, part.version, part.licence, part.source, externalRefs=[
        {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": part.package_url}])
        for part in [*parts, *shared]]
    image = package("settle image", release.version, NOTHING, SPDXID="SPDXRef-image", primaryPackagePurpose="CONTAINER")

    def related(subject, kind, objects):
        return [{"spdxElementId": subject, "relationshipType": kind, "relatedSpdxElement": each} for each in objects]

    digests = "".join(digest for digest, _, _ in commands.values())
    named = uuid.uuid5(uuid.NAMESPACE_OID, release.commit + digests)
    identifiers = [*map(identifier, commands)]
    return json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"settle-{release.version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/settle-{named}",
        "creationInfo": {
            "created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(release.epoch)),
            "creators": ["Tool: settle-tools-release"]},
        "packages": [*applications, image, *others],
        "relationships": [
            *related("SPDXRef-DOCUMENT", "DESCRIBES", [*identifiers, "SPDXRef-image"]),
            *(relation for name, (_, linked, loaded) in commands.items() for relation in (
                *related(identifier(name), "STATIC_LINK", [identifier(part.name) for part in linked]),
                *related(identifier(name), "DYNAMIC_LINK", map(identifier, loaded)))),
            *related("SPDXRef-image", "CONTAINS", [*identifiers, *(identifier(part.name) for part in shared)]),
        ],
    }, indent=1) + "\n"
