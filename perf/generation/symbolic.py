"""
Peer: NNSmith's symbolic generator (z3), for graphs of as many operators. "nearest": from the operators that are nearest to
the scenario's; "all": from all of its core operators, most of which go over a tensor element by element and need few
constraints solved. Reads {"seconds": n, "nodes": n, "rounds": n} from standard input, the seconds for each of the two;
writes {"version", "nearest", "all"}, each {"perSecond", "slowest", "fastest", "graphs", "operators"}: per second of
processor time the median, slowest and fastest round, all graphs, and the operators of one in the mean.
"""

import json
import sys
import time
import warnings
from importlib.metadata import version

warnings.filterwarnings("ignore")
from nnsmith.abstract import op  # noqa: E402
from nnsmith.graph_gen import model_gen  # noqa: E402

OPERATORS = {
    # cat, transpose and permute, conv2d, linear, and what takes the place of split.
    "nearest": [op.Concat1, op.Concat2, op.Concat3, op.Transpose, op.NCHWConv2d, op.MatMul, op.Slice],
    "all": sorted(op.FULL_OPERATOR_SETS["core"], key=lambda kind: kind.__name__),
}


def measure(operators, seconds, nodes, rounds):
    """Graphs per second of processor time in each round, and how many graphs of how many operators that were."""
    rates, graphs, made_operators = [], 0, 0
    for _ in range(rounds):
        begun, made_now = time.process_time(), 0
        while time.process_time() - begun < seconds / rounds:
            made = model_gen(opset=operators, method="symbolic", max_nodes=nodes, seed=graphs)
            made_operators += made.n_compute_inst() if hasattr(made, "n_compute_inst") else made.ir.n_compute_inst()
            graphs += 1
            made_now += 1
        rates.append(made_now / (time.process_time() - begun))
    rates.sort()
    speed = {"perSecond": rates[len(rates) // 2], "slowest": rates[0], "fastest": rates[-1]}
    return {**speed, "graphs": graphs, "operators": made_operators / graphs}


def main():
    asked = json.load(sys.stdin)
    measured = {name: measure(operators, **asked) for name, operators in OPERATORS.items()}
    print(json.dumps({"version": version("nnsmith"), **measured}))


main()
