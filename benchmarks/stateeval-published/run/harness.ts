/**
 * The Python program that runs a candidate as the released evaluator does: initial block and candidate in one
 * `exec`, with the names that it has there and no others. It tells how that ended and what RESULT is, in a
 * form that keeps what JSON loses. It runs in the jail beside the candidate, which can change its own outcome
 * by it and nothing else: the truth is not there.
 */
import type { ExecutionInput, JsonValue } from '@stateeval/contracts'
import { type ScenarioName, type ProgramTest } from '../case.ts'
import { speechFields, voicePython } from './voice.ts'

/** The worlds that programs run against: the published mock of voices is a part of the harness. */
export const worlds: Readonly<Record<ScenarioName, string>> = {
  session: 'session-service',
  tensor: 'tensor-operation',
  voice: 'none',
}

/** Names of variables of an input. Nothing of the candidate sees them. */
const [initName, loadName] = ['stateeval_init', 'stateeval_load'] as const

export const buildHarnessInput = ({
  init,
  load,
  items,
}: Pick<ProgramTest, 'init' | 'load' | 'items'>): ExecutionInput => ({
  variables: { [initName]: init, [loadName]: load },
  world: items.length > 0 ? { items } : {},
})
/** Gets the start of an input. */
export function getInputStart({
  variables,
  world,
}: ExecutionInput): Pick<ProgramTest, 'init' | 'load' | 'items'> {
  const { items = [] } = world as { items?: ProgramTest['items'] }
  return {
    init: variables[initName] as string,
    load: variables[loadName] as Record<string, JsonValue>,
    items,
  }
}

interface HarnessWays {
  /** Value of `__name__`: a guard for `__main__` does nothing in the released evaluator. */
  main: boolean
  /** Spellings that the address of the session service is written in place of, the longest first. */
  addresses: readonly string[]
}

const names: Readonly<Record<ScenarioName, string>> = {
  session:
    'import json, requests\n    given, calls, Speech = {"json": json, "requests": requests}, None, None',
  tensor: 'given, calls, Speech = {"torch": torch}, None, None',
  voice: 'given, calls, Speech = voice_names()',
}

/** The program for one candidate; its inputs are made by `buildHarnessInput`. */
export const buildHarness = (
  scenario: ScenarioName,
  code: string,
  { main, addresses }: HarnessWays,
): string =>
  `${scenario === 'voice' ? voicePython : ''}
def run(candidate):
    import traceback
    own = globals()
    init, load, base = own.pop("${initName}"), own.pop("${loadName}"), own.pop("BASE_URL", "")
    ${names[scenario]}
    for name, value in load.items():
        given[name] = value
        if Speech and isinstance(value, dict) and value.get("is_speech") is True:
            given[name] = Speech(**{field: value[field] for field in ${JSON.stringify(speechFields)}})
    ${main ? 'given["__name__"] = "__main__"' : ''}
    for address in ${JSON.stringify(addresses)}:
        candidate = candidate.replace(address, base)
    init += "" if init.endswith("\\n") or not init else "\\n"
    said = {}

    def told(error, line):
        try:
            message = str(error)[:2000]
        except BaseException:
            message = ""
        return {"type": type(error).__name__, "message": message, "line": None if line is None else line - init.count("\\n")}

    try:
        program = compile(init + candidate, "program.py", "exec", dont_inherit=True)
    except BaseException as error:
        return {"ended": "syntax", "error": told(error, getattr(error, "lineno", None))}
    try:
        exec(program, given)
        said["ended"] = "completed"
    except SystemExit:
        said["ended"] = "exit"
    except BaseException as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "program.py"]
        said.update(ended="threw", error=told(error, lines[-1] if lines else None))
    tensor = getattr(own.get("torch"), "Tensor", None)
    exact = 2**53

    def shown(value, depth=0):
        kind = type(value)
        if value is None or kind is bool:
            return value
        if isinstance(value, str):
            return str(value)
        if isinstance(value, int):
            number = int(value)
            return number if abs(number) <= exact else {"number": hex(number)}
        if isinstance(value, float):
            number = float(value)
            return number if abs(number) < float("inf") else {"number": repr(number)}
        if depth > 17:
            return {"other": "a value that is nested more than 17 levels deep"}
        if isinstance(value, (list, tuple)):
            return {"tuple" if isinstance(value, tuple) else "list": [shown(item, depth + 1) for item in value]}
        if isinstance(value, dict):
            return {"dict": [[shown(key, depth + 1), shown(item, depth + 1)] for key, item in value.items()]}
        if Speech and isinstance(value, Speech):
            return {"speech": {field: shown(getattr(value, field, None), depth + 1) for field in ${JSON.stringify(speechFields)}}}
        if tensor and isinstance(value, tensor):
            return {"tensor": value}
        return {"other": f"of the type {kind.__module__}.{kind.__qualname__}"}

    if "RESULT" in given:
        said["result"] = shown(given["RESULT"])
    if calls is not None:
        said["calls"] = [[shown(speech), shown(voice)] for speech, voice in calls]
    return said


RESULT = run(${JSON.stringify(code)})
`
