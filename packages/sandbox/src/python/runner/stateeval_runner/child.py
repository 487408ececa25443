"""What a forked child does before, while and after candidate code runs."""

import builtins

# Candidates may replace what the language has built in: this module keeps its own.
__builtins__ = dict(vars(builtins))

import atexit  # noqa: E402
import gc  # noqa: E402
import linecache  # noqa: E402
import os  # noqa: E402
import random  # noqa: E402
import resource  # noqa: E402
import signal  # noqa: E402
import site  # noqa: E402
import sys  # noqa: E402
import threading  # noqa: E402
from fcntl import F_DUPFD, fcntl  # noqa: E402
from io import FileIO, TextIOWrapper  # noqa: E402
from math import ceil  # noqa: E402
from mmap import MAP_ANONYMOUS, MAP_PRIVATE, mmap  # noqa: E402
from types import ModuleType  # noqa: E402

from . import linux  # noqa: E402
from .capture import FILE, capture, capture_syntax  # noqa: E402
from .frames import write_bytes  # noqa: E402
from .result import NoResult, Oversize, result_text, to_text  # noqa: E402

OUTCOME = 3
#: Descriptors above are closed, far beyond what the jail's own limit lets anyone open.
HIGHEST = 1 << 16
MIB = 1 << 20
#: Stacks count as memory in full: threads get less of it than the eight MiB that they would have.
STACK = 2 * MIB
#: Address space beyond the memory limit, for libraries that are loaded later. Memory that is shared counts here only.
MAPPED = 1024 * MIB
UNFINISHED = "RESULT was not set when the code ended, by sys.exit() or exit()"
ENVIRONMENT = ("HOME", "LANG", "PATH", "PWD", "TMPDIR", "TZ")

_shutdown_threads = threading._shutdown
_run_exit_handlers = atexit._run_exitfuncs


class Limits:
    """Limits of memory are counted from what the runner itself has."""

    def __init__(self, data, address_space):
        self._data, self._address_space = data, address_space

    @classmethod
    def measured(cls):
        return cls(_used(resource.RLIMIT_DATA), _used(resource.RLIMIT_AS))

    def set(self, job):
        memory = int(job["memoryMiB"] * MIB)
        seconds = ceil(job["cpuSeconds"]) + 1
        _limit(resource.RLIMIT_DATA, self._data + memory)
        _limit(resource.RLIMIT_AS, self._address_space + memory + MAPPED)
        _limit(resource.RLIMIT_CPU, seconds, seconds + 1)
        _limit(resource.RLIMIT_CORE, 0)
        _limit(resource.RLIMIT_MSGQUEUE, 0)
        threading.stack_size(STACK)


def _limit(number, soft, hard=None):
    most = resource.getrlimit(number)[1]
    hard = soft if hard is None else hard
    if most != resource.RLIM_INFINITY:
        soft, hard = min(soft, most), min(hard, most)
    resource.setrlimit(number, (soft, hard))


def _used(number):
    """How much of a limited kind of memory this process has: the least limit under which it may have one page more."""
    page = resource.getpagesize()
    before = resource.getrlimit(number)
    least, most = 0, 1 << 46
    while most - least > page:
        middle = (least + most) // 2
        resource.setrlimit(number, (middle, before[1]))
        try:
            mmap(-1, page, MAP_PRIVATE | MAP_ANONYMOUS).close()
            most = middle
        except OSError:
            least = middle
    resource.setrlimit(number, before)
    return least


def run(job, limits, outcome, out, err):
    """Never returns. Candidate code can reach what is here; what it changes is its own outcome at most."""
    _isolate(outcome, out, err)
    _streams()
    _environment(job["baseUrl"])
    module = _main_module(job)
    own = os.getpid()
    limits.set(job)
    gc.enable()
    ended = _execute(job["source"], module)
    if os.getpid() == own:
        ended = _finish(ended, module, job["resultBytes"])
        _flush()
        _end(ended)
    # A copy that the code made of itself ends here: the first one tells the outcome.
    _flush()
    os._exit(0)


