"""Runs blocks of Python in one session, as a reader types them: a line of JSON each, answered by another."""

import contextlib
import json
import sys
import traceback

names = {"__name__": "__main__"}
for line in sys.stdin:
    block = json.loads(line)
    failure = None
    try:
        with contextlib.redirect_stdout(sys.stderr):
            exec(compile(block["text"], block["name"], "exec"), names)
    except BaseException:
        failure = traceback.format_exc()
    print(json.dumps({"failure": failure}), flush=True)
