"""Times graphs in PyTorch, which computes each operation at once. Reads a list of jobs, writes milliseconds."""

import importlib.util
import json
import pathlib
import sys
import time

import torch

sys.dont_write_bytecode = True
SURFACE = pathlib.Path(__file__).parents[2] / "scenarios/tensor-operation/backend/python-surface.py"
spec = importlib.util.spec_from_file_location("surface", SURFACE)
surface = importlib.util.module_from_spec(spec)
spec.loader.exec_module(surface)

torch.set_num_threads(1)
devices = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]
GRAPHS = {
    "products": lambda a, b, c: (torch.matmul(a, b) + c).transpose(0, 1).contiguous().matmul(b),
    "sums": lambda a, b, c: a + b + c + a + b + c + a + b,
    "drawn": lambda a, b: (a + b).mul(a).transpose(0, 1).contiguous().sum(0),
}


def numbers(shape):
    return torch.arange(shape[0] * shape[1], dtype=torch.float32).remainder(7).reshape(shape)


def timed(graph, shape, rounds, device):
    # From the values to the values, as a program has them; large ones from their seeds.
    given = [] if graph == "drawn" else [numbers(shape) for _ in range(3)]
    spent = []
    for _ in range(rounds + 1):
        start = time.perf_counter()
        tensors = given or [surface.drawn(shape, seed) for seed in ("tensor.1.1", "tensor.1.2")]
        GRAPHS[graph](*(one.to(device) for one in tensors)).cpu()
        spent.append((time.perf_counter() - start) * 1000)
    # The first one loads what is loaded late.
    return spent[1:]


def ways(job):
    for device in devices:
        try:
            yield {**job, "device": device, "ms": timed(job["graph"], job["shape"], job["rounds"], device)}
        except (RuntimeError, MemoryError):
            # This machine, or the device, has too little memory.
            continue


jobs = json.load(sys.stdin)
json.dump({"version": torch.__version__, "timings": [way for job in jobs for way in ways(job)]}, sys.stdout)
