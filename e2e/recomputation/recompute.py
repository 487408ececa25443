"""A report's figures, computed again from its exported samples and its cases.

    python3 recompute.py report.json samples.jsonl cases.json

Written from the papers and from what is known of the released evaluators; only the file formats and the
generator of random numbers are this project's. Prints how many figures were compared and which differ.
"""
import hashlib
import json
import math
import re
import sys
from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path
from statistics import NormalDist

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks/nestful/test"))
import oracle  # noqa: E402

Z = NormalDist().inv_cdf(0.975)


def rounded(value):
    """Six decimals; halves go up, as in JavaScript."""
    return math.floor(value * 1e6 + 0.5) / 1e6


def share(part, whole, empty=None):
    return rounded(part / whole) if whole else empty


class Draws:
    """xoroshiro128+ in the words of 32 bits of pure-rand, begun with the hash of a name."""

    def __init__(self, name):
        words = hashlib.sha256(name.encode()).digest()[:16]
        self.s01, self.s00, self.s11, self.s10 = (int.from_bytes(words[n : n + 4], "big") for n in (0, 4, 8, 12))

    def bits(self):
        mask = 0xFFFFFFFF
        out = (self.s00 + self.s10) & mask
        a0, a1 = self.s10 ^ self.s00, self.s11 ^ self.s01
        s00, s01 = self.s00, self.s01
        self.s00 = ((s00 << 24) ^ (s01 >> 8) ^ a0 ^ (a0 << 16)) & mask
        self.s01 = ((s01 << 24) ^ (s00 >> 8) ^ a1 ^ ((a1 << 16) | (a0 >> 16))) & mask
        self.s10 = ((a1 << 5) ^ (a0 >> 27)) & mask
        self.s11 = ((a0 << 5) ^ (a1 >> 27)) & mask
        return out ^ 0x80000000

    def below(self, size):
        bound = 2**32 // size * size if size > 2 else 2**32
        while True:
            value = self.bits()
            if value < bound:
                return value % size


def wilson(passed, n, z=Z):
    if n == 0:
        return None
    p, scale = passed / n, 1 + z * z / n
    centre = (p + z * z / (2 * n)) / scale
    half = z / scale * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return [rounded(max(0, centre - half)), rounded(min(1, centre + half))]


def t_quantile(p, degrees):
    """Cornish and Fisher's expansion."""
    z = NormalDist().inv_cdf(p)
    return (
        z
        + (z**3 + z) / (4 * degrees)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * degrees**3)
    )


def percentile(values, at):
    place = at * (len(values) - 1)
    low = math.floor(place)
    a, b = values[low], values[min(low + 1, len(values) - 1)]
    return a + (place - low) * (b - a)


