"""PyTorch itself, for programs in Python: tensors for `$tensor` values both ways."""

import base64
import ctypes
import os

import torch

DTYPES = {
    str(dtype).partition(".")[2]: dtype
    for dtype in (
        *(torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.int64),
        *(torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool),
    )
}
NAMES = {dtype: name for name, dtype in DTYPES.items()}
_Tensor, _dtype, _frombuffer, _zeros, _detach = torch.Tensor, torch.dtype, torch.frombuffer, torch.zeros, torch.Tensor.detach
_contiguous, _cpu = torch.Tensor.contiguous, torch.Tensor.cpu
_b64decode, _b64encode = base64.b64decode, base64.b64encode


def decode(value):
    if isinstance(value, list):
        return [decode(item) for item in value]
    if not isinstance(value, dict):
        return value
    wire = value.get("$tensor")
    if len(value) != 1 or not isinstance(wire, dict):
        return {key: decode(item) for key, item in value.items()}
    dtype = DTYPES.get(wire["dtype"])
    if dtype is None:
        raise TypeError(f"a tensor of torch.{wire['dtype']} is not supported here; supported are {', '.join(DTYPES)}")
    data = bytearray(_b64decode(wire["data"], validate=True))
    tensor = _zeros(wire["shape"], dtype=dtype, device="cpu")
    expected = tensor.numel() * tensor.element_size()
    if len(data) != expected:
        raise RuntimeError(f"a tensor of shape {wire['shape']} and {dtype} has {expected} bytes, its data {len(data)}")
    return _frombuffer(data, dtype=dtype).reshape(wire["shape"]).clone() if data else tensor


def moved(value):
    if isinstance(value, list):
        return [moved(item) for item in value]
    if isinstance(value, dict):
        return {key: moved(item) for key, item in value.items()}
    return value.cuda() if isinstance(value, _Tensor) else value


def encode(value, path=()):
    if isinstance(value, _Tensor):
        tensor = _contiguous(_cpu(_detach(value)))
        name = NAMES.get(tensor.dtype)
        if name is None:
            raise TypeError(f"a tensor of {tensor.dtype} can't be told")
        data = ctypes.string_at(tensor.data_ptr(), tensor.numel() * tensor.element_size()) if tensor.numel() else b""
        return {"$tensor": {"dtype": name, "shape": list(tensor.shape), "data": _b64encode(data).decode()}}
    if isinstance(value, _dtype):
        return str(value)
    if isinstance(value, (list, tuple, dict)):
        # What contains itself is left to whoever reads JSON.
        if id(value) in path:
            return value
        path = (*path, id(value))
        if isinstance(value, dict):
            return {key: encode(item, path) for key, item in value.items()}
        return [encode(item, path) for item in value]
    return value


def device():
    """Where tensors are made that name no device. A process that forks must not have used CUDA: this is a child."""
    if os.environ.get("STATEEVAL_TORCH_DEVICE") != "cuda":
        return "cpu"
    if not torch.cuda.is_available():
        raise RuntimeError("PyTorch finds no CUDA device in this jail")
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    if hasattr(torch, "set_default_device"):
        torch.set_default_device("cuda")
    else:
        torch.set_default_tensor_type("torch.cuda.FloatTensor")
    return "cuda"


def surface(host):
    place = device()
    host.call("device", place)
    if place == "cuda":
        # Programs are written for tensors that need no moving: what is given is there already.
        return {"globals": {"torch": torch}, "modules": {}, "decode": lambda value: moved(decode(value)), "encode": encode}
    return {"globals": {"torch": torch}, "modules": {}, "decode": decode, "encode": encode}
