"""
The host's functions for a surface's module, and what that module makes of them. Runs beside candidate code, so what
it relies on is its own.
"""

import builtins

__builtins__ = dict(vars(builtins))

import sys  # noqa: E402
from _thread import allocate_lock  # noqa: E402
from json.encoder import encode_basestring  # noqa: E402
from os import getpid  # noqa: E402

from .frames import CALL, decoded, read, write  # noqa: E402
from .result import NoResult, Oversize, call_text  # noqa: E402

FILE = "surface.py"
_Exception, _type = Exception, type


class Host:
    """One call at a time, whoever asks: threads take turns."""

    def __init__(self, fd, limit):
        self._fd, self._limit = fd, limit
        self._lock = allocate_lock()
        self._count = 0
        self._own = getpid()
        self._classes = {}

    def call(self, name, args):
        if not isinstance(name, str):
            raise TypeError("The name of a call must be a str")
        try:
            text = call_text(args, self._limit)
        except Oversize:
            raise ValueError(f"The arguments of {name} are longer than {self._limit // 1024} KiB") from None
        except NoResult as no:
            raise TypeError(f"The arguments of {name}: {no}") from None
        if getpid() != self._own:
            raise RuntimeError(f"{name} can only be called by the program's first process")
        with self._lock:
            self._count += 1
            head = b"%d [%s," % (self._count, encode_basestring(name).encode("utf-8", "replace"))
            write(self._fd, CALL + head + text + b"]")
            reply = read(self._fd)
        if reply is None:
            raise RuntimeError("The host has gone")
        reply = decoded(reply.partition(b" ")[2].decode("utf-8"))
        if reply["ok"]:
            return reply["value"]
        raise self._error(reply["error"]["name"])(reply["error"]["message"])

    callSync = call

    def _error(self, name):
        """The language's own class of that name, else one made for it."""
        known = __builtins__.get(name)
        if isinstance(known, _type) and issubclass(known, _Exception):
            return known
        if name not in self._classes:
            self._classes[name] = _type(name if name.isidentifier() else "Error", (_Exception,), {"__module__": "builtins"})
        return self._classes[name]


def surround(job, fd, names):
    """Runs the module; defines what it gives and what it makes of the variables. Gives what RESULT goes through."""
    own = {"__builtins__": __builtins__, "__name__": "surface"}
    exec(compile(job["surface"]["source"], FILE, "exec", dont_inherit=True), own)
    given = own["surface"](Host(fd, job["resultBytes"]))
    decode, encode = given.get("decode"), given.get("encode")
    names.update(given.get("globals") or {})
    for name, value in job["variables"].items():
        names[name] = decode(value) if decode else value
    sys.modules.update(given.get("modules") or {})
    return encode
