/**
 * Fresh cases: whether calls, or a program, left the same results and the same world as the gold calls, up to
 * ids.
 */
import type { JsonValue, Observation, Program, ValueDifference } from '@stateeval/contracts'
import { type BenchmarkHost, interpret, withId, splitReferencePath } from '@stateeval/program'
import { compare } from '@stateeval/score'
import type { NestfulCase, NestfulTask } from '../case.ts'
import { readWhole } from '../python/read.ts'
import type { PyDict } from '../python/value.ts'
import { listTextReferences } from '../references.ts'
import type { SoundMatch } from './sound.ts'

export type WorldSameness = { same: true } | { same: false; differences: ValueDifference[] }

/**
 * @param result RESULT of a run that completed: that of a program, or the one that `computeGoldResults` makes
 * of calls.
 */
function compareWorlds(
  c: NestfulCase,
  { ending, world }: Observation,
  result: JsonValue | { missing: string },
  host: BenchmarkHost,
): WorldSameness {
  const { truth, part } = c.task
  if (!truth) throw new TypeError(`${c.id} has no executable truth`)
  if (ending.status !== 'completed')
    return describeMissing(
      'error' in ending
        ? `${ending.error.name}: ${ending.error.message}`
        : `the run ended with ${ending.status}`,
    )
  if (world === null) return describeMissing('the world could not be observed')
  const { missing } = (result ?? {}) as { missing?: string }
  if (typeof missing === 'string') return describeMissing(missing)
  const comparison = compare(
    { result: truth.result, world: truth.state },
    { result, world },
    getComparison(host, part, truth.program),
  )
  return comparison.equal ? { same: true } : { same: false, differences: comparison.differences }
}

const describeMissing = (says: string): WorldSameness => ({
  same: false,
  differences: [{ where: 'result', says }],
})

const getComparison = (host: BenchmarkHost, id: string, program: Program) => {
  const scenario = host.scenario(id)
  return scenario.compareFor?.(program) ?? scenario.compare
}

/** The most combinations of results to try. */
const maxTries = 64

/**
 * Tells whether calls left what the gold calls leave. Any call may stand for a gold one, as an answer does
 * not say which of them gives a result. The likely one is tried first, and a difference is reported for it.
 */
export function compareWithGold(
  c: NestfulCase,
  observation: Observation,
  { graphPairs, prediction }: Pick<SoundMatch, 'graphPairs' | 'prediction'>,
  host: BenchmarkHost,
): WorldSameness {
  const { ending } = observation
  const results =
    ending.status === 'completed' && Array.isArray(ending.result) ? (ending.result as JsonValue[]) : []
  const names = prediction.calls.map(({ name }) => name)
  const choices = listResultChoices(c.task, results, { pairs: graphPairs, names })
  let first: WorldSameness | undefined
  for (const result of combineChoices(choices)) {
    const sameness = compareWorlds(c, observation, result, host)
    if (sameness.same) return sameness
    first ??= sameness
    // The end of the run is the same for all choices of results.
    if (ending.status !== 'completed') break
  }
  return first!
}

/** Computes the named results from the results of the gold calls themselves. */
export function computeGoldResults(
  task: Pick<NestfulTask, 'calls' | 'result'>,
  results: readonly JsonValue[],
): JsonValue | { missing: string } {
  const names = task.calls.map(({ name }) => name)
  const [first] = combineChoices(listResultChoices(task, results, { pairs: [...names.keys()], names }))
  return first!
}

interface ResultChoices {
  key: string
  values: readonly JsonValue[]
  missing: string
}

/**
 * Lists the choices for each result: its values in the results of calls, those that stand for the gold call
 * first.
 */
function listResultChoices(
  { calls, result }: Pick<NestfulTask, 'calls' | 'result'>,
  results: readonly JsonValue[],
  { pairs, names }: { pairs: SoundMatch['graphPairs']; names: readonly string[] },
): ResultChoices[] {
  const labels = new Map(calls.map(({ label }, at) => [label.replaceAll('$', ''), at]))
  return [...(readWhole(result ?? '{}') as PyDict)].map(([key, text]) => {
    const [reference] = listTextReferences(String(text), (label) => labels.has(label))
    const at = labels.get(reference?.label ?? '') ?? -1
    const place = pairs[at] ?? null
    const rank = (n: number) => (n === place ? 0 : names[n] === calls[at]?.name ? 1 : 2)
    const places = [...results.keys()].sort((a, b) => rank(a) - rank(b))
    const values = new Map<string, JsonValue>()
    for (const n of places) {
      const value = readResultPath(results[n], reference?.path ?? '')
      if (value !== undefined && values.size < maxTries) values.set(JSON.stringify(value), value)
    }
    const missing =
      place === null ? `no call was made for ${String(key)}` : `the result has no ${reference?.path}`
    return { key: String(key), values: [...values.values()], missing }
  })
}

/** The results that choices make, the first of each first. */
function* combineChoices(choices: readonly ResultChoices[]): Generator<JsonValue | { missing: string }> {
  const lacking = choices.find(({ values }) => values.length === 0)
  if (lacking) {
    yield { missing: lacking.missing }
    return
  }
  const total = choices.reduce((product, { values }) => Math.min(maxTries, product * values.length), 1)
  for (let n = 0; n < total; n++) {
    let rest = n
    const named: Record<string, JsonValue> = {}
    for (const { key, values } of choices) {
      named[key] = values[rest % values.length]!
      rest = Math.floor(rest / values.length)
    }
    yield named
  }
}

function readResultPath(result: JsonValue | undefined, path: string): JsonValue | undefined {
  let value = result
  for (const step of splitReferencePath(path)) value = readResultMember(value, step)
  return value
}
function readResultMember(value: JsonValue | undefined, key: string | number): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.hasOwn(value, key) ? (value as Record<string | number, JsonValue>)[key] : undefined
}

/** For each gold call, whether it changes the world, by the scenario's state machine. */
const changes = new WeakMap<NestfulCase, boolean[]>()
function listChangingCalls(c: NestfulCase, host: BenchmarkHost): boolean[] {
  const known = changes.get(c)
  if (known) return known
  const { program, input } = c.task.truth!
  const scenario = host.scenario(c.task.part)
  const { id: _, ...straight } = program
  const after = (steps: number) => {
    const run = interpret(
      withId({ ...straight, body: program.body.slice(0, steps), result: [] }),
      scenario,
      input,
    )
    return run.ok ? JSON.stringify(run.world) : null
  }
  const worlds = [...c.task.calls, null].map((_call, at) => after(at))
  const list = c.task.calls.map((_call, at) => worlds[at] === null || worlds[at] !== worlds[at + 1])
  changes.set(c, list)
  return list
}

/** Tells whether each call that only reads keeps its place among those that change what it reads. */
export function isKeepingReads(
  c: NestfulCase,
  pairs: SoundMatch['graphPairs'],
  host: BenchmarkHost,
): boolean {
  const list = listChangingCalls(c, host)
  return pairs.every((j, i) =>
    pairs.every((l, k) => i >= k || list[i] === list[k] || j === null || l === null || j < l),
  )
}
