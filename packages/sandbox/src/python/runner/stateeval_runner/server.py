"""Preloads, hands the listening socket to the host, then takes jobs one at a time and reports on each."""

import gc
import json
import os
import resource
import signal
import sys
import time

from . import child, frames, handover, linux, preload
from .pump import Pump
from .tidy import Tidy

FRAMES = 4
#: What an outcome may need beside RESULT itself: the error's text, escaped.
OVERHEAD = 128 * 1024


def main(port, modules):
    # The first process of a namespace gets no signal that it doesn't handle: Python's own handler must not be there.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Children are of the same user: they may neither trace this process nor look into it.
    linux.set_dumpable(False)
    linux.become_subreaper()
    listener = handover.listen(port)
    preload.load(modules)
    handover.hand_over(listener)
    gc.collect()
    gc.disable()
    # What is there now is never garbage: children needn't touch, and so copy, its pages.
    gc.freeze()
    limits = child.Limits.measured()
    tidy = Tidy(listener)
    while True:
        job = frames.read(FRAMES)
        if job is None:
            os._exit(0)
        frames.write(FRAMES, json.dumps(run(job, limits, tidy), ensure_ascii=False, separators=(",", ":")))


def run(job, limits, tidy):
    begun = time.perf_counter()
    pipes = [os.pipe() for _ in range(3)]
    cpu = children_cpu()
    pid = os.fork()
    if pid == 0:
        try:
            child.run(job, limits, *(write for _, write in pipes))
        finally:
            os._exit(70)
    for _, write in pipes:
        os.close(write)
    pump = Pump([read for read, _ in pipes], job["resultBytes"] + OVERHEAD + 4, job["outputBytes"])
    forked = time.perf_counter()
    code, number, excess = pump.until_end(pid)
    ran = time.perf_counter()
    gone = tidy.kill_all()
    drained = pump.drain()
    outcome, violation, out_of_memory = pump.outcome(excess)
    clean = tidy.restore()
    return {
        "outcome": outcome,
        "code": code,
        "signal": number,
        "out": pump.text(1),
        "err": pump.text(2),
        "flood": excess == "output",
        "outOfMemory": out_of_memory,
        "violation": violation,
        "cpuMs": round((children_cpu() - cpu) * 1000, 1),
        "tainted": not (gone and drained and clean),
        "timings": {
            "forkMs": milliseconds(begun, forked),
            "runMs": milliseconds(forked, ran),
            "cleanupMs": milliseconds(ran, time.perf_counter()),
        },
    }


def children_cpu():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def milliseconds(begin, end):
    return round((end - begin) * 1000, 3)
