/**
 * A list of calls as a Python program over a user's published function files: it runs in the jail, where those files may do no harm.
 * It keeps to the same rules as `runFunctions`, and reports the same outcome as RESULT.
 */
import type { ListedCall } from './calls.ts'
import type { Rules, RunTool } from './run.ts'

const runner = `
import inspect, json, re

def run(calls, tools, sources, rules):
    modules, results, value = {}, {}, None
    by_name = {tool["name"]: tool for tool in tools}

    class Failed(Exception):
        pass

    def load(name):
        if name not in sources:
            raise LookupError(f"there is no source of {name}")
        source = sources[name]
        if source not in modules:
            scope = {"__name__": "functions"}
            exec(compile(source, f"<{name}>", "exec"), scope)
            modules[source] = scope
        return modules[source][name]

    def part(text, label, path):
        if label not in results:
            raise Failed(f"{text[:100]} refers to no result")
        found = results[label]
        if path == "":
            return next(iter(found.values()))
        for key in re.findall(r"[^.\\[\\]]+", path):
            try:
                found = found[int(key)] if isinstance(found, (list, tuple)) else found[key]
            except (KeyError, IndexError, TypeError, ValueError):
                raise Failed(f"{text[:100]} names no output")
        return found

    def closed(text):
        if len(text) > 1 and text.startswith("$") and text.endswith("$"):
            return text
        return text + "$" if text.startswith("$var") else None

    def by_position(value):
        text = closed(value) if isinstance(value, str) else None
        if text is None:
            return value
        label, dot, path = text[1:].partition(".")
        return part(text, label.replace("$", ""), path[: path.rfind("$")] if dot else "")

    pattern = re.compile(r"\\$([A-Za-z_]\\w*)((?:\\.|\\[)[^$]*)?\\$")

    def anywhere(value):
        if isinstance(value, list):
            return [anywhere(item) for item in value]
        if isinstance(value, dict):
            return {key: anywhere(item) for key, item in value.items()}
        if not isinstance(value, str):
            return value
        whole = pattern.fullmatch(value)
        if whole:
            return part(value, whole[1], (whole[2] or "").lstrip("."))
        return pattern.sub(lambda m: str(part(value, m[1], (m[2] or "").lstrip("."))) if m[1] in results else m[0], value)

    for at, call in enumerate(calls):
        try:
            tool = by_name.get(call["name"])
            if tool is None:
                raise Failed(f"{call['name'][:60]} is none of the tools")
            if len(tool["outputs"]) != 1:
                raise Failed(f"{call['name']} has no single output parameter")
            if call.get("label") is None:
                raise Failed("the label is missing")
            if call["arguments"] == "":
                raise Failed("the arguments are missing")
            arguments = json.loads(call["arguments"])
            if rules == "published":
                positional, named = [by_position(value) for value in arguments.values()], {}
            else:
                positional, named = [], {key: anywhere(value) for key, value in arguments.items()}
        except Failed as error:
            return {"outcome": "failed", "call": at, "says": str(error)}
        try:
            function = load(call["name"])
            if named and not set(named) <= set(inspect.signature(function).parameters):
                positional, named = [named[name] for name in tool["parameters"] if name in named], {}
        except (LookupError, ImportError, SyntaxError) as error:
            return {"outcome": "unavailable", "call": at, "says": f"{type(error).__name__}: {error}"[:400]}
        try:
            value = function(*positional, **named)
        except (ImportError, MemoryError) as error:
            return {"outcome": "unavailable", "call": at, "says": f"{type(error).__name__}: {error}"[:400]}
        except BaseException as error:
            return {"outcome": "failed", "call": at, "says": f"{type(error).__name__}: {error}"[:400]}
        results[call["label"].replace("$", "")] = {tool["outputs"][0]: value}
    if not calls:
        return {"outcome": "failed", "call": 0, "says": "there is no call"}
    try:
        return {"outcome": "value", "value": json.dumps(value, default=lambda one: one.item() if hasattr(one, "item") else one.tolist())}
    except Exception:
        return {"outcome": "value", "value": json.dumps(f"<{type(value).__name__}>")}
`

/** Text as a Python literal: JSON's escapes are Python's. */
const literal = (value: unknown) =>
  `json.loads(${JSON.stringify(JSON.stringify(value)).replaceAll(/[\u007f-\uffff]/g, escaped)})`
const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`

export const pythonProgram = (
  calls: readonly ListedCall[],
  tools: readonly RunTool[],
  sources: Readonly<Record<string, string>>,
  rules: Rules,
): string =>
  `${runner}\nRESULT = run(${[calls, tools, sources].map(literal).join(', ')}, ${JSON.stringify(rules)})\n`
