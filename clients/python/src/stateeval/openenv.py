"""Serves a benchmark as an environment of OpenEnv 0.10: python -m stateeval.openenv BENCHMARK.

The package `openenv` makes the server (/reset, /step, /state, /schema, WebSocket); each of its sessions is
an episode of the suite. Over plain HTTP, where it keeps no session, a step names its `episode_id`.
"""

from __future__ import annotations

import argparse
from typing import Any

from openenv.core.env_server import Action, Environment, Observation, State, create_fastapi_app
from pydantic import Field

from .contract import types
from .episodes import Episode
from .suite import StateEval


class AgentAction(Action):
    """What the agent says: a text, calls of tools, or both."""

    text: str = ""
    tool_calls: list[dict[str, str]] = Field(
        default_factory=list, description="Each with id, name and arguments, a JSON text"
    )


class TurnObservation(Observation):
    """What the agent is told: the new messages, in OpenAI's form, and the tools that it may call."""

    messages: list[dict[str, Any]] = Field(default_factory=list)
    tools: list[dict[str, Any]] = Field(default_factory=list)
    conversation: int = 0
    verdict: str | None = None


class EpisodeState(State):
    """Which case is played."""

    benchmark: str = ""
    case: str = ""


class StateEvalEnvironment(Environment[AgentAction, TurnObservation, EpisodeState]):
    """An episode of the suite as OpenEnv's server drives it."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, suite: StateEval, request: types.EpisodeRequest) -> None:
        super().__init__()
        self._suite = suite
        self._request = request
        self._episode: Episode | None = None

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, case: str | None = None
    ) -> TurnObservation:
        """Opens an episode: of the case, or of the one that the seed draws. Ids are the suite's own."""
        request = self._request.copy()
        if seed is not None:
            request["seed"] = seed
        if case is not None:
            request["case"] = case
        self._episode = self._suite.episode(**request)
        return self._observed()

    def step(
        self, action: AgentAction, timeout_s: float | None = None, episode_id: str | None = None
    ) -> TurnObservation:
        """Sends the agent's reply."""
        if self._episode is None:
            if episode_id is None:
                raise ValueError("Reset first, or name the episode_id that the reset answered.")
            self._episode = Episode.resume(self._suite, episode_id)
        reply: types.AgentReply = {"text": action.text}
        if action.tool_calls:
            reply["toolCalls"] = [
                {"id": call["id"], "name": call["name"], "arguments": call["arguments"]}
                for call in action.tool_calls
            ]
        self._episode.step(reply)
        return self._observed()

    @property
    def state(self) -> EpisodeState:
        if self._episode is None:
            return EpisodeState(benchmark=self._request["benchmark"])
        return EpisodeState(
            episode_id=self._episode.id,
            step_count=self._episode.turn["step"],
            benchmark=self._request["benchmark"],
            case=self._episode.resource["case"],
        )

    def _observed(self) -> TurnObservation:
        assert self._episode is not None
        turn = self._episode.turn
        score = turn.get("score")
        return TurnObservation(
            done=turn["done"],
            reward=self._episode.reward,
            metadata={"episode_id": self._episode.id},
            messages=self._episode.new_messages(),
            tools=[dict(tool) for tool in self._episode.tools],
            conversation=turn.get("conversation", 0),
            verdict=score["verdict"] if score else None,
        )


def create_app(suite: StateEval, max_sessions: int = 256, **request: Any) -> Any:
    """The FastAPI application; request: an EpisodeRequest of the contract, without case and seed."""
    given: types.EpisodeRequest = {**request}  # type: ignore[typeddict-item]
    return create_fastapi_app(
        lambda: StateEvalEnvironment(suite, given),
        AgentAction,
        TurnObservation,
        max_concurrent_envs=max_sessions,
        state_cls=EpisodeState,
    )


def main() -> None:
    import uvicorn

    parser = argparse.ArgumentParser(prog="python -m stateeval.openenv", description=__doc__)
    parser.add_argument("benchmark", help="id of a benchmark of the suite")
    parser.add_argument("--url", help="where the suite is; default: STATEEVAL_URL, else this machine")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--judge", help="the model that judges, where the benchmark asks one")
    options = parser.parse_args()
    parties = {} if options.judge is None else {"judge": options.judge}
    app = create_app(StateEval(options.url), benchmark=options.benchmark, **parties)
    uvicorn.run(app, host=options.host, port=options.port)


if __name__ == "__main__":
    main()
