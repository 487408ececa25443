"""Frames: four bytes of length, then UTF-8 JSON. The host's side is trusted."""

import builtins

# Children write with this after candidate code: it keeps what it needs.
__builtins__ = dict(vars(builtins))

from json.scanner import c_make_scanner  # noqa: E402
from os import read as _read  # noqa: E402
from os import write as _write  # noqa: E402
from struct import pack, unpack, unpack_from  # noqa: E402

#: Where frames go, both ways: as the runner has it, and in the process of a program.
FRAMES, OWN = 4, 3
#: Begins a call, and its reply.
CALL = b"\1"


class _Plainly:
    """How JSON is read; without the module around it, of which candidates may have changed anything."""

    strict, object_hook, object_pairs_hook, parse_float, parse_int = True, None, None, float, int
    parse_constant, memo = None, {}


_scan = c_make_scanner(_Plainly)


def decoded(text):
    """The value of JSON without space around it."""
    return _scan(text, 0)[0]


def read(fd):
    """The next frame's bytes, or None where the host has gone."""
    head = _exactly(fd, 4)
    return None if head is None else _exactly(fd, unpack(">I", head)[0])


def read_after(fd, mark):
    """The same of the frame after the mark. None also where anything else comes before it: that was meant for others."""
    held = _read(fd, 1 << 16)
    if not held.startswith(mark):
        return None
    while len(held) < len(mark) + 4:
        part = _read(fd, 1 << 16)
        if not part:
            return None
        held += part
    (length,) = unpack_from(">I", held, len(mark))
    body = held[len(mark) + 4 :]
    rest = _exactly(fd, length - len(body)) if length > len(body) else b""
    return None if rest is None else body + rest


def write(fd, body):
    content = pack(">I", len(body)) + body
    written = _write(fd, content)
    while written < len(content):
        written += _write(fd, memoryview(content)[written:])


def _exactly(fd, length):
    """So many bytes; None where they end before."""
    part = _read(fd, min(length, 1 << 20))
    if len(part) == length:
        return part
    parts = [part]
    length -= len(part)
    if not part:
        return None
    while length > 0:
        part = _read(fd, min(length, 1 << 20))
        if not part:
            return None
        parts.append(part)
        length -= len(part)
    return b"".join(parts)

