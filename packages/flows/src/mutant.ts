/**
 * The outcome of a mutant. The oracle is what is measured, so equivalence is judged by code other than the
 * scorer's. A mutant that passes is equivalent only if it agrees with the reference on the case's inputs
 * and on 20 further ones, where reference and mutant each play an episode that is never scored.
 */
import type {
  BenchmarkCase,
  Candidate,
  EpisodeOptions,
  ExecutionInput,
  Observation,
  Score,
  EpisodeTransition,
} from '@stateeval/contracts'
import { listAttempts, createRng, type MutantSupport, type ReplyPlayer } from '@stateeval/program'
import { buildDialogue, emptyLog, type EpisodeEntry } from './dialogue.ts'
import { continueEpisode } from './events.ts'
import { retryStep, type ItemAnswer, type ItemNeed } from './flow.ts'
import { buildItemNeed } from './needs.ts'
import type { FurtherRuns } from './record.ts'
import {
  listAllEntries,
  beginEpisode,
  playEpisode,
  type PlayedEpisode,
  restorePlayedEpisode,
  createPlayingState,
  takeTurnAfter,
  withEntry,
} from './play.ts'
import {
  selectCarried,
  type SampleEnd,
  finish,
  type MutantOutcome,
  type PlayingState,
  type SampleContext,
  type SampleState,
  type SampleStep,
} from './sample.ts'

const furtherCount = 20

/** The observations of a candidate on the inputs of its case, in order. */
export function listObservations(candidate: Candidate): Observation[] {
  const { said, runs } = candidate
  if (said.kind === 'dialogue')
    return said.inputs.flatMap(({ run }) => (run === null ? [] : (runs[run]?.observations ?? [])))
  return [
    ...(listAttempts(candidate, said.attempts.at(-1)?.readings[0]?.policy ?? null).at(-1)?.observations ??
      []),
  ]
}

/** Without observations of either, nothing says that they agree. */
const hasOnlyAgreement = (
  mutants: MutantSupport,
  c: BenchmarkCase,
  a: readonly Observation[],
  b: readonly Observation[],
) =>
  a.length > 0 && a.length === b.length && a.every((one, at) => mutants.agree(c, one, b[at] as Observation))

/**
 * A failed mutant is detected, unless the independent comparison sees no difference: then the scorer is in
 * doubt.
 */
export function judgeFailedMutant(
  mutants: MutantSupport,
  c: BenchmarkCase,
  observations: readonly Observation[],
  score: Score,
): MutantOutcome {
  if (hasOnlyAgreement(mutants, c, mutants.expected(c), observations)) return 'disputed'
  return mutants.isCaughtByComparison(score) ? 'caught_by_comparison' : 'caught_by_exception'
}

/**
 * The outcome of a mutant that passed, from the observations of reference and mutant on the further inputs.
 */
export function judgePassedMutant(
  mutants: MutantSupport,
  c: BenchmarkCase,
  observations: readonly Observation[],
  further: FurtherRuns,
): MutantOutcome {
  return hasOnlyAgreement(mutants, c, mutants.expected(c), observations) &&
    hasOnlyAgreement(mutants, c, further.reference, further.mutant)
    ? 'equivalent'
    : 'survived'
}

/** The options of episodes on further inputs: the same inputs for every mutant of a case. */
function buildFurtherOptions({
  benchmark,
  case: c,
  options: { language, mode },
}: SampleContext): EpisodeOptions {
  const inputs = listFurtherInputs(benchmark.mutants, c)
  return {
    ...(language && { language }),
    ...(mode && { mode }),
    prompting: benchmark.asking.promptings[0] ?? 'direct',
    inputs,
  }
}

/** Drawing them takes a tenth of a second, so a case's are kept as long as the case is. */
const inputsByCase = new WeakMap<BenchmarkCase, ExecutionInput[]>()

function listFurtherInputs(mutants: MutantSupport | undefined, c: BenchmarkCase): ExecutionInput[] {
  const before = inputsByCase.get(c)
  if (before) return before
  const inputs = mutants?.furtherInputs(c, furtherCount, createRng(`further/${c.id}`)) ?? []
  inputsByCase.set(c, inputs)
  return inputs
}

type FurtherState = SampleState & { step: 'further' }
type FurtherPosition = Omit<FurtherState, keyof PlayingState>

/** Names the player: the reference first, then the mutant. */
const getPlayerName = ({ reference }: FurtherPosition) => (reference === null ? 'reference' : 'mutant')

const createFurtherPlayer = (
  state: FurtherPosition,
  { benchmark, case: c }: SampleContext,
  options: EpisodeOptions,
): ReplyPlayer | null =>
  state.reference === null
    ? benchmark.player(c, options)
    : benchmark.player(c, options, state.mutant?.mutant ?? null)

function playFurther(
  state: FurtherState,
  context: SampleContext,
  entries: readonly EpisodeEntry[],
): PlayedEpisode {
  const options = buildFurtherOptions(context)
  return restorePlayedEpisode(
    context,
    options,
    () => createFurtherPlayer(state, context, options),
    state.log,
    entries,
  )
}

/** Begins the next player's episode. */
export function beginFurther(state: FurtherPosition, context: SampleContext): SampleStep {
  const options = buildFurtherOptions(context)
  const played = restorePlayedEpisode(context, options, () => createFurtherPlayer(state, context, options))
  return takeFurtherTurn(state, context, played, beginEpisode(context, options).turn)
}

function takeFurtherTurn(
  state: FurtherPosition,
  context: SampleContext,
  before: PlayedEpisode,
  first: EpisodeTransition,
): SampleStep {
  const { played, turn } = playEpisode(context, before, first)
  if (!('done' in turn))
    return { state: { ...state, tries: 0, ...createPlayingState(turn.state, turn.need, played.log) } }
  const { answer, ownLog: log = emptyLog } = state
  const over = (end: SampleEnd) => finish(selectCarried(state), context, { answer, log }, end)
  if (turn.notScored) return over({ notScored: turn.notScored.detail, reason: turn.notScored.reason })
  const observations = listObservations({ said: turn.done, ...buildDialogue(listAllEntries(played)) })
  if (state.reference === null) return beginFurther({ ...state, reference: observations }, context)
  const { mutants } = context.benchmark
  const { own, score, reference } = state
  const further: FurtherRuns = { reference, mutant: observations }
  const outcome = mutants ? judgePassedMutant(mutants, context.case, own, further) : 'survived'
  return over({ score, outcome, further })
}

const buildFurtherNeed = (state: FurtherState, context: SampleContext, played: PlayedEpisode): ItemNeed =>
  buildItemNeed(state.need, context, played, { ...state, player: getPlayerName(state) })

export const resolveFurtherNeed = (
  state: FurtherState,
  context: SampleContext,
  entries: readonly EpisodeEntry[],
): ItemNeed => buildFurtherNeed(state, context, playFurther(state, context, entries))

export function advanceFurther(
  state: FurtherState,
  answer: ItemAnswer,
  context: SampleContext,
  entries: readonly EpisodeEntry[],
): SampleStep {
  const before = playFurther(state, context, entries)
  const itemNeed = buildFurtherNeed(state, context, before)
  const { carried, event, entry, trouble } = continueEpisode(state, itemNeed, answer, entries)
  const repeated = trouble && retryStep(state, trouble)
  if (repeated) return repeated
  const { episode, need: _, log: _log, ...rest } = state
  const played = entry ? withEntry(before, entry) : before
  const turn = takeTurnAfter(context, played, episode, event)
  const { passing: _passing, ...took } = carried
  return takeFurtherTurn({ ...rest, ...took }, context, played, turn)
}
