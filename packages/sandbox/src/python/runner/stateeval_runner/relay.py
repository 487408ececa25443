"""
Carries a child's calls to the host and the replies back, whole frames only: what a child has left half-written is gone
with it, and one that doesn't read its reply isn't heard again.
"""

import select
import struct

from . import frames


class NoCalls:
    """Where there is nothing to call."""

    fd, forged = None, False

    def events(self):
        return None

    def replied(self, frame):
        """To a call of an earlier child."""

    def close(self):
        pass


class Relay:
    def __init__(self, calls, host, limit):
        """`calls` is our end of the child's socket."""
        self._calls, self._host, self._limit = calls, host, limit
        calls.setblocking(False)
        self.fd = calls.fileno()
        self._held = b""
        self._reply = b""
        #: The host has a call of this child, or the child hasn't taken the reply.
        self._busy = False
        self._closed = False
        self.forged = False

    def events(self):
        """What to wait for; None where there is nothing to come."""
        if self._closed:
            return None
        return select.POLLOUT if self._reply else 0 if self._busy else select.POLLIN

    def ready(self):
        """The child's socket can be read or written, as asked for."""
        if self._reply:
            self._write()
        elif not self._busy:
            self._read()
        else:
            self._closed = True  # nothing was asked for, so this tells that the child has closed its end

    def replied(self, frame):
        """The host's reply."""
        self._reply = struct.pack(">I", len(frame)) + frame
        self._write()

    def _write(self):
        try:
            self._reply = self._reply[self._calls.send(self._reply) :]
        except BlockingIOError:
            return
        except OSError:
            self._closed, self._reply = True, b""
            return
        if not self._reply:
            self._busy = False
            self._forward()

    def _read(self):
        try:
            chunk = self._calls.recv(1 << 16)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        if not chunk:
            self._closed = True
            return
        self._held += chunk
        self._forward()

    def _forward(self):
        if self._busy or len(self._held) < 5:
            return
        length = struct.unpack(">I", self._held[:4])[0]
        if length > self._limit or self._held[4:5] != frames.CALL:
            self.forged = self._busy = True
        elif len(self._held) >= length + 4:
            self._busy = True
            frames.write(self._host, self._held[4 : length + 4])
            self._held = self._held[length + 4 :]

    def close(self):
        self._calls.close()
