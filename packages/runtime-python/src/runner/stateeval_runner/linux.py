"""The few calls of Linux that Python's library lacks. Where one isn't there, nothing breaks."""

import ctypes
import signal
from fcntl import ioctl
from socket import AF_INET, SOCK_STREAM, socket
from struct import pack

_libc = ctypes.CDLL(None, use_errno=True)
#: Keeps the interpreter's lock during a call.
_python = ctypes.PyDLL(None, use_errno=True)
_python.prctl.argtypes = (ctypes.c_int, *4 * [ctypes.c_ulong])
_fork = getattr(_python, "_Fork", None) or _python.fork
_PR_SET_DUMPABLE, _PR_SET_SECCOMP = 4, 22
_SECCOMP_MODE_FILTER = 2
_NEW_USER_AND_NETWORK = 0x50000000
_SIOCSIFFLAGS, _UP_AND_RUNNING = 0x8914, 0x41
_PR_CAPBSET_DROP = 24
#: Capabilities that any kernel may know.
_CAPABILITIES = 64
_CAPABILITY_HEADER, _NO_CAPABILITIES = pack("Ii", 0x20080522, 0), bytes(24)
#: Stands in a child's filter where its own process number belongs.
_SELF = 0x53454C46


def harden():
    """Nobody of the same user may trace this process or its children, or look into them."""
    # The first process of a namespace gets no signal that it doesn't handle: Python's own handler must not be there.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def fork():
    """
    The C library's fork, without what Python and, where it can be left out (glibc 2.34), that library do beside it: that is
    needed where there are threads, here there are none. Python's part alone costs 1.2 ms, as much as all the rest of a fork.
    (It would also give `random` a new seed.)
    """
    pid = _fork()
    if pid < 0:
        raise OSError(ctypes.get_errno(), "fork failed")
    return pid


def enter_network():
    """
    Moves this process into a network namespace that no other process ever enters, with its loopback up. Connections of other
    children, also those that the kernel completes after their end, cannot arrive there. Returns a socket in it.
    """
    if _python.unshare(_NEW_USER_AND_NETWORK) != 0:
        raise OSError(ctypes.get_errno(), "unshare failed")
    inside = socket(AF_INET, SOCK_STREAM)
    ioctl(inside, _SIOCSIFFLAGS, pack("16sh14x", b"lo", _UP_AND_RUNNING))
    return inside


def give_up_capabilities():
    """Of the namespaces that this process has made: it has none from now on, and gets none."""
    for capability in range(_CAPABILITIES):
        if _python.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0) != 0:
            break
    if _python.capset(_CAPABILITY_HEADER, _NO_CAPABILITIES) != 0:
        raise OSError(ctypes.get_errno(), "capset failed")


class Filter:
    """The system calls that this process may make from now on: fewer than the jail's."""

    def __init__(self, path):
        with open(path, "rb") as file:
            content = file.read()
        words = len(content) // 4
        self._words = (ctypes.c_uint32 * words).from_buffer_copy(content)
        # An instruction is eight bytes, its operand the last four.
        self._own = [at for at in range(1, words, 2) if self._words[at] == _SELF]
        self._program = _Program(words // 2, ctypes.addressof(self._words))
        self._arguments = (_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.addressof(self._program), 0, 0)
        self._prctl = _python.prctl

    def install(self, pid=0):
        """`pid`: the only process that signals may go to, where the filter looks at that."""
        for at in self._own:
            self._words[at] = pid
        if self._prctl(*self._arguments) != 0:
            raise OSError(ctypes.get_errno(), "the filter cannot be installed")


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]

