"""Writes an environment of NeMo Gym into a project: python -m stateeval.nemo_gym SOURCE --folder PROJECT"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from ..suite import StateEval
from ..tasks import tasks_of
from .prepare import prepare


def _options(text: str) -> dict[str, Any]:
    try:
        given = json.loads(text)
    except ValueError:
        given = None
    if not isinstance(given, dict):
        raise argparse.ArgumentTypeError('give a JSON object, such as {"timeLimit": 60}')
    return given


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m stateeval.nemo_gym", description=__doc__)
    parser.add_argument("source", help="id of a benchmark or of a stream of the suite")
    parser.add_argument("--start", type=int, default=0, help="the first index of a stream")
    parser.add_argument("--folder", type=Path, default=Path(), help="the project; default: this folder")
    parser.add_argument("--url", help="where the suite is; default: STATEEVAL_URL, else this machine")
    parser.add_argument(
        "--agent",
        choices=["gymnasium", "simple"],
        default="gymnasium",
        help="which of NeMo Gym's agents plays; simple answers once, or calls tools one by one",
    )
    parser.add_argument("--max-steps", type=int, default=100, help="replies that the agent may take")
    parser.add_argument("--limit", type=int, help="rows of the dataset; default: all cases; a stream needs it")
    parser.add_argument("--mode", choices=["program", "tools"])
    parser.add_argument("--prompting", choices=["direct", "cot", "reflect", "few-shot"])
    parser.add_argument("--language", choices=["javascript", "python"])
    parser.add_argument("--judge", help="the model that judges, where the benchmark asks one")
    parser.add_argument("--user", help="the model that plays the user, where the benchmark simulates one")
    parser.add_argument(
        "--options", type=_options, default={}, help="further fields of an EpisodeRequest, as JSON"
    )
    given = parser.parse_args()
    named = ("mode", "prompting", "language", "judge", "user")
    chosen = {name: getattr(given, name) for name in named if getattr(given, name) is not None}
    kind = "stream" if given.source.startswith("str_") else "benchmark"
    if kind == "stream" and given.limit is None:
        parser.error("a stream has no end; name --limit")
    request: Any = {**given.options, **chosen, kind: given.source}
    suite = StateEval(given.url, progress=False)
    count = prepare(
        suite,
        tasks_of(suite, start=given.start, **request),
        given.folder,
        agent=given.agent,
        max_steps=given.max_steps,
        limit=given.limit,
    )
    print(f"{count} rows in {given.folder / 'resources_servers/stateeval/data/train.jsonl'}")


if __name__ == "__main__":
    main()
