"""
Where memory lies. A fork copies an entry for each page that a process has of its own, and each mapping: so memory should
be in pages of 2 MiB, where the kernel can (6.1), and mappings should be few. One that the process that forks writes to
beside a child is broken up for good: so what it uses itself lies apart. Where something isn't there, nothing breaks.
"""

import ctypes
from importlib.machinery import PathFinder

_libc = ctypes.CDLL(None, use_errno=True)
_map = _libc.mmap
_map.restype = ctypes.c_void_p
_map.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long)
_unmap = _libc.munmap
_unmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t)

_MADV_COLLAPSE, _HUGE = 25, 2 << 20
_NONE, _READ, _WRITE, _EXECUTE = 0, 1, 2, 4
#: Private and anonymous; at the address or nowhere.
_OWN, _THERE = 0x22, 0x100000
#: Python takes memory in parts of this size, each below the one before as long as nothing else lies there.
_PART = 1 << 20

#: Modules of the standard library that are files of machine code: each would lie between two parts of memory.
MACHINE_CODE = "_asyncio _bz2 _contextvars _decimal _hashlib _json _lzma _multibytecodec _queue _ssl _typing _uuid".split()
#: Objects of up to this many bytes come from pools, one for each multiple of 16.
_SMALL, _STEP, _POOL = 512, 16, 16384
_EMPTY = bytes().__sizeof__()


def lay_out():
    """To be called before the libraries are loaded: they lie in one piece, from above beginning where a page of 2 MiB may."""
    for name in MACHINE_CODE:
        file = PathFinder.find_spec(name)
        if file is not None and file.origin is not None:
            try:
                ctypes.CDLL(file.origin)
            except OSError:
                pass
    end = _next() + _PART
    rest = end % _HUGE
    if rest:
        _map(end - rest, rest, _NONE, _OWN | _THERE, -1, 0)


def ease_forks():
    """To be called once all is loaded. A library's code and constants, three mappings of one file, become one."""
    if _next() % _HUGE == 0:
        # The last part of memory is the upper half of a page: this is the lower one.
        _map(None, _PART, _READ | _WRITE, _OWN, -1, 0)
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


def fill_gaps():
    """Takes what is free between objects, so that new ones lie together. To be kept as long as that should be so."""
    return [_filling(size) for size in range(48, _SMALL + 1, _STEP)]


def _filling(size):
    kept, row = [bytes(size - _EMPTY)], 0
    while row < _POOL // size - 2:
        kept.append(bytes(size - _EMPTY))
        row = row + 1 if id(kept[-1]) - id(kept[-2]) == size else 0
    return kept


def _next():
    """Where the kernel puts the next part of memory."""
    at = _map(None, _PART, _NONE, _OWN, -1, 0)
    _unmap(at, _PART)
    return at


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
