"""Times the same graphs in PyTorch, which computes each operation at once. Reads a list of jobs, writes milliseconds."""

import json
import sys
import time

import torch

torch.set_num_threads(1)
devices = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]
GRAPHS = {
    "products": lambda a, b, c: (torch.matmul(a, b) + c).transpose(0, 1).contiguous().matmul(b),
    "sums": lambda a, b, c: a + b + c + a + b + c + a + b,
}


def timed(graph, side, rounds, device):
    # From the values to the values, as a program has them.
    given = [torch.arange(side * side, dtype=torch.float32).remainder(7).reshape(side, side) for _ in range(3)]
    spent = []
    for _ in range(rounds + 1):
        start = time.perf_counter()
        GRAPHS[graph](*(one.to(device) for one in given)).cpu()
        spent.append((time.perf_counter() - start) * 1000)
    # The first one loads what is loaded late.
    return spent[1:]


jobs = json.load(sys.stdin)
told = [{**job, "device": device, "ms": timed(job["graph"], job["side"], job["rounds"], device)} for job in jobs for device in devices]
json.dump({"version": torch.__version__, "timings": told}, sys.stdout)
