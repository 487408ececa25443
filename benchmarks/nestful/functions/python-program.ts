/**
 * A list of calls as a Python program over a user's published function files: it runs in the jail, where
 * those files may do no harm. It keeps to the same rules as `runFunctions`, and reports the same outcome as
 * RESULT.
 */
import type { ListedCall } from './calls.ts'
import type { RunRules, RunTool } from './run.ts'

/** Prefix of an outcome if it is that of the gold calls. */
export const ofReference = 'the reference: '

const runner = String.raw`
import inspect, json, numbers, re

class Failed(Exception):
    pass

LABEL = re.compile(r"var_?\d+\Z", re.ASCII)
CLOSED = re.compile(r"[$#]\{?([\w-]+)\}?((?:\.|\[)[^$}]*)?[$}]")
SUBSCRIPT = re.compile(r"""\[(?:"([^"\]]*)"|'([^'\]]*)'|([A-Za-z_][\w -]*))\]""", re.ASCII)
OPEN = re.compile(r"\$(var_?\d+)((?:\.|\[)[^$]*)?\Z", re.ASCII)

def run(calls, tools, sources, rules):
    modules, results, value = {}, {}, None
    by_name = {tool["name"]: tool for tool in tools}

    def load(name):
        if name not in sources:
            raise LookupError(f"there is no source of {name}")
        source = sources[name]
        if source not in modules:
            scope = {"__name__": "functions"}
            exec(compile(source, f"<{name}>", "exec"), scope)
            modules[source] = scope
        return modules[source][name]

    for at, call in enumerate(calls):
        try:
            tool = by_name.get(call["name"])
            if tool is None:
                raise Failed(f"{call['name'][:60]} is not one of the tools")
            if len(tool["outputs"]) != 1:
                raise Failed(f"{call['name']} has no single output parameter")
            label = call.get("label")
            if label is None and rules == "published":
                raise Failed("the label is missing")
            if call["arguments"] == "":
                raise Failed("the arguments are missing")
            arguments = json.loads(call["arguments"])
            resolve = by_position if rules == "published" else anywhere
            values = {key: resolve(item, results) for key, item in arguments.items()}
        except Failed as error:
            return {"outcome": "failed", "call": at, "says": str(error)}
        try:
            function = load(call["name"])
        except BaseException as error:
            return {"outcome": "unavailable", "call": at, "says": f"{type(error).__name__}: {error}"[:400]}
        try:
            positional, named = (list(values.values()), {}) if rules == "published" else by_names(values, tool, function)
            value = function(*positional, **named)
        except (ImportError, MemoryError) as error:
            return {"outcome": "unavailable", "call": at, "says": f"{type(error).__name__}: {error}"[:400]}
        except BaseException as error:
            return {"outcome": "failed", "call": at, "says": f"{type(error).__name__}: {error}"[:400]}
        results[f"call {at + 1}" if label is None else label.replace("$", "")] = {tool["outputs"][0]: value}
    if not calls:
        return {"outcome": "failed", "call": 0, "says": "there is no call"}
    return {"outcome": "value", **left(value)}

def of_answer(calls, gold, tools, sources, rules):
    """What can't be run of the gold calls leaves the case out for every answer; else it is the answer's fault."""
    reference = run(gold, tools, sources, rules)
    if reference["outcome"] == "unavailable":
        return {**reference, "says": "${ofReference}" + reference["says"]}
    return run(calls, tools, sources, rules)

def by_position(value, results):
    """Only a whole text is a reference; one that was left open is closed."""
    if not isinstance(value, str) or not value.startswith("$"):
        return value
    if not value.endswith("$"):
        if not value.startswith("$var"):
            return value
        value += "$"
    label, dot, path = value[1:].partition(".")
    found = results.get(label if dot else label.replace("$", ""), {})
    path = path[: path.rfind("$")] if dot else ""
    if path not in found:
        raise Failed(f"{value[:100]} names no output")
    return found[path]

def anywhere(value, results):
    if isinstance(value, list):
        return [anywhere(item, results) for item in value]
    if isinstance(value, dict):
        return {key: anywhere(item, results) for key, item in value.items()}
    if not isinstance(value, str):
        return value
    opened = OPEN.match(value)
    found = [opened] if opened else references(value, results)
    text, start = "", 0
    for match in found:
        path = SUBSCRIPT.sub(r".\1\2\3", re.sub(r"^\.\{", ".", match[2] or ""))
        part = part_of(value, match[1], path[1:] if path.startswith(".") and path != "." else path, results)
        if match.span() == (0, len(value)):
            return part
        text += value[start:match.start()] + str(part)
        start = match.end()
    return text + value[start:]

def references(value, results):
    found, at = [], 0
    while match := CLOSED.search(value, at):
        known = LABEL.match(match[1]) or match[1] in results
        if known:
            found.append(match)
        at = match.end() - (0 if known or not match[0].endswith("$") else 1)
    return found

def part_of(text, label, path, results):
    if label not in results:
        raise Failed(f"{text[:100]} refers to {label}, which no earlier call produced")
    found = results[label]
    if path == "":
        return found
    if path in found:
        return found[path]
    for place, step in enumerate(path.split(".")):
        name, *indices = step.split("[")
        names = [] if name == "" and place == 0 and indices else [name]
        for key in names + [int(index[:-1]) if re.match(r"\d{1,9}\]\Z", index) else "" for index in indices]:
            inside = isinstance(found, dict) if isinstance(key, str) else isinstance(found, (list, tuple))
            if not inside or not (key in found if isinstance(key, str) else 0 <= key < len(found)):
                raise Failed(f"{text[:100]}: there is no {path[:60]} in the result")
            found = found[key]
    return found

def by_names(values, tool, function):
    """By the function's names of its parameters, or by the tool's where they differ: then their order tells which is which."""
    try:
        own = list(inspect.signature(function).parameters)
    except ValueError:
        own = []
    names = own if all(name in own for name in tool["parameters"]) else tool["parameters"]
    for name in values:
        if name not in names:
            raise TypeError(f"{tool['name']} has no parameter {name[:60]}")
    if names is own:
        return [], values
    given = names[: 1 + max((names.index(name) for name in values), default=-1)]
    for name in given:
        if name not in values:
            raise TypeError(f"the argument {name} is missing")
    return [values[name] for name in given], {}

def left(value):
    """The JSON text that is nearest to a value; where Python's == would not treat them alike, also that of what equals it."""
    def plain(one):
        if isinstance(one, numbers.Number):
            return one.real if isinstance(one, complex) and one.imag == 0 else float(one)
        return one.item() if hasattr(one, "item") else one.tolist()

    def lists(one):
        if isinstance(one, (list, tuple)):
            return [lists(item) for item in one]
        return {key: lists(item) for key, item in one.items()} if isinstance(one, dict) else one

    def text(default):
        try:
            return json.dumps(value, default=default)
        except Exception:
            return None

    nearest = text(lambda one: str(one) if isinstance(one, complex) else plain(one))
    equals = text(plain)
    try:
        back = json.loads(equals)
        is_equal = bool(lists(value) == back)
    except Exception:
        back, is_equal = None, False
    found = {"value": json.dumps(f"<{type(value).__name__}>") if nearest is None else nearest}
    if is_equal and nearest == equals and isinstance(value, float) == isinstance(back, float):
        return found
    return {**found, "foreign": {"equals": equals if is_equal else None}}
`

/** Text as a Python literal: JSON's escapes are Python's. */
const formatPythonLiteral = (value: unknown) =>
  `json.loads(${JSON.stringify(JSON.stringify(value)).replaceAll(/[\u007f-\uffff]/g, escapeChar)})`
const escapeChar = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

interface PythonRun {
  calls: readonly ListedCall[]
  /** The reference: where it can't be run here, the outcome of any list is that. */
  gold: readonly ListedCall[]
  tools: readonly RunTool[]
  sources: Readonly<Record<string, string>>
  rules: RunRules
}
export const buildPythonProgram = ({ calls, gold, tools, sources, rules }: PythonRun): string =>
  `${runner}\nRESULT = of_answer(${[calls, gold, tools, sources].map(formatPythonLiteral).join(', ')}, ${JSON.stringify(rules)})\n`
