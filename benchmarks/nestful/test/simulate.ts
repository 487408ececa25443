/** Lists of calls over a scenario's state machine: what its world would answer, without that world. */
import type {
  Atom,
  Call,
  Expr,
  ExecutionInput,
  JsonValue,
  ListedCall,
  Observation,
  Program,
} from '@stateeval/contracts'
import { buildInput, interpret, type Scenario, withId, splitReferencePath } from '@stateeval/program'
import { listTextReferences, stripDollars } from '../references.ts'

/**
 * The observation of the calls on an input, by default the program's own: RESULT is the list of what they
 * gave.
 */
export function simulate(
  calls: readonly ListedCall[],
  program: Program,
  scenario: Scenario,
  input: ExecutionInput = buildInput(program),
): Observation {
  const variableNames = new Set(program.variables.map(({ name }) => name))
  const labels = new Map<string, string>()
  const body: Call[] = []
  const rest = { log: [], output: '', faults: [], wallMs: 0, sandbox: 'state machine' }
  const failed = (message: string): Observation => ({
    ending: { status: 'threw', error: { name: 'CallError', message } },
    world: run([]).world,
    ...rest,
  })
  for (const [at, call] of calls.entries()) {
    const operation = scenario.operations.find(({ id }) => id === call.name)
    if (!operation) return failed(`there is no tool ${call.name}`)
    const takes = (scenario.tools ?? []).find(({ name }) => name === call.name)?.parameters as
      | { properties?: object; required?: string[] }
      | undefined
    const args = JSON.parse(call.arguments) as Record<string, JsonValue>
    const wrong =
      Object.keys(args).find((name) => !Object.hasOwn(takes?.properties ?? {}, name)) ??
      (takes?.required ?? []).find((name) => !Object.hasOwn(args, name))
    if (wrong !== undefined) return failed(`${call.name} and ${wrong}`)
    try {
      const bound = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, exprOf(value)]))
      body.push({ kind: 'tool', api: call.name, args: bound, binds: `call_${at}` })
    } catch (error) {
      return failed((error as Error).message)
    }
    labels.set(stripDollars(call.label ?? ''), `call_${at}`)
  }
  const done = run(body)
  if (!done.ok) return { ...failed(done.error), world: done.world }
  const result = body.map(({ binds }) => done.result[binds!] ?? null)
  return {
    ending: { status: 'completed', result: JSON.parse(JSON.stringify(result)) as JsonValue },
    world: done.world,
    ...rest,
  }

  function run(steps: Call[]) {
    const { id: _, branch: __, ...straight } = program
    const result = steps.map(({ binds }) => ({
      key: binds!,
      value: { kind: 'reference' as const, variable: binds!, path: [] },
    }))
    const straightProgram = withId({ ...straight, body: steps, result })
    return interpret(straightProgram, scenario, input)
  }

  function exprOf(value: JsonValue): Expr {
    if (Array.isArray(value)) return { kind: 'list', items: value.map((item) => exprOf(item) as Atom) }
    if (typeof value === 'object' && value !== null)
      return {
        kind: 'object',
        entries: Object.fromEntries(
          Object.entries(value).map(([name, item]) => [name, exprOf(item) as Atom]),
        ),
      }
    if (typeof value !== 'string') return { kind: 'literal', value }
    const [reference] = listTextReferences(value, (label) => variableNames.has(label) || labels.has(label))
    if (!reference) return { kind: 'literal', value }
    const variable =
      labels.get(reference.label) ?? (variableNames.has(reference.label) ? reference.label : undefined)
    if (variable === undefined) throw new Error(`${value} refers to nothing`)
    return { kind: 'reference', variable, path: splitReferencePath(reference.path) }
  }
}
