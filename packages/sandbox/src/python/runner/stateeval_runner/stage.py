"""
Sets up, once in the parent, what every candidate finds: streams, environment, an empty main module. What a child
doesn't touch it needn't copy: a page that it writes to costs 4 µs.
"""

import builtins
import os
import random
import resource
import site
import socket
import sys
import threading
from functools import partial, partialmethod
from io import BufferedReader, FileIO, TextIOWrapper
from types import ModuleType

from .capture import FILE
from .child import bail

ENVIRONMENT = ("HOME", "LANG", "PATH", "PWD", "TMPDIR", "TZ")
#: Stacks count as memory in full: threads get less of it than the eight MiB that they would have.
STACK = 2 << 20


#: What the filter of children that share a jail denies: modules and names in them that make processes.
PROCESSES = (
    ("os", "fork forkpty posix_spawn posix_spawnp execv execve system"),
    ("posix", "fork forkpty posix_spawn posix_spawnp execv execve system"),
    ("_posixsubprocess", "fork_exec"),
    ("subprocess", "_fork_exec _posixsubprocess_fork_exec"),
)


def set_up(alone):
    """The module in which candidates run. Where they aren't alone, they make no processes and no servers: who needs one runs elsewhere."""
    _streams()
    if not alone:
        _bail_when_denied()
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


def _bail_when_denied():
    """Whoever makes a process or a server is run elsewhere; who goes round this by the C library hears from the filter."""
    for name in ("bind", "listen"):
        setattr(socket.socket, name, partialmethod(_bail_method, name))
    for module_name, names in PROCESSES:
        module = __import__(module_name)
        for name in names.split():
            if hasattr(module, name):
                setattr(module, name, partial(_bail, name))


def _bail(name, *_, **__):
    bail(name)


def _bail_method(_self, name, *_, **__):
    bail(name)


def _streams():
    """Nothing is held back: what was printed before a kill has been printed."""
    null = os.open(os.devnull, os.O_RDWR)
    # 3 stays taken, so that no pipe of a child gets a number that the child needs.
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
