/** Owners in the contract's form. */
import type { BenchmarkResource, EvaluationProbe, EvaluationResource, Usage } from '@stateeval/contracts'
import { computeCostUsd } from '@stateeval/models'
import { getModelName, getPrices } from './choice.ts'
import { readCheckStage } from './owner.ts'
import {
  type BenchmarkOwner,
  type EvaluationOwner,
  isEnded,
  modelProbeStage,
  opinionStage,
  type JobOwner,
  type TaskWriting,
} from './owner.ts'
import {
  noProgress,
  type StageProgress,
  loadProgress,
  type ProgressReader,
  type ResourceReader,
} from './stage.ts'

const phases: Record<string, string> = {
  generate: 'generate',
  programs: 'oracle and translate',
  tasks: 'write tasks',
  proofs: 'check',
  probe: 'baseline check',
  check: 'baseline check',
  [modelProbeStage]: 'model probe',
  samples: 'evaluate',
  opinions: 'second opinions',
}
const lastPhase = { benchmark: 'sample', evaluation: 'report' } as const

async function loadStageProgress(
  context: ProgressReader,
  owner: JobOwner,
): Promise<{ progress: BenchmarkResource['progress']; ended: StageProgress }> {
  if (owner.status === 'succeeded') {
    const { total = 0 } = owner.stages[owner.stage] ?? {}
    return { progress: { done: total, total, phase: lastPhase[owner.entity] }, ended: noProgress }
  }
  const { total = 0 } = owner.stages[owner.stage] ?? {}
  const ended = total > 0 ? await loadProgress(context, owner, { look: true }) : noProgress
  const isProbing = owner.entity === 'evaluation' && owner.probesFirst && readCheckStage(owner.stage)
  const phase =
    total > 0 && ended.items === total
      ? isProbing
        ? 'model probe'
        : lastPhase[owner.entity]
      : (phases[owner.stage.replace(/-\d+$/, '')] ?? owner.stage)
  // The check has all cases but the first, which was the probe's.
  return { progress: { done: ended.items, total, phase }, ended }
}

function describeWaiting({ waits }: ResourceReader, owner: JobOwner): { waiting?: string } {
  const reason = isEnded(owner) ? null : waits.reason(owner.id)
  return reason === null ? {} : { waiting: reason }
}

const selectCommonFields = ({ id, status, createdAt, finishedAt, error }: JobOwner) => ({
  id,
  status,
  createdAt,
  ...(finishedAt && { finishedAt }),
  ...(error && { error }),
})

export async function describeBenchmark(
  context: ResourceReader,
  owner: BenchmarkOwner,
): Promise<BenchmarkResource> {
  const self = `/v1/benchmarks/${owner.id}`
  const files = owner.manifest && {
    manifest: `${self}/files/manifest.json`,
    cases: `${self}/cases`,
    prompts: `${self}/prompts`,
  }
  return {
    ...selectCommonFields(owner),
    ...describeWaiting(context, owner),
    progress: (await loadStageProgress(context, owner)).progress,
    links: { self, ...files },
    kind: owner.kind,
    ...describeOrigin(owner),
    ...(owner.manifest && { manifest: owner.manifest }),
  }
}

/** Describes a benchmark by its origin. To callers, written tasks are built, too. */
function describeOrigin(
  owner: BenchmarkOwner,
): Partial<BenchmarkResource> & Pick<BenchmarkResource, 'origin'> {
  switch (owner.origin) {
    case 'build': {
      const { build, usage, costUsd: cost, budget } = owner
      return {
        origin: 'build',
        build,
        ...(owner.provider && { provider: owner.provider }),
        ...(usage && { usage }),
        ...(cost !== undefined && { costUsd: cost }),
        ...(budget && { budget }),
      }
    }
    case 'dataset': {
      const { usage, budget } = owner
      return {
        origin: 'build',
        writing: describeWriting(owner.writing),
        ...(usage && { usage }),
        ...(budget && { budget }),
      }
    }
    case 'import':
      return { origin: 'import', ...(owner.warnings && { warnings: owner.warnings }) }
    case 'review': {
      const { build, writing, reviewed } = owner
      return {
        origin: 'review',
        ...(build && { build }),
        ...(writing && { writing: describeWriting(writing) }),
        reviewed,
      }
    }
  }
}
const describeWriting = ({ options, specification, model }: TaskWriting) => ({
  ...options,
  specification,
  model: model.name,
})

export async function describeEvaluation(
  context: ResourceReader,
  owner: EvaluationOwner,
): Promise<EvaluationResource> {
  const self = `/v1/evaluations/${owner.id}`
  const { progress, ended: ofStage } = await loadStageProgress(context, owner)
  const ofSamples = await loadSamplesProgress(context, owner, ofStage)
  const { items: done, passed, notScored, timeouts } = ofSamples
  const usage = owner.ended?.usage ?? selectUsage(ofSamples)
  const ended = owner.ended ?? { scored: done - notScored, passed, notScored, timeouts }
  return {
    ...selectCommonFields(owner),
    ...describeWaiting(context, owner),
    progress,
    links: {
      self,
      benchmark: `/v1/benchmarks/${owner.benchmark}`,
      results: `${self}/results`,
      answers: `${self}/answers`,
      report: `${self}/report`,
      events: `${self}/events`,
    },
    benchmark: owner.benchmark,
    digest: owner.set.digest,
    model: getModelName(owner.model),
    options: owner.options,
    ...(owner.rescored && { rescored: owner.rescored.evaluation }),
    ...(owner.opinion && { secondOpinion: owner.opinion.by.name }),
    ...(owner.parties && { parties: listPartyNames(owner.parties) }),
    ...(owner.provider && { provider: owner.provider }),
    ...(owner.tags && owner.tags.length > 0 && { tags: [...owner.tags] }),
    ...(owner.budget && { budget: owner.budget }),
    ...(owner.model.kind === 'endpoint' && {
      spent: { ...usage, costUsd: computeCostUsd(usage, getPrices(owner.model)) },
    }),
    ...probeNote(owner),
    counts: {
      samples: owner.set.cases * owner.options.samples,
      scored: ended.scored,
      passed: ended.passed,
      notScored: ended.notScored,
      timeouts: ended.timeouts ?? 0,
    },
  }
}

/** The probe before an evaluation as it is shown. */
export function probeNote({ probed, model }: Pick<EvaluationOwner, 'probed' | 'model'>): {
  probe?: EvaluationProbe
} {
  if (!probed) return {}
  const { usage, ...note } = probed
  return { probe: { ...note, ...usage, costUsd: computeCostUsd(usage, getPrices(model)) } }
}

const listPartyNames = (parties: NonNullable<EvaluationOwner['parties']>) =>
  Object.fromEntries(Object.entries(parties).map(([part, { name }]) => [part, name]))

/** Loads the progress of samples, even if they are done and second opinions are being asked for. */
async function loadSamplesProgress(
  context: ProgressReader,
  owner: EvaluationOwner,
  ofStage: StageProgress,
): Promise<StageProgress> {
  if (owner.stage === opinionStage && !owner.ended)
    return loadProgress(context, { ...owner, stage: 'samples' }, { look: true })
  return owner.stage === 'samples' ? ofStage : noProgress
}

const selectUsage = ({ requests, promptTokens, completionTokens, estimated }: StageProgress): Usage => ({
  requests,
  promptTokens,
  completionTokens,
  ...(estimated > 0 && { estimated }),
})
