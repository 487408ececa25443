"""Drives a held-out stream of a running suite until it is revealed; prints what it saw as JSON.

Arguments: the suite's URL and the stream's id.
"""

import itertools
import json
import sys

from stateeval import StateEval

url, id = sys.argv[1:]
suite = StateEval(url)
stream = suite.stream(id)
sealed = repr(stream)
try:
    stream.verify()
    refusal = None
except ValueError as error:
    refusal = str(error)

tasks = list(itertools.islice(stream.tasks(16, mode="program"), 2))
episode = suite.episode(**tasks[1].request)
episode.reply({"role": "assistant", "content": "```javascript\nRESULT = {}\n```"})
other = stream.episode(16)
other.delete()

commitment = stream.commitment
verified = stream.reveal().verify()
seed = stream.resource["seed"]
stream.resource["seed"] = seed + "!"
result = {
    "sealed": sealed,
    "refusal": refusal,
    "tasks": [[task.id, task.request, task.text] for task in tasks],
    "case": episode.resource["case"],
    "reward": episode.reward,
    "otherCase": other.resource["case"],
    "isSameCommitment": commitment == suite.stream(id).commitment,
    "verified": verified,
    "verifiedOtherSeed": stream.verify(),
}
print(json.dumps(result))
