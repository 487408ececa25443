"""Uses what the installed client offers beyond its example, against the suite of STATEEVAL_URL. Prints JSON."""

import json

import pandas

from stateeval import JobFailed, Progress, Report, ServiceError, StateEval, Transport, Unreachable
from stateeval.contract import ExecutionApi
from stateeval.waiting import wait_for

steps: list[Progress] = []
suite = StateEval(progress=steps.append)
benchmark = suite.build(scenario="session-service", programs=6, keep=3).wait()
reference = suite.evaluate(benchmark=benchmark.id, model="reference").wait()
mutant = suite.evaluate(benchmark=benchmark.id, model="mutant").wait()
report = reference.report()
comparison = suite.compare(reference, mutant)


def raised(work):
    try:
        work()
    except Exception as error:
        return [type(error).__name__, str(error)]
    return None


# A service that stops, or a proxy in its place, does not end the wait; a refusal does.
running = {"id": "x", "status": "running", "progress": {"done": 0, "total": 1, "phase": "samples"}}
answers = [ServiceError({"status": status}) for status in (503, 502, 429)] + [{**running, "status": "succeeded"}]


def answer():
    one = answers.pop(0)
    if isinstance(one, Exception):
        raise one
    return one


assert wait_for("job", running, answer, progress=False)["status"] == "succeeded"
answers.append(ServiceError({"status": 404}))
assert raised(lambda: wait_for("job", running, answer, progress=False)) is not None

# What a model wrote must not become part of the page.
hostile = json.loads(json.dumps({"result": report.result, "run": report.run}))
hostile["result"]["model"] = "<script>alert(1)</script>"
hostile["result"]["groups"] = {"<b>": [{"name": "<i>&", "rate": report.result["overall"]}]}

frame, groups = report.to_frame(), report.groups_frame()
print(
    json.dumps(
        {
            "cases": len(list(benchmark.cases())),
            "progress": bool(steps) and steps[-1].total >= steps[-1].done,
            "phases": sorted({step.phase for step in steps if step.title == "build"}),
            "rate": report.pass_rate,
            "interval": report.interval is not None,
            "frame": [isinstance(frame, pandas.DataFrame), len(frame), bool(frame["passed"].all())],
            "groups": sorted(set(groups["group"])),
            "html": report._repr_html_(),
            "hostile": Report(hostile)._repr_html_(),
            "compared": [one["model"] for one in comparison["evaluations"]],
            "gate": [reference.gate(minRate=1)["passed"], reference.gate(minRate=1, maxUnscored=0)["passed"]],
            "events": [one.event for one in suite.api.get_evaluation_events(reference.id)][-1],
            "service": raised(lambda: suite.evaluation("ev_0000000000000000")),
            "field": raised(lambda: suite.build(scenario="nowhere")),
            "away": raised(lambda: StateEval("http://127.0.0.1:9").evaluation("x")),
            "address": raised(lambda: Transport("ftp://nowhere")),
            "errors": [issubclass(kind, Exception) for kind in (JobFailed, ServiceError, Unreachable)],
            "deleted": suite.api.delete_evaluation(mutant.id),
        }
    )
)
assert ExecutionApi(Transport("http://127.0.0.1:9"))
