"""Preloads, hands the listening socket to the host, then takes jobs one at a time and reports on each."""

import gc
import json
import os
import resource
import time
from os import _exit

from . import child, frames, handover, linux, preload, stage
from .pump import Pump
from .tidy import Tidy

FRAMES = 4
#: What an outcome may need beside RESULT itself: the error's text, escaped.
OVERHEAD = 128 * 1024


def main(port, modules, filter_path):
    """`filter_path` names the filter of children that share their jail with others; None where there is one child only."""
    linux.harden()
    listener = handover.listen(port)
    preload.load(modules)
    handover.hand_over(listener)
    main_module = stage.set_up(alone=filter_path is None)
    gc.collect()
    gc.disable()
    # What is there now is never garbage: children needn't touch, and so copy, its pages.
    gc.freeze()
    linux.use_huge_pages()
    limits = child.Limits.measured()
    tidy = Tidy(listener)
    filter = None if filter_path is None else linux.Filter(filter_path)
    while True:
        job = frames.read(FRAMES)
        if job is None:
            _exit(0)
        if job == frames.STOP:
            continue  # it came after the end
        frames.write(FRAMES, json.dumps(run(job, main_module, limits, filter, tidy), ensure_ascii=False, separators=(",", ":")))


def run(job, main_module, limits, filter, tidy):
    begun = time.perf_counter()
    pipes = [os.pipe() for _ in range(3)]
    cpu = children_cpu()
    pid = linux.fork()
    if pid == 0:
        try:
            child.run(job, main_module, limits, filter, *(write for _, write in pipes))
        finally:
            _exit(70)
    for _, write in pipes:
        os.close(write)
    pump = Pump([read for read, _ in pipes], job["resultBytes"] + OVERHEAD + 4, job["outputBytes"])
    forked = time.perf_counter()
    code, number, excess = pump.until_end(pid, FRAMES)
    ran = time.perf_counter()
    gone = tidy.kill_all()
    drained = pump.drain()
    clean = tidy.restore()
    return {
        "violation": None,
        "bail": None,
        "outOfMemory": False,
        **pump.outcome(excess),
        "code": code,
        "signal": number,
        "out": pump.text(1),
        "err": pump.text(2),
        "flood": excess == "output",
        "stopped": excess == "stopped",
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
