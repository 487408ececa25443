"""Where children come from: a fork of this process, or of the one at the other end of a socket."""

import os
import socket
import struct
from os import _exit, closerange, dup2, wait4, write

from . import linux

#: The descriptors that a child has: its output and errors, its outcome, its calls, where it reads its job.
NUMBERS = (1, 2, 3, 4, 5)
SOURCE = 5
TAKEN = struct.Struct("5i")
#: Of the process that forks, out of their way.
CONTROL, PIDS = 30, 31
#: What is known of a job before its child: its length, its bytes of memory, its seconds of CPU time.
NEEDS = struct.Struct(">3q")
#: Its status, CPU time in microseconds, whether the process that forks is as before.
END = struct.Struct(">iq?")
PID = struct.Struct(">i")


class End:
    """How a child ended. `gone`: nothing of it runs; `clean`: all is as before it."""

    def __init__(self, status, cpu_us, gone, clean):
        signalled = os.WIFSIGNALED(status)
        self.code = None if signalled else os.WEXITSTATUS(status)
        self.signal = os.WTERMSIG(status) if signalled else None
        self.cpu_us = cpu_us
        self.gone, self.clean = gone, clean


class Direct:
    """Children of this process, whose memory they get."""

    def __init__(self, run, tidy):
        self._run, self._tidy = run, tidy

    def start(self, needs, source, *pipes):
        self._pid = linux.fork()
        if self._pid == 0:
            try:
                for number, fd in zip(NUMBERS, pipes):
                    # 3 and 4 are taken here, so that no two want each other's number. What code starts gets its output alone.
                    dup2(fd, number, number <= 2)
                self._run(needs, source)
            finally:
                _exit(70)
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
        _, status, usage = wait4(self._pid, 0)
        if self.fd is not None:
            os.close(self.fd)
        gone = self._tidy.kill_all()
        return End(status, _cpu_us(usage), gone, self._tidy.restore())


class Remote:
    """Children of the process at the other end."""

    def __init__(self, control, pids, make_tidy):
        """`make_tidy` is called before the first child: all is loaded then."""
        self._control, self._pids = control, pids
        self._make_tidy, self._tidy = make_tidy, None
        self.fd = control.fileno()

    def start(self, needs, source, *pipes):
        self._tidy = self._tidy or self._make_tidy()
        self._pid = None
        self._control.sendmsg([NEEDS.pack(*needs)], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, TAKEN.pack(*pipes, source))])

    def kill(self):
        # It may have ended; there is no other of its number before the next start.
        try:
            os.kill(self._number(), 9)
        except ProcessLookupError:
            pass

    def ended(self):
        return True  # the descriptor has told

    def end(self):
        data = self._control.recv(64)
        if not data:
            _exit(1)
        self._number()
        status, cpu_us, intact = END.unpack(data)
        gone = self._tidy.kill_all()
        return End(status, cpu_us, gone, self._tidy.restore() and intact)

    def _number(self):
        if self._pid is None:
            (self._pid,) = PID.unpack(os.read(self._pids, PID.size))
        return self._pid


def serve_forks(run, state):
    """
    The other end of Remote: forks, waits, tells. Never returns. Each page that this process writes to beside a child is
    copied, and each that it writes to later is asked for: it does no more than it must.
    """
    closerange(1, CONTROL)
    control = socket.socket(fileno=CONTROL)
    before = state()
    room = socket.CMSG_SPACE(TAKEN.size)
    while True:
        data, beside, _, _ = control.recvmsg(NEEDS.size, room)
        # What is received gets the lowest numbers that are free: those that the child needs.
        if not data or TAKEN.unpack(beside[0][2]) != NUMBERS:
            _exit(0)
        needs = NEEDS.unpack(data)
        pid = linux.fork()
        if pid == 0:
            try:
                run(needs, SOURCE)
            finally:
                _exit(70)
        write(PIDS, PID.pack(pid))
        _, status, usage = wait4(pid, 0)
        closerange(1, CONTROL)
        control.send(END.pack(status, _cpu_us(usage), state() == before))


def _cpu_us(usage):
    return int((usage.ru_utime + usage.ru_stime) * 1e6)
