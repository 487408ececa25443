"""Runs programs in PyTorch, one process for all: a line of JSON in (code, inputs), a line out (results or errors)."""

import base64
import json
import sys

import torch

torch.set_num_threads(1)


def decode(value):
    if isinstance(value, dict) and "$tensor" in value:
        tensor = value["$tensor"]
        return torch.frombuffer(bytearray(base64.b64decode(tensor["data"])), dtype=torch.float32).reshape(tensor["shape"])
    return value


def encode(value):
    if isinstance(value, torch.Tensor):
        flat = value.contiguous()
        data = base64.b64encode(flat.numpy().tobytes()).decode()
        return {"$tensor": {"dtype": str(value.dtype).partition(".")[2], "shape": list(value.shape), "data": data}}
    if isinstance(value, (list, tuple)):
        return [encode(item) for item in value]
    return {key: encode(item) for key, item in value.items()}


def run(code, variables):
    names = {name: decode(value) for name, value in variables.items()}
    try:
        exec(code, names)
        return {"result": encode(names["RESULT"])}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


for line in sys.stdin:
    program = json.loads(line)
    print(json.dumps([run(program["code"], variables) for variables in program["inputs"]]), flush=True)
