"""The released evaluator, written from the list of its rules alone (README, "Published behaviour").

Samples as JSON on stdin, each {text, family, gold, tools, answer}; what the evaluator makes of them as JSON on stdout, with both
macro F1 over all of them. ToolACE's syntax is not here: `toolace.py` has it.
"""
import json
import math
import re
import sys
from collections import Counter

import functions

MARKERS = re.compile(r"\[(?:BEGIN|END) OF [A-Z ]{1,40}\]")


class Unreadable(Exception):
    pass


def bracketed(text):
    """[f(a=1, b="x"), g(c=2)]: the calls before an error stay."""
    calls = []
    if not (text.startswith("[") and text.endswith("]")):
        return calls, True
    pieces = text[1:-1].split("),")
    for place, piece in enumerate(pieces):
        if "(" not in piece:
            return calls, True
        name, inner = piece.split("(", 1)
        if place == len(pieces) - 1 and inner.endswith(")"):
            inner = inner[:-1]
        parts, start, quotes, at = [], 0, False, 0
        while at < len(inner):
            if inner[at] == '"':
                quotes = not quotes
            elif inner[at] == "," and not quotes:
                parts.append(inner[start:at])
                at += 1
                start = at + 1
            at += 1
        parts.append(inner[start:])
        arguments = {}
        for part in parts:
            if "=" not in part:
                return calls, True
            key, value = part.split("=")[:2]
            for quote in ("'", '"'):
                value = value.removeprefix(quote)
                value = value.removesuffix(quote)
            arguments[key] = value.replace('"', "'")
        calls.append({"name": name, "arguments": arguments})
    return calls, False


def parse(text, family):
    """-> (elements, whether grounding applies, whether there was an error)"""
    labelled = "label" in text
    if family == "llama":
        body = text.strip()
        body = body[:-1] if body.endswith("'") else body
        body = body if body.startswith("[") else "[" + body
        body = body if body.endswith("]") else body + "]"
        return list(json.loads(body)), labelled, False
    if family == "granite":
        return list(json.loads(text.replace("<|tool_call|>", "").replace("<tool_call>", ""))), labelled, False
    if family in ("granite-3.0", "deepseek"):
        return list(json.loads(text)), labelled, False
    if family == "hammer":
        calls = list(json.loads(text.replace("```", "")))
        if not calls:
            raise Unreadable
        return calls, True, False
    if family == "mistral":
        try:
            return list(json.loads(text)), True, False
        except Exception:
            return list(json.loads(text.replace("\n", "").replace("\\_", "_"))), True, False
    if family == "hermes":
        if text.startswith("tool_call\n{"):
            text = text.replace("tool_call\n{", "<tool_call>\n{")
        calls = []
        for inner in re.findall(r"<tool_call>(.*?)</tool_call>", text, re.DOTALL):
            try:
                calls.append(json.loads(inner))
            except ValueError:
                pass
        if not calls:
            raise Unreadable
        return calls, True, False
    if family == "xlam":
        return list(json.loads(MARKERS.sub("", text))["tool_calls"]), True, False
    if family == "granite-20b":
        parts = [json.loads(part) for part in text.replace("ASSISTANT", "").split("<function_call>") if part != ""]
        return [part for part in parts if not (isinstance(part, dict) and part.get("name") == "var_result")], True, False
    assert family == "llama-3-70b", family
    try:
        calls = json.loads(text)
    except ValueError:
        calls, failed = bracketed(text)
        return calls, False, failed
    return [one for one in calls if not (isinstance(one, dict) and one.get("name") == "var_result")], True, False


def cleaned(value):
    return json.loads(json.dumps(value, ensure_ascii=False).replace("<|endoftext|>", ""))


def grounded(elements):
    names = {}
    for element in elements:
        if not isinstance(element, dict) or "name" not in element:
            raise Unreadable
        if element["name"] in ("var_result", "varResult") or "label" not in element:
            continue
        if not isinstance(element["label"], str):
            raise Unreadable
        names[element["label"].replace("$", "")] = element["name"]

    def replaced(text):
        for label, name in names.items():
            if text.startswith("$var") and "." in text and text.split(".", 1)[0].replace("$", "") == label:
                text = text.replace(label, name)
        return text

    calls = []
    for element in elements:
        if element["name"] == "var_result":
            continue
        arguments = element["arguments"] if "arguments" in element else element.get("parameters", {})
        if not isinstance(arguments, dict):
            raise Unreadable
        out = {}
        for key, value in arguments.items():
            if isinstance(value, str):
                value = replaced(value)
            elif isinstance(value, list):
                value = [replaced(one) if isinstance(one, str) else one for one in value]
            out[key] = value
        calls.append(cleaned({"name": str(element["name"]), "arguments": out}))
    return calls


