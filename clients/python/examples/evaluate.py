"""Builds a small benchmark, evaluates the built-in model mutant, and prints its report.

STATEEVAL_URL=http://127.0.0.1:7400 python examples/evaluate.py
"""

from stateeval import StateEval

suite = StateEval()
benchmark = suite.build(scenario="session-service", programs=6, keep=3).wait()
evaluation = suite.evaluate(benchmark=benchmark.id, model="mutant", samples=2).wait()
report = evaluation.report()

print(report)
for sample in report.samples():
    print(sample["case"], sample["sample"], sample["verdict"])
for group in report.groups():
    print(f"{group['group']} {group['name']}: {group['passed']} of {group['scored']}")
