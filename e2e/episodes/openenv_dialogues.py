"""Dialogues by OpenEnv's own client: argv has the benchmark, and the replies of each case as JSON."""

import asyncio
import json
import sys
import threading
import time

import uvicorn
from openenv.core.generic_client import GenericEnvClient
from stateeval import StateEval
from stateeval.openenv import create_app

benchmark, plan = sys.argv[1:]
app = create_app(StateEval(progress=False), benchmark=benchmark, judge="judge")
server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error"))
threading.Thread(target=server.run, daemon=True).start()
while not server.started:
    time.sleep(0.05)
port = server.servers[0].sockets[0].getsockname()[1]


async def play(case, replies):
    async with GenericEnvClient(base_url=f"http://127.0.0.1:{port}", message_timeout_s=300) as env:
        told = await env.reset(case=case)
        for reply in replies:
            assert not told.done and told.observation["messages"], told
            told = await env.step(reply)
        assert told.done and told.observation["verdict"], told
        return told.reward


async def all_of_them():
    return await asyncio.gather(*(play(one["case"], one["replies"]) for one in json.loads(plan)))


print(json.dumps(asyncio.run(all_of_them())))
