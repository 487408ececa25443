"""
Gives the listening socket to the host, over the channel that Node opens to its child processes: lines of JSON, with
the descriptor beside the line. The host accepts connections from then on; this process only looks whether any wait.
"""

import fcntl
import json
import os
import socket

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
    listener.bind(("127.0.0.1", int(port)))
    listener.listen(BACKLOG)
    return listener


def hand_over(listener, port="none", stays=False):
    """`port` is told where there is no socket to give. The channel, where it stays."""
    os.environ.pop("NODE_CHANNEL_FD", None)
    channel = socket.socket(fileno=CHANNEL)
    if listener is None:
        channel.sendall(_line({"port": 0 if port == "none" else int(port)}))
    else:
        message = {"port": listener.getsockname()[1]}
        line = _line({"cmd": "NODE_HANDLE", "type": "net.Server", "msg": message})
        sent = socket.send_fds(channel, [line], [listener.fileno()])
        if sent < len(line):
            channel.sendall(line[sent:])
    if stays:
        if listener is not None:
            channel.recv(4096)  # the host holds the socket
        aside = fcntl.fcntl(channel, fcntl.F_DUPFD_CLOEXEC, ASIDE)
        channel.close()
        return socket.socket(fileno=aside)
    # The host answers, and disconnects once it holds the socket: from then on, code that isn't ours may run.
    while channel.recv(4096):
        pass
    channel.close()
    return None


def _line(message):
    return (json.dumps(message) + "\n").encode()
