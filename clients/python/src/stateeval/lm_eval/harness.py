"""What stateeval.yaml names: prompts of the suite as documents, and answers scored by the suite."""

from __future__ import annotations

import json
import logging
from typing import Any, cast

import datasets

from stateeval import StateEval
from stateeval.contract import types

log = logging.getLogger("stateeval")

#: Options of prompts, which the evaluation gets as well.
OPTIONS = ("language", "prompting", "documentation", "shots", "setup", "layout", "seed")
#: Options of the evaluation alone.
FURTHER = ("policy", "timeLimit", "judge", "embeddings", "label")


def dataset(benchmark: str | None = None, **metadata: Any) -> dict[str, datasets.Dataset]:
    """A document for each case: its prompt as one text. Parameters come from --metadata."""
    if benchmark is None:
        raise ValueError(
            "No benchmark is named. Name one of the suite, such as "
            """--metadata '{"benchmark": "bm_0123456789abcdef"}'"""
        )
    options = {name: metadata[name] for name in OPTIONS if name in metadata}
    request = {"benchmark": benchmark, **options}
    request.update({name: metadata[name] for name in FURTHER if name in metadata})
    text = StateEval(progress=False).api.get_benchmark_prompts(benchmark, **options)
    documents = []
    # Not splitlines: JSON may contain other characters that separate lines, such as U+2028.
    for case in map(json.loads, text.rstrip("\n").split("\n")):
        if case.get("tools"):
            raise ValueError(
                f"The benchmark {benchmark} asks for calls of tools, which the harness cannot make. "
                "Evaluate it with: npx stateeval evaluate"
            )
        prompt = "\n\n".join(message["content"] for message in case["messages"])
        documents.append({"case": case["case"], "prompt": prompt, "request": json.dumps(request)})
    return {"test": datasets.Dataset.from_list(documents)}


def answer(doc: dict[str, str], results: list[str]) -> dict[str, Any]:
    """The answer, which is scored when all are there."""
    return {"pass_rate": {"request": doc["request"], "case": doc["case"], "answer": results[0]}}


def pass_rate(items: list[dict[str, str]]) -> float:
    """The pass rate that the suite finds. Cases that were left out, as with --limit, do not count."""
    request = {"label": "lm-evaluation-harness", **json.loads(items[0]["request"])}
    answers = [{"case": item["case"], "answer": item["answer"]} for item in items]
    suite = StateEval()
    evaluation = suite.evaluate(**cast(types.EvaluationRequest, {**request, "answers": answers})).wait()
    report = evaluation.report()
    log.warning("%s has the report: npx stateeval report %s", suite.transport.base_url, evaluation.id)
    if report.bracket is not None:
        # The harness shows one figure.
        log.warning(
            "Samples have no score. The pass rate is %.1f %% if they failed, %.1f %% if they passed.",
            *(100 * end for end in report.bracket),
        )
    return float("nan") if report.pass_rate is None else report.pass_rate
