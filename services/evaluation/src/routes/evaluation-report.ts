import {
  type CanaryCounts,
  type ModelPrices,
  ProblemError,
  type Report,
  type ReportResult,
  type ReportRun,
  type Usage,
} from '@stateeval/contracts'
import { computeCostUsd, noUsage } from '@stateeval/models'
import type { ProjectArtifacts } from '@stateeval/service-kit'
import {
  getPrices,
  type EvaluationOwner,
  isEnded,
  requireEndedEvaluation,
  requireEvaluation,
  type OwnerSource,
  probeNote,
} from '@stateeval/jobs'
import { buildPartialReport, type PartialSources } from '../owners/report.ts'
import type { OperationRoute } from './route.ts'

export interface ReportSource extends OwnerSource, PartialSources {
  artifacts: ProjectArtifacts
  now: () => Date
}

export const getEvaluationReport: OperationRoute<'getEvaluationReport', ReportSource> = async (
  { params: { id } },
  context,
) => ({ status: 200, body: await loadReport(context, await requireEvaluation(context, id)) })

/** The partial report of an evaluation that has not succeeded. */
export const loadReport = (context: ReportSource, owner: EvaluationOwner): Promise<Report> =>
  owner.ended ? loadWholeReport(context, owner) : loadPartialReport(context, owner)

async function loadWholeReport(context: ReportSource, owner: EvaluationOwner) {
  const { ended } = await requireEndedEvaluation(context, owner.id)
  const cases =
    ended.cases === undefined
      ? undefined
      : ((await context.artifacts.getJson(ended.cases)) as ReportRun['cases'])
  return {
    result: (await context.artifacts.getJson(ended.result)) as ReportResult,
    run: describeReportRun(context, owner, ended, cases),
  }
}

/** Loads the report of an evaluation that runs, failed or was cancelled: of its ended samples. */
async function loadPartialReport(context: ReportSource, owner: EvaluationOwner) {
  const { id, stages, status, benchmark, error } = owner
  if (!stages['samples'])
    throw new ProblemError(
      'conflict',
      isEnded(owner)
        ? `the evaluation ${id} has no report: it ${status === 'cancelled' ? 'was cancelled' : status} before its first sample${error ? `: ${error}` : ''}`
        : `the evaluation ${id} has no report yet: the baseline check is still running; retry when its phase is evaluate`,
    )
  if (!(await context.owners.benchmark(benchmark)))
    throw new ProblemError(
      'conflict',
      `the evaluation ${id} has no report: it did not succeed, and its benchmark ${benchmark} was deleted`,
    )
  const { result, ended, cases } = await buildPartialReport(context, owner)
  return { result, run: describeReportRun(context, owner, ended, cases) }
}

function describeReportRun(
  { now }: Pick<ReportSource, 'now'>,
  {
    id,
    createdAt,
    finishedAt,
    set,
    options,
    baselineCheck,
    model,
    opinion,
    parties,
    budget,
    rescored,
    provider,
    probed,
  }: EvaluationOwner,
  ended: Omit<NonNullable<EvaluationOwner['ended']>, 'result' | 'figures' | 'cases'>,
  cases: ReportRun['cases'],
): ReportRun {
  return {
    evaluation: id,
    kind: set.kind,
    ...(rescored && { rescored: rescored.evaluation }),
    startedAt: createdAt,
    ...(finishedAt !== undefined && { finishedAt }),
    wallMs: (finishedAt === undefined ? now().getTime() : Date.parse(finishedAt)) - Date.parse(createdAt),
    samples: set.cases * options.samples,
    retries: ended.retries,
    hosts: [ended.host],
    runtimes: ended.runtimes,
    ...(ended.sandboxes !== undefined && { sandboxes: ended.sandboxes }),
    ...(ended.canaries && { canaries: describeCanaries(ended.canaries) }),
    ...(provider && { provider }),
    ...(ended.tensorProviders !== undefined && { tensorProviders: ended.tensorProviders }),
    baselineCheck: baselineCheck ?? null,
    ...(model.kind === 'endpoint' && { parameters: model.settings.parameters ?? {} }),
    usage: ended.usage,
    costUsd: computeCostUsd(ended.usage, getPrices(model)),
    ...(ended.kept !== undefined && { kept: ended.kept }),
    ...(ended.repeated !== undefined && { repeated: ended.repeated }),
    ...(model.kind === 'given' &&
      model.missing !== undefined && {
        missingAnswers: {
          samples: model.missing,
          of: set.cases * options.samples,
          count: model.partial ? 'unscored' : 'failed',
        },
      }),
    ...(ended.cut !== undefined && { cut: ended.cut }),
    ...(ended.endings && { endings: ended.endings }),
    ...(budget && { budget }),
    ...(ended.opinions && { secondOpinion: describeOpinions(ended.opinions, opinion?.by.settings.prices) }),
    ...probeNote({ probed, model }),
    ...describeParties(ended.parties, parties),
    ...(cases && { cases }),
  }
}

const describeCanaries = ({ clean = 0, touched = 0 }: Partial<CanaryCounts>): CanaryCounts => ({
  clean,
  touched,
})

const describeOpinions = (
  { usage, ...counts }: NonNullable<NonNullable<EvaluationOwner['ended']>['opinions']>,
  prices: ModelPrices | undefined,
) => ({
  ...usage,
  costUsd: computeCostUsd(usage, prices),
  ...counts,
})

/** Describes parties with usage, and live APIs whose recorded responses were to be used. */
function describeParties(
  used: Readonly<Record<string, Usage>> = {},
  parties: EvaluationOwner['parties'] = {},
): Pick<ReportRun, 'parties'> {
  const recorded = Object.keys(parties).filter((part) => parties[part]?.responses)
  const names = [...new Set([...Object.keys(used), ...recorded])]
  if (names.length === 0) return {}
  const entries = names.map((part) => {
    const { name = part, settings, responses } = parties[part] ?? {}
    const usage = used[part] ?? noUsage
    return [
      part,
      {
        model: name,
        ...usage,
        costUsd: computeCostUsd(usage, settings?.prices),
        ...(responses && { responses: [...responses] }),
      },
    ] as const
  })
  return { parties: Object.fromEntries(entries) }
}
