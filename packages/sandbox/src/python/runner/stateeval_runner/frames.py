"""Frames: four bytes of length, then UTF-8 JSON. The host's side is trusted."""

import json
import os
import struct


def read(fd):
    """The next frame's value, or None where the host has gone."""
    head = _exactly(fd, 4)
    body = head and _exactly(fd, struct.unpack(">I", head)[0])
    return None if body is None else json.loads(body)


def write(fd, text):
    write_bytes(fd, text.encode("utf-8", "replace"))


def write_bytes(fd, body):
    rest = memoryview(struct.pack(">I", len(body)) + body)
    while rest:
        rest = rest[os.write(fd, rest) :]


def _exactly(fd, length):
    parts = []
    while length > 0:
        part = os.read(fd, min(length, 1 << 20))
        if not part:
            return None
        parts.append(part)
        length -= len(part)
    return b"".join(parts)
