"""Episodes for asyncio, as trainers drive them: many at once in one event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

from .contract import types
from .episodes import PATIENCE, Episode

if TYPE_CHECKING:
    from .suite import StateEval

Result = TypeVar("Result")

#: Requests at once. A thread waits for each, so that the package needs no other one.
THREADS = 256

_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="stateeval")


async def in_thread(work: Callable[[], Result]) -> Result:
    """Work that blocks, in one of the threads of this module."""
    return await asyncio.get_running_loop().run_in_executor(_threads, work)


class AsyncEpisode:
    """An open episode; `episode` has its state: `turn`, `done`, `reward`, `messages`, `tools`, `chat()`.

        episode = await AsyncEpisode.open(suite, benchmark="bm_0123456789abcdef012", seed=1)
        while not episode.done:
            completion = await model.chat.completions.create(model="qwen3", **episode.chat())
            await episode.reply(completion)

    If a task is cancelled during a step, the step may still take effect. The same reply can be sent again.
    """

    def __init__(self, episode: Episode) -> None:
        self.episode = episode

    @classmethod
    async def open(
        cls, suite: StateEval, *, patience: float = PATIENCE, **request: Unpack[types.EpisodeRequest]
    ) -> AsyncEpisode:
        """Opens a case; request: an EpisodeRequest of the contract."""
        return cls(await in_thread(lambda: Episode.open(suite, patience=patience, **request)))

    @classmethod
    async def resume(cls, suite: StateEval, id: str, *, patience: float = PATIENCE) -> AsyncEpisode:
        """One that was opened elsewhere, at its newest turn."""
        return cls(await in_thread(lambda: Episode.resume(suite, id, patience=patience)))

    def __repr__(self) -> str:
        return repr(self.episode)

    @property
    def id(self) -> str:
        return self.episode.id

    @property
    def done(self) -> bool:
        return self.episode.done

    @property
    def reward(self) -> float | None:
        """Of an episode that is done; None where it is not, or where it was not scored."""
        return self.episode.reward

    def chat(self) -> dict[str, Any]:
        """`messages` and `tools` as a chat completion of an OpenAI-compatible endpoint takes them."""
        return self.episode.chat()

    async def step(self, reply: types.AgentReply | str) -> types.EpisodeTurn:
        """Sends the agent's next reply, and gives the turn that follows."""
        return await in_thread(lambda: self.episode.step(reply))

    async def reply(self, message: Any, *, ms: float | None = None) -> types.EpisodeTurn:
        """Sends a chat completion, or its message."""
        return await in_thread(lambda: self.episode.reply(message, ms=ms))

    async def renew(self, seconds: int | None = None) -> AsyncEpisode:
        """Begins the lease anew, also after it is over."""
        await in_thread(lambda: self.episode.renew(seconds))
        return self

    async def delete(self) -> None:
        """Removes it with all that it left."""
        await in_thread(self.episode.delete)
