"""What a forked child does before, while and after candidate code runs."""

import builtins

# Candidates may replace what the language has built in: this module keeps its own.
__builtins__ = dict(vars(builtins))

import atexit  # noqa: E402
import linecache  # noqa: E402
import logging  # noqa: E402
import os  # noqa: E402
import sys  # noqa: E402
import threading  # noqa: E402
from _signal import SIGINT, default_int_handler, signal  # noqa: E402
from _thread import _count as _count_threads  # noqa: E402
from gc import enable as enable_collector  # noqa: E402
from math import ceil  # noqa: E402
from mmap import MAP_ANONYMOUS, MAP_PRIVATE, PAGESIZE, mmap  # noqa: E402
from os import _exit, closerange, dup2, getpid, kill, setsid  # noqa: E402
from time import process_time  # noqa: E402
from sys import setprofile, setrecursionlimit, settrace  # noqa: E402
from resource import RLIMIT_AS as AS, RLIMIT_CPU as CPU, RLIMIT_DATA as DATA, RLIMIT_NPROC as TASKS, getrlimit, setrlimit  # noqa: E402

from .capture import FILE, capture, capture_syntax  # noqa: E402
from .frames import FRAMES, OWN, decoded, read_after, write  # noqa: E402
from .result import NoResult, Oversize, result_text, to_text  # noqa: E402
from .surface import surround  # noqa: E402

#: Descriptors above are closed, far beyond what the jail's own limit lets anyone open.
HIGHEST = 1 << 16
MIB = 1 << 20
#: Address space beyond the memory limit, for libraries that are loaded later. Memory that is shared counts here only.
MAPPED = 1024 * MIB
OUT_OF_MEMORY = b'{"status":"memory"}'
UNFINISHED = "RESULT was not set when the code ended, by sys.exit() or exit()"

_shutdown_threads = threading._shutdown
_run_exit_handlers = atexit._run_exitfuncs
_handlers = logging._handlerList
_log_handlers = 0
_streams = (None, None)


def settle():
    """To be called once all is loaded: handlers of logs that libraries have made are no program's, nor are streams."""
    global _log_handlers, _streams
    _streams = (sys.stdout, sys.stderr)
    atexit.unregister(logging.shutdown)
    _log_handlers = len(_handlers)


class Limits:
    """Limits are counted from what the runner itself has used."""

    def __init__(self, data, address_space, seconds):
        self._data, self._address_space, self._seconds = data, address_space, seconds

    @classmethod
    def measured(cls, forks):
        """`forks`: for children, whose CPU time is their own."""
        return cls(_used(DATA), _used(AS), 0 if forks else ceil(process_time()))

    def set(self, memory, seconds):
        _limit(DATA, self._data + memory, 0)
        _limit(AS, self._address_space + memory + MAPPED, 0)
        _limit(CPU, self._seconds + seconds, 1)


def _limit(number, limit, more):
    try:
        setrlimit(number, (limit, limit + more))
    except ValueError:
        # The jail's own limit is lower.
        most = getrlimit(number)[1]
        setrlimit(number, (min(limit, most), min(limit + more, most)))


def _used(number):
    """How much of a limited kind of memory this process has: the least limit under which it may have one page more."""
    before = getrlimit(number)
    least, most = 0, 1 << 46
    while most - least > PAGESIZE:
        middle = (least + most) // 2
        setrlimit(number, (middle, before[1]))
        try:
            mmap(-1, PAGESIZE, MAP_PRIVATE | MAP_ANONYMOUS).close()
            most = middle
        except OSError:
            least = middle
    setrlimit(number, before)
    return least


