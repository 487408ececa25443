"""An evaluation as a run of Weights & Biases: options, figures, tables of samples and groups, the report.

    python -m stateeval.wandb ev_0123456789abcdef --project my-project --offline

Needs wandb: pip install 'stateeval[wandb]'. Its own settings, such as WANDB_API_KEY and WANDB_MODE, count.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any, Literal

import wandb

from . import Evaluation, Report, StateEval, StateEvalError
from .figures import figures


def track(
    evaluation: Evaluation,
    *,
    project: str = "stateeval",
    entity: str | None = None,
    folder: str | None = None,
    mode: Literal["online", "offline"] | None = None,
    samples: bool = True,
) -> str:
    """Logs an evaluation that has succeeded; returns the run's id, which is the evaluation's.

    folder: where wandb keeps its files; the current one by default. mode: as WANDB_MODE by default.
    samples: with a table of the samples and their answers.
    """
    report = evaluation.report()
    if "partial" in report.result:
        raise ValueError(f"The evaluation {evaluation.id} has not succeeded. Track it when it has.")
    with wandb.init(
        project=project,
        entity=entity,
        dir=folder,
        mode=mode,
        id=evaluation.id,
        name=f"{report.result['model']} {evaluation.id}",
        # Tracked again, it is the same run.
        resume="allow",
        job_type="evaluation",
        tags=["stateeval", report.run.get("kind", "stateeval")],
        config=config_of(evaluation, report),
        settings=wandb.Settings(console="off", disable_git=True, save_code=False, x_disable_stats=True),
    ) as run:
        run.log({"groups": _table(report.groups())})
        if samples:
            run.log({"samples": _table(_samples(evaluation, report))})
        run.summary.update(figures_of(report))
        artifact = wandb.Artifact(f"report-{evaluation.id}", type="report")
        with artifact.new_file("report.json", encoding="utf-8") as file:
            json.dump({"result": report.result, "run": report.run}, file)
        run.log_artifact(artifact)
    return evaluation.id


def config_of(evaluation: Evaluation, report: Report) -> dict[str, Any]:
    """What was evaluated, and how."""
    result = report.result
    return {
        "model": result["model"],
        "benchmark": evaluation.resource["benchmark"],
        "kind": report.run.get("kind"),
        "digest": result["digest"],
        "version": result["version"],
        **result["options"],
    }


def figures_of(report: Report) -> dict[str, float]:
    """The pass rate with its interval, counts, pass@k, verdicts, the benchmark's measures, and usage.

    Groups are a table.
    """
    result, run = report.result, report.run
    low, high = report.interval or (None, None)
    named: dict[str, float | None] = {
        "pass_rate_low": low,
        "pass_rate_high": high,
        "passed": result["overall"]["passed"],
        "scored": result["overall"]["scored"],
        "not_scored": result["notScored"],
        **{f"verdict/{name}": count for name, count in result["verdicts"].items()},
        **{f"root_cause/{name}": count for name, count in result["rootCauses"].items()},
        "prompt_tokens": run["usage"]["promptTokens"],
        "completion_tokens": run["usage"]["completionTokens"],
        "cost_usd": run["costUsd"],
    }
    for figure in figures(result):
        if figure.kind != "group":
            named.update(figure.named("measure/" if figure.kind == "measure" else ""))
    return {name: value for name, value in named.items() if value is not None}


def _samples(evaluation: Evaluation, report: Report) -> list[dict[str, Any]]:
    """The report's samples with their answers."""
    answers: dict[tuple[str, int], str | None] = {}
    cursor: str | None = None
    while True:
        page = evaluation.api.get_evaluation_answers(evaluation.id, cursor=cursor)
        for one in page["items"]:
            answers[(one["case"], one["sample"])] = one["answer"]
        cursor = page.get("next")
        if cursor is None:
            break
    return [
        {**sample, "answer": answers.get((sample["case"], sample["sample"]))}
        for sample in report.samples()
    ]


def _table(records: list[dict[str, Any]]) -> Any:
    """Records as a table. Those that lack a field have an empty cell there."""
    columns = list(dict.fromkeys(name for record in records for name in record))
    rows = [[record.get(name) for name in columns] for record in records]
    return wandb.Table(columns=columns, data=rows, allow_mixed_types=True)


def main() -> int:
    """The command; 2 where it could not do its work."""
    parser = argparse.ArgumentParser(
        prog="python -m stateeval.wandb", description="Log an evaluation to Weights & Biases"
    )
    parser.add_argument("evaluation", help="its id, such as ev_0123456789abcdef")
    parser.add_argument("--project", default="stateeval", help="the project (default: %(default)s)")
    parser.add_argument("--entity", help="the user or team (default: that of the login)")
    parser.add_argument("--dir", help="where wandb keeps its files (default: the current folder)")
    parser.add_argument("--offline", action="store_true", help="write files only; `wandb sync` sends them")
    parser.add_argument("--no-samples", action="store_true", help="without samples and their answers")
    options = parser.parse_args()
    try:
        run = track(
            StateEval().evaluation(options.evaluation),
            project=options.project,
            entity=options.entity,
            folder=options.dir,
            mode="offline" if options.offline else None,
            samples=not options.no_samples,
        )
    except (StateEvalError, ValueError, wandb.Error) as error:
        print(error, file=sys.stderr)
        return 2
    print(f"Tracked as run {run} of the project {options.project}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
