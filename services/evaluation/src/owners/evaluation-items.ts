/**
 * The items of an evaluation: the reference answer of a case, a model's answer, or an opinion about a
 * failed answer.
 */
import {
  type BenchmarkCase,
  type Candidate,
  type GivenAnswer,
  listCaseArtifacts,
  type SampleAnswer,
  type SampleDetail,
} from '@stateeval/contracts'
import {
  beginEpisode,
  buildDialogue,
  selectReplayEffort,
  loadEntries,
  type GivenReply,
  type ItemNeed,
  type EntryLog,
  type OpinionOutcome,
  type SampleContext,
  type SampleOutcome,
  type SampleRecord,
} from '@stateeval/flows'
import { addUsage, type AnswerStore, noUsage } from '@stateeval/models'
import type { Benchmark, PairedProgram } from '@stateeval/program'
import type { ArtifactCache, LoadedArtifacts } from '@stateeval/service-kit'
import { type ItemFlow, formatItemId } from '@stateeval/workflow'
import { findRecordedSeeds } from '../recordings/lines.ts'
import {
  createEntryStore,
  sampleItem,
  type SampleStores,
  type EvaluationOwner,
  opinionStage,
  type OwnerStore,
  onProvider,
  readCheckStage,
  loadOutcome,
  type OwnerPlan,
} from '@stateeval/jobs'
import { createOpinionItem, type OpinionSources } from './opinions.ts'
import { isTimeout } from './report.ts'
import { explainLeftOut, loadExamples, type BenchmarkSets } from '@stateeval/sets'
import { type SampleRecords, createRescoredItem } from './rescored.ts'

/** The dependencies of items. */
export interface EvaluationItems extends SampleStores, OpinionSources, SampleRecords {
  benchmark(id: string): Benchmark
  sets: BenchmarkSets
  artifactCache: ArtifactCache
  answers: Pick<AnswerStore, 'get'>
}

type AnsweringParts = Pick<SampleContext, 'responder' | 'seeds'>

/**
 * Chooses the player and the worlds for an answer: a text is one reply, and an answer without a score gets
 * none.
 */
function buildAnswering(answer: GivenAnswer): AnsweringParts {
  if ('notScored' in answer) {
    const { notScored: says, reason = 'unknown' } = answer
    return { responder: { kind: 'none', says, reason } }
  }
  if ('answer' in answer)
    return { responder: { kind: 'given', replies: [{ text: answer.answer, finish: 'stop' }] } }
  const replies = answer.replies.map(
    ({ finish = 'stop', text = '', refused, transcript, ...rest }): GivenReply => ({
      ...(transcript !== undefined && { transcript }),
      ...(refused === undefined ? { ...rest, text, finish } : { refused }),
    }),
  )
  return { responder: { kind: 'given', replies }, ...(answer.seeds && { seeds: answer.seeds }) }
}
const noReplies: AnsweringParts = { responder: { kind: 'given', replies: [] } }
/** What is missing in a submission counts as an answer without anything in it. */
const emptyReply: AnsweringParts = buildAnswering({ case: '', answer: '' })

/** Collects the answers made elsewhere, by case and sample. */
const collectGivenAnswers = (context: EvaluationItems, hash: string) =>
  context.cache(`answers/${hash}`, async () => {
    const list = (await context.artifacts.getJson(hash)) as GivenAnswer[]
    return new Map(list.map((one) => [`${one.case}/${one.sample ?? 0}`, buildAnswering(one)]))
  })
const chooseAnswering = async (
  context: EvaluationItems,
  { model, baselineCheck }: EvaluationOwner,
  c: BenchmarkCase,
  sample: number,
): Promise<AnsweringParts> => {
  const says = explainLeftOut(baselineCheck, c.id)
  if (says !== undefined) return { responder: { kind: 'none', says, reason: 'left_out' } }
  if (model.kind === 'given')
    return (
      (await collectGivenAnswers(context, model.answers)).get(`${c.id}/${sample}`) ??
      (model.partial ? noReplies : emptyReply)
    )
  return { responder: model }
}
/** A case with what it needs besides itself. */
async function loadCase(
  { sets, artifactCache }: EvaluationItems,
  { benchmark }: EvaluationOwner,
  n: number,
): Promise<Pick<SampleContext, 'case'> & { artifacts: LoadedArtifacts }> {
  const c = await sets.case(benchmark, n)
  return { case: c, artifacts: await artifactCache.load(listCaseArtifacts(c)) }
}

const removeLimits = ({ timeLimit: _, limits: _limits, ...options }: EvaluationOwner['options']) => options

