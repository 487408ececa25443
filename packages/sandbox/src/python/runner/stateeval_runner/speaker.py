"""Talks with the host and with the children: jobs in, reports out."""

import marshal
import os
import socket
import time
from math import ceil
from os import _exit

from . import frames
from .pump import Pump
from .relay import NoCalls, Relay
from .result import to_text

#: What an outcome may need beside RESULT itself: the error's text, escaped.
OVERHEAD = 128 * 1024
MIB = 1 << 20


def speak(fd, forks):
    """Runs one job after the other until the host goes. Never returns."""
    while True:
        job = frames.read(fd)
        if job is None:
            _exit(0)
        # else: word to stop a run that had ended by then, or a reply to one
        if job and not job.startswith(frames.CALL):
            frames.write(fd, to_text(run(job, fd, forks)))


def run(job, fd, forks):
    begun = time.perf_counter()
    job = frames.decoded(job.decode())
    frame_bytes = job["resultBytes"] + OVERHEAD
    text = marshal.dumps(job)
    source, to_job = os.pipe()
    out, its_out = os.pipe()
    err, its_err = os.pipe()
    outcome, its_outcome = os.pipe()
    if job["surface"] is None:
        # It closes this at once.
        relay, its_calls = NoCalls(), os.dup(its_err)
    else:
        calls, other = socket.socketpair()
        relay, its_calls = Relay(calls, fd, frame_bytes), other.detach()
    its = (source, its_out, its_err, its_outcome, its_calls)
    forks.start((len(text), int(job["memoryMiB"] * MIB), ceil(job["cpuSeconds"]) + 1), *its)
    for end in its:
        os.close(end)
    try:
        frames.write_all(to_job, text)
    except BrokenPipeError:
        pass  # it has ended already; how is told below
    os.close(to_job)
    forked = time.perf_counter()
    pump = Pump((outcome, out, err), frame_bytes + 4, job["outputBytes"])
    excess = pump.until_end(forks, fd, relay)
    relay.close()
    ran = time.perf_counter()
    end = forks.end()
    drained = pump.drain()
    return {
        "violation": None,
        "bail": None,
        "outOfMemory": False,
        **pump.outcome(excess),
        "code": end.code,
        "signal": end.signal,
        "out": pump.text(1),
        "err": pump.text(2),
        "flood": excess == "output",
        "stopped": excess == "stopped",
        "cpuMs": end.cpu_us / 1000,
        "tainted": not (end.gone and drained and end.clean),
        "timings": {
            "forkMs": milliseconds(begun, forked),
            "runMs": milliseconds(forked, ran),
            "cleanupMs": milliseconds(ran, time.perf_counter()),
        },
    }


def milliseconds(begin, end):
    return round((end - begin) * 1000, 3)
