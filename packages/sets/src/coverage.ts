/** How much of its scenarios a set covers: the generated programs, and the kept ones. */
import {
  type BenchmarkCoverage,
  type CoverageCurve,
  ProblemError,
  type Program,
  type RoundTrip,
  type ScenarioCoverage,
} from '@stateeval/contracts'
import { selectOperations } from '@stateeval/generate'
import {
  computeAdjacentCoverage,
  listAdjacentPairs,
  formatPair,
  collectPairs,
  type Scenario,
} from '@stateeval/program'
import type { CacheHolder } from '@stateeval/service-kit'
import { verify } from '@stateeval/translate'
import type { SuiteCatalog } from './catalog.ts'
import type { BenchmarkOwner, ItemEnds } from '@stateeval/jobs'
import { loadGenerated } from './programs.ts'
import type { BenchmarkSets } from './sets.ts'

export interface CoverageSources extends CacheHolder, ItemEnds, Pick<SuiteCatalog, 'loadScenario'> {
  sets: Pick<BenchmarkSets, 'case'>
}

/** Points of a curve, programs looked at before others get a turn, and names in a list, at most. */
const [maxPoints, together, maxNames] = [200, 20, 200]
/** Characters of an instruction that is read back here. */
const longest = 20_000
const yieldTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Each with the turns of others between. */
async function* iterateInTurns<T>(all: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
  let n = 0
  for await (const one of all) {
    yield one
    if (++n % together === 0) await yieldTurn()
  }
}

const createUnknownScenario = (scenario: string) =>
  new ProblemError(
    'conflict',
    `this version has no scenario ${JSON.stringify(scenario)}, which the benchmark was built from`,
  )

/** The programs of the cases by scenario, in the order of the set. */
async function readKeptPrograms({ sets }: CoverageSources, { id, manifest }: BenchmarkOwner) {
  const byScenario = new Map<string, Program[]>()
  for (let n = 0; n < (manifest?.counts.kept ?? 0); n++) {
    const c = await sets.case(id, n)
    if (!('program' in c)) return byScenario
    const programs = byScenario.get(c.scenario)
    if (programs) programs.push(c.program)
    else byScenario.set(c.scenario, [c.program])
  }
  return byScenario
}

async function readGeneratedPrograms(context: CoverageSources, owner: BenchmarkOwner) {
  if (owner.origin !== 'build') return new Map<string, Program[]>()
  const all = (owner.sets ?? []).map(async ({ scenario, count }, at) =>
    count > 0 ? ([[scenario, (await loadGenerated(context, owner, at)).programs]] as const) : [],
  )
  return new Map((await Promise.all(all)).flat())
}

interface CoveredPairs {
  curve: CoverageCurve
  adjacent: ReadonlyMap<string, number>
  linked: ReadonlyMap<string, number>
}

async function collectCovered(
  programs: readonly Program[],
  scenario: Scenario,
  apis: number,
): Promise<CoveredPairs> {
  const [adjacent, linked] = [new Map<string, number>(), new Map<string, number>()]
  const add = (counts: Map<string, number>, pairs: Iterable<string>) => {
    for (const pair of new Set(pairs)) counts.set(pair, (counts.get(pair) ?? 0) + 1)
  }
  const every = Math.ceil(programs.length / maxPoints)
  const points: CoverageCurve['points'] = []
  let seen = 0
  for await (const program of iterateInTurns(programs)) {
    add(adjacent, listAdjacentPairs(program))
    add(linked, collectPairs(program, scenario))
    seen++
    if (seen % every !== 0 && seen !== programs.length) continue
    const atc = computeAdjacentCoverage(adjacent.size, apis).ofSquare
    points.push({ programs: seen, atc, transitionPairs: linked.size })
  }
  return { curve: { programs: programs.length, points }, adjacent, linked }
}

function listPairsBetween(
  apis: readonly string[],
  { adjacent, linked }: CoveredPairs,
): ScenarioCoverage['pairs'] {
  return apis.flatMap((from) =>
    apis.flatMap((to) => {
      const name = formatPair(from, to)
      const counts = { adjacent: adjacent.get(name) ?? 0, linked: linked.get(name) ?? 0 }
      return counts.adjacent + counts.linked > 0 ? [{ from, to, ...counts }] : []
    }),
  )
}

async function make(context: CoverageSources, owner: BenchmarkOwner): Promise<BenchmarkCoverage> {
  const [kept, made] = [await readKeptPrograms(context, owner), await readGeneratedPrograms(context, owner)]
  const scenarios: ScenarioCoverage[] = []
  for (const id of new Set([...made.keys(), ...kept.keys()])) {
    const scenario = await context.loadScenario(id)
    if (!scenario) throw createUnknownScenario(id)
    const apis = selectOperations(scenario, { apis: [] }).map((operation) => operation.id)
    const of = (programs: readonly Program[] | undefined) =>
      programs ? collectCovered(programs, scenario, apis.length) : null
    const [ofKept, ofMade] = [await of(kept.get(id)), await of(made.get(id))]
    const shown = ofKept ?? ofMade
    scenarios.push({
      scenario: id,
      apis,
      generated: ofMade?.curve ?? null,
      kept: ofKept?.curve ?? null,
      pairs: shown ? listPairsBetween(apis, shown) : [],
    })
  }
  return { scenarios }
}

/** Computed once for the generated programs, and once for the set. */
export function computeCoverage(context: CoverageSources, owner: BenchmarkOwner): Promise<BenchmarkCoverage> {
  const generatedSets = owner.origin === 'build' && owner.sets
  if (!owner.manifest && !generatedSets) return Promise.resolve({ scenarios: [] })
  return context.cache(`coverage/${owner.id}/${owner.manifest?.digest ?? 'generated'}`, () =>
    make(context, owner),
  )
}

/**
 * Checks whether each instruction has exactly one reading, its program. The templates never write very long
 * instructions.
 */
export function computeRoundTrip(
  context: CoverageSources,
  { id, manifest }: Pick<BenchmarkOwner, 'id' | 'manifest'>,
): Promise<RoundTrip> {
  return context.cache(`round-trip/${id}/${manifest?.digest}`, async () => {
    const others: string[] = []
    let [cases, verified] = [0, 0]
    const numbers = Array.from({ length: manifest?.counts.kept ?? 0 }, (_, n) => n)
    for await (const n of iterateInTurns(numbers)) {
      const c = await context.sets.case(id, n)
      if (!('program' in c)) break
      const scenario = await context.loadScenario(c.scenario)
      if (!scenario) throw createUnknownScenario(c.scenario)
      const { program, instruction } = c
      cases++
      if (instruction.length <= longest && verify({ program, instruction, scenario }).verified) verified++
      else if (others.length < maxNames) others.push(c.id)
    }
    return { cases, verified, others }
  })
}
