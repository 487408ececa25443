"""Adapter for EvalHub: a job of the hub is an evaluation of a running suite.

    python -m stateeval.evalhub

The hub starts it as deploy/evalhub/stateeval.yaml says. It reads the job, evaluates the model, and
reports progress and results to the hub. STATEEVAL_URL and STATEEVAL_API_KEY say where the suite is.
Needs eval-hub-sdk: pip install 'stateeval[evalhub]'.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import time
from typing import Any, cast

from evalhub.adapter import (
    DefaultCallbacks,
    EvaluationResult,
    FrameworkAdapter,
    JobCallbacks,
    JobPhase,
    JobResults,
    JobSpec,
    JobStatus,
    JobStatusUpdate,
    MessageInfo,
)

from . import Evaluation, Progress, Report, StateEval, StateEvalError
from .contract import types
from .figures import figures


class StateEvalAdapter(FrameworkAdapter):  # type: ignore[misc, unused-ignore]
    """Runs one job. Parameters: `benchmark` (the id in the suite), `model_settings`, and any option
    of an evaluation, such as samples, prompting or language."""

    def run_benchmark_job(self, config: JobSpec, callbacks: JobCallbacks) -> JobResults:
        """Evaluates; raises ValueError or StateEvalError with a reason that the hub shows."""
        began = time.monotonic()
        if config.num_examples is not None:
            raise ValueError("num_examples is not supported. Leave it out, or name a smaller benchmark.")
        _report(callbacks, JobPhase.INITIALIZING, "Starting the evaluation.", 0.0)
        suite = StateEval(progress=False)
        request = _request_of(config, _model_of(suite, config))
        # A job that is started again finds the evaluation that it began.
        key = f"evalhub-{config.id}-{config.benchmark_index}"
        evaluation = Evaluation(suite, suite.api.create_evaluation(request, idempotency_key=key))
        evaluation.wait(progress=_progress_to(callbacks))
        report = evaluation.report()
        return JobResults(
            id=config.id,
            benchmark_id=config.benchmark_id,
            benchmark_index=config.benchmark_index,
            model_name=config.model.name,
            results=results_of(report),
            overall_score=report.pass_rate,
            num_examples_evaluated=report.result["overall"]["scored"],
            duration_seconds=time.monotonic() - began,
            additional_info={
                "evaluation": evaluation.id,
                "digest": report.result["digest"],
                "version": report.result["version"],
                "not_scored": report.result["notScored"],
                "verdicts": report.result["verdicts"],
            },
        )


def _request_of(config: JobSpec, model: str) -> types.EvaluationRequest:
    """The evaluation that the parameters describe. The suite checks them and names what is wrong."""
    options = {name: value for name, value in config.parameters.items() if name != "model_settings"}
    if not isinstance(options.get("benchmark"), str):
        raise ValueError(
            "The parameter benchmark is missing. Name a benchmark of the suite, such as "
            "bm_0123456789abcdef; `npx stateeval list benchmarks` prints their ids."
        )
    return cast(types.EvaluationRequest, {**options, "model": model})


def _model_of(suite: StateEval, config: JobSpec) -> str:
    """The model's name in the suite; with the URL stateeval://suite it is one of the suite."""
    model = config.model
    if model.url.startswith("stateeval://"):
        return str(model.name)
    more = config.parameters.get("model_settings", {})
    settings = cast(types.ModelSettings, {**more, "baseUrl": model.url, "model": model.name})
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()
    # The same settings have the same name, so jobs do not change each other's models.
    name = f"evalhub-{re.sub('[^A-Za-z0-9._-]', '-', model.name)[:60]}-{digest[:12]}"
    suite.api.put_model(name, settings)
    return name


def results_of(report: Report) -> list[EvaluationResult]:
    """The pass rate with its interval, pass@k, the mutation score, groups, and the benchmark's measures.

    The ends of a bracket are results of their own.
    """
    return [
        EvaluationResult(
            metric_name=name,
            metric_value=value,
            confidence_interval=figure.interval if name == figure.name else None,
            num_samples=figure.samples,
        )
        for figure in figures(report.result)
        for name, value in figure.named().items()
    ]


def _report(callbacks: JobCallbacks, phase: JobPhase, says: str, share: float) -> None:
    message = MessageInfo(message=says, message_code=phase.value)
    update = JobStatusUpdate(status=JobStatus.RUNNING, phase=phase, progress=share, message=message)
    callbacks.report_status(update)


def _progress_to(callbacks: JobCallbacks) -> Any:
    """Reports to the hub what has changed, at most every five seconds."""
    last: tuple[int, str] | None = None
    at = float("-inf")

    def show(step: Progress) -> None:
        nonlocal last, at
        now = time.monotonic()
        if (step.done, step.phase) == last or now - at < 5:
            return
        last, at = (step.done, step.phase), now
        share = step.done / step.total if step.total else 0.0
        _report(callbacks, JobPhase.RUNNING_EVALUATION, str(step), share)

    return show


def main() -> int:
    """Runs the job that the hub has written; 1 if it failed."""
    adapter = StateEvalAdapter()
    callbacks = DefaultCallbacks.from_adapter(adapter)
    try:
        results = adapter.run_benchmark_job(adapter.job_spec, callbacks)
    except (StateEvalError, ValueError) as error:
        message = MessageInfo(message=str(error), message_code="evaluation_failed")
        callbacks.report_status(JobStatusUpdate(status=JobStatus.FAILED, error_message=message))
        print(error, file=sys.stderr)
        return 1
    callbacks.report_results(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
