"""Drives an episode in the process of verifiers, with the model that verifiers serves."""

from __future__ import annotations

import contextlib
import time
from typing import Any

import verifiers.v1 as vf
from openai import AsyncOpenAI
from verifiers.v1.clients import ModelContext
from verifiers.v1.runtimes import ProgramResult

from stateeval import StateEvalError


class StateEvalHarnessConfig(vf.HarnessConfig):
    """The harness has no settings: the suite leads the episode."""


class StateEvalHarness(vf.Harness[StateEvalHarnessConfig]):
    """Asks the model for each reply until the suite says that the episode is done.

    A case may have a conversation for each of its inputs; each is a branch of the trace.
    """

    APPENDS_SYSTEM_PROMPT = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
    ) -> ProgramResult:
        episode = trace.state.episode
        # As the model wrote them: a training recognises its own messages.
        conversations: dict[int, list[dict[str, Any]]] = {}
        async with AsyncOpenAI(base_url=endpoint, api_key=secret, timeout=None) as model:
            while not episode.done:
                turn = episode.episode.turn
                messages = conversations.setdefault(turn.get("conversation", 0), [])
                messages.extend(episode.episode.new_messages())
                request = {**episode.chat(), "messages": messages}
                begun = time.monotonic()
                completion = await model.chat.completions.create(model=ctx.model, **request)
                messages.append(completion.choices[0].message.model_dump(exclude_none=True))
                await episode.reply(completion, ms=1000 * (time.monotonic() - begun))
        return ProgramResult(exit_code=0, stdout="", stderr="")

    async def cleanup(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        """Deletes an episode that was left before its end; one that ended keeps its evidence."""
        episode = trace.state.episode
        if episode is not None and not episode.done:
            with contextlib.suppress(StateEvalError):
                await episode.delete()
