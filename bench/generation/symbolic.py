"""
Peer: NNSmith's symbolic generator (z3), for graphs of as many operators, from the operators that are nearest to the
scenario's. Reads {"seconds": n, "nodes": n} from standard input; writes {"version", "perSecond", "graphs", "operators"}.
"""

import json
import sys
import time
import warnings
from importlib.metadata import version

warnings.filterwarnings("ignore")
from nnsmith.abstract import op  # noqa: E402
from nnsmith.graph_gen import model_gen  # noqa: E402

# cat, transpose and permute, conv2d, linear, and what takes the place of split.
OPERATORS = [op.Concat1, op.Concat2, op.Concat3, op.Transpose, op.NCHWConv2d, op.MatMul, op.Slice]


def main():
    asked = json.load(sys.stdin)
    begun = time.perf_counter()
    graphs = operators = seed = 0
    while time.perf_counter() - begun < asked["seconds"]:
        made = model_gen(opset=OPERATORS, method="symbolic", max_nodes=asked["nodes"], seed=seed)
        graphs += 1
        operators += made.n_compute_inst() if hasattr(made, "n_compute_inst") else made.ir.n_compute_inst()
        seed += 1
    seconds = time.perf_counter() - begun
    print(json.dumps({"version": version("nnsmith"), "perSecond": graphs / seconds, "graphs": graphs, "operators": operators / graphs}))


main()
