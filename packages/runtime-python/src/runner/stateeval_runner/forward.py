"""
Where the host can't accept connections in the jail, since its kernel isn't the host's: the first process takes them and
carries their bytes to the host's unix socket. All others, the runner too, are its children.
"""

import os
import select
import signal
import socket
import time

#: How much of one direction is held.
HELD = 1 << 18
#: How long connections may take to their end once the code has ended, in seconds.
GRACE = 5.0


def begin(port, path, close):
    """
    Forks. The first process forwards, ends with the other one, and never returns; `close` are descriptors that aren't its
    business. `none` for no port: it waits only, since a first process hears no signals.
    """
    listener = None
    if port != "none":
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", int(port)))
        listener.listen(511)
    pid = os.fork()
    if pid == 0:
        if listener:
            listener.close()
        return
    status = 70 << 8
    try:
        for fd in close:
            os.close(fd)
        status = Forwarder(listener, path).serve(pid)
    finally:
        os._exit(128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))


class Forwarder:
    def __init__(self, listener, path):
        self._listener, self._path = listener, path
        self._poll = select.poll()
        self._flows = {}
        if listener:
            listener.setblocking(False)
            self._poll.register(listener.fileno(), select.POLLIN)
        # Readable as soon as a child has ended.
        self._ended, wakes = os.pipe()
        for fd in (self._ended, wakes):
            os.set_blocking(fd, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
        self._poll.register(self._ended, select.POLLIN)

    def serve(self, pid):
        """Until that process has ended, and what it sent has arrived: its status."""
        while (status := _status_of(pid)) is None:
            self._forward(None)
        if os.getpid() == 1:
            try:
                os.kill(-1, signal.SIGKILL)
            except ProcessLookupError:
                pass
        if self._listener:
            self._accept()
        deadline = time.monotonic() + GRACE
        while self._flows and time.monotonic() < deadline:
            self._forward(20)
        return status

    def _forward(self, patience):
        ready = dict(self._poll.poll(patience))
        if self._ended in ready:
            os.read(self._ended, 4096)
        if self._listener and self._listener.fileno() in ready:
            self._accept()
        for fd, events in ready.items():
            if fd in self._flows:
                self._flows[fd].ready(fd, events)

    def _accept(self):
        while True:
            try:
                inner, _ = self._listener.accept()
            except OSError:
                return
            outer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                outer.connect(self._path)
            except OSError:
                inner.close()
                outer.close()
                continue
            inner.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            Flow(inner, outer, self._poll, self._flows)


class Flow:
    """A connection: both directions, each until its end."""

    def __init__(self, inner, outer, poll, flows):
        self._sockets = {inner.fileno(): inner, outer.fileno(): outer}
        self._other = {inner.fileno(): outer.fileno(), outer.fileno(): inner.fileno()}
        #: To be written to each; whether its other side has said all.
        self._held = dict.fromkeys(self._sockets, b"")
        self._ended = dict.fromkeys(self._sockets, False)
        self._shut = dict.fromkeys(self._sockets, False)
        self._poll, self._flows = poll, flows
        for fd, each in self._sockets.items():
            each.setblocking(False)
            flows[fd] = self
            poll.register(fd, select.POLLIN)

    def ready(self, fd, events):
        try:
            if events & select.POLLOUT:
                self._write(fd)
            if events & (select.POLLIN | select.POLLHUP | select.POLLERR):
                self._read(fd)
        except BlockingIOError:
            pass
        except OSError:
            return self._close()
        if all(self._shut.values()):
            return self._close()
        for each in self._sockets:
            reading = not self._ended[self._other[each]] and len(self._held[self._other[each]]) < HELD
            events = (select.POLLIN if reading else 0) | (select.POLLOUT if self._held[each] else 0)
            if events:
                self._poll.register(each, events)
            elif each in self._flows:
                # A hang-up would be told again and again: nothing more is to be done here until the other side moves.
                try:
                    self._poll.unregister(each)
                except KeyError:
                    pass

    def _read(self, fd):
        to = self._other[fd]
        if self._ended[to] or len(self._held[to]) >= HELD:
            return
        chunk = self._sockets[fd].recv(1 << 16)
        if chunk:
            self._held[to] += chunk
        else:
            self._ended[to] = True
        self._write(to)

    def _write(self, fd):
        if self._held[fd]:
            try:
                self._held[fd] = self._held[fd][self._sockets[fd].send(self._held[fd]) :]
            except BlockingIOError:
                return
        if self._ended[fd] and not self._held[fd] and not self._shut[fd]:
            self._shut[fd] = True
            try:
                self._sockets[fd].shutdown(socket.SHUT_WR)
            except OSError:
                pass  # it has gone

    def _close(self):
        for fd, each in self._sockets.items():
            try:
                self._poll.unregister(fd)
            except KeyError:
                pass
            self._flows.pop(fd, None)
            each.close()


def _status_of(wanted):
    """How it ended, or None; others that have ended are taken too."""
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return 70 << 8
        if pid == wanted:
            return status
        if pid == 0:
            return None
