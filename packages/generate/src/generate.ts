/**
 * The generation of a set of programs: one recorder for all of them, in order; dropped programs are rolled
 * back.
 */
import type { Program } from '@stateeval/contracts'
import {
  listAdjacentPairs,
  type ArtifactBytes,
  createRng,
  listExecutionPaths,
  type RandomSource,
  type Scenario,
  withId,
} from '@stateeval/program'
import { begin, composeProgram, composeStraight } from './compose.ts'
import { drawSplits } from './splits.ts'
import { runReference, findUnseenMistakes } from './filters/observable.ts'
import { formatStructure } from './filters/structure.ts'
import { checkOptions, type GenerateOptions } from './options.ts'
import { PairRecorder } from './recorder.ts'
import { buildSecondWorlds } from './second-worlds.ts'
import { isSteered, reachesGoals } from './steering.ts'
import { strategies } from './strategies/index.ts'
import type { ProgramTrace } from './trace.ts'
import type { ReferenceRun } from './filters/reference-run.ts'

/** Why a drawn program isn't kept. */
type DropReason = 'dead_end' | 'failing_prediction' | 'unobservable' | 'repeated_structure' | 'off_goal'
/** `off_goal` only where one occurred: a depth or number of bindings other than asked for. */
type DropCounts = Record<Exclude<DropReason, 'off_goal'>, number> & { off_goal?: number }
const createDropCounts = (): DropCounts => ({
  dead_end: 0,
  failing_prediction: 0,
  unobservable: 0,
  repeated_structure: 0,
})

/** Draws in a row that may fail before the generation ends short of its count. */
const patience = 400
/** The same where goals drop draws before anything is run. */
const steeredPatience = 2000

export interface GeneratedProgram {
  /** From 0. */
  index: number
  program: Program
  /** Artifacts of the program's values, by SHA-256; only where the scenario keeps values in artifacts. */
  artifacts?: ArtifactBytes
  /** `dead_branch`: an input doesn't reach its branch, so the case goes without it. */
  flags: string[]
  /** Draws dropped since the previous program. */
  drops: DropCounts
  /** The program's own adjacent transitions, and how many distinct ones the set has so far. */
  adjacent: string[]
  adjacentCovered: number
  /** How many distinct pair transitions (those from ⊥ apart) the set has so far. */
  pairsCovered: number
}

export interface GenerationSummary {
  programs: number
  /** All drops, those after the last program too. */
  drops: DropCounts
  /** True if the generation gave up before its count: so many draws in a row were dropped. */
  exhausted: boolean
}

/** The APIs that a generation calls only if its `apis` name them. */
export const listOptInApis = ({
  operations,
}: {
  operations: readonly { id: string; optIn?: boolean }[]
}): string[] => operations.filter(({ optIn }) => optIn).map(({ id }) => id)

/** The APIs that a generation with these options calls. */
export const selectOperations = <W>(
  scenario: Scenario<W>,
  { apis, only }: Pick<GenerateOptions, 'apis' | 'only'>,
) => scenario.operations.filter(({ id, optIn }) => only?.includes(id) ?? (!optIn || apis.includes(id)))

/**
 * Generates programs one by one (StateGen, Algorithm 1 and section III-D). The same scenario and options
 * give the same programs. Throws a RangeError that names the field of an option out of bounds.
 */
export function* generate(
  scenario: Scenario,
  options: GenerateOptions,
): Generator<GeneratedProgram, GenerationSummary, void> {
  const wrong = checkOptions(
    options,
    listOptInApis(scenario),
    scenario.operations.map(({ id }) => id),
  )
  if (wrong.length) throw new RangeError(wrong.join('; '))

  const search = { scenario, operations: selectOperations(scenario, options) }
  const root = createRng(`${scenario.id}/${options.seed}`)
  const structures = new Set<string>()
  const total = createDropCounts()
  let recorder = new PairRecorder(search.operations.map(({ id }) => id))
  let drops = createDropCounts()
  let index = 0

  const maxDraws = isSteered(options) ? steeredPatience : patience
  for (let draws = 0; index < options.count && draws < maxDraws; draws++) {
    const rng = root.fork(index).fork(draws)
    const trial = recorder.copy()
    const splits = drawSplits(options, rng, root.fork(index))
    const start = begin(scenario, rng.fork('start'), options.distractors)
    const accepts = (trace: ProgramTrace<unknown>) => {
      const program = composeStraight(search, start.head, trace)
      if (!splits && !reachesGoals(program, options)) return false
      return !options.observable || typeof filterProgram(program, scenario, true) !== 'string'
    }
    const walk = { ...search, recorder: trial, rng, pairs: options.pairs, accepts }
    const draft = composeProgram(strategies[options.strategy], walk, start, options, splits)
    const judgement = draft ? judgeDraft(draft, scenario, options, structures, rng) : 'dead_end'
    if (typeof judgement === 'string') {
      drops[judgement] = (drops[judgement] ?? 0) + 1
      total[judgement] = (total[judgement] ?? 0) + 1
      continue
    }
    recorder = trial
    const { program: settledProgram, artifacts } = judgement
    const keptProgram = { program: withId(settledProgram), ...(artifacts && { artifacts }) }
    yield {
      index,
      ...keptProgram,
      flags: judgement.flags,
      drops,
      adjacent: listAdjacentPairs(keptProgram.program),
      adjacentCovered: recorder.adjacentPairs,
      pairsCovered: recorder.pairsBetweenCalls,
    }
    drops = createDropCounts()
    index++
    draws = -1
  }
  return { programs: index, drops: total, exhausted: index < options.count }
}

/**
 * Applies the filters to a drawn program, regardless of earlier ones: gives the reason to drop it, or its
 * runs.
 */
function filterProgram<W>(
  program: Program,
  scenario: Scenario<W>,
  observable: boolean,
): DropReason | ReferenceRun<W>[] {
  const runs = runReference(program, scenario)
  if (runs.some(({ view }) => view === null)) return 'failing_prediction'
  if (observable && !findUnseenMistakes(program, scenario, runs).next().done) return 'unobservable'
  return runs
}

function judgeDraft<W>(
  draft: Program,
  scenario: Scenario<W>,
  options: GenerateOptions,
  structures: Set<string>,
  rng: RandomSource,
): DropReason | { program: Program; artifacts?: ArtifactBytes; flags: string[] } {
  const { observable, secondWorlds } = options
  const form = formatStructure(draft)
  if (structures.has(form)) return 'repeated_structure'
  if (!reachesGoals(draft, options)) return 'off_goal'
  const runs = filterProgram(draft, scenario, observable)
  if (typeof runs === 'string') return runs
  const inputs = secondWorlds ? buildSecondWorlds(draft, scenario, runs, rng.fork('second worlds')) : []
  if (inputs === null && observable) return 'unobservable'
  const program = inputs && inputs.length > 0 ? { ...draft, secondWorlds: inputs } : draft
  const settled = scenario.settle ? scenario.settle(program) : { program }
  if (!settled) return 'unobservable'
  structures.add(form)
  const isDead = listExecutionPaths(draft).some(
    ({ branch }, path) => branch !== 'none' && branch !== runs[path]?.branchTaken,
  )
  return { ...settled, flags: isDead ? ['dead_branch'] : [] }
}
