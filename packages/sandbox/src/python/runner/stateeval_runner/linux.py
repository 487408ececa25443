"""The few calls of Linux that Python's library lacks. Where one isn't there, nothing breaks."""

import ctypes

_libc = ctypes.CDLL(None, use_errno=True)
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER = 1, 4, 36
_SHM_INFO, _SEM_INFO, _MSG_INFO = 14, 19, 12


def set_dumpable(on):
    _libc.prctl(_PR_SET_DUMPABLE, int(on), 0, 0, 0)


def become_subreaper():
    """Processes whose parent has ended become ours, also where we aren't the first process of a namespace."""
    _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def die_with_parent():
    _libc.prctl(_PR_SET_PDEATHSIG, 9, 0, 0, 0)


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
