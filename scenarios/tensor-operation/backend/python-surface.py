"""PyTorch itself, for programs in Python: tensors for `$tensor` values both ways."""

import base64
import ctypes
import hashlib
import math
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
_sha256, _arange, _where, _sqrt = hashlib.sha256, torch.arange, torch.where, math.sqrt
_int64, _float64, _uint8 = torch.int64, torch.float64, torch.uint8

# Of a large world: tensors of more elements than are carried stand summarized in RESULT.
CARRIED = None
MAX_ELEMENTS = 10**8
WORD, MAX_BLOCKS = 32, 1024
PART = 2**18


def mixed(words):
    """32 bits well mixed, of a tensor or a number: as in packages/program/src/tensor/drawn.ts."""
    words = ((words ^ (words >> 16)) * 0x85EBCA6B) & 0xFFFFFFFF
    words = ((words ^ (words >> 13)) * 0xC2B2AE35) & 0xFFFFFFFF
    return words ^ (words >> 16)


def drawn(shape, seed):
    """A large initial tensor: each element follows from the seed and its place."""
    count = math.prod(shape)
    if count > MAX_ELEMENTS:
        raise RuntimeError(f"a drawn tensor may have {MAX_ELEMENTS} elements, not {count}")
    digest = _sha256(seed.encode()).digest()
    first, other = (int.from_bytes(digest[at : at + 4], "big") for at in (0, 4))
    scale = 1 / _sqrt(max(1, math.prod(shape[1:]))) if seed.startswith("weight") else 1.0
    tensor = _zeros(count, dtype=torch.float32, device="cpu")
    for start in range(0, count, PART):
        end = min(count, start + PART)
        a = mixed(mixed(_arange(start, end, dtype=_int64, device="cpu") ^ first) ^ other)
        b = mixed(a ^ 0x9E3779B9)
        sums = (a >> 16) + (a & 0xFFFF) + (b >> 16) + (b & 0xFFFF)
        tensor[start:end] = ((sums + 2).to(_float64) / 0x10000 - 2) * _sqrt(3) * scale
    return tensor.reshape(shape)


def plain_bytes(part):
    """The bytes of a part in which equal numbers have equal bytes: one zero, one NaN."""
    if part.is_floating_point():
        part = _where(part == 0, torch.zeros_like(part), part)
        if bool(torch.isnan(part).any()):
            part = _where(torch.isnan(part), torch.full_like(part, float("nan")), part)
    return memory(part)


def memory(tensor):
    tensor = _contiguous(tensor)
    return ctypes.string_at(tensor.data_ptr(), tensor.numel() * tensor.element_size()) if tensor.numel() else b""


def summarize(tensor):
    """What stands for the values of a large tensor: as in packages/program/src/tensor/summary.ts."""
    flat = tensor.reshape(-1)
    count = flat.numel()
    size = max(WORD, math.ceil(count / MAX_BLOCKS / WORD) * WORD)
    sums, samples, odd = [], [], {"nan": 0, "up": 0, "down": 0, "places": 0}
    least, most = math.inf, -math.inf
    digest = _sha256()
    bits = _arange(WORD, dtype=_int64, device="cpu")
    for block, start in enumerate(range(0, count, size)):
        part = flat[start : start + size]
        length = part.numel()
        digest.update(plain_bytes(part))
        values = part.to(_float64)
        finite = torch.isfinite(values)
        if not bool(finite.all()):
            note(odd, values, start)
            values = _where(finite, values, _zeros(1, dtype=_float64, device="cpu"))
        if bool(finite.any()):
            kept = values[finite]
            least, most = min(least, float(kept.min())), max(most, float(kept.max()))
        words = mixed(_arange(start // WORD, -(-(start + length) // WORD), dtype=_int64, device="cpu") ^ 0x2545F491)
        signs = (((words[:, None] >> bits) & 1) * 2 - 1).reshape(-1)[:length]
        sums.append(float((values * signs).sum()))
        samples.append(float(part[mixed(block ^ 0x5A3B1C9D) % length]))
    summary = {
        "sha256": digest.hexdigest(),
        "least": 0 if least > most else least + 0.0,
        "most": 0 if least > most else most + 0.0,
        "sums": doubles(sums),
        "samples": doubles(samples),
    }
    return {**summary, "odd": odd} if odd["nan"] + odd["up"] + odd["down"] > 0 else summary


def note(odd, values, start):
    for kind, mask, salt in (
        ("nan", torch.isnan(values), 0x1B873593),
        ("up", values == math.inf, 0x3C6EF372),
        ("down", values == -math.inf, 0x6D2B79F5),
    ):
        places = mask.nonzero().reshape(-1) + start
        odd[kind] += places.numel()
        odd["places"] = (odd["places"] + int(mixed(places ^ salt).sum())) % 2**32


def doubles(numbers):
    return _b64encode(memory(torch.tensor(numbers, dtype=_float64, device="cpu"))).decode()


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
    if "seed" in wire:
        return drawn(wire["shape"], wire["seed"])
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
        head = {"dtype": name, "shape": list(tensor.shape)}
        if CARRIED is not None and tensor.numel() > CARRIED:
            return {"$tensor": {**head, "summary": summarize(tensor)}}
        return {"$tensor": {**head, "data": _b64encode(memory(tensor)).decode()}}
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
    world = host.call("device", place)
    if world is not None:
        global CARRIED
        CARRIED = world["carried"]
    if place == "cuda":
        # Programs are written for tensors that need no moving: what is given is there already.
        return {"globals": {"torch": torch}, "modules": {}, "decode": lambda value: moved(decode(value)), "encode": encode}
    return {"globals": {"torch": torch}, "modules": {}, "decode": decode, "encode": encode}
