"""Drives the episodes of a plan (JSON on stdin) at a concurrency, disturbed where that is asked for.

A disturbed client drops connections before their answers, sends steps twice, at the same time too, and lets
leases run out. Prints a line `done N` for each episode on stderr, and the rewards as JSON at the end.
"""

import http.client
import json
import random
import sys
import threading
import time
import urllib.parse
from concurrent.futures import ThreadPoolExecutor

from stateeval import Episode, ServiceError, StateEval, Transport, Unreachable

plan = json.load(sys.stdin)
counts = {"dropped": 0, "repeated": 0, "expired": 0}
lock = threading.Lock()


def count(what: str) -> None:
    with lock:
        counts[what] += 1


class Disturbed(Transport):
    def __init__(self, url: str, chance: random.Random) -> None:
        super().__init__(url, timeout=300)
        self.chance = chance

    def send(self, method, path, *, query=None, headers=None, body=None):
        is_step = path.endswith("/steps")
        draw = self.chance.random()
        if is_step and draw < 0.04:
            self.drop(path, body)
        if is_step and 0.04 <= draw < 0.06:
            other = threading.Thread(target=self.quietly, args=(method, path, body))
            other.start()
            try:
                answer = super().send(method, path, query=query, headers=headers, body=body)
            finally:
                other.join()
            count("repeated")
            return answer
        answer = super().send(method, path, query=query, headers=headers, body=body)
        if is_step and 0.06 <= draw < 0.1:
            again = super().send(method, path, query=query, headers=headers, body=body)
            assert again == answer, (again, answer)
            count("repeated")
        return answer

    def quietly(self, method, path, body):
        try:
            super().send(method, path, body=body)
        except (ServiceError, Unreachable):
            pass

    def drop(self, path: str, body: object) -> None:
        """Sends the request, and leaves before the answer."""
        address = urllib.parse.urlsplit(self.base_url)
        connection = http.client.HTTPConnection(address.hostname, address.port, timeout=60)
        try:
            connection.request("POST", path, json.dumps(body), {"content-type": "application/json"})
            time.sleep(self.chance.random() * 0.02)
        except OSError:
            pass
        finally:
            connection.close()
        count("dropped")
        raise Unreachable("dropped")


def drive(at: int) -> tuple[int, float | None]:
    one = plan["episodes"][at]
    chance = random.Random(at)
    suite = StateEval(plan["url"], progress=False, timeout=300)
    if plan["disturbed"]:
        suite.transport = Disturbed(plan["url"], chance)
        suite.api = type(suite.api)(suite.transport)
    expires = plan["disturbed"] and at % 40 == 0
    episode = suite.episode(**one["request"], **({"leaseSeconds": 10} if expires else {}))
    latencies = []
    for step, reply in enumerate(one["replies"]):
        if episode.done:
            break
        if expires and step == 0:
            time.sleep(11)
            if Episode.resume(suite, episode.id).resource["status"] == "expired":
                count("expired")
            # The client renews the lease.
            episode.step(reply)
            continue
        began = time.perf_counter()
        episode.step(reply)
        latencies.append(time.perf_counter() - began)
    assert episode.done, episode
    sys.stderr.write(f"done {at}\n")
    sys.stderr.flush()
    with lock:
        all_latencies.extend(latencies)
    return at, episode.reward


all_latencies: list[float] = []
began = time.perf_counter()
with ThreadPoolExecutor(plan["concurrency"]) as pool:
    rewards = dict(pool.map(drive, range(len(plan["episodes"]))))
seconds = time.perf_counter() - began
ordered = sorted(all_latencies)
print(
    json.dumps(
        {
            "rewards": [rewards[at] for at in range(len(rewards))],
            "counts": counts,
            "stepsPerSecond": len(ordered) / seconds,
            "p50": ordered[len(ordered) // 2],
            "p99": ordered[int(len(ordered) * 0.99)],
        }
    )
)
