"""
Peer: EvalPlus's own `untrusted_check`, a fork per sample. Reads {"programs": {name: code}, "times": n, "concurrency": [..]}
from standard input; writes {"version", "parts": [{name, concurrency, perSecond, p50, p95, p99, cpuMs}]}, with the CPU time
for each program of all that run it. What programs import is imported here first: in its favour, as forks then needn't.
"""

import json
import math
import os
import resource
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


def cpu_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    asked = json.load(sys.stdin)
    parts = []
    for concurrency in asked["concurrency"]:
        for name, code in asked["programs"].items():
            body = "\n".join("    " + line for line in code.splitlines())
            sample = f"def solve():\n{body}\n    return 1\n"
            used = cpu_of_children()
            with ProcessPoolExecutor(concurrency) as pool:
                list(pool.map(check, [sample] * concurrency))
                begun = time.perf_counter()
                took = sorted(pool.map(check, [sample] * asked["times"]))
                seconds = time.perf_counter() - begun
            # The pool's processes have ended, and the first programs are counted with the others.
            cpu = (cpu_of_children() - used) * 1000 / (asked["times"] + concurrency)
            at = lambda share: took[math.ceil(share * len(took)) - 1]
            seen = {"perSecond": len(took) / seconds, "p50": at(0.5), "p95": at(0.95), "p99": at(0.99), "cpuMs": cpu}
            parts.append({"name": name, "concurrency": concurrency, **seen})
    print(json.dumps({"version": version("evalplus"), "parts": parts}))


os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
main()
