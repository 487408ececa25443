"""
Where memory lies. A fork copies an entry for each page that a process has of its own, and each mapping: so memory should
be in pages of 2 MiB, where the kernel can (6.1), and mappings should be few. One that the process that forks writes to
beside a child is broken up for good: so what it uses itself lies apart. Where something isn't there, nothing breaks.
"""

import ctypes
from importlib.machinery import PathFinder
from mmap import PAGESIZE

_libc = ctypes.CDLL(None, use_errno=True)
_map = _libc.mmap
_map.restype = ctypes.c_void_p
_map.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long)
_unmap = _libc.munmap
_unmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
_libc.sbrk.restype = ctypes.c_ssize_t

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
#: Where the libraries' memory ends.
_top = 0


def lay_out():
    """To be called before the libraries are loaded: they lie in one piece, from above beginning where a page of 2 MiB may."""
    for name in MACHINE_CODE:
        file = PathFinder.find_spec(name)
        if file is not None and file.origin is not None:
            try:
                ctypes.CDLL(file.origin)
            except OSError:
                pass
    global _top
    end = _next() + _PART
    rest = end % _HUGE
    _top = end - rest
    if rest:
        _map(end - rest, rest, _NONE, _OWN | _THERE, -1, 0)


def ease_forks():
    """To be called once all is loaded. A library's code and constants, three mappings of one file, become one."""
    if _next() % _HUGE == 0:
        # The last part of memory is the upper half of a page: this is the lower one.
        _map(None, _PART, _READ | _WRITE, _OWN, -1, 0)
    segments = _segments()
    for page in range(-(-_next() // _HUGE) * _HUGE, _top - _HUGE + 1, _HUGE):
        # Not the files of machine code that lie in between.
        if not any(begin < page + _HUGE and page < end for begin, end, _, _ in segments):
            _libc.madvise(ctypes.c_void_p(page), ctypes.c_size_t(_HUGE), _MADV_COLLAPSE)
    page = _libc.sbrk(0) // _HUGE * _HUGE - _HUGE
    while _libc.madvise(ctypes.c_void_p(page), ctypes.c_size_t(_HUGE), _MADV_COLLAPSE) == 0:
        page -= _HUGE
    for one, other in zip(segments, segments[1:]):
        if sorted((one[2], other[2])) == [_CONSTANTS, _CODE] and one[1] == other[0] and one[3] + one[1] - one[0] == other[3]:
            begin, end = (one if one[2] == _CONSTANTS else other)[:2]
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


class _Header(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_uint32), ("flags", ctypes.c_uint32)] + [
        (name, ctypes.c_uint64) for name in ("offset", "address", "physical", "file_size", "size", "align")
    ]


class _Object(ctypes.Structure):
    _fields_ = [
        ("address", ctypes.c_uint64),
        ("name", ctypes.c_char_p),
        ("headers", ctypes.POINTER(_Header)),
        ("count", ctypes.c_uint16),
    ]


_LOADED, _CONSTANTS, _CODE = 1, 4, 5


def _segments():
    """Begin, end, flags and offset in its file of each part of the program and of the libraries, in the loader's order."""
    found = []

    def take(object, _size, _data):
        address, headers = object.contents.address, object.contents.headers
        for header in headers[: object.contents.count]:
            if header.kind == _LOADED:
                before = header.address % PAGESIZE
                begin = address + header.address - before
                found.append((begin, begin + -(-(header.size + before) // PAGESIZE) * PAGESIZE, header.flags, header.offset - before))
        return 0

    _libc.dl_iterate_phdr(ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Object), ctypes.c_size_t, ctypes.c_void_p)(take), None)
    return found
