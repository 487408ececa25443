"""A resources server of NeMo Gym whose sessions are episodes of a suite.

Both of NeMo Gym's own agents work with it. `simple_agent` sends /seed_session, a request for each call of a
tool, and /verify. `gymnasium_agent` sends /reset and each reply of the model to /step, so it can also lead
dialogues.

The server keeps nothing in memory: the session's cookie names the episode and its step. So several workers
may serve one session.
"""

from __future__ import annotations

import json
from typing import Any, cast

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import JSONResponse, PlainTextResponse
from nemo_gym.base_resources_server import (
    BaseResourcesServerConfig,
    BaseRunRequest,
    BaseSeedSessionResponse,
    BaseVerifyRequest,
    SimpleResourcesServer,
)
from nemo_gym.openai_utils import NeMoGymResponse
from pydantic import BaseModel, ConfigDict

from ..aio import in_thread
from ..contract import types
from ..episodes import Episode, send_step
from ..errors import ServiceError, Unreachable
from ..suite import StateEval

#: Where the session's cookie has the episode.
SESSION = "stateeval"
#: What begins the next conversation of a case, because an agent has only one.
NEXT_PART = "The next part of the task begins."
OVER = "The task is over."


class StateEvalServerConfig(BaseResourcesServerConfig):
    """url: where the suite is; default: STATEEVAL_URL. The API key is read from STATEEVAL_API_KEY alone."""

    url: str | None = None


class SeedRequest(BaseRunRequest):
    """A row of the dataset: `episode` is the EpisodeRequest that opens it."""

    model_config = ConfigDict(extra="allow")

    episode: dict[str, Any]


class VerifyRequest(BaseVerifyRequest):
    model_config = ConfigDict(extra="allow")


class ResetAnswer(BaseModel):
    observation: str | None = None
    info: dict[str, Any] = {}


class StepAnswer(ResetAnswer):
    reward: float = 0.0
    terminated: bool = False
    truncated: bool = False


class StateEvalResourcesServer(SimpleResourcesServer):
    """Opens an episode for each session, and answers with the suite's reward."""

    config: StateEvalServerConfig

    def setup_webserver(self) -> FastAPI:
        app: FastAPI = super().setup_webserver()
        app.post("/reset")(self.reset)
        app.post("/step")(self.step)
        # After all others: any other name is that of a tool.
        app.post("/{tool}")(self.call_tool)
        return app

    async def seed_session(self, request: Request, body: SeedRequest) -> BaseSeedSessionResponse:
        await self._open(request, body)
        return BaseSeedSessionResponse()

    async def call_tool(self, request: Request, tool: str) -> PlainTextResponse:
        """A call of a tool is a step. The answer is what the model reads."""
        session = _session(request)
        if session["done"]:
            return PlainTextResponse(OVER)
        try:
            arguments = json.loads(await request.body())
        except ValueError:
            raise HTTPException(400, "The arguments must be a JSON object.") from None
        call: types.ModelToolCall = {
            "id": f"call_{session['step'] + 1}",
            "name": tool,
            "arguments": json.dumps(arguments),
        }
        before = session["conversation"]
        turn = await self._send(request, {"text": "", "toolCalls": [call]})
        return PlainTextResponse(OVER if turn["done"] else _as_text(turn, before))

    async def verify(self, request: Request, body: VerifyRequest) -> JSONResponse:
        """Sends the last text, where the episode still waits for one, and answers with the reward."""
        session = _session(request)
        if session["done"]:
            resource = await self._asked(lambda suite: suite.api.get_episode(session["id"]))
            turn = resource["turn"]
        else:
            reply = reply_of(body.response)
            reply.pop("toolCalls", None)
            turn = await self._send(request, reply)
        outcome = _outcome(session["id"], turn)
        if not turn["done"]:
            # The agent has ended, but the episode has not: it waits for more than this agent sends.
            await self._asked(lambda suite: suite.api.delete_episode(session["id"]))
            outcome["unfinished"] = True
        elif turn.get("reward") is None:
            # Kept out of the results, and tried again on --resume.
            outcome["_ng_failure_class"] = "not_scored"
        return JSONResponse({**body.model_dump(mode="json"), **outcome, "reward": turn.get("reward") or 0.0})

    async def reset(self, request: Request, body: SeedRequest) -> ResetAnswer:
        episode = await self._open(request, body)
        return ResetAnswer(info={"episode": episode})

    async def step(self, request: Request, body: VerifyRequest) -> StepAnswer:
        """Takes one reply of the model with all its calls."""
        session = _session(request)
        if session["done"]:
            raise HTTPException(409, "The episode has ended; reset first.")
        before = session["conversation"]
        reply = reply_of(body.response)
        turn = await self._send(request, reply)
        if turn["done"]:
            asked = (body.model_extra or {}).get("episode", {})
            info = {"case": asked.get("case"), **_outcome(session["id"], turn)}
            reward = turn.get("reward")
            return StepAnswer(
                reward=reward or 0.0, terminated=reward is not None, truncated=reward is None, info=info
            )
        return _observed(turn, before, reply.get("toolCalls", []))

    async def _open(self, request: Request, body: SeedRequest) -> str:
        asked = cast(types.EpisodeRequest, body.episode)
        episode: Episode = await self._asked(lambda suite: Episode.open(suite, **asked))
        given = body.responses_create_params.input
        said = [message["content"] for message in episode.new_messages()]
        if [_content(one) for one in given] != said:
            await self._asked(lambda suite: suite.api.delete_episode(episode.id))
            raise HTTPException(
                409,
                "The row has another prompt than its episode. Make the dataset again: "
                "python -m stateeval.nemo_gym",
            )
        _keep(request, episode.id, episode.turn)
        return episode.id

    async def _send(self, request: Request, reply: types.AgentReply) -> types.EpisodeTurn:
        session = _session(request)
        turn = await self._asked(
            lambda suite: send_step(suite, session["id"], session["step"] + 1, reply)
        )
        _keep(request, session["id"], turn)
        return cast(types.EpisodeTurn, turn)

    async def _asked(self, ask: Any) -> Any:
        suite = StateEval(self.config.url, progress=False)
        try:
            return await in_thread(lambda: ask(suite))
        except ServiceError as problem:
            raise HTTPException(problem.status if problem.status < 500 else 503, str(problem)) from None
        except Unreachable as problem:
            raise HTTPException(503, str(problem)) from None


