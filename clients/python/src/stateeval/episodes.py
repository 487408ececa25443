"""Episodes: a case of a benchmark as an environment that an agent drives step by step."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

from .contract import types
from .errors import ServiceError, Unreachable

if TYPE_CHECKING:
    from .suite import StateEval

Result = TypeVar("Result")

#: What a reply may have at most: characters of its text, calls, and bytes of JSON.
MAX_TEXT, MAX_CALLS, MAX_BYTES = 2_000_000, 1000, 12 * 2**20

#: How long a request is sent again where the service is away or busy, in seconds.
PATIENCE = 120.0


class Episode:
    """An open episode. `turn` is what the agent was told last.

    A step takes effect once, however often it is sent. So `step` sends it again where the connection
    breaks or the service restarts, for up to `patience` seconds. If the agent took so long that the lease
    expired, `step` renews it first.
    """

    def __init__(
        self, suite: StateEval, resource: types.EpisodeResource, *, patience: float = PATIENCE
    ) -> None:
        self._suite = suite
        self._patience = patience
        self.resource = resource
        self.turn: types.EpisodeTurn = resource["turn"]
        self._conversations: dict[int, list[types.Message]] = {}
        self._tools: dict[int, list[types.ModelTool]] = {}
        self._take(self.turn)

    @classmethod
    def open(
        cls, suite: StateEval, *, patience: float = PATIENCE, **request: Unpack[types.EpisodeRequest]
    ) -> Episode:
        """Opens a case; request: an EpisodeRequest of the contract."""
        key = str(uuid.uuid4())
        resource = _patiently(
            lambda: suite.api.create_episode(request, idempotency_key=key), patience
        )
        return cls(suite, resource, patience=patience)

    @classmethod
    def resume(cls, suite: StateEval, id: str, *, patience: float = PATIENCE) -> Episode:
        """One that was opened elsewhere, at its newest turn. What was said before is not in `messages`."""
        return cls(suite, _patiently(lambda: suite.api.get_episode(id), patience), patience=patience)

    def __repr__(self) -> str:
        state = f"reward {self.reward}" if self.done else f"step {self.turn['step'] + 1}"
        return f"<Episode {self.id} {state}>"

    @property
    def id(self) -> str:
        return self.resource["id"]

    @property
    def done(self) -> bool:
        return self.turn["done"]

    @property
    def reward(self) -> float | None:
        """Of an episode that is done; None where it is not, or where it was not scored."""
        return self.turn.get("reward")

    @property
    def messages(self) -> list[types.Message]:
        """The conversation that waits for a reply, with all that was said in it."""
        return self._conversations.get(self.turn.get("conversation", 0), [])

    @property
    def tools(self) -> list[types.ModelTool]:
        """The functions that may be called."""
        return self._tools.get(self.turn.get("conversation", 0), [])

    def new_messages(self) -> list[dict[str, Any]]:
        """The messages of the newest turn, in the OpenAI form."""
        return [_to_openai(message) for message in self.turn["messages"]]

    def chat(self) -> dict[str, Any]:
        """`messages` and `tools` as a chat completion of an OpenAI-compatible endpoint takes them."""
        request: dict[str, Any] = {"messages": [_to_openai(message) for message in self.messages]}
        if self.tools:
            request["tools"] = [{"type": "function", "function": tool} for tool in self.tools]
        choice = self.turn.get("toolChoice")
        if choice is not None:
            named = isinstance(choice, dict)
            request["tool_choice"] = (
                {"type": "function", "function": choice} if named else choice
            )
        return request

    def step(self, reply: types.AgentReply | str) -> types.EpisodeTurn:
        """Sends the agent's next reply, and gives the turn that follows."""
        said: types.AgentReply = {"text": reply} if isinstance(reply, str) else reply
        turn = send_step(self._suite, self.id, self.turn["step"] + 1, said, patience=self._patience)
        message: dict[str, Any] = {"role": "assistant", "content": said.get("text", "")}
        if said.get("toolCalls"):
            message["toolCalls"] = said["toolCalls"]
        self.messages.append(message)  # type: ignore[arg-type]
        self._take(turn)
        return turn

    def reply(self, message: Any, *, ms: float | None = None) -> types.EpisodeTurn:
        """Sends a chat completion, or its message: an object or a dictionary of the OpenAI form.

        A whole completion also says why it ended and how many tokens it took, which counts against the
        limits of a dialogue, as `ms` does: the milliseconds that the model took.
        """
        return self.step(reply_from_openai(message, ms=ms))

    def renew(self, seconds: int | None = None) -> Episode:
        """Begins the lease anew, also after it is over."""
        body: types.RenewEpisode = {} if seconds is None else {"leaseSeconds": seconds}
        self.resource = _patiently(
            lambda: self._suite.api.renew_episode(self.id, body), self._patience
        )
        return self

    def delete(self) -> None:
        """Removes it with all that it left."""
        self._suite.api.delete_episode(self.id)

    def _take(self, turn: types.EpisodeTurn) -> None:
        self.turn = turn
        conversation = turn.get("conversation", 0)
        self._conversations.setdefault(conversation, []).extend(turn["messages"])
        if "tools" in turn:
            self._tools[conversation] = turn["tools"]


