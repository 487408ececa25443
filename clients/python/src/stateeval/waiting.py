"""Waits for builds and evaluations, and shows how far they have come."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from .errors import JobFailed, ServiceError, Unreachable

#: What a service answers that stops, starts or is overloaded, or a proxy in its place.
_away = (429, 502, 503, 504, 507)

Job = TypeVar("Job", bound=Mapping[str, Any])


@dataclass(frozen=True)
class Progress:
    """How far a job has come. `left` is an estimate in seconds, None while nothing is known."""

    title: str
    done: int
    total: int
    phase: str
    per_minute: float | None
    left: float | None

    def __str__(self) -> str:
        filled = round(24 * self.done / self.total) if self.total else 0
        parts = [f"{self.title} {'█' * filled}{'░' * (24 - filled)} {self.done}/{self.total} {self.phase}"]
        if self.per_minute is not None:
            parts.append(f"{self.per_minute:.0f}/min")
        if self.left is not None and self.done < self.total:
            parts.append(f"{_duration(self.left)} left")
        return ", ".join(parts)


#: Takes each step of the progress. True: shown on a terminal or in a notebook, silent elsewhere.
ProgressOption = bool | Callable[[Progress], None]


def wait_for(
    title: str,
    job: Job,
    get: Callable[[], Job],
    *,
    progress: ProgressOption = True,
    timeout: float | None = None,
) -> Job:
    """Asks until the job has ended; returns it where it succeeded.

    timeout: seconds after which TimeoutError is raised; the job continues. A service that is away
    is asked again for a minute, because a job survives its restart.
    """
    show = _shower(progress)
    began = time.monotonic()
    first = (began, int(job["progress"]["done"]), str(job["progress"]["phase"]))
    away_since: float | None = None
    pause = 0.1
    while job["status"] in ("queued", "running"):
        now = time.monotonic()
        if timeout is not None and now - began > timeout:
            raise TimeoutError(f"{title} {job['id']} has not ended within {timeout:g} s; it continues")
        if job["progress"]["phase"] != first[2]:
            first = (now, int(job["progress"]["done"]), str(job["progress"]["phase"]))
        show(_progress(title, job["progress"], first, now))
        time.sleep(pause)
        pause = min(1.0, pause * 1.3)
        try:
            job = get()
            away_since = None
        except (Unreachable, ServiceError) as error:
            if isinstance(error, ServiceError) and error.status not in _away:
                raise
            away_since = away_since or now
            if now - away_since > 60:
                raise
    show(None)
    if job["status"] != "succeeded":
        raise JobFailed(dict(job))
    return job


def _progress(
    title: str, counts: Mapping[str, Any], first: tuple[float, int, str], now: float
) -> Progress:
    began, done_before, phase = first
    done, total, took = int(counts["done"]), int(counts["total"]), now - began
    # A pace that is measured over less than two seconds is a guess.
    rate = (done - done_before) / took if took >= 2 and done > done_before else None
    left = (total - done) / rate if rate else None
    return Progress(title, done, total, phase, rate * 60 if rate else None, left)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


def _shower(progress: ProgressOption) -> Callable[[Progress | None], None]:
    if callable(progress):
        call = progress
        return lambda step: None if step is None else call(step)
    if not progress:
        return lambda step: None
    notebook = _notebook()
    if notebook:
        return notebook
    if not sys.stderr.isatty():
        return lambda step: None
    return _on_terminal


def _on_terminal(step: Progress | None) -> None:
    sys.stderr.write("\r\033[K" + ("" if step is None else str(step)))
    sys.stderr.flush()


def _notebook() -> Callable[[Progress | None], None] | None:
    """Updates one output of the cell; None outside notebooks."""
    shell = sys.modules.get("IPython")
    current = shell.get_ipython() if shell else None
    if current is None or type(current).__name__ != "ZMQInteractiveShell":
        return None
    from IPython.display import display

    handle = display({"text/plain": ""}, raw=True, display_id=True)
    return lambda step: handle.update({"text/plain": "" if step is None else str(step)}, raw=True)
