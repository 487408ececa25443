"""Frames: four bytes of length, then UTF-8 JSON. The host's side is trusted."""

import builtins

# Children write with this after candidate code: it keeps what it needs.
__builtins__ = dict(vars(builtins))

import json  # noqa: E402
from os import read as _read  # noqa: E402
from os import write as _write  # noqa: E402
from struct import pack, unpack  # noqa: E402


#: An empty frame: the host wants the run to end, and to hear what is known of it.
STOP = "stop"


def read(fd):
    """The next frame's value, STOP, or None where the host has gone."""
    head = _exactly(fd, 4)
    if head is None:
        return None
    body = _exactly(fd, unpack(">I", head)[0])
    return None if body is None else json.loads(body) if body else STOP


def write(fd, text):
    write_bytes(fd, text.encode("utf-8", "replace"))


def write_bytes(fd, body):
    rest = memoryview(pack(">I", len(body)) + body)
    while rest:
        rest = rest[_write(fd, rest) :]


def _exactly(fd, length):
    parts = []
    while length > 0:
        part = _read(fd, min(length, 1 << 20))
        if not part:
            return None
        parts.append(part)
        length -= len(part)
    return b"".join(parts)
