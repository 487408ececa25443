"""A benchmark of a running suite as a taskset of verifiers: vf-eval stateeval-verifiers.

verifiers finds the three parts by this package's name. The taskset lists the cases of a benchmark. The
harness drives an episode of the suite: it asks the model under evaluation or training, and sends each reply
as a step. The reward is that of the suite's score.

STATEEVAL_URL and STATEEVAL_API_KEY say where the suite is.
"""

from .environment import StateEvalEnv, StateEvalEnvConfig
from .harness import StateEvalHarness, StateEvalHarnessConfig
from .taskset import StateEvalConfig, StateEvalData, StateEvalTask, StateEvalTaskset

__all__ = [
    "StateEvalConfig",
    "StateEvalData",
    "StateEvalEnv",
    "StateEvalEnvConfig",
    "StateEvalHarness",
    "StateEvalHarnessConfig",
    "StateEvalTask",
    "StateEvalTaskset",
]
