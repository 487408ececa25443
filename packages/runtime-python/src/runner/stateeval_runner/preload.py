"""Imports what candidates need, and uses it once: what is loaded lazily is then loaded here, and not in each child."""

import importlib
import socket
import sys
import threading

#: What programs that call APIs import.
USUAL = (
    "asyncio base64 collections concurrent.futures copy csv dataclasses datetime decimal enum functools hashlib io itertools json "
    "logging math os pprint random re statistics string sys textwrap threading time traceback types typing urllib.parse "
    "urllib.request uuid http.client"
).split()


#: After so many runs the interpreter has adapted the code to what it does, and writes to it no more.
TIMES = 10


def load(modules):
    for name in [*USUAL, *modules]:
        importlib.import_module(name)
    if "requests" in modules:
        _warm_requests()
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(0)
    if "torch" in modules:
        _warm_torch()


def _warm_requests():
    import requests

    try:
        server = socket.create_server(("127.0.0.1", 0))
    except OSError:
        return  # a world without sockets
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"

    def serve():
        for _ in range(2 * TIMES):
            connection, _ = server.accept()
            with connection:
                connection.settimeout(5)
                head = connection.recv(65536)
                while b"\r\n\r\n" not in head or (head.startswith(b"POST") and not head.endswith(b"}")):
                    head += connection.recv(65536)
                connection.sendall(answer)

    thread = threading.Thread(target=serve)
    thread.start()
    base = f"http://127.0.0.1:{server.getsockname()[1]}"
    for _ in range(TIMES):
        requests.get(base, params={"a": "b c"}).json()
        response = requests.post(base, json={"a": 1})
        response.raise_for_status()
        response.text
    thread.join()
    server.close()


def _warm_torch():
    import torch

    # One thread: threads don't survive a fork, and sums come out the same on every machine.
    torch.set_num_threads(1)
    torch.manual_seed(0)
    image = torch.zeros(1, 1, 4, 4)
    torch.nn.functional.conv2d(image, torch.zeros(1, 1, 2, 2))
    torch.matmul(image, image).sum().item()
    torch.cat([image, image], dim=1).tolist()