def reply_of(response: NeMoGymResponse) -> types.AgentReply:
    """What the model said since the last result of a tool, as the agent's reply."""
    texts: list[str] = []
    calls: list[types.ModelToolCall] = []
    for item in response.output:
        if item.type == "function_call_output":
            texts, calls = [], []
        elif item.type == "function_call":
            calls.append({"id": item.call_id, "name": item.name, "arguments": item.arguments})
        elif item.type == "message":
            texts.append(_content(item))
    reply: types.AgentReply = {"text": "".join(texts)}
    if calls:
        reply["toolCalls"] = calls
    if response.usage is not None:
        reply["usage"] = {
            "promptTokens": response.usage.input_tokens,
            "completionTokens": response.usage.output_tokens,
        }
    return reply


def _content(message: Any) -> str:
    content = message.content if hasattr(message, "content") else message["content"]
    if isinstance(content, str):
        return content
    return "".join(getattr(part, "text", "") for part in content)


def _session(request: Request) -> dict[str, Any]:
    session = request.session.get(SESSION)
    if session is None:
        raise HTTPException(409, "The session has no episode; send /seed_session or /reset first.")
    return cast(dict[str, Any], session)


def _keep(request: Request, id: str, turn: types.EpisodeTurn) -> None:
    request.session[SESSION] = {
        "id": id,
        "step": turn["step"],
        "done": turn["done"],
        "conversation": turn.get("conversation", 0),
    }


def _as_text(turn: types.EpisodeTurn, before: int) -> str:
    """What is new, as one text."""
    if turn.get("conversation", 0) == before:
        return "\n\n".join(str(message["content"]) for message in turn["messages"])
    # The instructions are those of the conversation before.
    parts = [str(message["content"]) for message in turn["messages"] if message["role"] != "system"]
    return "\n\n".join([NEXT_PART, *parts])


def _observed(
    turn: types.EpisodeTurn, before: int, calls: list[types.ModelToolCall]
) -> StepAnswer:
    """The results of the calls, and the next words of a user."""
    is_next = turn.get("conversation", 0) != before
    results = {} if is_next else {
        message["toolCallId"]: str(message["content"])
        for message in turn["messages"]
        if message["role"] == "tool"
    }
    outputs = [
        {"call_id": call["id"], "output": results.get(call["id"], "Accepted.")} for call in calls
    ]
    rest: list[types.Message] = [one for one in turn["messages"] if one["role"] != "tool"]
    text = _as_text({**turn, "messages": rest}, before)
    return StepAnswer(observation=text or None, info={"tool_outputs": outputs})


def _outcome(id: str, turn: types.EpisodeTurn) -> dict[str, Any]:
    score = turn.get("score")
    outcome: dict[str, Any] = {"episode_id": id}
    if score is not None:
        outcome |= {"verdict": score["verdict"], "passed": int(bool(score["passed"])), "score": score}
    if "notScored" in turn:
        outcome["not_scored"] = turn["notScored"]
    return outcome
