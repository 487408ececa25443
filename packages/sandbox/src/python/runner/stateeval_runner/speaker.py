"""Talks with the host and with the children: jobs in, reports out."""

import json
import marshal
import os
import socket
import time
from os import _exit

from . import frames
from .pump import Pump
from .relay import Relay

#: What an outcome may need beside RESULT itself: the error's text, escaped.
OVERHEAD = 128 * 1024


def speak(fd, forks):
    """Runs one job after the other until the host goes. Never returns."""
    while True:
        job = frames.read(fd)
        if job is None:
            _exit(0)
        # else: word to stop a run that had ended by then, or a reply to one
        if job and not job.startswith(frames.CALL):
            report = run(job, fd, forks)
            frames.write(fd, json.dumps(report, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"))


def run(job, fd, forks):
    begun = time.perf_counter()
    job = json.loads(job)
    job_pipe, *pipes = [os.pipe() for _ in range(4)]
    calls, its_calls = socket.socketpair()
    its = [job_pipe[0], *(write for _, write in pipes), its_calls.detach()]
    forks.start(*its)
    for end in its:
        os.close(end)
    try:
        frames.write(job_pipe[1], marshal.dumps(job))
    except BrokenPipeError:
        pass  # it has ended already; how is told below
    os.close(job_pipe[1])
    forked = time.perf_counter()
    pump = Pump([read for read, _ in pipes], job["resultBytes"] + OVERHEAD + 4, job["outputBytes"])
    relay = Relay(calls, fd, job["resultBytes"] + OVERHEAD, job.get("surface") is not None)
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
