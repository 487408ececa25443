"""One agent plays each task, in this process."""

from __future__ import annotations

import verifiers.v1 as vf
from verifiers.v1.agent import Agents
from verifiers.v1.runtimes import SubprocessConfig

from .harness import StateEvalHarness


class StateEvalEnvConfig(vf.EnvConfig):
    """The agent needs no sandbox here: programs and worlds run in the suite."""

    agent: vf.AgentConfig = vf.AgentConfig(runtime=SubprocessConfig())


class StateEvalEnv(vf.Env[StateEvalEnvConfig]):
    """Each rollout is an episode of the suite."""

    def __init__(self, config: StateEvalEnvConfig) -> None:
        super().__init__(config)
        if not isinstance(self._harnesses["agent"], StateEvalHarness):
            raise ValueError(
                "The suite leads its episodes itself; leave out --env.agent.harness.id, or name stateeval-verifiers."
            )

    async def run(self, task: vf.Task, agents: Agents) -> None:
        await agents.agent.run(task)
