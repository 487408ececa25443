"""Reads logs as Inspect AI itself does, validates them by its schema, converts them, and prints what it found as JSON."""

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
from inspect_ai.log import EvalLog, read_eval_log, read_eval_log_sample_summaries

inspect, folder, *logs = sys.argv[1:]


def run(*args):
    return subprocess.run([inspect, *args], check=True, capture_output=True, text=True).stdout


schema = jsonschema.Draft202012Validator(json.loads(run("log", "schema")))


def told(log: EvalLog):
    score = log.results.scores[0]
    return {
        "task": log.eval.task,
        "model": log.eval.model,
        "dataset": [log.eval.dataset.name, log.eval.dataset.location, log.eval.dataset.samples],
        "epochs": log.eval.config.epochs,
        "temperature": log.eval.model_generate_config.temperature,
        "metrics": {name: metric.value for name, metric in score.metrics.items()},
        "scored": [score.scored_samples, score.unscored_samples, log.results.total_samples],
        "usage": {name: usage.model_dump(exclude_none=True) for name, usage in log.stats.model_usage.items()},
        "samples": [
            {
                "id": sample.id,
                "epoch": sample.epoch,
                "value": next(iter(sample.scores.values())).value if sample.scores else None,
                "verdict": next(iter(sample.scores.values())).metadata["verdict"] if sample.scores else None,
                "explanation": next(iter(sample.scores.values())).explanation if sample.scores else None,
                "error": sample.error.message if sample.error else None,
                "completion": sample.output.completion,
                "target": sample.target,
                "roles": [message.role for message in sample.messages],
                "calls": [
                    [call.function, call.arguments]
                    for message in sample.messages
                    if message.role == "assistant"
                    for call in message.tool_calls or []
                ],
                "functions": [message.function for message in sample.messages if message.role == "tool"],
                "tokens": sum(usage.total_tokens for usage in sample.model_usage.values()),
            }
            for sample in sorted(log.samples, key=lambda sample: (sample.id, sample.epoch))
        ],
    }


found = []
for name in logs:
    errors = [error.message for error in schema.iter_errors(json.loads(Path(name).read_text()))]
    log = read_eval_log(name)
    run("log", "convert", name, "--to", "eval", "--output-dir", folder)
    converted = Path(folder) / f"{Path(name).stem}.eval"
    found.append(
        {
            **told(log),
            "errors": errors,
            "header": read_eval_log(name, header_only=True).eval.task_id,
            "converted": told(read_eval_log(str(converted))) == told(log),
            "summaries": len(read_eval_log_sample_summaries(str(converted))),
        }
    )
print(json.dumps(found))
