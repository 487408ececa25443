"""What the client shows of a report, which is the first argument, as JSON. Prints the texts by name as JSON.

The packages of trackers are not needed for their figures, so empty modules stand for them.
"""

import json
import sys
from types import ModuleType


class Package(ModuleType):
    """Whatever is imported from it is a dictionary with a name of its own."""

    def __getattr__(self, name: str) -> type:
        return type(name, (dict,), {})


for package in ("wandb", "evalhub", "evalhub.adapter"):
    sys.modules[package] = Package(package)

from stateeval import Report  # noqa: E402
from stateeval.evalhub import results_of  # noqa: E402
from stateeval.wandb import figures_of  # noqa: E402

report = Report(json.loads(sys.argv[1]))
texts = {
    "repr": repr(report),
    "html": report._repr_html_(),
    "groups": json.dumps(report.groups()),
    "wandb": json.dumps(figures_of(report)),
    "evalhub": json.dumps(results_of(report)),
}
print(json.dumps(texts))
