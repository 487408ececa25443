"""Starts the runner: `boot.py PORT|none|PORT:PATH|none:none [--site DIR]... [--preload NAME,...] (--filters FOLDER | --memory MIB --seconds S)`. Nothing of it stays importable for candidates."""

import argparse
import os
import sys

# The host gives five descriptors: whatever else came along is nobody's here.
os.closerange(5, 1 << 20)

sys.path.pop(0)
arguments = argparse.ArgumentParser()
arguments.add_argument("port")
arguments.add_argument("--site", action="append", default=[])
arguments.add_argument("--preload", default="requests")
arguments.add_argument("--filters")
arguments.add_argument("--memory", type=float)
arguments.add_argument("--seconds", type=float)
options = arguments.parse_args()

here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [here]
from stateeval_runner.server import main  # noqa: E402

sys.path.remove(here)
sys.path.extend(options.site)
main(
    options.port,
    [name for name in options.preload.split(",") if name],
    options.filters,
    {"memoryMiB": options.memory, "cpuSeconds": options.seconds},
)
