"""
Peer: NNSmith's symbolic generator (z3), for graphs of as many operators, from the operators that are nearest to the
scenario's. Reads {"seconds": n, "nodes": n, "rounds": n} from standard input; writes {"version", "perSecond", "slowest",
"fastest", "graphs", "operators"}, per second of processor time, the median, slowest and fastest round.
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


def rounds(seconds, nodes, times):
    """Graphs per second of processor time in each round, and all graphs and operators made."""
    rates, graphs, operators = [], 0, 0
    for _ in range(times):
        begun, made_now = time.process_time(), 0
        while time.process_time() - begun < seconds / times:
            made = model_gen(opset=OPERATORS, method="symbolic", max_nodes=nodes, seed=graphs)
            operators += made.n_compute_inst() if hasattr(made, "n_compute_inst") else made.ir.n_compute_inst()
            graphs += 1
            made_now += 1
        rates.append(made_now / (time.process_time() - begun))
    return sorted(rates), graphs, operators


def main():
    asked = json.load(sys.stdin)
    rates, graphs, operators = rounds(asked["seconds"], asked["nodes"], asked["rounds"])
    speed = {"perSecond": rates[len(rates) // 2], "slowest": rates[0], "fastest": rates[-1]}
    print(json.dumps({"version": version("nnsmith"), **speed, "graphs": graphs, "operators": operators / graphs}))


main()
