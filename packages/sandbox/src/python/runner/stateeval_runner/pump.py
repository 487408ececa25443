"""Reads what a child writes: its outcome, its output and its errors, each up to a limit."""

import os
import select
import struct
import time

from . import frames
from .frames import BAIL

#: Output beyond the limit is cut; beyond this many times the limit it is a flood.
FLOOD = 4
#: Where the kernel can't tell us that the child has ended, we look this often, in milliseconds.
LOOK = 2
#: How long pipes may stay open after every process is gone, in seconds.
DRAIN = 2.0
#: So many bytes of a reason are told: programs may choose its words.
REASON = 200


class Pump:
    def __init__(self, fds, outcome_bytes, output_bytes):
        self._limits = (outcome_bytes, output_bytes, output_bytes)
        self._chunks = ([], [], [])
        self._kept = [0, 0, 0]
        self._seen = [0, 0, 0]
        self._which = {fd: index for index, fd in enumerate(fds)}
        self._poll = select.poll()
        for fd in fds:
            os.set_blocking(fd, False)
            self._poll.register(fd, select.POLLIN)

    def until_end(self, child, host, relay):
        """
        Reads until the child has ended, and says why it was ended: it passed the limit of its 'outcome' or 'output', the
        host said 'stopped' (an empty frame), it wrote what is no call ('calls'), or None.
        """
        for fd in (child.fd, host):
            if fd is not None:
                self._poll.register(fd, select.POLLIN)
        excess = events = None
        patience = None if child.fd is not None else LOOK
        while True:
            wanted = relay.events()
            if wanted != events:
                events = wanted
                self._listen(relay.fd, events)
            ready = [fd for fd, _ in self._poll.poll(patience)]
            for fd in ready:
                if fd in self._which:
                    self._read(fd)
            if relay.fd in ready:
                relay.ready()
            if (child.fd is None or child.fd in ready) and child.ended():
                break
            if excess is None:
                frame = frames.read(host) if host in ready else None
                if frame:
                    relay.replied(frame)
                excess = "stopped" if host in ready and not frame else "calls" if relay.forged else self._excess()
                if excess is not None:
                    child.kill()
                    self._poll.unregister(host)
        if excess is None:
            self._poll.unregister(host)
        if events is not None:
            self._poll.unregister(relay.fd)
        if child.fd is not None:
            self._poll.unregister(child.fd)
        return excess

    def _listen(self, fd, events):
        if events is None:
            self._poll.unregister(fd)
        else:
            self._poll.register(fd, events)

    def drain(self):
        """Reads the rest; False where somebody still holds an end although every process is gone."""
        deadline = time.monotonic() + DRAIN
        while self._which and time.monotonic() < deadline:
            for fd, _ in self._poll.poll(100):
                self._read(fd)
        closed = not self._which
        for fd in list(self._which):
            self._close(fd)
        return closed

    def outcome(self, excess):
        """What the report says of the one frame that a child writes."""
        limit = self._limits[0]
        if excess == "calls":
            return {"outcome": None, "violation": "what is no call"}
        if excess == "outcome" or self._seen[0] > limit:
            return {"outcome": None, "violation": f"more than {limit} bytes"}
        whole = b"".join(self._chunks[0])
        if not whole:
            return {"outcome": None}
        if len(whole) < 4 or struct.unpack(">I", whole[:4])[0] != len(whole) - 4:
            return {"outcome": None, "violation": "not exactly one frame"}
        body = whole[4:]
        if not body:
            return {"outcome": None, "outOfMemory": True}
        if body.startswith(BAIL):
            return {"outcome": None, "bail": body[len(BAIL) :][:REASON].decode("ascii", "replace")}
        try:
            return {"outcome": body.decode("utf-8")}
        except UnicodeDecodeError:
            return {"outcome": None, "violation": "no UTF-8"}

    def text(self, index):
        """Output so far as it was kept; a character that the limit broke is left out."""
        whole = b"".join(self._chunks[index])
        if self._seen[index] > len(whole):
            for back in range(1, min(4, len(whole)) + 1):
                lead = whole[-back]
                if lead & 0xC0 != 0x80:
                    length = 4 if lead >= 0xF0 else 3 if lead >= 0xE0 else 2 if lead >= 0xC0 else 1
                    whole = whole[:-back] if length > back else whole
                    break
        return whole.decode("utf-8", "replace")

    def _read(self, fd):
        try:
            chunk = os.read(fd, 1 << 16)
        except BlockingIOError:
            return
        if not chunk:
            self._close(fd)
            return
        index = self._which[fd]
        room = self._limits[index] - self._kept[index]
        if room > 0:
            self._chunks[index].append(chunk[:room])
            self._kept[index] += min(room, len(chunk))
        self._seen[index] += len(chunk)

    def _excess(self):
        if self._seen[0] > self._limits[0]:
            return "outcome"
        if self._seen[1] + self._seen[2] > FLOOD * self._limits[1]:
            return "output"
        return None

    def _close(self, fd):
        self._poll.unregister(fd)
        os.close(fd)
        del self._which[fd]
