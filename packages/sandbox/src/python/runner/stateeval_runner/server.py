"""
Preloads, hands the listening socket to the host, then runs jobs one at a time and reports on each.

A child has all that its parent had in memory, also what was freed. So where candidates follow one another, the process
that they are forked from never sees a job or a report: a second process, the speaker, started before anything is loaded,
talks with the host and with the children.
"""

import gc
import os
import signal
import socket
from os import _exit

from . import child, forward, handover, linux, memory, preload, stage
from .forks import CONTROL, PIDS, Direct, Remote, serve_forks
from .speaker import speak
from .tidy import Tidy, own_state

FRAMES = 4


def main(port, modules, filters):
    """
    `port` may be `PORT:PATH`: connections are forwarded to a unix socket. `filters` is the folder of what children that share
    their jail with others may do; None where there is one child only.
    """
    linux.harden()
    alone = filters is None
    number, _, path = port.partition(":")
    contained = forward.begin(int(number), path, (handover.CHANNEL, FRAMES)) if path else None
    listener = None if contained else handover.listen(port)
    if not alone:
        _start_speaker(listener)
    memory.lay_out()
    preload.load(modules)
    handover.hand_over(listener, int(number) if contained else 0)
    main_module = stage.set_up(alone)
    child.settle()
    gc.collect()
    gc.disable()
    # What is there now is never garbage: children needn't touch, and so copy, its pages.
    gc.freeze()
    memory.ease_forks()
    own = memory.fill_gaps()  # noqa: F841
    limits = child.Limits.measured()
    if alone:
        speak(FRAMES, Direct(lambda *job: child.run(main_module, limits, None, *job), contained or Tidy(listener)))
    else:
        # Most of it once, here: what a child installs itself is compiled for each.
        linux.Filter(os.path.join(filters, "forker.bpf")).install()
        filter = linux.Filter(os.path.join(filters, "child.bpf"))
        serve_forks(lambda *job: child.run(main_module, limits, filter, *job), own_state)


def _start_speaker(listener):
    """It asks for children on a socket, and hears their process numbers on a pipe."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    hears, tells = os.pipe()
    if os.fork() == 0:
        try:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            ours.close()
            os.close(tells)
            os.close(handover.CHANNEL)
            speak(FRAMES, Remote(its, hears, lambda: Tidy(listener, shared=True)))
        finally:
            _exit(1)
    its.close()
    os.close(hears)
    os.dup2(ours.detach(), CONTROL)
    os.dup2(tells, PIDS)
