/** Programs of the session service in the published form. */
import type { ExecutionInput, JsonValue, JsonObject, Program, VariableReference } from '@stateeval/contracts'
import { interpret } from '@stateeval/program'
import type { CaseSession } from '../../case.ts'
import { buildInit, writeProgramText, type WrittenSource, withResults, type WrittenTest } from './write.ts'

type IdentifiedItem = CaseSession & { id: string }

/** @param lists whether RESULT may be a list of sessions, which nothing equals as published. */
export function writeSession(
  { program, scenario, inputs }: WrittenSource,
  lists = false,
): WrittenTest[] | null {
  const runs = inputs.map((input) => interpret(program, scenario, input))
  const resultProgram = withResults(program, (entries, block) => {
    const run = runs.find((one) => one.ok && one.branch === block)
    for (const { key, value } of entries) {
      const one = writeResultReference(value, run?.ok ? run.result[key] : undefined, lists)
      if (one) return [one]
    }
    return null
  })
  if (!resultProgram) return null
  const code = writeProgramText(resultProgram, ([value]) => value!)
  const tests = inputs.map((input, n) => buildSessionTest(resultProgram, scenario, input, code, n))
  return tests.every((one) => one !== null) ? tests : null
}

/** A session of a list, the answer to a POST as a whole, or a session. */
function writeResultReference(
  value: VariableReference,
  result: JsonValue | undefined,
  lists: boolean,
): VariableReference | null {
  if (value.path.at(-1) === 'id') return { ...value, path: value.path.slice(0, -1) }
  if (Array.isArray(result)) {
    if (lists) return value
    return result.length > 0 ? { ...value, path: [...value.path, 0] } : null
  }
  return result !== null && typeof result === 'object' ? value : null
}

function buildSessionTest(
  program: Program,
  scenario: WrittenSource['scenario'],
  input: ExecutionInput,
  code: string,
  n: number,
): WrittenTest | null {
  const run = interpret(program, scenario, input)
  if (!run.ok) return null
  const variables = Object.entries(input.variables).map(([name, value]): [string, JsonValue] => [
    name,
    value !== null && typeof value === 'object' && 'source' in value
      ? { id: null, checksum: '', ...(value as JsonObject) }
      : (value as JsonValue),
  ])
  const initial = (input.world as { items?: CaseSession[] }).items ?? []
  const { items } = run.world.state as { items: IdentifiedItem[] }
  const ends = [...items, ...run.world.gone.map(({ id, last }) => ({ ...(last as CaseSession), id }))]
  return {
    result: removeIds(run.result['value_0'] as JsonValue),
    state_oracle: groupStates(items),
    program: code,
    program_info: {
      ...buildInit(variables, program.branch !== undefined && n === 0),
      init_implicit_dict: Object.fromEntries(
        initial.map((item, at) => [String(at + 2), { id: String(at + 2), ...item, checksum: '' }]),
      ),
      end_implict_list: ends.map((item) => ({ ...item, checksum: '' })),
      init_load_str: null,
      init_load_info: null,
    },
  }
}

function removeIds(value: JsonValue): JsonValue {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  const { id: _, ...rest } = value
  return rest
}

function groupStates(items: readonly IdentifiedItem[]): JsonValue {
  const byPair: Record<string, JsonValue[]> = {}
  for (const item of items) (byPair[`${item.source}||${item.type}`] ??= []).push(item)
  return byPair
}
