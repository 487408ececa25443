/**
 * An evaluation: probe (the baseline check of the first case, which also tells the runtime), check (that of the others, unless it
 * is known for this runtime), samples, opinions (another model's of the failed ones, where one is asked), then the report.
 */
import type { BenchmarkCase, GivenAnswer, Reply, SampleAnswer } from '@stateeval/contracts'
import { addUsage, noUsage } from '@stateeval/models'
import { itemId } from '@stateeval/workflow'
import type { EvaluationContext } from '../context.ts'
import { examplesFor } from './examples.ts'
import { beginStage, newStage, outcomesOf } from '../workflow.ts'
import type { OpinionOutcome } from '../flows/opinion-flow.ts'
import { dialogueOf, entriesOf, type Log } from '../flows/dialogue.ts'
import { beginningOf } from '../flows/play.ts'
import type { Responder, SampleContext, SampleOutcome } from '../flows/sample.ts'
import { beginOpinions, opinionItem } from './opinions.ts'
import { type EvaluationOwner, opinionStage } from './owner.ts'
import type { Plan } from './plan.ts'
import { entryStore, sampleItem } from './sample-item.ts'
import { isTimeout, report } from './report.ts'
import {
  aboutCheck,
  checkStage,
  storeBaselineCheck,
  readCheckStage,
  refusal,
  selfCheckOf,
  type BaselineCheck,
  baselineCheckOf,
  unfinished,
} from './self-check.ts'

/** Why the baseline check of a case does not pass; null where it does. `passing`: something was away, which says nothing about the case. */
function faultIn({
  scored: { case: name, score, notScored },
  passing,
}: SampleOutcome): { case: string; reason: string; passing: boolean } | null {
  const reason = score === null ? (notScored ?? 'not scored') : score.passed ? null : score.verdict
  return reason === null ? null : { case: name, reason, passing: passing === true }
}
/** Faults of the cases themselves, and those that may be over later. */
function faultsIn(outcomes: readonly SampleOutcome[]) {
  const all = outcomes.flatMap((outcome) => faultIn(outcome) ?? [])
  const plain = ({ case: name, reason }: (typeof all)[number]) => ({ case: name, reason })
  return {
    failed: all.filter(({ passing }) => !passing).map(plain),
    passing: all.filter(({ passing }) => passing).map(plain),
  }
}

/** A text is one reply. */
const repliesOf = (given: GivenAnswer): Reply[] =>
  'answer' in given
    ? [{ text: given.answer, finish: 'stop' }]
    : given.replies.map(({ finish = 'stop', text = '', ...rest }) => ({ ...rest, text, finish }))

/** Answers made elsewhere, by case and sample. */
const answers = (context: EvaluationContext, hash: string) =>
  context.cache(`answers/${hash}`, async () => {
    const given = (await context.artifacts.getJson(hash)) as GivenAnswer[]
    return new Map(given.map((one) => [`${one.case}/${one.sample ?? 0}`, repliesOf(one)]))
  })
const responder = async (
  context: EvaluationContext,
  { model }: EvaluationOwner,
  c: BenchmarkCase,
  sample: number,
): Promise<Responder> => {
  if (model.kind === 'given')
    return { kind: 'given', replies: (await answers(context, model.answers)).get(`${c.id}/${sample}`) ?? [] }
  return model
}
const samples = async (
  context: EvaluationContext,
  owner: EvaluationOwner,
  selfCheck: EvaluationOwner['selfCheck'],
  from: string,
) => {
  // Each sample of an endpoint waits for its answer most of the time: more of them are under way than are asked at once.
  const window =
    owner.model.kind === 'endpoint'
      ? Math.max(context.window, 2 * (owner.model.settings.concurrency ?? 8))
      : context.window
  const stage = newStage(owner.set.cases * owner.options.samples, window)
  const entered = await context.owners.enter(owner.id, from, {
    stage: 'samples',
    stages: { ...owner.stages, samples: stage },
    ...(selfCheck && { selfCheck }),
  })
  if (entered) await beginStage(context, entered)
}
const refuse = (context: EvaluationContext, owner: EvaluationOwner, check: BaselineCheck) => {
  const selfCheck = selfCheckOf(check, false)
  return context.owners.end(owner.id, { status: 'failed', error: refusal(selfCheck), selfCheck })
}

const stop = (context: EvaluationContext, owner: EvaluationOwner, passing: BaselineCheck['failed']) =>
  context.owners.end(owner.id, { status: 'failed', error: unfinished(owner.id, passing), unchecked: true })

