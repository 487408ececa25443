"""Preloads, hands the listening socket to the host, then runs one program itself, or one after the other in children."""

import gc
import os
from resource import RLIMIT_NOFILE, setrlimit

from . import child, forks, forward, frames, handover, linux, memory, preload, stage

#: As many may a program have (jail/src/channel.ts).
DESCRIPTORS = 256


def main(port, modules, filters, own_limits):
    """
    `port` may be `PORT:PATH`: connections are forwarded to a unix socket. `filters` is the folder of what children that
    share their jail may do; else there is one program only, with `own_limits`: bytes of memory, seconds of CPU time.
    """
    linux.harden()
    number, _, path = port.partition(":")
    if path:
        forward.begin(number, path, (handover.CHANNEL, frames.FRAMES))
    if filters is None:
        _run_alone(modules, None if path else handover.listen(port), number if path else "none", own_limits)
    frames.read(frames.FRAMES)  # the setup, of which nothing is needed here
    memory.lay_out()
    preload.load(modules)
    channel = handover.keep_channel(port)
    module = _settle()
    memory.ease_forks()
    own = memory.fill_gaps()  # noqa: F841
    limits = child.Limits.measured(forks=True)
    # Most of it once, here: what a child installs itself is compiled for each.
    linux.Filter(os.path.join(filters, "forker.bpf")).install()
    filter = linux.Filter(os.path.join(filters, "child.bpf"))

    def run(mark):
        handover.open_network(channel, port)
        # As many as on their way in sockets may belong to others: only from here on does the limit hold.
        setrlimit(RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS))
        child.run(module, limits, {}, mark, filter)

    forks.serve(run, channel)


def _run_alone(modules, listener, port, own_limits):
    preload.load(modules)
    handover.hand_over(listener, port)
    module = _settle()
    child.run(module, child.Limits.measured(forks=False), own_limits)


def _settle():
    module = stage.set_up()
    child.settle()
    gc.collect()
    gc.disable()
    # What is there now is never garbage: children needn't touch, and so copy, its pages.
    gc.freeze()
    return module
