"""The few calls of Linux that Python's library lacks. Where one isn't there, nothing breaks."""

import ctypes
import signal

_libc = ctypes.CDLL(None, use_errno=True)
#: Keeps the interpreter's lock during a call.
_python = ctypes.PyDLL(None, use_errno=True)
_PR_SET_DUMPABLE, _PR_SET_SECCOMP, _PR_SET_CHILD_SUBREAPER = 4, 22, 36
_SECCOMP_MODE_FILTER = 2
_MADV_COLLAPSE, _HUGE = 25, 2 << 20
_READ, _EXECUTE = 1, 4
#: Stands in a child's filter where its own process number belongs.
_SELF = 0x53454C46
_SHM_INFO, _SEM_INFO, _MSG_INFO = 14, 19, 12


def harden():
    """Nobody of the same user may trace this process or its children, or look into them."""
    # The first process of a namespace gets no signal that it doesn't handle: Python's own handler must not be there.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    # Processes whose parent has ended become ours, also where we aren't the first process of a namespace.
    _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def fork():
    """
    The C library's fork, without what Python does after it in the child: that is needed where there are threads, here
    there are none, and it costs 1.2 ms, as much as all the rest of a fork. (It would also give `random` a new seed.)
    """
    pid = _python.fork()
    if pid < 0:
        raise OSError(ctypes.get_errno(), "fork failed")
    return pid


def ease_forks():
    """
    A fork copies an entry for each page that a process has of its own, and each mapping. So memory goes into pages of
    2 MiB, where the kernel can (6.1), and a library's code and constants, three mappings of one file, become one.
    """
    regions = _regions()
    for begin, end, mode, _, name in regions:
        if mode == "rw-p" and name in ("", "[heap]"):
            for page in range(-(-begin // _HUGE) * _HUGE, end - _HUGE + 1, _HUGE):
                _libc.madvise(ctypes.c_void_p(page), ctypes.c_size_t(_HUGE), _MADV_COLLAPSE)
    for one, other in zip(regions, regions[1:]):
        if sorted((one[2], other[2])) == ["r--p", "r-xp"] and _continues(one, other):
            begin, end = (one if one[2] == "r--p" else other)[:2]
            # Whoever runs here may make any machine code: constants that could be run give them nothing.
            _libc.mprotect(ctypes.c_void_p(begin), ctypes.c_size_t(end - begin), _READ | _EXECUTE)


def _regions():
    """Begin, end, mode, offset and file of each mapping; none in a jail without /proc."""
    try:
        with open("/proc/self/maps") as file:
            lines = [line.split() for line in file]
    except OSError:
        return []
    return [(*(int(at, 16) for at in line[0].split("-")), line[1], int(line[2], 16), "".join(line[5:6])) for line in lines]


def _continues(one, other):
    """Whether a mapping goes on where the other ends, in memory and in the same file."""
    return one[4].startswith("/") and one[4] == other[4] and one[1] == other[0] and one[3] + one[1] - one[0] == other[3]


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
        self._prctl.argtypes = (ctypes.c_int, *4 * [ctypes.c_ulong])

    def install(self, pid=0):
        """`pid`: the only process that signals may go to, where the filter looks at that."""
        for at in self._own:
            self._words[at] = pid
        if self._prctl(*self._arguments) != 0:
            raise OSError(ctypes.get_errno(), "the filter can't be installed")


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


def has_sysv_objects():
    """Whether shared memory, semaphores or queues of System V are there: they outlive their processes."""
    info = (ctypes.c_int * 64)()
    used = (
        lambda: _libc.shmctl(0, _SHM_INFO, info),
        lambda: _libc.semctl(0, 0, _SEM_INFO, info),
        lambda: _libc.msgctl(0, _MSG_INFO, info),
    )
    # used_ids of shm_info, semusz of seminfo, msgpool of msginfo: how many there are.
    counts = (lambda: info[0], lambda: info[7], lambda: info[0])
    return any(call() >= 0 and count() > 0 for call, count in zip(used, counts))