const afterProbe = async (context: EvaluationContext, owner: EvaluationOwner, round: number) => {
  const stage = checkStage('probe', round)
  const [probe] = await outcomesOf<SampleOutcome>(context, owner, stage)
  const runtime = probe?.runtimes[0] ?? 'none'
  const about = { ...aboutCheck(owner), runtime }
  const { failed, passing } = faultsIn(probe ? [probe] : [])
  if (failed.length > 0) return refuse(context, owner, { ...about, cases: owner.set.cases, failed })
  if (passing.length > 0) return stop(context, owner, passing)
  const known = await baselineCheckOf(context, about)
  if (known)
    return known.failed.length > 0
      ? refuse(context, owner, known)
      : samples(context, owner, selfCheckOf(known, true), stage)
  if (owner.set.cases > 1) {
    const check = checkStage('check', round)
    const entered = await context.owners.enter(owner.id, stage, {
      stage: check,
      stages: { ...owner.stages, [check]: newStage(owner.set.cases - 1, context.window) },
    })
    if (entered) await beginStage(context, entered)
    return
  }
  const check = { ...about, cases: 1, failed: [] }
  await storeBaselineCheck(context, check)
  await samples(context, owner, selfCheckOf(check, false), stage)
}

const afterCheck = async (context: EvaluationContext, owner: EvaluationOwner, round: number) => {
  const stage = checkStage('check', round)
  const [probe] = await outcomesOf<SampleOutcome>(context, owner, checkStage('probe', round))
  const outcomes = await outcomesOf<SampleOutcome>(context, owner, stage)
  const { failed, passing } = faultsIn(outcomes)
  const check: BaselineCheck = {
    ...aboutCheck(owner),
    runtime: probe?.runtimes[0] ?? 'none',
    cases: owner.set.cases,
    failed,
  }
  // A case that could not be scored says nothing about the case, so that is not remembered.
  if (outcomes.every(({ scored }) => scored.score !== null)) await storeBaselineCheck(context, check)
  if (failed.length > 0) return refuse(context, owner, check)
  if (passing.length > 0) return stop(context, owner, passing)
  await samples(context, owner, selfCheckOf(check, false), stage)
}

/** A case with what it needs besides itself. */
async function loaded(context: EvaluationContext, owner: EvaluationOwner, n: number): Promise<BenchmarkCase> {
  const c = await context.sets.case(owner.benchmark, n)
  if ('artifacts' in c) await context.artifactCache.load(c.artifacts ?? [])
  return c
}

const withoutTimeLimit = ({ timeLimit: _, ...options }: EvaluationOwner['options']) => options

/** What a sample is made of, or the baseline check of a case. */
async function sampleContext(
  context: EvaluationContext,
  owner: EvaluationOwner,
  stage: string,
  index: number,
): Promise<SampleContext> {
  const benchmark = context.benchmark(owner.set.benchmark)
  const about = {
    item: itemId({ workflow: owner.id, stage, index }),
    ...(owner.parties && { parties: owner.parties }),
  }
  const check = readCheckStage(stage)
  if (check) {
    const c = await loaded(context, owner, check.stage === 'probe' ? 0 : index + 1)
    return {
      benchmark,
      case: c,
      sample: 0,
      ...about,
      responder: { kind: 'reference' },
      // A baseline check holds for every evaluation of the set, whatever time it gives to answers.
      options: { ...withoutTimeLimit(owner.options), prompting: benchmark.promptings[0] ?? 'direct' },
    }
  }
  const sample = index % owner.options.samples
  const c = await loaded(context, owner, Math.floor(index / owner.options.samples))
  const examples = await examplesFor(context, owner.benchmark, benchmark, c, owner.options)
  return {
    benchmark,
    case: c,
    sample,
    ...about,
    responder: await responder(context, owner, c, sample),
    options: { ...owner.options, ...(examples && { examples }) },
  }
}

/** Of a sample that has ended: its dialogue, what its beginning appended included, without its runs. */
export async function dialogueAt(
  context: EvaluationContext,
  owner: EvaluationOwner,
  index: number,
  log: Log,
): Promise<Pick<SampleAnswer, 'transcripts' | 'consultations'>> {
  const entries = await entriesOf(log, entryStore(context))
  const sample = await sampleContext(context, owner, 'samples', index)
  const { transcripts, consultations } = dialogueOf([
    ...beginningOf(sample, sample.options).entries,
    ...entries,
  ])
  return { transcripts, ...(consultations.length > 0 && { consultations }) }
}

export const evaluationPlan: Plan<EvaluationOwner> = {
  async item(context, owner, stage, index) {
    if (stage === opinionStage) return opinionItem(context, owner, index)
    return sampleItem(context, await sampleContext(context, owner, stage, index))
  },
  counts: (out) => {
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
  },
  async finished(context, owner, stage) {
    const check = readCheckStage(stage)
    if (!check)
      return stage === 'samples' && (await beginOpinions(context, owner)) ? undefined : report(context, owner)
    return check.stage === 'probe'
      ? afterProbe(context, owner, check.round)
      : afterCheck(context, owner, check.round)
  },
}
