"""
Peer: EvalPlus's own `untrusted_check`, a fork per sample. Reads {"programs": {name: code}, "times": n, "concurrency": [..]}
from standard input; writes {"version", "parts": [{name, concurrency, perSecond, p50, p95, p99}]}. What programs import is
imported here first: in its favour, as forks then needn't.
"""

import json
import math
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version

import requests  # noqa: F401
from evalplus.eval import untrusted_check


def check(code):
    begun = time.perf_counter()
    status, _ = untrusted_check("humaneval", code, [[]], "solve", [1], 0, [0.01], fast_check=True)
    if status != "pass":
        raise RuntimeError(f"untrusted_check says {status}")
    return (time.perf_counter() - begun) * 1000


def main():
    asked = json.load(sys.stdin)
    parts = []
    for concurrency in asked["concurrency"]:
        with ProcessPoolExecutor(concurrency) as pool:
            for name, code in asked["programs"].items():
                body = "\n".join("    " + line for line in code.splitlines())
                sample = f"def solve():\n{body}\n    return 1\n"
                list(pool.map(check, [sample] * concurrency))
                begun = time.perf_counter()
                took = sorted(pool.map(check, [sample] * asked["times"]))
                seconds = time.perf_counter() - begun
                at = lambda share: took[math.ceil(share * len(took)) - 1]
                parts.append(
                    {"name": name, "concurrency": concurrency, "perSecond": len(took) / seconds, "p50": at(0.5), "p95": at(0.95), "p99": at(0.99)}
                )
    print(json.dumps({"version": version("evalplus"), "parts": parts}))


os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
main()
