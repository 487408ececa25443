"""Uses the generated clients against a running suite: python use_clients.py FOLDER URLS. Prints what came back as JSON."""

import json
import sys
import time

folder, urls = sys.argv[1], json.loads(sys.argv[2])
sys.path.insert(0, folder)

from evaluation import Client as EvaluationClient
from evaluation.api.benchmarks import list_benchmarks
from evaluation.api.models import delete_model, get_model, put_model
from evaluation.models import ModelSettings
from execution import Client as ExecutionClient
from execution.api.executions import create_execution
from execution.models import ExecutionRequest
from scoring import Client as ScoringClient
from scoring.api.statistics import compute_statistics
from scoring.models import StatisticsRequest
from trace_generation import Client as GenerationClient
from trace_generation.api.generations import create_generation, get_generation, list_generation_programs
from trace_generation.api.programs import emit_programs
from trace_generation.api.scenarios import list_scenarios
from trace_generation.models import EmitProgramsBody, GenerationRequest, Language
from translation import Client as TranslationClient
from translation.api.translations import create_translation
from translation.models import TranslationRequestProgram

generation = GenerationClient(base_url=urls["trace-generation"])
scenarios = list_scenarios.sync(client=generation)
made = create_generation.sync(client=generation, body=GenerationRequest(scenario="session-service", count=3, seed=1))
while made.status in ("queued", "running"):
    time.sleep(0.1)
    made = get_generation.sync(client=generation, id=made.id)
programs = list_generation_programs.sync(client=generation, id=made.id).items
code = emit_programs.sync(client=generation, body=EmitProgramsBody(language=Language.JAVASCRIPT, programs=programs)).code

translation = TranslationClient(base_url=urls["translation"])
one = TranslationRequestProgram.from_dict({"program": programs[0].to_dict(), "seed": 1})
translated = create_translation.sync(client=translation, body=one)

execution = ExecutionClient(base_url=urls["execution"], timeout=60)
request = ExecutionRequest.from_dict(
    {"code": "RESULT = n + 1", "language": "javascript", "world": "none", "inputs": [{"variables": {"n": 41}, "world": {}}]}
)
ran = create_execution.sync(client=execution, body=request, wait=30)

scoring = ScoringClient(base_url=urls["scoring"])
asked = StatisticsRequest.from_dict({"proportions": [{"name": "all", "successes": 30, "total": 40}]})
statistics = compute_statistics.sync(client=scoring, body=asked)

evaluation = EvaluationClient(base_url=urls["evaluation"])
settings = ModelSettings(base_url="http://127.0.0.1:9/v1", model="small")
put = put_model.sync(client=evaluation, name="generated", body=settings)
got = get_model.sync(client=evaluation, name="generated")
deleted = delete_model.sync_detailed(client=evaluation, name="generated").status_code
missing = get_model.sync(client=evaluation, name="generated")
benchmarks = list_benchmarks.sync(client=evaluation)

json.dump(
    {
        "scenarios": [scenario.id for scenario in scenarios.items],
        "generation": str(made.status),
        "programs": len(programs),
        "code": len(code),
        "translation": str(translated.status),
        "result": ran.to_dict()["result"]["observations"][0]["ending"],
        "statistics": len(statistics.to_dict()["proportions"]),
        "model": [put.name, got.settings.to_dict()["baseUrl"], int(deleted), missing.status],
        "benchmarks": len(benchmarks.items),
    },
    sys.stdout,
)
