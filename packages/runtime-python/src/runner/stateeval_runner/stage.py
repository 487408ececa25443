"""
Sets up, once in the parent, what every candidate finds: streams, environment, an empty main module. What a child
doesn't touch it needn't copy: a page that it writes to costs 4 µs.
"""

import builtins
import os
import random
import resource
import site
import sys
import threading
from io import BufferedReader, FileIO, TextIOWrapper
from types import ModuleType

from .capture import FILE

ENVIRONMENT = ("HOME", "LANG", "PATH", "PWD", "TMPDIR", "TZ")
#: Stacks count as memory in full: threads get less of it than the eight MiB that they would have.
STACK = 2 << 20


def set_up():
    """The module in which candidates run."""
    _streams()
    for name in list(os.environ):
        if name not in ENVIRONMENT:
            del os.environ[name]
    for number in (resource.RLIMIT_CORE, resource.RLIMIT_MSGQUEUE):
        # gVisor lets nobody set all of them, to what they are neither.
        if resource.getrlimit(number) != (0, 0):
            resource.setrlimit(number, (0, 0))
    threading.stack_size(STACK)
    # The same for each run; whoever wants another sets it.
    random.seed(0)
    site.setquit()
    sys.argv = [FILE]
    # How the runner was started is nobody's business.
    sys.orig_argv = ["python3", FILE]
    os.chdir(os.environ.get("TMPDIR", "/tmp"))
    sys.path.insert(0, os.getcwd())
    for name in [name for name in sys.modules if name.partition(".")[0] == "stateeval_runner"]:
        del sys.modules[name]
    module = ModuleType("__main__")
    module.__dict__.update(__builtins__=builtins, __file__=FILE, __annotations__={})
    sys.modules["__main__"] = module
    return module


def _streams():
    """Nothing is held back: what was printed before a kill has been printed."""
    null = os.open(os.devnull, os.O_RDWR)
    # 3 stays taken: it is a program's channel, and nobody else's number.
    for fd in (0, 3):
        os.dup2(null, fd)
    if null != 3:
        os.close(null)
    streams = (
        TextIOWrapper(BufferedReader(FileIO(0, "r", closefd=False)), encoding="utf-8"),
        TextIOWrapper(FileIO(1, "w", closefd=False), encoding="utf-8", write_through=True),
        TextIOWrapper(FileIO(2, "w", closefd=False), encoding="utf-8", errors="backslashreplace", write_through=True),
    )
    for name, stream in zip(("stdin", "stdout", "stderr"), streams):
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
