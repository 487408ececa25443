"""Runs emitted programs against a stub of requests that knows which requests must come, and says what differs."""

import ast
import json
import sys
import types


class Response:
    def __init__(self, answer):
        self.answer = answer

    def raise_for_status(self):
        return None

    def json(self):
        return json.loads(json.dumps(self.answer))


def difference(item):
    left = list(item["exchanges"])

    def send(method):
        def call(url, params=None, json=None):
            wanted = left.pop(0)
            got = {"method": method, "url": url, "params": params, "body": json}
            for name, value in got.items():
                if text(value) != text(wanted[name]):
                    raise AssertionError(f"{name} is {text(value)}, not {text(wanted[name])}")
            return Response(wanted["answer"])

        return call

    requests = types.ModuleType("requests")
    for method in ("get", "post", "put", "delete"):
        setattr(requests, method, send(method))
    sys.modules["requests"] = requests
    names = {**json.loads(json.dumps(item["variables"])), "BASE_URL": "http://service"}
    exec(compile(ast.parse(item["code"]), "program.py", "exec"), names)
    if left:
        raise AssertionError(f"{len(left)} requests were not sent")
    if text(names["RESULT"]) != text(item["result"]):
        raise AssertionError(f"RESULT is {text(names['RESULT'])}, not {text(item['result'])}")


def text(value):
    return json.dumps(value, sort_keys=True)


differences = []
for number, item in enumerate(json.load(sys.stdin)):
    try:
        difference(item)
    except Exception as error:
        differences.append(f"{number}: {type(error).__name__}: {error}\n{item['code']}")
json.dump(differences, sys.stdout)
