"""Values of scipy and statsmodels that the statistics of this package are held against.

    python3 -m venv venv && venv/bin/pip install scipy statsmodels
    venv/bin/python packages/score/test/statistics/reference.py > packages/score/test/fixtures/statistics.json

With `--check FILE` it compares with a stored file and exits 1 where a value differs.
"""
import json
import math
import random
import sys
from fractions import Fraction
from itertools import product

import numpy
from scipy import optimize, stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

draw = random.Random(20250101)


def exactly(value):
    return float(value)


def pass_at_k():
    """By scipy's hypergeometric distribution: none, and all, of k drawn samples passed."""
    rows = []
    for _ in range(60):
        n = draw.choice([1, 2, 5, 10, 37, 200, 1000])
        c, k = draw.randint(0, n), draw.randint(1, n)
        drawn = stats.hypergeom(n, c, k)
        rows.append({"samples": n, "passed": c, "k": k, "any": exactly(1 - drawn.pmf(0)), "all": exactly(drawn.pmf(k))})
    return rows


def wilson():
    rows = []
    for _ in range(60):
        n = draw.choice([1, 3, 10, 40, 120, 1000, 100000])
        x = draw.choice([0, n, draw.randint(0, n)])
        confidence = draw.choice([0.9, 0.95, 0.99])
        low, high = proportion_confint(x, n, alpha=1 - confidence, method="wilson")
        rows.append({"successes": x, "total": n, "confidence": confidence, "low": exactly(low), "high": exactly(high)})
    return rows


def normal():
    points = [-12, -8.5, -5, -4.001, -3.999, -1.96, -0.3, 0, 0.5, 1.2816, 3, 4.5, 7]
    shares = [1e-12, 1e-6, 0.0005, 0.01, 0.025, 0.2, 0.5, 0.8, 0.975, 0.9995]
    return {
        "cdf": [{"x": x, "p": exactly(stats.norm.cdf(x))} for x in points],
        "quantile": [{"p": p, "z": exactly(stats.norm.ppf(p))} for p in shares],
    }


def mcnemar_exact():
    rows = []
    for _ in range(60):
        b, c = draw.choice([(0, 0), (0, 6), (7, 0), (draw.randint(0, 30), draw.randint(0, 30)), (draw.randint(300, 900), draw.randint(300, 900))])
        p = mcnemar([[11, b], [c, 5]], exact=True).pvalue if b + c else 1.0
        rows.append({"b": b, "c": c, "p": exactly(min(1.0, p))})
    return rows


def sign_flip():
    """Every choice of signs, in exact fractions, and scipy's own permutation test."""
    rows = []
    for _ in range(30):
        samples = draw.choice([1, 2, 4, 5])
        differences = [Fraction(draw.randint(-samples, samples), samples) for _ in range(draw.randint(1, 11))]
        some = [abs(d) for d in differences if d]
        seen = abs(sum(differences))
        signs = list(product([-1, 1], repeat=len(some)))
        p = Fraction(sum(abs(sum(s * d for s, d in zip(choice, some))) >= seen for choice in signs), len(signs))
        row = {"samples": samples, "differences": [float(d) for d in differences], "p": exactly(p)}
        # scipy computes in floats: with fifths, equal sums differ in the last bit.
        if samples != 5 and len(differences) > 1:
            values = numpy.array([float(d) for d in differences])
            other = stats.permutation_test((values,), numpy.mean, permutation_type="samples", n_resamples=numpy.inf)
            row["scipy"] = exactly(min(1.0, other.pvalue))
        rows.append(row)
    return rows


def holm():
    rows = []
    for _ in range(30):
        ps = [draw.choice([draw.random(), draw.random() ** 6, 0.04]) for _ in range(draw.randint(1, 12))]
        rows.append({"ps": ps, "adjusted": [exactly(p) for p in multipletests(ps, method="holm")[1]]})
    return rows


def least_difference():
    """Connor's equation solved numerically, without the closed form, with scipy's root finder."""
    rows = []
    for _ in range(40):
        cases = draw.randint(8, 2000)
        differing = draw.randint(1, cases)
        alpha, power = draw.choice([0.05, 0.01, 0.05 / 6]), draw.choice([0.8, 0.9])
        psi = differing / cases
        za, zb = stats.norm.ppf(1 - alpha / 2), stats.norm.ppf(power)

        def lacking(delta):
            return math.sqrt(cases) * delta - za * math.sqrt(psi) - zb * math.sqrt(max(0, psi - delta * delta))

        found = exactly(optimize.brentq(lacking, 0, psi, xtol=1e-14)) if lacking(psi) >= 0 else None
        rows.append({"cases": cases, "differing": differing, "alpha": alpha, "power": power, "least": found})
    return rows


def bootstrap():
    """scipy's percentile bootstrap of per-case differences, and of a ratio with cases as clusters; ours has another generator."""
    rows = []
    generator = numpy.random.default_rng(7)
    for _ in range(8):
        n, samples = draw.choice([20, 60, 150]), draw.choice([1, 5])
        cases = [{"samples": samples, "a": draw.randint(0, samples), "b": draw.randint(0, samples)} for _ in range(n)]
        for case in cases:
            case["scoredA"] = draw.randint(max(1, case["a"]), samples)
        differences = numpy.array([(case["a"] - case["b"]) / samples for case in cases])
        paired = stats.bootstrap((differences,), numpy.mean, method="percentile", n_resamples=50_000, batch=1000, random_state=generator)
        above = numpy.array([case["a"] for case in cases], dtype=float)
        below = numpy.array([case["scoredA"] for case in cases], dtype=float)
        clustered = stats.bootstrap(
            (above, below),
            lambda x, y, axis=-1: x.sum(axis=axis) / y.sum(axis=axis),
            paired=True,
            vectorized=True,
            method="percentile",
            n_resamples=50_000,
            batch=1000,
            random_state=generator,
        )
        rows.append({
            "cases": cases,
            "paired": [exactly(paired.confidence_interval.low), exactly(paired.confidence_interval.high)],
            "clustered": [exactly(clustered.confidence_interval.low), exactly(clustered.confidence_interval.high)],
        })
    return rows


def everything():
    parts = [pass_at_k, wilson, normal, mcnemar_exact, sign_flip, holm, least_difference, bootstrap]
    return {part.__name__: part() for part in parts}


def close(a, b):
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(close(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(close, a, b))
    if isinstance(a, float) and isinstance(b, (int, float)):
        return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)
    return a == b


if __name__ == "__main__":
    values = everything()
    if "--check" in sys.argv:
        with open(sys.argv[sys.argv.index("--check") + 1]) as file:
            same = close(values, json.load(file))
        print("the stored values are those of this scipy" if same else "the stored values differ from those of this scipy")
        sys.exit(0 if same else 1)
    print(json.dumps(values, indent=None, separators=(",", ":")))
