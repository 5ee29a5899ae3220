"""Writes the bill of materials of a package, CycloneDX 1.6: sbom.py VERSION KIND FILE.

KIND is command (the program with its models) or runtime (the library). The libraries are those of
src/base/libraries.txt, with the versions of the Debian packages that were installed when it was built.
"""

import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[2]

PROGRAM_ONLY = ("OpenBLAS;", "CLI11;")  # the library computes without them

# What the heads of the models' cards name: a licence of SPDX, or what its authors say. The cards name smaller parts
# of the training data in their text, which the bill has too.
SOURCES = {
    "sentence-transformers/all-MiniLM-L6-v2": "Apache-2.0",
    "sst2": "no licence stated",
    "clinc150": "CC-BY-3.0",
    "banking77": "CC-BY-4.0",
    "trec": "no licence stated",
    "hwu64": "CC-BY-4.0",
    "snips": "CC0-1.0",
    "go_emotions": "CC-BY-4.0",
    "sms_spam": "CC-BY-4.0",
    "clickbait": "MIT",
}


def licences(expression):
    """As CycloneDX has them."""
    if expression.startswith("no "):
        return [{"license": {"name": expression}}]
    return [{"expression": expression}] if " " in expression else [{"license": {"id": expression}}]


def library(name, package, licence):
    """A library, as dpkg knows it."""
    shown = subprocess.run(
        ["dpkg-query", "--show", "--showformat=${Version} ${source:Package} ${Homepage}", package],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    version, source, homepage = shown.stdout.split(" ")
    return {
        "type": "library",
        "bom-ref": name,
        "name": name,
        "version": version,
        "licenses": licences(licence),
        "purl": f"pkg:deb/debian/{source}@{version.replace('+', '%2B').replace(':', '%3A')}?arch=source",
        "externalReferences": [{"type": "website", "url": homepage}],
    }


def sources(card):
    """The names of what a model was trained on, in the head of its card, and what the card says of their licences."""
    head, text = card.read_text(encoding="utf-8").split("\n---\n", 1)
    names = re.findall(r"^(?:- |base_model: )(\S+)$", head.split("\ntags:")[0], re.MULTILINE)
    return names, re.search(r"\n## Data and licences\n+(.*?)(?:\n## |$)", text, re.DOTALL)[1].strip()


def models():
    """The models with the data sets and models that they learned from."""
    used = set()
    for card in sorted(ROOT.glob("data/models/*/README.md")):
        names, said = sources(card)
        used.update(names)
        data = [{"ref": name} for name in names if "/" not in name]
        ancestors = [
            {"type": "machine-learning-model", "name": name, "licenses": licences(SOURCES[name])}
            for name in names
            if "/" in name
        ]
        model = {
            "type": "machine-learning-model",
            "bom-ref": "model " + card.parent.name,
            "name": card.parent.name,
            "description": said,
            "licenses": licences("Apache-2.0"),
            "modelCard": {"modelParameters": {"datasets": data}},
        }
        if ancestors:
            model["pedigree"] = {"ancestors": ancestors}
        yield model
    for name in sorted(used):
        if "/" not in name:
            yield {
                "type": "data",
                "bom-ref": name,
                "name": name,
                "licenses": licences(SOURCES[name]),
                "scope": "excluded",
            }


def main():
    version, kind, out = sys.argv[1:]
    rows = (ROOT / "src/base/libraries.txt").read_text(encoding="utf-8").splitlines()
    libraries = [library(*row.split(";")) for row in rows if kind != "runtime" or not row.startswith(PROGRAM_ONLY)]
    components = libraries + (list(models()) if kind != "runtime" else [])
    program = {
        "type": "library" if kind == "runtime" else "application",
        "bom-ref": "headlight",
        "name": "headlight",
        "version": version,
    }
    time = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", 0)), datetime.UTC)
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {**program, "licenses": licences("Apache-2.0")},
        },
        "components": components,
        "dependencies": [
            {"ref": "headlight", "dependsOn": [row["bom-ref"] for row in components if row["type"] != "data"]}
        ],
    }
    name = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(bill))
    pathlib.Path(out).write_text(
        json.dumps({"serialNumber": f"urn:uuid:{name}", **bill}, indent=1) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