def run(module, limits, own_limits, mark=b"", filter=None):
    """
    Never returns. Candidate code can reach what is here; what it changes is its own outcome at most. `mark`: what stands
    before the job; `filter`: what is denied where others have the same jail; else `own_limits` are the program's.
    """
    signal(SIGINT, default_int_handler)
    dup2(FRAMES, OWN, False)
    closerange(OWN + 1, HIGHEST)
    own = getpid()
    if filter is not None:
        setsid()
        filter.install(own)
    enable_collector()
    text = read_after(OWN, mark)
    if text is None:
        # The host runs the program elsewhere, where it is still there.
        kill(own, 9)
    job = {**decoded(text.decode()), **own_limits}
    source = job["source"]
    names = module.__dict__
    names.update(job["variables"])
    if job["baseUrl"] is not None:
        names["BASE_URL"] = os.environ["BASE_URL"] = job["baseUrl"]
    linecache.cache[FILE] = (len(source), None, source.splitlines(True), FILE)
    limits.set(int(job["memoryMiB"] * MIB), ceil(job["cpuSeconds"]) + 1)
    if job.get("tasks") is not None:
        _limit(TASKS, job["tasks"], 0)
    ended, encode = _surround(job, names)
    ended = ended or _execute(source, names)
    if getpid() == own:
        ended = _finish(ended, names, encode, job["resultBytes"])
        _flush()
        _end(ended)
    # A copy that the code made of itself ends here: the first one tells the outcome.
    _flush()
    _exit(0)


class Ended:
    """How the code ended: by itself, by an exit, or by an error."""

    def __init__(self, outcome=None, exited=False, out_of_memory=False):
        self.outcome, self.exited, self.out_of_memory = outcome, exited, out_of_memory


def _surround(job, names):
    """What stands between the host's functions and the code: how the run ended where that failed, and what RESULT goes through."""
    if job["surface"] is None:
        return None, None
    try:
        return None, surround(job, OWN, names)
    except MemoryError:
        return Ended(out_of_memory=True), None
    except BaseException as error:
        return Ended({"status": "threw", "error": capture(error)}), None


def _execute(source, names):
    try:
        # A mark of the byte order may begin a file.
        code = compile(source[1:] if source.startswith("\ufeff") else source, FILE, "exec", dont_inherit=True)
    except BaseException as error:
        return Ended({"status": "syntax", "error": capture_syntax(error)})
    try:
        exec(code, names)
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


def _finish(ended, names, encode, limit):
    """What Python does at its end, then RESULT as it is when nothing is left to do."""
    settrace(None)
    setprofile(None)
    if ended.outcome is not None and ended.outcome["status"] == "syntax":
        return ended
    if _count_threads() > 0:
        _try(_shutdown_threads)
    _try(_run_exit_handlers)
    # Its handler at exit was taken away: it touches much, and most programs log nothing.
    if len(_handlers) > _log_handlers:
        _try(logging.shutdown)
    if ended.outcome is not None or ended.out_of_memory:
        return ended
    try:
        # Whatever the code has set it to.
        setrecursionlimit(1000)
        value = names["RESULT"]
    except KeyError:
        reason = UNFINISHED if ended.exited else "RESULT was never set"
        return Ended({"status": "no_result", "reason": reason})
    try:
        return Ended(result_text(encode(value) if encode else value, limit))
    except NoResult as no:
        return Ended({"status": "no_result", "reason": str(no)[:1000]})
    except Oversize:
        return Ended({"status": "oversize"})
    except MemoryError:
        return Ended(out_of_memory=True)
    except BaseException as error:
        return Ended({"status": "no_result", "reason": f"RESULT cannot be read: {capture(error)['message'][:300]}"})


def _try(step):
    try:
        step()
    except BaseException:
        pass


def _flush():
    for stream, ours in ((sys.stdout, _streams[0]), (sys.stderr, _streams[1])):
        try:
            # Ours hold nothing back, unless told to.
            if stream is not ours or not stream.write_through:
                stream.flush()
        except BaseException:
            pass


def _end(ended):
    body = OUT_OF_MEMORY if ended.out_of_memory else ended.outcome if isinstance(ended.outcome, bytes) else to_text(ended.outcome)
    try:
        write(OWN, body)
    finally:
        _exit(0)
