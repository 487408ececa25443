/**
 * Scores the stored samples of an evaluation again, as a new evaluation: by another policy, with other
 * options, or by a newer scorer. It asks no model, judge or sandbox.
 */
import { type EvaluationOptions, ProblemError, type RescoreRequest } from '@stateeval/contracts'
import type { Benchmark } from '@stateeval/program'
import type { MessageBus, ServicePlatform, PendingCleanup } from '@stateeval/service-kit'
import {
  type SuiteCatalog,
  checkCases,
  checkOptions,
  identifyCheck,
  buildBaselineCheck,
  type BaselineChecks,
  findBaselineCheck,
  type BenchmarkSets,
} from '@stateeval/sets'
import { createSamplesStage } from '../owners/evaluation-plan.ts'
import {
  type EvaluationOwner,
  type RunningPlaces,
  takePlace,
  type ItemWindow,
  beginStage,
  createStage,
  type ResourceReader,
  type StageStarter,
  requireEndedEvaluation,
  type OwnerSource,
  requireReadyBenchmark,
  describeEvaluation,
} from '@stateeval/jobs'
import { checkBenchmarkStays } from './create-evaluation.ts'
import type { OperationRoute } from './route.ts'

interface EvaluationRescorer
  extends
    OwnerSource,
    ResourceReader,
    StageStarter,
    BaselineChecks,
    Pick<RunningPlaces, 'quota' | 'active'>,
    Pick<SuiteCatalog, 'benchmark'>,
    Pick<ServicePlatform, 'newId' | 'now'> {
  bus: MessageBus
  sets: Pick<BenchmarkSets, 'case'>
  tidy: Pick<PendingCleanup, 'isRemoving'>
  window: ItemWindow
}

export const rescoreEvaluation: OperationRoute<'rescoreEvaluation', EvaluationRescorer> = async (
  { params: { id: original }, body, idempotencyKey },
  context,
) => {
  const { without = [], ...changed } = body
  const { benchmark, set, model, recorded, ...first } = await requireEndedEvaluation(context, original)
  if (!recorded)
    throw new ProblemError(
      'conflict',
      `the evaluation ${original} was made by a version that did not store observations; evaluate again (stored answers are reused at no cost)`,
    )
  await requireReadyBenchmark(context, benchmark)
  const options = chooseRescoreOptions(first.options, changed)
  const kind = context.benchmark(set.kind)
  checkOptions(kind, options)
  await checkCases(context, kind, benchmark, options)
  const parties = selectParties(kind, options, first.parties, without)
  const about = { id: original, benchmark, set, model, ...(parties && { parties }) }
  const baselineCheck = await loadRescoreBaseline(context, { ...first, ...about }, options)
  const rescored = { evaluation: original, samples: first.options.samples }
  const { stage, total, window } = createSamplesStage(context, { set, model, options, rescored })
  context.bus.check()
  const id = context.newId('ev', idempotencyKey)
  await takePlace(context, 'evaluation', id)
  const { owner, created } = await context.owners.create<EvaluationOwner>({
    ...about,
    id,
    entity: 'evaluation',
    status: 'running',
    stage,
    stages: { [stage]: createStage(total, window) },
    createdAt: context.now().toISOString(),
    options,
    recorded: true,
    rescored,
    ...(baselineCheck && { baselineCheck }),
  })
  if (created) {
    await checkBenchmarkStays(context, owner)
    await beginStage(context, owner)
  }
  return {
    status: 202,
    body: await describeEvaluation(context, owner),
    headers: { location: `/v1/evaluations/${owner.id}` },
  }
}

/** Throws a problem where a part is not there, or can't be left out. */
function selectParties(
  benchmark: Benchmark,
  options: EvaluationOptions,
  parties: EvaluationOwner['parties'],
  without: readonly string[],
): EvaluationOwner['parties'] {
  const names = Object.keys(parties ?? {})
  const required = (benchmark.asking.consults?.(options) ?? [])
    .filter((one) => one.required)
    .map(({ what }) => what)
  for (const [at, name] of without.entries()) {
    const says = !names.includes(name)
      ? `the evaluation has no part ${JSON.stringify(name)}; available: ${names.join(', ') || 'none'}`
      : required.some((one) => one === name)
        ? `${benchmark.kind} needs ${name}; keep it`
        : null
    if (says !== null) throw new ProblemError('unprocessable', says, `/without/${at}`)
  }
  const left = Object.entries(parties ?? {}).filter(([name]) => !without.includes(name))
  return left.length > 0 ? Object.fromEntries(left) : undefined
}

/** Throws a problem where more is wanted than was answered. */
function chooseRescoreOptions(
  first: EvaluationOptions,
  body: Omit<RescoreRequest, 'without'>,
): EvaluationOptions {
  for (const name of ['samples', 'rounds'] as const) {
    const wanted = body[name]
    if (wanted !== undefined && wanted > first[name])
      throw new ProblemError(
        'unprocessable',
        `the evaluation has ${name} ${first[name]}, and scoring again adds no samples; set ${name} to ${first[name]} or less`,
        `/${name}`,
      )
  }
  const limits = body.limits && { ...first.limits, ...body.limits }
  return { ...first, ...body, ...(limits && { limits }) }
}

/**
 * The baseline check under these options. Where failing cases are left out, another policy may leave out
 * others, which only a check by that policy can tell.
 */
async function loadRescoreBaseline(
  context: EvaluationRescorer,
  owner: EvaluationOwner,
  options: EvaluationOptions,
): Promise<EvaluationOwner['baselineCheck']> {
  const { baselineCheck, options: before, set } = owner
  if (!baselineCheck || options.policy === before.policy) return baselineCheck
  const { runtime } = baselineCheck
  const known = await findBaselineCheck(context, { ...identifyCheck({ ...owner, options }), runtime })
  if (known) return buildBaselineCheck(known, true)
  if (context.benchmark(set.kind).building?.failingReferences !== 'left out') return baselineCheck
  throw new ProblemError(
    'conflict',
    `the cases that the policy ${options.policy} leaves out of this set are unknown; evaluate the model reference with that policy once, then score again`,
    '/policy',
  )
}
