"""Twenty episodes by OpenEnv's own client, against `stateeval.openenv`: argv has the benchmark and answers."""

import asyncio
import json
import sys
import threading
import time
import urllib.request

import uvicorn
from openenv.core.generic_client import GenericEnvClient
from stateeval import StateEval
from stateeval.openenv import create_app

benchmark, case, right, wrong = sys.argv[1:]
app = create_app(StateEval(progress=False), benchmark=benchmark, timeLimit=120)
server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error"))
threading.Thread(target=server.run, daemon=True).start()
while not server.started:
    time.sleep(0.05)
port = server.servers[0].sockets[0].getsockname()[1]
url = f"http://127.0.0.1:{port}"


def post(path, body):
    request = urllib.request.Request(
        url + path, json.dumps(body).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)


async def play(number):
    async with GenericEnvClient(base_url=url, message_timeout_s=300) as env:
        opened = await env.reset(seed=number, case=case)
        assert not opened.done and opened.observation["messages"], opened
        state = await env.state()
        assert state["case"] == case and state["step_count"] == 0, state
        ended = await env.step({"text": right if number % 2 else wrong})
        assert ended.done, ended
        return ended.reward


async def all_of_them():
    return [reward for at in range(0, 20, 4) for reward in await asyncio.gather(*map(play, range(at, at + 4)))]


rewards = asyncio.run(all_of_them())
# Without a session of the server's, a step names its episode.
reset = post("/reset", {"case": case})
over_http = post("/step", {"action": {"text": right}, "episode_id": reset["metadata"]["episode_id"]})
schema = json.load(urllib.request.urlopen(url + "/schema"))
print(json.dumps({"rewards": rewards, "overHttp": over_http["reward"], "schema": sorted(schema)}))
