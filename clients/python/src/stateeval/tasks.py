"""Where a trainer's tasks come from: each is a request that opens an episode."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Unpack

from .contract import types

if TYPE_CHECKING:
    from .suite import StateEval


@dataclass(frozen=True)
class EpisodeTask:
    """A task: the same id and request everywhere. `text` says what it asks, where that is known."""

    id: str
    request: types.EpisodeRequest
    text: str


class Tasks(Protocol):
    """A source of tasks. One that is `endless` never stops, so whoever reads it takes as many as it needs."""

    endless: bool

    def __iter__(self) -> Iterator[EpisodeTask]: ...


class BenchmarkTasks:
    """The cases of a benchmark, in their order.

    request: an EpisodeRequest of the contract without a case, such as mode="tools".
    """

    endless = False

    def __init__(self, suite: StateEval, **request: Unpack[types.EpisodeRequest]) -> None:
        if "benchmark" not in request or "case" in request:
            raise ValueError("Name a benchmark and no case: its tasks are all its cases.")
        self._suite = suite
        self._request = request
        self._benchmark = request["benchmark"]

    def __iter__(self) -> Iterator[EpisodeTask]:
        for case in self._suite.benchmark(self._benchmark).cases():
            id = str(case["id"])
            request: types.EpisodeRequest = {**self._request, "case": id}
            yield EpisodeTask(id, request, str(case.get("instruction") or f"Case {id}"))


def tasks_of(suite: StateEval, *, start: int = 0, **request: Unpack[types.EpisodeRequest]) -> Tasks:
    """The tasks of what the request names: a benchmark or a stream."""
    if "stream" in request:
        return suite.stream(request["stream"]).tasks(start, **request)
    return BenchmarkTasks(suite, **request)
