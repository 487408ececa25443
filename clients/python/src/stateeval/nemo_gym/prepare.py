"""Writes what NeMo Gym needs into a project: a resources server, its configuration, and a dataset."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import PackageNotFoundError, distribution
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from ..episodes import Episode
from ..suite import StateEval
from ..tasks import EpisodeTask, Tasks

Agent = Literal["gymnasium", "simple"]

#: The name that rows and configuration give the agent.
AGENT_NAME = "stateeval_agent"
#: Requests that the server answers itself: no tool may have these names under `simple`.
RESERVED = {"seed_session", "verify", "aggregate_metrics", "reset", "step"}
#: Episodes that are open at the same time while their first turns are read.
AT_ONCE = 8

APP = '''"""Started by NeMo Gym."""

from nemo_gym.server_utils import is_nemo_gym_fastapi_entrypoint
from stateeval.nemo_gym.server import StateEvalResourcesServer

if __name__ == "__main__":
    StateEvalResourcesServer.run_webserver()
elif is_nemo_gym_fastapi_entrypoint(__file__):
    app = StateEvalResourcesServer.run_webserver()
'''

CONFIG = """stateeval_resources_server:
  resources_servers:
    stateeval:
      entrypoint: app.py
      domain: agent
      verified: false
      description: Programs and tool calls on live APIs, scored by a StateEval suite
      url: {url}
{name}:
  responses_api_agents:
    {agent}_agent:
      entrypoint: app.py
      resources_server:
        type: resources_servers
        name: stateeval_resources_server
      model_server:
        type: responses_api_models
        name: policy_model
      max_steps: {max_steps}
      datasets:
      - name: train
        type: train
        jsonl_fpath: resources_servers/stateeval/data/train.jsonl
        license: Apache 2.0
"""


def rows(
    suite: StateEval, tasks: Iterable[EpisodeTask], agent: Agent = "gymnasium"
) -> Iterator[dict[str, Any]]:
    """A row for each task: the first messages and tools of its episode, and the request that opens it."""

    def row(task: EpisodeTask) -> dict[str, Any]:
        episode = Episode.open(suite, **task.request)
        asked = params(episode)
        if not episode.done:
            episode.delete()
        taken = {tool["name"] for tool in asked.get("tools", [])} & RESERVED
        if agent == "simple" and taken:
            raise ValueError(
                f"A tool is named {sorted(taken)[0]}, as a route of NeMo Gym is. Use the gymnasium agent."
            )
        return {
            "responses_create_params": asked,
            "episode": task.request,
            "agent_ref": {"type": "responses_api_agents", "name": AGENT_NAME},
        }

    pending = iter(tasks)
    with ThreadPoolExecutor(AT_ONCE) as threads:
        while batch := list(islice(pending, AT_ONCE)):
            yield from threads.map(row, batch)


def params(episode: Episode) -> dict[str, Any]:
    """The request of the Responses API that puts an episode's first turn."""
    asked: dict[str, Any] = {
        "input": [
            {"role": message["role"], "content": message["content"]}
            for message in episode.new_messages()
        ]
    }
    if episode.tools:
        asked["tools"] = [
            {
                "type": "function",
                "name": tool["name"],
                "description": tool.get("description", ""),
                "parameters": tool["parameters"],
                "strict": False,
            }
            for tool in episode.tools
        ]
        choice = episode.turn.get("toolChoice")
        if choice is not None:
            asked["tool_choice"] = (
                {"type": "function", **choice} if isinstance(choice, dict) else choice
            )
    return asked


def prepare(
    suite: StateEval,
    tasks: Tasks,
    folder: Path,
    *,
    agent: Agent = "gymnasium",
    max_steps: int = 100,
    limit: int | None = None,
) -> int:
    """Writes resources_servers/stateeval into the folder; says how many rows its dataset has."""
    if tasks.endless and limit is None:
        raise ValueError("The source of tasks is endless; name a limit.")
    server = folder / "resources_servers/stateeval"
    for name in ("configs", "data"):
        (server / name).mkdir(parents=True, exist_ok=True)
    (server / "app.py").write_text(APP)
    (server / "requirements.txt").write_text(f"{requirement()}\n")
    config = CONFIG.format(
        url=json.dumps(suite.transport.base_url), agent=agent, name=AGENT_NAME, max_steps=max_steps
    )
    (server / "configs/stateeval.yaml").write_text(config)
    count = 0
    with (server / "data/train.jsonl").open("w") as file:
        for row in rows(suite, islice(tasks, limit), agent):
            file.write(json.dumps(row) + "\n")
            count += 1
    return count


def requirement() -> str:
    """This package, as pip would install it again."""
    try:
        installed = distribution("stateeval")
    except PackageNotFoundError:
        return "stateeval"
    origin = installed.read_text("direct_url.json")
    if origin is None:
        return f"stateeval=={installed.version}"
    return f"stateeval @ {json.loads(origin)['url']}"
