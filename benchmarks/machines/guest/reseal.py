"""Inside the machine: seal the builds anew, whose files came here by being copied to a disk.

A seal holds what a copy cannot keep, so that without this each server would be built again, from
packages that the machine has no network to fetch.
"""

import json

from webdyno.runtime.builds import build
from webdyno.runtime.builds.seal import seal_of
from webdyno.runtime.home import Home

for stamp in Home.default().builds.glob(f"*/{build._STAMP}"):
    held = json.loads(stamp.read_text(encoding="utf-8"))
    held["seal"] = seal_of(stamp.parent, build._UNSEALED)
    stamp.write_text(json.dumps(held), encoding="utf-8")
