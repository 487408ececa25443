"""Runs programs of tensor expressions in PyTorch: JSON in, what each step gave as JSON out."""

import base64
import json
import sys

import torch

torch.set_num_threads(1)
F = torch.nn.functional
DTYPES = {name: getattr(torch, name) for name in ("float32", "float64", "int64", "int32", "bool")}


def read(wire):
    data = bytearray(base64.b64decode(wire["data"]))
    dtype = DTYPES[wire["dtype"]]
    return torch.frombuffer(data, dtype=dtype).reshape(wire["shape"]).clone() if data else torch.zeros(wire["shape"], dtype=dtype)


def told(value):
    if isinstance(value, torch.Tensor):
        flat = value.contiguous()
        return {
            "dtype": str(value.dtype).partition(".")[2],
            "shape": list(value.shape),
            "contiguous": value.is_contiguous(),
            "values": [repr(float(item)) for item in flat.flatten().tolist()],
        }
    if isinstance(value, (list, tuple)):
        return [told(item) for item in value]
    return value


def run(program):
    names = {"torch": torch, "F": F}
    for number, wire in enumerate(program["inputs"]):
        names[f"v{number}"] = read(wire)
    steps = []
    for name, expression in program["steps"]:
        try:
            names[name] = eval(expression, names)
            steps.append({"value": told(names[name])})
        except Exception as error:
            steps.append({"error": [type(error).__name__, str(error)]})
    return steps


json.dump([run(program) for program in json.load(sys.stdin)], sys.stdout)
