"""The suite as a person uses it: build, evaluate, wait, read the report."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from typing import Unpack

from .contract import EvaluationApi, types
from .episodes import Episode
from .report import Report
from .streams import Stream
from .transport import Transport
from .waiting import ProgressOption, wait_for


class StateEval:
    """A running suite.

    url: where its evaluation service is; STATEEVAL_URL, else http://127.0.0.1:7400.
    key: an API key; STATEEVAL_API_KEY, else none.
    progress: shown on terminals and in notebooks; False never, or a function that takes each step.

    `api` has every operation of the service, typed.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        key: str | None = None,
        progress: ProgressOption = True,
        timeout: float = 120,
    ) -> None:
        address = url or os.environ.get("STATEEVAL_URL") or "http://127.0.0.1:7400"
        self.transport = Transport(
            address, key=key or os.environ.get("STATEEVAL_API_KEY"), timeout=timeout
        )
        self.api = EvaluationApi(self.transport)
        self.progress = progress

    def __repr__(self) -> str:
        return f"StateEval({self.transport.base_url!r})"

    def build(self, **request: Unpack[types.BuildRequest]) -> Benchmark:
        """Begins to build a benchmark. `wait` of what it returns waits for its end.

        request: a BuildRequest of the contract: scenario, programs, keep, seed and more.
        """
        body: types.CreateBenchmarkBody = {"build": request}
        return Benchmark(self, self.api.create_benchmark(body, idempotency_key=str(uuid.uuid4())))

    def benchmark(self, id: str) -> Benchmark:
        """A benchmark that the suite has already."""
        return Benchmark(self, self.api.get_benchmark(id))

    def evaluate(self, **request: Unpack[types.EvaluationRequest]) -> Evaluation:
        """Begins an evaluation. `wait` of what it returns waits for its end.

        request: an EvaluationRequest of the contract: the benchmark's id, the model (reference,
        mutant, or a named one), samples, prompting and more.
        """
        key = str(uuid.uuid4())
        return Evaluation(self, self.api.create_evaluation(request, idempotency_key=key))

    def evaluation(self, id: str) -> Evaluation:
        """An evaluation that was begun earlier."""
        return Evaluation(self, self.api.get_evaluation(id))

    def episode(self, **request: Unpack[types.EpisodeRequest]) -> Episode:
        """Opens a case as an environment that you drive step by step.

        request: an EpisodeRequest of the contract: the benchmark's id, and a case or a seed; or a
        stream's id and an index.
        """
        return Episode.open(self, **request)

    def create_stream(self, **request: Unpack[types.StreamRequest]) -> Stream:
        """Creates an endless stream of tasks.

        request: a StreamRequest of the contract: options with the scenario, purpose, seed.
        """
        return Stream.create(self, **request)

    def stream(self, id: str) -> Stream:
        """A stream that the suite has already."""
        return Stream(self, self.api.get_stream(id))

    def compare(self, *evaluations: Evaluation | str) -> types.ComparisonResource:
        """Two or more evaluations of one benchmark, compared with significance tests."""
        ids = [one if isinstance(one, str) else one.id for one in evaluations]
        return self.api.create_comparison({"evaluations": ids}, idempotency_key=str(uuid.uuid4()))


class Benchmark:
    """A set of test cases. `resource` is its JSON as last seen."""

    def __init__(self, suite: StateEval, resource: types.BenchmarkResource) -> None:
        self._suite = suite
        self.resource = resource

    @property
    def id(self) -> str:
        return self.resource["id"]

    def __repr__(self) -> str:
        return f"<Benchmark {self.id} {self.resource['status']}>"

    def wait(self, *, progress: ProgressOption | None = None, timeout: float | None = None) -> Benchmark:
        """Waits until it is built; JobFailed says why it was not."""
        self.resource = wait_for(
            "build",
            self.resource,
            lambda: self._suite.api.get_benchmark(self.id),
            progress=self._suite.progress if progress is None else progress,
            timeout=timeout,
        )
        return self

    def cases(self) -> Iterator[types.BenchmarkCase]:
        """Its test cases, read page by page."""
        cursor: str | None = None
        while True:
            page = self._suite.api.list_benchmark_cases(self.id, cursor=cursor)
            yield from page["items"]
            cursor = page.get("next")
            if cursor is None:
                return


class Evaluation:
    """A benchmark, a model, and what came of it. `resource` is its JSON as last seen."""

    def __init__(self, suite: StateEval, resource: types.EvaluationResource) -> None:
        self._suite = suite
        self.resource = resource

    @property
    def id(self) -> str:
        return self.resource["id"]

    @property
    def api(self) -> EvaluationApi:
        """Every operation of the suite's evaluation service."""
        return self._suite.api

    def __repr__(self) -> str:
        return f"<Evaluation {self.id} {self.resource['status']}>"

    def wait(
        self, *, progress: ProgressOption | None = None, timeout: float | None = None
    ) -> Evaluation:
        """Waits until it ends; JobFailed says why it did not succeed."""
        self.resource = wait_for(
            "evaluation",
            self.resource,
            lambda: self._suite.api.get_evaluation(self.id),
            progress=self._suite.progress if progress is None else progress,
            timeout=timeout,
        )
        return self

    def cancel(self) -> Evaluation:
        """Stops it; what has ended keeps its scores."""
        self.resource = self._suite.api.cancel_evaluation(self.id)
        return self

    def report(self) -> Report:
        """The report; of an evaluation that runs, of the samples that have ended."""
        return Report(self._suite.api.get_evaluation_report(self.id))

    def gate(self, **request: Unpack[types.GateRequest]) -> types.GateVerdict:
        """Whether it passes a gate; request: a GateRequest of the contract, such as minRate=0.8."""
        return self._suite.api.check_gate(self.id, request)
