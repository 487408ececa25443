/**
 * Mutants for the built-in model: gold calls with one mistake, and a judge of runs that is not the
 * scorer.
 */
import { canonicalJson, type JsonValue, type Observation, type WorldState } from '@stateeval/contracts'
import type { BenchmarkHost, MutantSupport } from '@stateeval/program'
import type { ApisOf } from '../apis.ts'
import type { NestfulCase } from '../case.ts'
import { operators } from './operators.ts'

export const makeMutants = (apisOf: ApisOf, host: BenchmarkHost): MutantSupport<NestfulCase> => ({
  mutate(c, _options, rng) {
    const { calls } = c.task
    const apis = [...apisOf(c).apis.keys()]
    const applicable = operators
      .map((operator) => ({ id: operator.id, sites: operator.sites(calls, apis) }))
      .filter(({ sites }) => sites.length > 0)
    if (applicable.length === 0) return null
    const { id, sites } = rng.pick(applicable)
    const site = rng.pick(sites)
    return { mutant: site.change(rng) as unknown as JsonValue, operator: id, site: site.where }
  },
  furtherInputs: (c, count, rng) =>
    c.task.truth
      ? Array.from({ length: count }, (_, n) =>
          host.scenario(c.task.part).vary(c.task.truth!.program, rng.fork(n), n % 2 === 1),
        )
      : [],
  // Published samples are judged by their texts: a mutant that passes is never taken as equivalent.
  expected: ({ task: { truth } }) => [
    truth
      ? createMutantObservation(truth.state, Object.values(truth.result as Record<string, JsonValue>))
      : createMutantObservation(null, []),
  ],
  agree: isAgreeing,
  isCaughtByComparison: ({ policies }) =>
    !Object.values(policies ?? {}).some(({ differences }) =>
      differences.some(({ where }) => where.startsWith('run')),
    ),
})

const createMutantObservation = (world: WorldState | null, result: JsonValue[]): Observation => ({
  ending: { status: 'completed', result },
  world,
  log: [],
  output: '',
  faults: [],
  wallMs: 0,
  sandbox: 'truth',
})

/**
 * The same world, and each result of the first run among those of the second, with ids masked. Unlike the
 * scorer it does not ask which id stands for which.
 */
function isAgreeing(_c: NestfulCase, a: Observation, b: Observation): boolean {
  if (a.world === null || b.world === null) return false
  if (a.ending.status !== 'completed' || b.ending.status !== 'completed')
    return a.ending.status === b.ending.status
  const [ours, theirs] = [a, b].map(({ world }) => createMask(world!))
  const parts = new Set(listValueParts(b.ending.result as JsonValue).map((part) => theirs!(part)))
  return (
    ours!(a.world.state) === theirs!(b.world.state) &&
    (a.ending.result as JsonValue[]).every((part) => parts.has(ours!(part)))
  )
}

/** Canonical text, lists in any order, with created ids as one mark. */
const createMask = ({ ids }: WorldState) => {
  const created = new Set(ids.created)
  const masked = (value: unknown): JsonValue => {
    if (typeof value === 'string') return created.has(value) ? '<id>' : value
    if (Array.isArray(value))
      return value.map(masked).sort((x, y) => (canonicalJson(x) < canonicalJson(y) ? -1 : 1))
    if (typeof value !== 'object' || value === null) return value as JsonValue
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [created.has(key) ? '<id>' : key, masked(one)]),
    )
  }
  return (value: unknown) => canonicalJson(masked(value))
}

/** A value and everything in it, up to a bound. */
function listValueParts(value: JsonValue, parts: JsonValue[] = []): JsonValue[] {
  if (parts.length > 5_000) return parts
  parts.push(value)
  if (typeof value === 'object' && value !== null)
    for (const item of Object.values(value)) listValueParts(item, parts)
  return parts
}
