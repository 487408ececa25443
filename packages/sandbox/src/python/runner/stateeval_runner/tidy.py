"""
Takes away what a child leaves behind: processes, files, connections. What can't be taken away, and what a child may
have done to this process itself, is found, so that the host replaces the jail.
"""

import errno
import os
import resource
import signal
import socket
import stat
import struct
import time

from . import linux

#: Where a jail may let code write. Elsewhere it is read-only; so may these be.
PLACES = ("/tmp", "/var/tmp", "/run", "/dev/shm", "/dev/mqueue", "/dev")
#: How long a clean-up may take, in seconds; beyond, a new jail is cheaper.
PATIENCE = 2.0
#: Where in tcp_info a listening socket says how many connections wait to be accepted.
WAITING = 24
RLIMITS = tuple(sorted({getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")}))


class Tidy:
    def __init__(self, listener, shared=False):
        """What is there now stays. `shared`: children are those of our parent, which stays, as we do; they can make no processes, nor touch ours."""
        self._listener = listener
        self._shared = shared
        # Outside a jail nothing is emptied and nobody killed but our own children.
        self._jailed = 1 in (os.getpid(), os.getppid())
        writable = [place for place in PLACES if self._jailed and os.path.isdir(place) and os.access(place, os.W_OK)]
        self._places = {place: _listing(place) for place in writable}
        # What the two of them are is looked at by the one that could have been changed by a child.
        self._state = None if shared else own_state()

    def kill_all(self):
        """Ends every process but those that stay. False where another stays."""
        if self._shared:
            return _children(os.getppid()) in ([], [os.getpid()])
        deadline = time.monotonic() + PATIENCE
        while _reap():
            if time.monotonic() > deadline:
                return False
            if self._jailed:
                try:
                    os.kill(-1, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            else:
                for pid in _children(os.getpid()):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.0005)
        return True

    def restore(self):
        """Everything as before the child. False where that can't be had."""
        deadline = time.monotonic() + PATIENCE
        try:
            files = all(_restore(place, known, deadline) for place, known in self._places.items())
        except OSError:
            files = False
        left = self._jailed and linux.has_sysv_objects()
        same = self._shared or own_state() == self._state
        return files and not left and same and self._accepted(deadline)

    def _accepted(self, deadline):
        """The host has taken every connection: none of this child's is taken for the next one's."""
        if self._listener is None:
            return True
        while True:
            info = self._listener.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, WAITING + 4)
            if struct.unpack_from("I", info, WAITING)[0] == 0:
                return True
            if time.monotonic() > deadline:
                return False
            time.sleep(0.0002)


def _reap():
    """Takes ended children; whether any are left."""
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return False
        if pid == 0:
            return True


def _children(parent):
    try:
        file = os.open(f"/proc/{parent}/task/{parent}/children", os.O_RDONLY)
    except OSError:
        return []
    try:
        return [int(pid) for pid in os.read(file, 1 << 16).split()]
    finally:
        os.close(file)


def own_state():
    """What another process of the same user may change of this one."""
    limits = tuple(resource.getrlimit(number) for number in RLIMITS)
    return limits, os.getpriority(os.PRIO_PROCESS, 0), os.sched_getscheduler(0), os.sched_getaffinity(0)


def _listing(place):
    """What stands in a place, and what each thing there is; places inside of it are looked at on their own."""
    entries = {entry.name: _mark(entry.stat(follow_symlinks=False)) for entry in os.scandir(place)}
    own = os.lstat(place)
    return (own.st_mode, own.st_uid, own.st_gid), entries


def _mark(found):
    # The times of a folder change with what is in it, those of a device with its use.
    times = (found.st_mtime_ns, found.st_size) if stat.S_ISREG(found.st_mode) else ()
    return (found.st_ino, found.st_dev, found.st_mode, found.st_uid, *times)


def _restore(place, known, deadline):
    try:
        if _listing(place) == known and not _attributes(place):
            return True
    except PermissionError:
        pass  # its mode was changed
    (mode, _, _), entries = known
    if os.lstat(place).st_mode != mode:
        os.chmod(place, mode & 0o7777)
    for name in _attributes(place):
        os.removexattr(place, name)
    now = _listing(place)[1]
    if any(now.get(name) != mark for name, mark in entries.items()):
        return False
    for name in now:
        if name not in entries:
            _remove(os.fsencode(place), os.fsencode(name), deadline)
    return _listing(place) == known


def _attributes(place):
    try:
        return [name for name in os.listxattr(place) if name.startswith("user.")]
    except OSError:
        return []


def _remove(place, name, deadline):
    """
    Removes whatever it is, however deep: folders inside folders are moved up first, so that no path gets long and
    nothing recurs.
    """
    open_folders = [name]
    moved = 0
    aside = b".%s." % os.urandom(8).hex().encode()
    while open_folders:
        if time.monotonic() > deadline:
            raise OSError(errno.ETIME, "there is too much to remove")
        path = os.path.join(place, open_folders.pop())
        if not stat.S_ISDIR(os.lstat(path).st_mode):
            os.unlink(path)
            continue
        os.chmod(path, 0o700)
        for entry in os.scandir(path):
            if entry.is_dir(follow_symlinks=False):
                moved += 1
                up = aside + b"%d" % moved
                # A folder that isn't writable can't be moved: its parent's entry in it would change.
                os.chmod(entry.path, 0o700)
                os.rename(entry.path, os.path.join(place, up))
                open_folders.append(up)
            else:
                os.unlink(entry.path)
        os.rmdir(path)
