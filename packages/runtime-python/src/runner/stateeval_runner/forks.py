"""
Children for candidates, one after the other, from a process that never sees a job or what came of it: a child has all
that its parent has in memory, also what was freed. A child waits for its job before there is one, and talks with the
host itself. The process that forks says on a channel that no child has how each ended, and which mark stands before the
job of the next (warm/fork-protocol.ts).
"""

import os
import select
import socket
from fcntl import F_SETFL, fcntl
from os import O_RDWR, WEXITSTATUS, WIFSIGNALED, WTERMSIG, _exit, kill, lstat, statvfs, urandom, wait4

from . import linux
from .frames import FRAMES

#: What children have one after the other: output, errors, frames.
SHARED = (1, 2, FRAMES)
#: Where a jail lets code write.
PLACES = ("/tmp", "/dev/shm")
MARK = 16


def serve(run, channel):
    """
    Never returns; a child runs `run(mark)`. Each page that this process writes to beside a child is copied, and each that
    it writes to later is asked for: it does no more than it must.
    """
    places = [_Place(path) for path in PLACES if os.path.isdir(path)]
    streams = [socket.socket(fileno=fd) for fd in SHARED]
    left = select.poll()
    for fd in SHARED:
        left.register(fd, select.POLLIN | select.POLLRDHUP)
    waiting = select.poll()
    waiting.register(channel, select.POLLIN)
    mark = urandom(MARK)
    number = 0
    while True:
        number += 1
        pid = linux.fork()
        if pid == 0:
            try:
                run(mark)
            finally:
                _exit(70)
        if number == 1:
            channel.send(b'{"mark":"%s"}\n' % mark.hex().encode())
        _until_end(pid, b'"stop":%d}' % number, channel, waiting)
        _, status, usage = wait4(pid, 0)
        # Whatever it has made of them: flags, and the one option of sockets that it may set.
        fcntl(0, F_SETFL, O_RDWR)
        for stream in streams:
            fcntl(stream, F_SETFL, O_RDWR)
            stream.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 0)
        # What it has left unread, and files: whatever remains is nobody else's.
        clean = not left.poll(0) and all([place.is_as_before() for place in places])
        mark = urandom(MARK)
        channel.send(_ended(status, usage, clean, mark))


def _until_end(pid, stop, channel, waiting):
    """Ends the child where the host says so. Where the kernel can't tell of its end, the host ends the whole jail."""
    try:
        life = os.pidfd_open(pid)
    except (AttributeError, OSError):
        return
    waiting.register(life, select.POLLIN)
    while True:
        ready = [fd for fd, _ in waiting.poll()]
        if life in ready:
            break
        said = channel.recv(4096)
        if not said:
            _exit(0)
        if stop in said:
            kill(pid, 9)
    waiting.unregister(life)
    os.close(life)


def _ended(status, usage, clean, mark):
    signalled = WIFSIGNALED(status)
    return b'{"mark":"%s","ended":{"code":%s,"signal":%s,"cpuMs":%.3f,"clean":%s}}\n' % (
        mark.hex().encode(),
        b"null" if signalled else b"%d" % WEXITSTATUS(status),
        b"%d" % WTERMSIG(status) if signalled else b"null",
        (usage.ru_utime + usage.ru_stime) * 1000,
        b"true" if clean else b"false",
    )


class _Place:
    """
    A folder in memory where code may write: empty, and whose. Its size there tells how many things are in it; what its file
    system has free tells of files that have no name any more.
    """

    def __init__(self, path):
        self._path = path
        os.listdir(path)  # later ones leave its time of access as it is
        self._before = self._look()

    def is_as_before(self):
        now = self._look()
        if now == self._before:
            return True
        # Perhaps its times alone, where what was written was taken away: they tell nobody anything.
        if now[:4] != self._before[:4] or os.listdir(self._path):
            return False
        os.utime(self._path, ns=self._before[4:])
        return True

    def _look(self):
        found = lstat(self._path)
        free = statvfs(self._path)
        return found.st_mode, found.st_size, free.f_bfree, free.f_ffree, found.st_atime_ns, found.st_mtime_ns
