"""Adds to an image what umoci cannot: the health check, which engines read in its configuration and for which the OCI format
has no field, and the name that Podman and containerd give it when they load it (otherwise its tag, as a name).

    finish.py LAYOUT NAME          # a folder in the OCI layout, with one image"""

import hashlib
import json
import pathlib
import sys

SECOND = 1_000_000_000
CHECK = {
    "Test": ["CMD", "/usr/bin/claimsmith", "health"],
    "Interval": 30 * SECOND,
    "Timeout": 10 * SECOND,
    # Migrations and the first compilation of plugins.
    "StartPeriod": 60 * SECOND,
    "Retries": 3,
}


def main():
    layout, name = pathlib.Path(sys.argv[1]), sys.argv[2]
    blobs = layout / "blobs" / "sha256"

    def read(described):
        return json.loads((blobs / described["digest"].removeprefix("sha256:")).read_bytes())

    def write(described, document):
        content = json.dumps(document).encode()
        digest = hashlib.sha256(content).hexdigest()
        (blobs / digest).write_bytes(content)
        described |= {"digest": f"sha256:{digest}", "size": len(content)}

    index = json.loads((layout / "index.json").read_text())
    [described] = index["manifests"]
    manifest = read(described)
    settings = read(manifest["config"])
    settings["config"]["Healthcheck"] = CHECK
    write(manifest["config"], settings)
    write(described, manifest)
    described["annotations"]["io.containerd.image.name"] = name
    (layout / "index.json").write_text(json.dumps(index))


main()