def clustered(counts, draws=10_000):
    """Whole cases drawn anew, percentiles further out for few cases, no narrower than independent samples."""
    counts = [(n, passed) for n, passed, _ in counts if n]
    cases, samples, passed = len(counts), sum(n for n, _ in counts), sum(p for _, p in counts)
    if not cases:
        return None
    if cases < 5 or passed in (0, samples):
        return wilson(cases * passed / samples, cases)
    random, rates = Draws("report"), []
    for _ in range(max(200, min(draws, 10_000_000 // cases))):
        drawn = [counts[random.below(cases)] for _ in range(cases)]
        rates.append(sum(p for _, p in drawn) / sum(n for n, _ in drawn))
    rates.sort()
    tail = NormalDist().cdf(-math.sqrt(cases / (cases - 1)) * t_quantile(0.975, cases - 1))
    low, high = (rounded(percentile(rates, at)) for at in (tail, 1 - tail))
    alone = wilson(passed, samples)
    return [min(low, alone[0]), max(high, alone[1])]


def case_counts(outcomes):
    """(scored, passed, without a score) of each case."""
    by_case = defaultdict(lambda: [0, 0, 0])
    for case, passed in outcomes:
        count = by_case[case]
        if passed is None:
            count[2] += 1
        else:
            count[0] += 1
            count[1] += passed
    return sorted(map(tuple, by_case.values()))


def bracket(passed, scored, unscored, scale=1):
    if not unscored:
        return None
    return [rounded(scale * passed / (scored + unscored)), rounded(scale * (passed + unscored) / (scored + unscored))]


def rate(outcomes):
    counts = case_counts(outcomes)
    scored, passed, unscored = (sum(one[n] for one in counts) for n in range(3))
    cases = sum(1 for one in counts if one[0])
    several = cases < scored
    draws = max(1000, min(4000, 1_000_000 // max(1, cases)))
    found = {
        "passed": passed,
        "scored": scored,
        "rate": share(passed, scored),
        "interval": clustered(counts, draws) if several else wilson(passed, scored),
    }
    if scored:
        found["method"] = "clustered" if several else "wilson"
    if unscored:
        found.update(unscored=unscored, bracket=bracket(passed, scored, unscored))
    return found


def is_scored(row):
    return row["verdict"] not in (None, "infrastructure_error")


def outcomes_of(rows):
    return [(row["case"], row["passed"] if is_scored(row) else None) for row in rows]


def rates_by(rows, names):
    members = defaultdict(list)
    for row in rows:
        for name in names(row):
            members[name].append(row)
    return [{"name": name, "rate": rate(outcomes_of(members[name]))} for name in members]


def counted(names):
    return [{"name": name, "samples": n} for name, n in Counter(names).items()]


def metric_of(row, name, policy=None):
    metrics = row["policies"][policy]["metrics"] if policy else row["metrics"]
    return metrics.get(name)


def disagreements(rows):
    found = []
    for row in rows:
        verdicts = {policy: one["verdict"] for policy, one in (row["policies"] or {}).items()}
        if is_scored(row) and len(set(verdicts.values())) > 1:
            found.append({"case": row["case"], "sample": row["sample"], "verdicts": verdicts})
    return found


# StateEval: pass@k by Chen et al., pass^k of tau-bench, the three error types of section IV-E.


def estimates(counts, passes):
    most = max((n for n, _, _ in counts), default=0)
    ks = sorted({k * 10**e for k in (1, 2, 5) for e in range(6) if k * 10**e <= most} | ({most} if most else set()))
    found = []
    for k in ks:

        def mean(cases):
            values = [passes(n, c, k) for n, c in cases if n >= k]
            return (rounded(float(sum(values) / len(values))) if values else None), len(values)

        value, cases = mean([(n, c) for n, c, _ in counts])
        one = {"k": k, "estimate": value, "cases": cases}
        ends = [mean([(n + u, c + part * u) for n, c, u in counts])[0] for part in (0, 1)]
        if any(u for _, _, u in counts) and None not in ends:
            one["bracket"] = ends
        found.append(one)
    return found


def error_type(verdict):
    if verdict in ("syntax_error", "no_code"):
        return "syntax"
    return "result" if verdict in ("result_error", "no_result") else "execution"


def stateeval(rows, cases, report):
    by_id = {case["id"]: case for case in cases}
    scored = [row for row in rows if is_scored(row)]
    counts = case_counts(outcomes_of(rows))

    def calls(steps):
        return [step["api"] for step in steps if "api" in step]

    def ways(case):
        program = case["program"]
        branch = program.get("branch")
        if not branch:
            return [program["body"]]
        return [program["body"] + branch[part]["steps"] for part in ("then", "otherwise")]

    groups = {
        "scenario": lambda case: [case["scenario"]],
        "api": lambda case: {api for way in ways(case) for api in calls(way)},
        "length": lambda case: [str(max(len(calls(way)) for way in ways(case)))],
        "branch": lambda case: ["if/else" if case["program"].get("branch") else "straight"],
        "path_depth": lambda case: [str(case["metrics"]["pathDepth"])],
        "language": lambda case: [report["options"]["language"]] if "language" in report["options"] else [],
    }
    found = {
        "overall": rate(outcomes_of(rows)),
        "notScored": len(rows) - len(scored),
        "verdicts": Counter(row["verdict"] for row in rows if row["verdict"]),
        "rootCauses": Counter(row["root_cause"] for row in rows if row["root_cause"]),
        "groups": {
            group: rates_by(rows, lambda row, names=names: names(by_id[row["case"]])) for group, names in groups.items()
        },
        "statistics": {
            "cases": sum(1 for n, _, _ in counts if n),
            "clustered": found_interval(rows, counts),
            "passAtK": estimates(counts, lambda n, c, k: 1 - Fraction(math.comb(n - c, k), math.comb(n, k))),
            "passAllK": estimates(counts, lambda n, c, k: Fraction(math.comb(c, k), math.comb(n, k))),
        },
    }
    if any(row["attempts"] > 1 or (row["evidence"] or {}).get("attempts") for row in scored):
        raise SystemExit("repaired programs are not recomputed")
    failed = [row for row in scored if not row["passed"]]
    if failed:
        types = Counter((by_id[row["case"]]["scenario"], error_type(row["verdict"])) for row in failed)
        causes = [row["evidence"].get("rootCause") or {} for row in failed]

        def exception(row):
            error = row["evidence"].get("error")
            if error:
                return [error["name"] + (f" {error['status']}" if "status" in error else "")]
            return [row["verdict"]] if error_type(row["verdict"]) == "execution" else []

        def items(row):
            places = [one["where"] for one in row["evidence"]["differences"]]
            places = [re.sub(r"\[\d+\]", "[]", one) for one in places if re.match(r"(result|state)\b", one)]
            return {re.sub(r"^state\.", "", re.sub(r"^result", "RESULT", one)) for one in places}

        found["errors"] = {
            "byScenario": [
                {
                    "name": name,
                    "failed": sum(n for (scenario, _), n in types.items() if scenario == name),
                    **{kind: types[name, kind] for kind in ("syntax", "execution", "result")},
                }
                for name in sorted({scenario for scenario, _ in types})
            ],
            "exceptions": counted(one for row in failed for one in exception(row)),
            "kinds": counted(f"{one['cause']}/{one['kind']}" for one in causes if one.get("kind")),
            "apis": counted(one["api"] for one in causes if one.get("api")),
            "arguments": counted(
                (f"{one['api']}." if one.get("api") else "") + one["argument"] for one in causes if one.get("argument")
            ),
            "items": counted(one for row in failed for one in items(row)),
        }
    if report["options"].get("mode") == "tools":
        parts = [("all", "all", scored)]
        parts += [
            ("scenario", name, [row for row in scored if by_id[row["case"]]["scenario"] == name])
            for name in sorted({by_id[row["case"]]["scenario"] for row in scored})
        ]
        found["measures"] = [
            {"policy": "sound", "group": group, "name": name, "values": dialogues(members)}
            for group, name, members in parts
        ]
    return found


def found_interval(rows, counts):
    """One number for the rate and for the statistics, where cases have several samples."""
    overall = rate(outcomes_of(rows))
    return overall["interval"] if overall.get("method") == "clustered" else clustered(counts)


def dialogues(rows):
    def mean(name):
        values = [row["metrics"][name] for row in rows if row["metrics"].get(name) is not None]
        return rounded(sum(values) / len(values)) if values else None

    wrong = [row for row in rows if (row["metrics"].get("wrong_calls") or 0) > 0]
    return {
        "Samples": len(rows),
        "State changes made": mean("state_changes"),
        "Unexpected changes": mean("unexpected_changes"),
        "RESULT keys right": mean("result_keys"),
        "Milestones reached": mean("milestones"),
        "Mean replies": mean("replies"),
        "Mean calls": mean("calls"),
        "Mean wrong calls": mean("wrong_calls"),
        "With a wrong call": len(wrong),
        "Passed after a wrong call": sum(row["passed"] for row in wrong),
    }


# WAPIIBench: Table V, and the means of the paper's Tables VI and VII.

ERRORS = {
    "Incomplete implementations": "incomplete_request",
    "Runtime errors": "runtime_error",
    "No requests": "no_request",
    "Timeouts": "timeout",
    "Unsatisfiable constraints": "unsatisfiable",
}
LOCATIONS = ("headers", "params", "data", "path_params")


class Request:
    """A sample as one policy judges it."""

    def __init__(self, judgement, config):
        self.verdict, self.metrics, self.config = judgement["verdict"], judgement["metrics"], config
        self.ran = self.verdict not in ERRORS.values()

    def __call__(self, counter, place):
        if place == "all":
            return sum(self.metrics.get(f"{counter}/{one}", 0) for one in LOCATIONS)
        return self.metrics.get(f"{counter}/{place}", 0)

    def generated(self, place):
        return self("correct_name", place) + self("unexpected", place)

    def has(self, place):
        """The expected request has this part. All have headers; path parameters are counted where there are any."""
        if place in ("params", "data"):
            return place in self.config
        return place == "headers" or (place == "path_params" and self("expected", place) > 0)

    def verdict_again(self):
        if not self.ran:
            return self.verdict
        if self.metrics.get("endpoint/correct") and self("correct_value", "all") == self("all", "all"):
            return "correct"
        return "illegal" if self.metrics.get("endpoint/illegal") or self("illegal", "all") else "wrong"


def table_v(judged, policy):
    samples = [one for one in judged if one.verdict != "vanished"]
    ran = [one for one in samples if one.ran]
    n, x = len(samples), len(ran)
    values = {"Executable implementations (t)": share(x, n, 0)}

    def both(name, count):
        values[f"{name} (t)"], values[f"{name} (e)"] = share(count, n, 0), share(count, x, 0)

    for word in ("Correct", "Wrong", "Illegal"):
        both(f"{word} implementations", sum(one.verdict == word.lower() for one in samples))
        for things, place in (("URLs", "url"), ("methods", "method"), ("endpoints", "endpoint")):
            both(f"{word} {things}", sum(one.metrics.get(f"{place}/{word.lower()}", 0) for one in ran))
    for place in ("all", *LOCATIONS):
        values.update(arguments(place, samples, ran, policy))
    values["Total errors"] = n - x
    for name, verdict in ERRORS.items():
        values[name] = sum(one.verdict == verdict for one in samples)
        values[f"{name} (of errors)"] = share(values[name], n - x, 0)
    values.update({"Samples": n, "Executable samples": x, "Vanished": len(judged) - n})
    return values


def arguments(place, samples, ran, policy):
    values, suffix = {}, "" if place == "all" else f" of {place}"

    def counter(name):
        return (lambda one: one.generated(place)) if name == "generated" else (lambda one: one(name, place))

    def ratio(name, over, below):
        for mark, members in (("t", samples), ("e", ran)):
            values[f"{name}{suffix} ({mark})"] = share(sum(map(counter(over), members)), sum(map(counter(below), members)), 0)

    ratio("Correct argument names", "correct_name", "expected")
    ratio("Correct argument values", "correct_value", "expected")
    ratio("Missing arguments", "missing", "expected")
    for name in ("Unexpected", "Unnecessary", "Illegal"):
        ratio(f"{name} arguments", name.lower(), "all")

    def bearers(below):
        """Samples with something to divide by, and of a location those that did not run though they should have it."""
        return [
            one
            for one in samples
            if counter(below)(one) or (policy == "published" and place != "all" and not one.ran and one.has(place))
        ]

    def mean(name, over, below, over_all=False):
        members = bearers(below)
        ran_members = [one for one in members if one.ran]
        total = sum(counter(over)(one) / counter(below)(one) for one in ran_members)
        size = len(members)
        if over_all:
            size = len(samples) if place == "all" else len(bearers("all"))
            values[f"{name}{suffix} (released)"] = share(total, len(ran_members), 0)
        values[f"{name}{suffix} (t)"] = share(total, size, 0)
        values[f"{name}{suffix} (e)"] = share(total, len(ran_members), 0)
        ratio(name.replace("Mean", "Summed"), over, below)

    mean("Mean argument precision", "correct_name", "generated", True)
    mean("Mean argument recall", "correct_name", "expected")
    mean("Mean arg. Jaccard index", "correct_name", "all")
    mean("Mean arg. val. accuracy of all", "correct_value", "all")
    mean("Mean arg. val. accuracy of expected", "correct_value", "expected")
    mean("Mean arg. val. cond. acc.", "correct_value", "correct_name", True)
    return values


def judgements(rows, policy):
    return [(row, row["policies"][policy]) for row in rows if row["policies"] and policy in row["policies"]]


def wapiibench(rows, cases, report):
    tasks = {case["id"]: case["task"] for case in cases}
    scored = [row for row in rows if is_scored(row)]
    groups = {
        "api": lambda row: [tasks[row["case"]]["api"]],
        "method": lambda row: [tasks[row["case"]]["config"]["method"].upper()],
    }
    measures = []
    for policy in ("published", "sound"):
        for group, names in {"all": lambda _: ["all"], **groups}.items():
            for name in dict.fromkeys(one for row in rows for one in names(row)):
                members = [row for row in rows if name in names(row)]
                judged = [Request(one, tasks[row["case"]]["config"]) for row, one in judgements(members, policy)]
                for one in judged:
                    if one.verdict not in ("vanished", one.verdict_again()):
                        raise SystemExit(f"{one.verdict} is {one.verdict_again()} by its own counts")
                known = [one for one in judged if one.verdict != "vanished"]
                left = len(members) - len(known)
                part = {"policy": policy, "group": group, "name": name, "values": table_v(judged, policy)}
                if left:
                    part["brackets"] = {
                        "Executable implementations (t)": bracket(sum(one.ran for one in known), len(known), left),
                        "Correct implementations (t)": bracket(
                            sum(one.verdict == "correct" for one in known), len(known), left
                        ),
                    }
                measures.append(part)
    return {
        "overall": rate(outcomes_of(rows)),
        "notScored": len(rows) - len(scored),
        "verdicts": Counter(row["verdict"] for row in scored),
        "rootCauses": {},
        "groups": {group: rates_by(rows, names) for group, names in groups.items()},
        "measures": measures,
        "disagreements": disagreements(rows),
    }


# ComplexFuncBench: sections 3.1 and 3.2, Fig. 4 to 6.

DOMAINS = {"Hotels": 150, "Flights": 150, "Car-Rental": 150, "Attraction": 150, "Cross": 400}
ERROR_TYPES = ("func_error", "param_missing", "hallucination", "value_error", "stop_early")


def dialogue_measures(rows, policy, domain, marked):
    judged = [one for _, one in judgements(rows, policy)]
    recorded = [one for one in judged if one["verdict"] not in ("diverged", "unrecorded")]
    metrics = [one["metrics"] for one in recorded]

    def total(name):
        return sum(one.get(name, 0) for one in metrics)

    released = policy == "published"
    size = 1000 if domain is None else DOMAINS.get(domain, 150)
    successes = sum(one["verdict"] == "success" for one in recorded)
    zero = 0 if released else None

    def score(name):
        scores = [one[name] for one in metrics if one.get(name, -1) >= 0]
        return share(sum(scores), len(scores)), len(scores)

    (complete, complete_n), (correct, correct_n) = score("completeness"), score("correctness")
    ended = [one for one in metrics if one.get("ended_by_text") != 0]
    values = {
        "Samples": len(judged),
        "Judged": len(recorded),
        "Diverged": sum(one["verdict"] == "diverged" for one in judged),
        "Successes": successes,
        "Success rate": share(successes, size if released else len(recorded)),
        "Success rate of judged samples": share(successes, len(recorded)),
        "Call accuracy": share(total("correct_calls"), total("total_calls"), zero),
        "Completeness": complete,
        "Correctness": correct,
        "Judged texts": max(complete_n, correct_n),
        "Mean steps": share(total("steps"), len(recorded)),
        "Mean shortest steps": share(total("shortest_steps"), len(recorded)),
        "Runs that ended with a text": len(ended),
        "Mean extra steps": share(
            sum(one.get("steps", 0) - one.get("shortest_steps", 0) for one in ended), len(ended)
        ),
        "Errors told": total("errors_told"),
        "Self-correction rate": share(total("errors_corrected"), total("errors_told")),
        "Samples with a marked golden call": marked,
    }
    if released and domain is not None and successes == 0:
        values["Success rate"] = None
    for name, metric in {
        "Mappings by embeddings": "mappings",
        "Mappings that differ under the lexical default": "mappings_differ",
        "Mappings that the embeddings model did not give": "mappings_fallback",
        "Matched by response": "matched_by_response",
        "Matched by judge": "matched_by_judge",
        "Calls without matching by response": "response_skipped",
        "Calls without a recorded response": "response_unrecorded",
        "Calls without a judge": "judge_skipped",
        "Calls not judged": "judge_unread",
        "Scores of texts not judged": "texts_not_judged",
    }.items():
        values[name] = total(metric)
    for name, off in {
        "without the judge": ("matched_by_judge",),
        "without responses": ("matched_by_response",),
        "by rule alone": ("matched_by_judge", "matched_by_response"),
    }.items():
        kept = sum(one["verdict"] == "success" and not any(one["metrics"].get(stage) for stage in off) for one in recorded)
        values[f"Success rate {name}"] = share(kept, size if released else len(recorded))
        values[f"Call accuracy {name}"] = share(total("correct_calls") - sum(map(total, off)), total("total_calls"))
    part = {"values": values}
    left = len(rows) - len(recorded)
    if left:
        of_judged = bracket(successes, len(recorded), left)
        of_size = [rounded(successes / size), rounded(min(1, (successes + left) / size))]
        part["brackets"] = {"Success rate": of_size if released else of_judged, "Success rate of judged samples": of_judged}
    return part


def complexfuncbench(rows, cases, report):
    by_id = {case["id"]: case for case in cases}
    scored = [row for row in rows if is_scored(row)]
    domains = list(dict.fromkeys(case["group"] for case in cases))

    def members(domain):
        return [row for row in rows if by_id[row["case"]]["group"] == domain]

    measures = []
    for policy in ("published", "sound"):
        for group, domain in [("all", None), *(("domain", domain) for domain in domains)]:
            part = rows if domain is None else members(domain)
            marked = sum(bool(by_id[row["case"]]["task"].get("marks")) for row in part)
            measures.append(
                {"policy": policy, "group": group, "name": domain or "all", **dialogue_measures(part, policy, domain, marked)}
            )
        metrics = [one["metrics"] for _, one in judgements(rows, policy)]
        for kind in sorted({name.split("/", 1)[1] for one in metrics for name in one if name.startswith("compared/")}):
            of = {name: sum(one.get(f"{name}/{kind}", 0) for one in metrics) for name in ("compared", "wrong", "comparisons", "wrong_comparisons")}
            if of["compared"]:
                values = {
                    "Compared": of["compared"],
                    "Wrong": of["wrong"],
                    "Error rate": share(of["wrong"], of["compared"]),
                    "Comparisons": of["comparisons"],
                    "Wrong comparisons": of["wrong_comparisons"],
                    "Comparison error rate": share(of["wrong_comparisons"], of["comparisons"]),
                }
                measures.append({"policy": policy, "group": "parameter", "name": kind, "values": values})
    steps = Counter(row["metrics"]["steps"] for row in scored)
    shortest = Counter(row["metrics"]["shortest_steps"] for row in scored)
    return {
        "overall": rate(outcomes_of(rows)),
        "notScored": len(rows) - len(scored),
        "verdicts": Counter(row["verdict"] for row in scored),
        "rootCauses": {},
        "groups": {"domain": rates_by(rows, lambda row: [by_id[row["case"]]["group"]])},
        "errors": {
            "errorTypes": [
                {"name": name, **{kind: sum(row["verdict"] == kind for row in part) for kind in ERROR_TYPES}}
                for name, part in [("all", scored), *((domain, [row for row in members(domain) if is_scored(row)]) for domain in domains)]
            ],
            "steps": [
                {"name": f"{n} step" + ("" if n == 1 else "s"), "taken": steps[n], "shortest": shortest[n]}
                for n in sorted({*steps, *shortest})
            ],
        },
        "measures": measures,
        "disagreements": disagreements(rows),
    }


# NESTFUL: sequences and F1 of the released scorer from the answers themselves; rates from the samples' outcomes.


def jackknife(value, without, scale=1, is_rate=False):
    n = len(without)
    if n < 2:
        return None
    centre = sum(without) / n
    spread = math.sqrt((n - 1) / n * sum((one - centre) ** 2 for one in without))
    if is_rate or (spread == 0 and value in (0, scale)):
        return [rounded(scale * end) for end in wilson(n * value / scale, n, 1.959964)]
    return [rounded(max(0, value - 1.959964 * spread)), rounded(min(scale, value + 1.959964 * spread))]


def chain(calls):
    depths = {}
    for call in calls:
        used = re.findall(r"\$+(var_?\d+)", call["arguments"])
        depths[call["label"].replace("$", "")] = 1 + max([depths.get(label, 0) for label in used], default=0)
    return max(depths.values())


def form_of(task):
    if task["form"] == "v1":
        return "executable" if task["part"] == "executable" else "non-executable"
    return "version 2" if task["form"] == "v2" else "fresh"


def elements_of(task):
    return [{**call, "arguments": json.loads(call["arguments"])} for call in task["calls"]]


def predicted_of(text):
    try:
        elements, applies, failed = oracle.parse(text, "llama")
        if failed:
            return [], True
        return (oracle.grounded(elements), False) if applies else (oracle.ungrounded(elements)[0], False)
    except Exception:
        return [], True


def sets_of(calls, prediction):
    return {call["name"]: set(oracle.texts(call, prediction)) for call in oracle.counted(calls)}


class Answer:
    def __init__(self, row, task):
        self.case, self.metrics = row["case"], {policy: one["metrics"] for policy, one in row["policies"].items()}
        gold = oracle.grounded(elements_of(task))
        predicted, self.failed = predicted_of(row["answer"] or "")
        self.partial = oracle.partial(oracle.sequence(gold, False), oracle.sequence(predicted, True))
        self.gold, self.predicted = sets_of(gold, False), sets_of(predicted, True)

    def rows(self, kind):
        if kind == "function":
            return [(set(self.gold), set(self.predicted))]
        return [
            (self.gold.get(name, set()), self.predicted.get(name, set())) for name in {**self.gold, **self.predicted}
        ]


def nestful(rows, cases, report):
    if report["options"]["layout"] != "llama":
        raise SystemExit("only the layout llama is recomputed")
    tasks = {case["id"]: case["task"] for case in cases}
    answerable = {
        name: not any("there is no specification of" in fault for fault in task["faults"]) for name, task in tasks.items()
    }
    unmatchable = {
        name: any(
            isinstance(value, str) and value.startswith("$") and not value.endswith("$")
            for call in elements_of(task)
            for value in call["arguments"].values()
        )
        for name, task in tasks.items()
    }
    scored = [row for row in rows if is_scored(row)]
    groups = {
        "form": lambda row: [form_of(tasks[row["case"]])],
        "part": lambda row: [next(case["group"] for case in cases if case["id"] == row["case"])],
        "depth": lambda row: [str(chain(tasks[row["case"]]["calls"]))],
    }

    def passable(task):
        return task["form"] == "v1" and task.get("passable") is True

    def winnable(task):
        return "truth" in task or (task["form"] == "v2" and "gold" in task)

    means = [
        ("Partial sequence match", "partial", 1, lambda task: True),
        ("Full sequence match", "full", 1, lambda task: True),
        ("API execution pass rate, mock (%)", "pass_mock", 100, passable),
        ("API execution pass rate, live (%)", "pass_live", 100, passable),
        ("Win rate", "win", 1, winnable),
    ]
    sound_means = [
        ("Partial match without order", "graph_partial", 1, lambda task: True),
        ("Full match without order", "graph_full", 1, lambda task: True),
    ]

    def measured(policy, everything):
        members = [row for row in everything if policy == "published" or answerable[row["case"]]]
        answers = [Answer(row, tasks[row["case"]]) for row, _ in judgements(members, policy)]
        values, brackets, intervals = {}, {}, {}

        def value_of(one, metric):
            if policy == "published" and metric in ("partial", "full"):
                return one.partial if metric == "partial" else float(one.partial == 1)
            return one.metrics[policy].get(metric)

        def keep(name, interval):
            if interval:
                intervals[name] = interval

        for name, metric, scale, has in means + (sound_means if policy == "sound" else []):
            pairs = [(one, value_of(one, metric)) for one in answers]
            pairs = [(one, value) for one, value in pairs if value is not None]
            other = {"pass_mock": "pass_live", "pass_live": "pass_mock"}.get(metric)
            elsewhere = sum(
                other in one.metrics[policy] or f"{other}_unknown" in one.metrics[policy] for one in answers if other
            )
            unscored = sum(has(tasks[row["case"]]) for row in members) - len(pairs) - elsewhere
            unknown = sum(one.metrics[policy].get(f"{metric}_unknown") == 1 for one, _ in pairs)
            total = sum(value for _, value in pairs)
            if not pairs:
                values[name] = None
                continue
            if unscored + unknown > 0:
                size = len(pairs) + unscored
                brackets[name] = [rounded(scale * total / size), rounded(scale * (total + unscored + unknown) / size)]
            values[name] = rounded(scale * total / len(pairs))
            by_case = defaultdict(list)
            for one, value in pairs:
                by_case[one.case].append(scale * value)
            whole, count = sum(map(sum, by_case.values())), len(pairs)
            without = [
                (whole - sum(own)) / (count - len(own)) if count > len(own) else 0 for own in by_case.values()
            ]
            single = len(by_case) == len(pairs) and all(value in (0, 1) for _, value in pairs)
            keep(name, jackknife(values[name], without, scale, single))
        for name, kind, counts in (("F1 function", "function", "names"), ("F1 parameter", "parameter", "arguments")):

            def f1(members):
                if policy == "published":
                    return oracle.macro_f1([row for one in members for row in one.rows(kind)])
                right, said, gold = (
                    sum(one.metrics[policy].get(f"{counts}_{what}", 0) for one in members)
                    for what in ("correct", "predicted", "gold")
                )
                return 2 * right / (said + gold) if right else 0

            values[name] = rounded(f1(answers))
            ids = list(dict.fromkeys(one.case for one in answers))
            keep(name, jackknife(values[name], [f1([one for one in answers if one.case != case]) for case in ids]))
        if policy == "published":
            values["Parsing errors"] = sum(one.failed for one in answers)
        able = [answerable[row["case"]] and (policy == "sound" or not unmatchable[row["case"]]) for row in everything]
        values["Ceiling"] = share(sum(able), len(able))
        values["Unanswerable"] = sum(not answerable[row["case"]] for row in everything)
        ran = ("win", "pass_mock", "pass_live")
        values["Runnable"] = sum(any(name in one.metrics[policy] for name in ran) for one in answers)
        values["Not run"] = sum(one.metrics[policy].get("not_run", 0) for one in answers)
        values["Samples"] = len(answers)
        part = {"values": values}
        if brackets:
            part["brackets"] = brackets
        if intervals:
            part["intervals"] = intervals
        return part

    measures = []
    for policy in ("published", "sound"):
        for group, names in {"all": lambda _: ["all"], **groups}.items():
            for name in dict.fromkeys(one for row in rows for one in names(row)):
                part = measured(policy, [row for row in rows if name in names(row)])
                measures.append({"policy": policy, "group": group, "name": name, **part})

    def errors(names, prefix=""):
        parts = defaultdict(list)
        for row in scored:
            parts[names(row)[0]].append(row["policies"]["sound"]["metrics"])
        kinds = sorted({name for row in scored for name in row["policies"]["sound"]["metrics"] if name.startswith("error/")})
        return [
            {
                "name": prefix + name,
                "samples": len(part),
                **{kind.removeprefix("error/"): sum(one.get(kind) == 1 for one in part) for kind in kinds},
            }
            for name, part in parts.items()
        ]

    return {
        "overall": rate(outcomes_of(rows)),
        "notScored": len(rows) - len(scored),
        "verdicts": Counter(row["verdict"] for row in scored),
        "rootCauses": Counter(row["root_cause"] for row in scored if row["root_cause"]),
        "groups": {group: rates_by(rows, names) for group, names in groups.items()},
        "errors": {"byDepth": errors(groups["depth"], "depth "), "byPart": errors(groups["part"])},
        "measures": measures,
        "disagreements": disagreements(rows),
    }


# What a report says, and what it should.

TEXTS = {"digest", "model", "options", "version", "explanations", "samples", "why"}


def flat(value, path=""):
    """(path, figure) of each figure; members of lists are known by their names, not by their places."""
    if isinstance(value, dict):
        for key, one in value.items():
            if key not in TEXTS:
                yield from flat(one, f"{path}/{key}")
    elif isinstance(value, list) and any(isinstance(one, dict) for one in value):
        for one in value:
            name = ", ".join(str(one[key]) for key in ("policy", "group", "name", "k", "case", "sample") if key in one)
            rest = {k: v for k, v in one.items() if k not in ("policy", "group", "name", "k", "case", "sample")}
            yield from flat(rest, f"{path}[{name}]")
    else:
        yield path, value


def main():
    report_path, samples_path, cases_path = sys.argv[1:]
    report = json.loads(Path(report_path).read_text())
    rows = [json.loads(line) for line in Path(samples_path).read_text().splitlines()]
    cases = json.loads(Path(cases_path).read_text())
    kind = rows[0]["kind"]
    compute = {"stateeval": stateeval, "wapiibench": wapiibench, "complexfuncbench": complexfuncbench, "nestful": nestful}
    by_reason = Counter(row["not_scored_reason"] or "unknown" for row in rows if row["not_scored"])
    again = dict(flat({**compute[kind](rows, cases, report), "notScoredByReason": by_reason}))
    figures, wrong = 0, []
    for path, figure in flat(report):
        figures += 1
        # A count of nothing need not be named again.
        expected = again.pop(path, 0)
        if expected != figure:
            wrong.append(f"{path} is {figure}, recomputed {expected}")
    wrong += [f"{path} is missing, recomputed {figure}" for path, figure in again.items() if figure not in (0, [], None)]
    told = [(one["case"], one["sample"], (one["score"] or {}).get("verdict")) for one in report["samples"]]
    if told != [(row["case"], row["sample"], row["verdict"]) for row in rows]:
        wrong.append("the exported samples are not those of the report")
    json.dump({"figures": figures, "wrong": wrong}, sys.stdout)


if __name__ == "__main__":
    main()