/** Builds the context of a sample, or of the baseline check of a case. */
async function sampleContext(
  context: EvaluationItems,
  owner: EvaluationOwner,
  stage: string,
  index: number,
): Promise<SampleContext> {
  const benchmark = context.benchmark(owner.set.kind)
  const about = {
    item: formatItemId({ workflow: owner.id, stage, index }),
    ...(owner.parties && { parties: owner.parties }),
  }
  const check = readCheckStage(stage)
  if (check) {
    return {
      benchmark,
      ...(await loadCase(context, owner, check.stage === 'probe' ? 0 : index + 1)),
      sample: 0,
      ...about,
      responder: { kind: 'reference' },
      // A baseline check holds for every evaluation of the set, whatever limits it has.
      options: { ...removeLimits(owner.options), prompting: benchmark.asking.promptings[0] ?? 'direct' },
    }
  }
  const sample = index % owner.options.samples
  const loaded = await loadCase(context, owner, Math.floor(index / owner.options.samples))
  const c = loaded.case
  const examples = await loadExamples(context, owner.benchmark, benchmark, c, owner.options)
  const artifactsOfExamples = await context.artifactCache.load((examples ?? []).flatMap(listCaseArtifacts))
  const seeds = await findRecordedSeeds(context, owner, { case: c.id, sample })
  return {
    benchmark,
    case: c,
    artifacts: new Map([...loaded.artifacts, ...artifactsOfExamples]),
    sample,
    ...about,
    recorded: true,
    ...(await chooseAnswering(context, owner, c, sample)),
    ...(seeds && { seeds }),
    options: { ...owner.options, ...(examples && { examples }) },
  }
}

/** The dialogue of an ended sample, with what its beginning appended, without its runs. */
export async function loadDialogue(
  context: EvaluationItems,
  owner: EvaluationOwner,
  index: number,
  log: EntryLog,
): Promise<Pick<SampleAnswer, 'transcripts' | 'consultations'>> {
  const entries = await loadEntries(log, createEntryStore(context))
  const sample = await sampleContext(context, owner, 'samples', index)
  const { transcripts, consultations } = buildDialogue([
    ...beginEpisode(sample, sample.options).entries,
    ...entries,
  ])
  return { transcripts, ...(consultations.length > 0 && { consultations }) }
}

/**
 * An ended sample with the evidence for its verdict, replayed from its record; null if it has not ended.
 */
export async function replayCandidate(
  context: EvaluationItems & { owners: Pick<OwnerStore, 'benchmark'> },
  owner: EvaluationOwner,
  index: number,
): Promise<Pick<SampleDetail, 'scored' | 'candidate' | 'expected' | 'paired'> | null> {
  const item = { workflow: owner.id, stage: 'samples', index }
  const outcome = await loadOutcome<SampleOutcome>(context, item)
  if (!outcome) return null
  const { scored } = outcome
  // Deleting a set leaves only the score.
  if (!(await context.owners.benchmark(owner.benchmark)))
    return { scored, candidate: null, expected: null, paired: null }
  const sample = await sampleContext(context, owner, 'samples', index)
  const { mutants } = sample.benchmark
  const expected = mutants
    ? await context.artifactCache.use(listCaseArtifacts(sample.case), () => mutants.expected(sample.case))
    : null
  const payload = await context.records.get(formatItemId(item))
  const record = payload ? ((await context.artifacts.unpack(payload)) as SampleRecord) : {}
  const log = record.log ?? outcome.log
  if (!log) return { scored, candidate: null, expected, paired: null }
  const entries = await loadEntries(log, createEntryStore(context))
  const { further } = record
  const replay = { entries, ...(further && { further }), effort: selectReplayEffort(outcome) }
  const flow = sampleItem(context, { ...sample, replay })
  const step = await flow.start()
  const need = 'state' in step ? await flow.need(step.state) : null
  const candidate = need?.kind === 'score' ? need.payload.candidate : null
  const { benchmark, case: c } = sample
  const paired =
    candidate && benchmark.reporting?.paired
      ? await context.artifactCache.use(listCaseArtifacts(c), () =>
          candidate.runs.map(
            ({ observations }, run) =>
              benchmark.reporting?.paired?.(c, observations, describeRun(candidate, run)) ?? [],
          ),
        )
      : null
  return { scored, candidate, expected, paired }
}

/** The code of a run, and the input of its first observation: each run of a dialogue has one input. */
function describeRun({ said, transcripts }: Candidate, run: number): PairedProgram {
  if (said.kind !== 'dialogue') {
    const code = said.attempts
      .flatMap(({ readings }) => readings)
      .find((reading) => reading.run === run && reading.code !== undefined)?.code
    return code === undefined || code === null ? {} : { code }
  }
  const at = said.inputs.findIndex((one) => one.run === run)
  return at < 0 ? {} : { first: transcripts[said.inputs[at]!.transcript]?.input ?? at }
}

export async function createEvaluationItem(
  context: EvaluationItems,
  owner: EvaluationOwner,
  stage: string,
  index: number,
): Promise<ItemFlow<ItemNeed>> {
  if (stage === opinionStage) return createOpinionItem(context, owner, index)
  const sample = await sampleContext(context, owner, stage, index)
  if (owner.rescored) return createRescoredItem(context, owner, index, sample)
  return onProvider(sampleItem(context, sample), owner.provider)
}

export const countsOfItem: OwnerPlan<EvaluationOwner>['counts'] = (out) => {
  if ('opinion' in (out as OpinionOutcome | SampleOutcome))
    return { passed: 0, notScored: 0, ...(out as OpinionOutcome).usage }
  const { scored, usage, parties } = out as SampleOutcome
  const others = Object.values(parties ?? {}).reduce(addUsage, noUsage)
  return {
    passed: scored.score?.passed ? 1 : 0,
    notScored: scored.score === null ? 1 : 0,
    timeouts: isTimeout(scored) ? 1 : 0,
    ...usage,
    ...(parties && {
      partyRequests: others.requests,
      partyPromptTokens: others.promptTokens,
      partyCompletionTokens: others.completionTokens,
    }),
  }
}
