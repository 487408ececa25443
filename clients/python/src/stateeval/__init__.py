"""Client of StateEval: build benchmarks, evaluate models, read reports.

    from stateeval import StateEval

    suite = StateEval()
    benchmark = suite.build(scenario="session-service", programs=60, keep=40).wait()
    evaluation = suite.evaluate(benchmark=benchmark.id, model="reference").wait()
    print(evaluation.report())
"""

from .aio import AsyncEpisode
from .episodes import Episode
from .errors import JobFailed, ServiceError, StateEvalError, Unreachable
from .report import Report
from .streams import Stream
from .suite import Benchmark, Evaluation, StateEval
from .tasks import BenchmarkTasks, EpisodeTask, Tasks, tasks_of
from .transport import ServerEvent, Transport
from .waiting import Progress

__all__ = [
    "AsyncEpisode",
    "Benchmark",
    "BenchmarkTasks",
    "Episode",
    "EpisodeTask",
    "Evaluation",
    "JobFailed",
    "Progress",
    "Report",
    "ServerEvent",
    "ServiceError",
    "StateEval",
    "StateEvalError",
    "Stream",
    "Tasks",
    "Transport",
    "Unreachable",
    "tasks_of",
]