def _isolate(outcome, out, err):
    os.setsid()
    linux.die_with_parent()
    linux.set_dumpable(True)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    null = os.open(os.devnull, os.O_RDONLY)
    # First out of the way of the numbers that they get.
    high = [fcntl(fd, F_DUPFD, 32) for fd in (null, out, err, outcome)]
    for target, fd in enumerate(high):
        os.dup2(fd, target, inheritable=target < OUTCOME)
    os.closerange(OUTCOME + 1, HIGHEST)


def _streams():
    """Nothing is held back: what was printed before a kill has been printed."""
    errors = ("strict", "strict", "backslashreplace")
    for fd, (name, handling) in enumerate(zip(("stdin", "stdout", "stderr"), errors)):
        raw = FileIO(fd, "r" if fd == 0 else "w", closefd=False)
        raw = __import__("io").BufferedReader(raw) if fd == 0 else raw
        stream = TextIOWrapper(raw, encoding="utf-8", errors=handling, write_through=True)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def _environment(base_url):
    for name in list(os.environ):
        if name not in ENVIRONMENT:
            del os.environ[name]
    if base_url is not None:
        os.environ["BASE_URL"] = base_url


def _main_module(job):
    module = ModuleType("__main__")
    module.__dict__.update(__builtins__=builtins, __file__=FILE, __spec__=None, __annotations__={}, **job["variables"])
    if job["baseUrl"] is not None:
        module.__dict__["BASE_URL"] = job["baseUrl"]
    for name in [name for name in sys.modules if name.partition(".")[0] == "stateeval_runner"]:
        del sys.modules[name]
    sys.modules["__main__"] = module
    sys.argv = [FILE]
    sys.path.insert(0, os.getcwd())
    site.setquit()
    lines = job["source"].splitlines(True)
    linecache.cache[FILE] = (len(job["source"]), None, lines, FILE)
    # The same seed for each run; whoever wants another sets it.
    random.seed(0)
    return module


class Ended:
    """How the code ended: by itself, by an exit, or by an error."""

    def __init__(self, outcome=None, exited=False, out_of_memory=False):
        self.outcome, self.exited, self.out_of_memory = outcome, exited, out_of_memory


def _execute(source, module):
    try:
        # A mark of the byte order may begin a file.
        code = compile(source[1:] if source.startswith("\ufeff") else source, FILE, "exec", dont_inherit=True)
    except BaseException as error:
        return Ended({"status": "syntax", "error": capture_syntax(error)})
    try:
        exec(code, module.__dict__)
    except SystemExit as exit:
        _say_exit(exit)
        return Ended(exited=True)
    except MemoryError as error:
        error.__traceback__ = None
        return Ended(out_of_memory=True)
    except BaseException as error:
        return Ended({"status": "threw", "error": capture(error)})
    return Ended()


def _say_exit(exit):
    """A text that the code exits with goes to stderr, as Python does it."""
    if exit.code is not None and not isinstance(exit.code, int):
        try:
            print(exit.code, file=sys.stderr)
        except BaseException:
            pass


def _finish(ended, module, limit):
    """What Python does at its end, then RESULT as it is when nothing is left to do."""
    sys.settrace(None)
    sys.setprofile(None)
    if ended.outcome is not None and ended.outcome["status"] == "syntax":
        return ended
    for step in (_shutdown_threads, _run_exit_handlers):
        try:
            step()
        except BaseException:
            pass
    if ended.outcome is not None or ended.out_of_memory:
        return ended
    try:
        # Whatever the code has set it to.
        sys.setrecursionlimit(1000)
        value = module.__dict__["RESULT"]
    except KeyError:
        reason = UNFINISHED if ended.exited else "RESULT was never set"
        return Ended({"status": "no_result", "reason": reason})
    try:
        return Ended(result_text(value, limit))
    except NoResult as no:
        return Ended({"status": "no_result", "reason": str(no)[:1000]})
    except Oversize:
        return Ended({"status": "oversize"})
    except MemoryError:
        return Ended(out_of_memory=True)
    except BaseException as error:
        return Ended({"status": "no_result", "reason": f"RESULT can’t be read: {capture(error)['message'][:300]}"})


def _flush():
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:
            pass


def _end(ended):
    """An empty frame says that memory ran out."""
    body = b"" if ended.out_of_memory else ended.outcome if isinstance(ended.outcome, bytes) else to_text(ended.outcome)
    try:
        write_bytes(OUTCOME, body)
    finally:
        os._exit(0)
