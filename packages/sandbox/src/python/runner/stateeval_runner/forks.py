"""Where children come from: a fork of this process, or of the one at the other end of a socket."""

import os
import resource
import select
import socket
import struct
from os import _exit

from . import linux

FORK, KILL = b"f", b"k"
#: Code and signal (-1: none), CPU time in microseconds, whether all processes are gone, whether all is as before.
END = struct.Struct(">iiq??")


class End:
    def __init__(self, status, cpu_us, gone, clean):
        signalled = os.WIFSIGNALED(status)
        self.code = None if signalled else os.WEXITSTATUS(status)
        self.signal = os.WTERMSIG(status) if signalled else None
        self.cpu_us, self.gone, self.clean = cpu_us, gone, clean

    def packed(self):
        code, number = (-1 if value is None else value for value in (self.code, self.signal))
        return END.pack(code, number, self.cpu_us, self.gone, self.clean)

    @classmethod
    def unpacked(cls, data):
        end = cls.__new__(cls)
        code, number, end.cpu_us, end.gone, end.clean = END.unpack(data)
        end.code, end.signal = (None if value == -1 else value for value in (code, number))
        return end


class Direct:
    """Children of this process, whose memory they get."""

    def __init__(self, run, tidy):
        self._run, self._tidy = run, tidy

    def start(self, *pipes):
        self._cpu = _children_cpu()
        self._pid = fork(self._run, pipes)
        try:
            self.fd = os.pidfd_open(self._pid)
        except (AttributeError, OSError):
            self.fd = None

    def kill(self):
        os.kill(self._pid, 9)

    def ended(self):
        """Whether the child has ended; without a descriptor that tells, this is asked again and again."""
        return os.waitid(os.P_PID, self._pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def end(self):
        """Waits, and takes away what the child has left."""
        _, status = os.waitpid(self._pid, 0)
        if self.fd is not None:
            os.close(self.fd)
        gone = self._tidy.kill_all()
        clean = self._tidy.restore()
        return End(status, int((_children_cpu() - self._cpu) * 1e6), gone, clean)


class Remote:
    """Children of the process at the other end."""

    def __init__(self, control):
        self._control = control
        self.fd = control.fileno()

    def start(self, *pipes):
        socket.send_fds(self._control, [FORK], pipes)

    def kill(self):
        self._control.send(KILL)

    def ended(self):
        return True  # the descriptor has told

    def end(self):
        data = self._control.recv(64)
        if not data:
            _exit(1)
        return End.unpacked(data)


def serve_forks(control, run, tidy):
    """The other end of Remote: forks, waits, tidies, tells. Never returns."""
    while True:
        data, pipes, _, _ = socket.recv_fds(control, 1, 5)
        if not data:
            _exit(0)
        if data == FORK:
            child = Direct(run, tidy)
            child.start(*pipes)
            for fd in pipes:
                os.close(fd)
            _wait(child, control)
            control.send(child.end().packed())


def _wait(child, control):
    """Until the child has ended; ends it when told to."""
    poll = select.poll()
    for fd in (control.fileno(), child.fd):
        if fd is not None:
            poll.register(fd, select.POLLIN)
    while not child.ended():
        for fd, _ in poll.poll(None if child.fd is not None else 2):
            if fd == control.fileno():
                if not control.recv(1):
                    _exit(0)
                child.kill()


def fork(run, pipes):
    """`run` in a child, which it ends."""
    pid = linux.fork()
    if pid == 0:
        try:
            run(*pipes)
        finally:
            _exit(70)
    return pid


def _children_cpu():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
