"""
Gives the listening socket to the host, over the channel that Node opens to its child processes: lines of JSON, with
the descriptor beside the line. The host accepts connections from then on.
"""

import fcntl
import json
import os
import socket

from . import linux

CHANNEL = 3
BACKLOG = 511
#: Where the channel stays, out of the way of what children have.
ASIDE = 30


def listen(port):
    """The socket that candidates' requests go to; None for a world without HTTP."""
    if port == "none":
        return None
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    _bind(listener, port)
    return listener


def open_network(channel, port):
    """In a child: its own network, where a listening socket goes to the host unless the port is none."""
    with linux.enter_network() as inside:
        if port != "none":
            _bind(inside, port)
            send(inside, channel, {"listens": True}, "net.Native")
    linux.give_up_capabilities()


def _bind(listener, port):
    listener.bind(("127.0.0.1", int(port)))
    listener.listen(BACKLOG)


def hand_over(listener, port="none"):
    """`port` is told where there is no socket to give."""
    channel = _channel()
    if listener is None:
        _tell_port(channel, port)
    else:
        send(listener, channel, {"port": listener.getsockname()[1]})
    # The host answers, and disconnects once it holds the socket: from then on, code that isn't ours may run.
    while channel.recv(4096):
        pass
    channel.close()


def keep_channel(port):
    """Tells the port where children listen. Returns the channel, which stays open."""
    channel = _channel()
    _tell_port(channel, port)
    aside = fcntl.fcntl(channel, fcntl.F_DUPFD_CLOEXEC, ASIDE)
    channel.close()
    return socket.socket(fileno=aside)


def send(listener, channel, message, kind="net.Server"):
    """`kind`: what the host's Node makes of the descriptor, a server or a bare handle."""
    line = _line({"cmd": "NODE_HANDLE", "type": kind, "msg": message})
    sent = socket.send_fds(channel, [line], [listener.fileno()])
    if sent < len(line):
        channel.sendall(line[sent:])


def _channel():
    os.environ.pop("NODE_CHANNEL_FD", None)
    return socket.socket(fileno=CHANNEL)


def _tell_port(channel, port):
    channel.sendall(_line({"port": 0 if port == "none" else int(port)}))


def _line(message):
    return (json.dumps(message) + "\n").encode()