def ungrounded(elements):
    """-> (calls, intent errors, slot errors)"""
    calls, intents, slots = [], 0, 0
    for element in elements:
        if not isinstance(element, dict) or "name" not in element:
            intents, slots = intents + 1, slots + 1
            continue
        arguments = element.get("arguments")
        if not isinstance(arguments, dict) or isinstance(element["name"], (list, dict)):
            slots += 1
        call = {"name": str(element["name"])}
        if isinstance(arguments, dict):
            call["arguments"] = arguments
        calls.append(cleaned(call))
    return calls, intents, slots


def texts(call, prediction):
    out = []
    for key, value in call.get("arguments", {}).items():
        if prediction and isinstance(value, str) and value.startswith("$") and not value.endswith("$"):
            value += "$"
        out.append(f"{key} = {value}")
    return out


def sequence(calls, prediction):
    return [(call["name"], f"{call['name']}({', '.join(sorted(texts(call, prediction))) or ('' if 'arguments' in call else '{}')})")
            for call in calls]


def partial(gold, predicted):
    if len(gold) == len(predicted):
        return sum(a == b for a, b in zip(gold, predicted)) / len(gold)
    slots, i, j = [], 0, 0
    while i < len(gold) or j < len(predicted):
        if i < len(gold) and j < len(predicted) and gold[i][0] == predicted[j][0]:
            slots.append((gold[i], predicted[j]))
            i, j = i + 1, j + 1
        elif i < len(gold):
            slots.append((gold[i], ""))
            i += 1
        else:
            slots.append(("", predicted[j]))
            j += 1
    return sum(a == b for a, b in slots) / len(slots)


def counted(calls):
    return [call for call in calls if not (call["name"] == "dummy" and call.get("arguments") == {})]


def macro_f1(rows):
    """Rows of (gold set, predicted set); the classes are what is in gold."""
    true, said, right = Counter(), Counter(), Counter()
    for gold, predicted in rows:
        true.update(gold)
        said.update(predicted)
        right.update(gold & predicted)
    scores = []
    for one in true:
        precision = right[one] / said[one] if said[one] else 0
        recall = right[one] / true[one]
        scores.append(2 * precision * recall / (precision + recall) if right[one] else 0)
    return sum(scores) / len(scores) if scores else 0


FUNCTIONS = vars(functions)


def execute(elements, tools):
    """-> the last call's output; raises where a call fails."""
    results, value = {}, None
    for element in elements:
        tool = tools[element["name"]]
        [output] = tool
        arguments = []
        for one in element["arguments"].values():
            if isinstance(one, str) and one.startswith("$var") and not one.endswith("$"):
                one += "$"
            if isinstance(one, str) and one.startswith("$") and one.endswith("$"):
                label, rest = one[1:].split(".", 1)
                one = results[label][rest[: rest.rindex("$")]]
            arguments.append(one)
        value = FUNCTIONS[element["name"]](*arguments)
        results[element["label"].replace("$", "")] = {output: value}
    return value


def wins(elements, tools, answer):
    if not elements:
        return False
    try:
        value = execute(elements, tools)
    except Exception:
        value = False
    gold = json.loads(answer)
    if isinstance(value, float) and isinstance(gold, float):
        if math.isinf(value) or math.isnan(value):
            return False
        try:
            return round(value, len(str(gold).split(".")[1])) == gold
        except IndexError:
            return False
    return value == gold


def judged(sample):
    gold = grounded(sample["gold"])
    elements, intents, slots, failed = [], 0, 0, False
    try:
        elements, applies, failed = parse(sample["text"], sample["family"])
        if applies:
            predicted = grounded(elements)
        else:
            predicted, intents, slots = ungrounded(elements)
    except Exception:
        predicted, failed = [], True
    value = partial(sequence(gold, False), sequence(predicted, True))
    sets = lambda calls, prediction: {call["name"]: set(texts(call, prediction)) for call in counted(calls)}
    return {
        "partial": value,
        "full": int(value == 1),
        "parsing_errors": int(failed),
        "unreadable": 0 if failed else intents,
        "slot_errors": 0 if failed else slots,
        "win": int(bool(wins(elements, sample["tools"], sample["answer"]))),
        "gold": sets(gold, False),
        "predicted": sets(predicted, True),
    }


def main():
    found = [judged(sample) for sample in json.load(sys.stdin)]
    function_rows = [(set(one["gold"]), set(one["predicted"])) for one in found]
    parameter_rows = [
        (one["gold"].get(name, set()), one["predicted"].get(name, set()))
        for one in found
        for name in {**one["gold"], **one["predicted"]}
    ]
    json.dump(
        {
            "samples": [{key: value for key, value in one.items() if key not in ("gold", "predicted")} for one in found],
            "F1 function": macro_f1(function_rows),
            "F1 parameter": macro_f1(parameter_rows),
        },
        sys.stdout,
    )


if __name__ == "__main__":
    main()
