"""Streams: endless tasks from a seed, for training and for held-out tests."""

from __future__ import annotations

import hashlib
import json
import re
import uuid
from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Unpack

from .contract import types
from .episodes import PATIENCE, Episode, _patiently
from .tasks import EpisodeTask

if TYPE_CHECKING:
    from .suite import StateEval


class Stream:
    """A stream of tasks. `resource` is its JSON as last seen.

    Any index names a task, in any order; what is not there yet is generated first.
    """

    def __init__(self, suite: StateEval, resource: types.StreamResource) -> None:
        self._suite = suite
        self.resource = resource

    @classmethod
    def create(cls, suite: StateEval, **request: Unpack[types.StreamRequest]) -> Stream:
        """Creates one; request: a StreamRequest of the contract."""
        key = str(uuid.uuid4())
        return cls(
            suite,
            _patiently(lambda: suite.api.create_stream(request, idempotency_key=key), PATIENCE),
        )

    def __repr__(self) -> str:
        return f"<Stream {self.id} {self.resource['status']}>"

    @property
    def id(self) -> str:
        return self.resource["id"]

    @property
    def commitment(self) -> str:
        """SHA-256 that fixes all tasks before the seed is known."""
        return self.resource["commitment"]

    def task(self, index: int) -> types.StreamTask:
        """What a task says, without its reference."""
        return _patiently(
            lambda: self._suite.api.get_stream_task(self.id, str(index)), PATIENCE
        )

    def episode(self, index: int, /, **request: Unpack[types.EpisodeRequest]) -> Episode:
        """Opens a task as an environment that you drive step by step."""
        subject: types.EpisodeRequest = {**request, "stream": self.id, "index": index}
        return Episode.open(self._suite, **subject)

    def tasks(self, start: int = 0, **request: Unpack[types.EpisodeRequest]) -> StreamTasks:
        """Its tasks from an index on, without an end, as a source for trainers.

        request: an EpisodeRequest of the contract without stream and index, such as mode="tools".
        """
        return StreamTasks(self, start, request)

    def reveal(self) -> Stream:
        """Publishes seed and salt of a held-out stream. It cannot be undone."""
        self.resource = self._suite.api.reveal_stream(self.id)
        return self

    def verify(self) -> bool:
        """Whether what was revealed is what the commitment was made of."""
        if "seed" not in self.resource or "salt" not in self.resource:
            raise ValueError(f"{self.id} is sealed; reveal it first")
        committed: dict[str, Any] = {
            name: value
            for name, value in self.resource.items()
            if name in ("kind", "options", "salt", "seed", "versions")
        }
        return hashlib.sha256(_canonical(committed).encode()).hexdigest() == self.commitment

    def delete(self) -> None:
        """Removes it with its tasks."""
        self._suite.api.delete_stream(self.id)


def _canonical(value: Any) -> str:
    """Canonical JSON (RFC 8785), for members with names in ASCII."""
    if isinstance(value, dict):
        members = (f"{_canonical(name)}:{_canonical(value[name])}" for name in sorted(value))
        return f"{{{','.join(members)}}}"
    if isinstance(value, list):
        return f"[{','.join(map(_canonical, value))}]"
    if isinstance(value, float) and 1e-6 <= abs(value) < 1e21:
        # Python writes 0.00001 as 1e-05.
        text = format(Decimal(repr(value)), "f")
        return text.rstrip("0").rstrip(".") if "." in text else text
    text = json.dumps(value, ensure_ascii=False)
    return re.sub(r"e([+-])0", r"e\1", text) if isinstance(value, float) else text


class StreamTasks:
    """The tasks of a stream, in their order. See `Stream.tasks`."""

    endless = True

    def __init__(self, stream: Stream, start: int, request: types.EpisodeRequest) -> None:
        self._stream = stream
        self._start = start
        self._request = request

    def __iter__(self) -> Iterator[EpisodeTask]:
        index = self._start
        while True:
            task = self._stream.task(index)
            request: types.EpisodeRequest = {
                **self._request,
                "stream": self._stream.id,
                "index": index,
            }
            yield EpisodeTask(f"{task['task']}@{index}", request, task["instruction"])
            index += 1
