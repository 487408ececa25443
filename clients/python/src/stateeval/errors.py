"""What can go wrong, as exceptions. Each message says what happened and what to do."""

from __future__ import annotations

from typing import Any


class StateEvalError(Exception):
    """The base of all errors of this package."""


class Unreachable(StateEvalError):
    """The service could not be reached, or went away before its answer was complete."""


class ServiceError(StateEvalError):
    """The service answered with a problem (RFC 9457).

    `problem` is its JSON: `type` is stable, `detail` says what to do, `field` names what is wrong.
    """

    def __init__(self, problem: dict[str, Any]) -> None:
        detail = str(problem.get("detail") or problem.get("title") or "the request failed")
        field = problem.get("field")
        super().__init__(f"{detail} ({field})" if field else detail)
        self.problem = problem

    @property
    def status(self) -> int:
        """The HTTP status."""
        return int(self.problem.get("status", 0))


class JobFailed(StateEvalError):
    """A build or an evaluation failed or was cancelled. `job` is its resource."""

    def __init__(self, job: dict[str, Any]) -> None:
        reason = job.get("error")
        super().__init__(f"{job['id']} {job['status']}" + (f": {reason}" if reason else ""))
        self.job = job