def send_step(
    suite: StateEval, id: str, step: int, reply: types.AgentReply, *, patience: float = PATIENCE
) -> types.EpisodeTurn:
    """Sends a reply, and gives the turn that follows. For servers that keep no episode in memory.

    It is sent again where the connection breaks or the service restarts. If the lease expired, it is renewed.
    A reply that is longer than the service takes counts as an empty one, as in an evaluation: no agent
    escapes its reward by its length.
    """
    if not _fits(reply):
        cut: types.AgentReply = {**reply, "text": "", "toolCalls": [], "finish": "length"}
        reply = cut

    def send() -> types.EpisodeTurn:
        return _patiently(lambda: suite.api.step_episode(id, {"step": step, "reply": reply}), patience)

    try:
        return send()
    except ServiceError as problem:
        if problem.status != 409:
            raise
        if _patiently(lambda: suite.api.get_episode(id), patience)["status"] != "expired":
            raise
    _patiently(lambda: suite.api.renew_episode(id, {}), patience)
    return send()


def _fits(reply: types.AgentReply) -> bool:
    units = len(reply.get("text", "").encode("utf-16-le", "surrogatepass")) // 2
    if units > MAX_TEXT or len(reply.get("toolCalls", [])) > MAX_CALLS:
        return False
    return len(json.dumps(reply)) <= MAX_BYTES


def reply_from_openai(message: Any, *, ms: float | None = None) -> types.AgentReply:
    """A chat completion, or a message of one, as the agent's reply."""
    given = message if isinstance(message, dict) else message.model_dump(exclude_none=True)
    if "choices" not in given:
        return _with_time(_said(given), ms)
    choice = given["choices"][0]
    reply = _said(choice["message"])
    if choice.get("finish_reason"):
        reply["finish"] = choice["finish_reason"]
    usage = given.get("usage") or {}
    counted: types.AgentReplyUsage = {}
    if usage.get("prompt_tokens") is not None:
        counted["promptTokens"] = usage["prompt_tokens"]
    if usage.get("completion_tokens") is not None:
        counted["completionTokens"] = usage["completion_tokens"]
    if counted:
        reply["usage"] = counted
    return _with_time(reply, ms)


def _said(message: dict[str, Any]) -> types.AgentReply:
    reply: types.AgentReply = {"text": message.get("content") or ""}
    calls = message.get("tool_calls") or []
    if calls:
        reply["toolCalls"] = [
            {
                "id": call.get("id") or f"call_{n}",
                "name": call["function"].get("name") or "",
                "arguments": call["function"].get("arguments") or "",
            }
            for n, call in enumerate(calls)
        ]
    return reply


def _with_time(reply: types.AgentReply, ms: float | None) -> types.AgentReply:
    if ms is not None:
        reply["ms"] = ms
    return reply


def _to_openai(message: types.Message) -> dict[str, Any]:
    given: dict[str, Any] = dict(message)
    if given["role"] == "tool":
        return {"role": "tool", "tool_call_id": given["toolCallId"], "content": given["content"]}
    form = {"role": given["role"], "content": given["content"]}
    if given.get("toolCalls"):
        form["tool_calls"] = [
            {
                "id": call["id"],
                "type": "function",
                "function": {"name": call["name"], "arguments": call["arguments"]},
            }
            for call in given["toolCalls"]
        ]
    return form


def _passes(problem: ServiceError) -> bool:
    """Whether the same request may be taken later: also where a kill cut short the one that opened it."""
    if problem.status == 409:
        return problem.problem.get("field") == "Idempotency-Key"
    return problem.status in (502, 503, 504, 507)


def _patiently(send: Callable[[], Result], patience: float) -> Result:
    """Sends again while the service is away, busy, or still at the same step."""
    until = time.monotonic() + patience
    pause = 0.05
    while True:
        try:
            return send()
        except Unreachable:
            if time.monotonic() > until:
                raise
        except ServiceError as problem:
            if not _passes(problem) or time.monotonic() > until:
                raise
        time.sleep(pause)
        pause = min(2.0, pause * 2)
