"""Tasks of verifiers, each of which opens an episode and reads its reward."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, cast

import verifiers.v1 as vf
from pydantic import ConfigDict, Field

from stateeval import AsyncEpisode, StateEval, Tasks, tasks_of
from stateeval.contract import types


class StateEvalConfig(vf.TasksetConfig):
    """Which cases, and how they are put. The API key is read from STATEEVAL_API_KEY alone."""

    benchmark: str | None = None
    """Id of a benchmark of the suite."""
    stream: str | None = None
    """Id of a stream of tasks, in place of a benchmark; it has no end, so bound it with -n."""
    start: int = Field(0, ge=0)
    """The first index of a stream."""
    url: str | None = None
    """Where the suite is; default: STATEEVAL_URL, else this machine."""
    mode: Literal["program", "tools"] | None = None
    """Where the benchmark knows both: programs, which are the default, or calls of tools."""
    prompting: Literal["direct", "cot", "reflect", "few-shot"] | None = None
    language: Literal["javascript", "python"] | None = None
    """Of programs."""
    judge: str | None = None
    """The model that judges, where the benchmark asks one."""
    user: str | None = None
    """The model that plays the user, where the benchmark simulates one."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Further fields of an EpisodeRequest, such as timeLimit or limits."""

    def request(self) -> types.EpisodeRequest:
        named = ("benchmark", "stream", "mode", "prompting", "language", "judge", "user")
        given = {name: getattr(self, name) for name in named}
        chosen = {name: value for name, value in given.items() if value is not None}
        return cast(types.EpisodeRequest, {**self.options, **chosen})


class StateEvalData(vf.TaskData):
    """What a trace keeps of a task."""

    url: str | None
    request: dict[str, Any]
    """The EpisodeRequest that opens it."""


class StateEvalState(vf.State):
    """The episode of a rollout, in this process only."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    episode: AsyncEpisode | None = Field(default=None, exclude=True)


class NotScored(Exception):
    """The suite could not score the episode: the rollout failed, and has no reward."""


class StateEvalTask(vf.Task[StateEvalData, StateEvalState, vf.TaskConfig]):
    """A case of the suite."""

    @property
    def key(self) -> str:
        return str(self.data.id or self.hash)

    async def setup(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        suite = StateEval(self.data.url, progress=False)
        request = cast(types.EpisodeRequest, self.data.request)
        episode = await AsyncEpisode.open(suite, **request)
        trace.state.episode = episode
        trace.info["stateeval"] = {"episode": episode.id, "case": episode.episode.resource["case"]}

    async def finalize(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        episode = trace.state.episode
        if not episode.done:
            # verifiers ended it, by a limit or a timeout of its own.
            trace.info["stateeval"]["unfinished"] = True
            return
        turn = episode.episode.turn
        if episode.reward is None:
            raise NotScored(turn.get("notScored") or f"The episode {episode.id} has no score.")
        trace.info["stateeval"]["score"] = turn.get("score")

    @vf.reward  # type: ignore[untyped-decorator, unused-ignore]
    async def stateeval(self, trace: vf.Trace) -> float:
        """The suite's reward; 0 if the rollout was stopped before the episode ended."""
        reward = trace.state.episode.reward
        return float(reward) if reward is not None else 0.0

    @vf.metric  # type: ignore[untyped-decorator, unused-ignore]
    async def suite_metrics(self, trace: vf.Trace) -> dict[str, float]:
        """The metrics of the score, such as how many calls were wrong."""
        score = trace.info["stateeval"].get("score") or {}
        measured = score.get("metrics", {})
        passed = {"passed": float(bool(score.get("passed")))}
        return passed | {name: float(value) for name, value in measured.items() if value is not None}


class StateEvalTaskset(vf.Taskset[StateEvalTask, StateEvalConfig]):
    """The cases of a benchmark, or the tasks of a stream, in their order."""

    def __init__(self, config: StateEvalConfig) -> None:
        super().__init__(config)
        if bool(config.benchmark) == bool(config.stream):
            raise ValueError(
                "Name one source of tasks: --env.taskset.benchmark bm_0123456789abcdef "
                "or --env.taskset.stream str_0123456789abcdef"
            )
        self.INFINITE = config.stream is not None
        if config.system_prompt is not None:
            raise ValueError(
                "The suite writes the prompts of its cases; leave out --env.taskset.system-prompt."
            )

    def tasks(self) -> Tasks:
        """Where the tasks come from; a subclass may name another source."""
        suite = StateEval(self.config.url, progress=False)
        return tasks_of(suite, start=self.config.start, **self.config.request())

    def load(self) -> Iterator[StateEvalTask]:
        for task in self.tasks():
            data = StateEvalData(
                id=task.id,
                name=task.id,
                prompt=task.text,
                url=self.config.url,
                request={**task.request},
            )
            yield StateEvalTask(data, self.config.task)
