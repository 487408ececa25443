/** Reports of all evaluations that have succeeded, as rows, one at a time. */
import type { JsonValue, ReportResult } from '@stateeval/contracts'
import { computeCostUsd } from '@stateeval/models'
import { type ProjectArtifacts, listEveryItem } from '@stateeval/service-kit'
import type { TableColumn, DataTable } from '@stateeval/tables'
import { getPrices, type EvaluationOwner, type OwnerStore } from '@stateeval/jobs'

interface ReportRow {
  owner: EvaluationOwner & { ended: NonNullable<EvaluationOwner['ended']> }
  result: ReportResult
}

const columns: readonly TableColumn<ReportRow>[] = [
  { name: 'evaluation', type: 'string', of: ({ owner }) => owner.id },
  { name: 'benchmark', type: 'string', of: ({ owner }) => owner.benchmark },
  { name: 'digest', type: 'string', of: ({ owner }) => owner.set.digest },
  { name: 'kind', type: 'string', of: ({ owner }) => owner.set.kind },
  { name: 'model', type: 'string', of: ({ result }) => result.model },
  { name: 'options', type: 'json', of: ({ result }) => result.options as JsonValue },
  { name: 'version', type: 'string', of: ({ result }) => result.version },
  { name: 'rescored', type: 'string', of: ({ owner }) => owner.rescored?.evaluation },
  { name: 'started', type: 'time', of: ({ owner }) => owner.createdAt },
  { name: 'finished', type: 'time', of: ({ owner }) => owner.finishedAt },
  { name: 'cases', type: 'integer', of: ({ owner }) => owner.set.cases },
  { name: 'samples', type: 'integer', of: ({ result }) => result.samples.length },
  { name: 'scored', type: 'integer', of: ({ result }) => result.overall.scored },
  { name: 'passed', type: 'integer', of: ({ result }) => result.overall.passed },
  { name: 'not_scored', type: 'integer', of: ({ result }) => result.notScored },
  { name: 'rate', type: 'number', of: ({ result }) => result.overall.rate },
  { name: 'rate_low', type: 'number', of: ({ result }) => result.overall.interval?.[0] },
  { name: 'rate_high', type: 'number', of: ({ result }) => result.overall.interval?.[1] },
  { name: 'interval', type: 'string', of: ({ result }) => result.overall.method },
  { name: 'rate_unscored_failed', type: 'number', of: ({ result }) => result.overall.bracket?.[0] },
  { name: 'rate_unscored_passed', type: 'number', of: ({ result }) => result.overall.bracket?.[1] },
  { name: 'verdicts', type: 'json', of: ({ result }) => result.verdicts },
  { name: 'root_causes', type: 'json', of: ({ result }) => result.rootCauses },
  { name: 'mutation_score', type: 'number', of: ({ result }) => result.mutation?.score },
  {
    name: 'mutation_score_unscored_failed',
    type: 'number',
    of: ({ result }) => result.mutation?.bracket?.[0],
  },
  {
    name: 'mutation_score_unscored_passed',
    type: 'number',
    of: ({ result }) => result.mutation?.bracket?.[1],
  },
  { name: 'requests', type: 'integer', of: ({ owner }) => owner.ended.usage.requests },
  { name: 'prompt_tokens', type: 'integer', of: ({ owner }) => owner.ended.usage.promptTokens },
  { name: 'completion_tokens', type: 'integer', of: ({ owner }) => owner.ended.usage.completionTokens },
  {
    name: 'cost_usd',
    type: 'number',
    of: ({ owner }) => computeCostUsd(owner.ended.usage, getPrices(owner.model)),
  },
]

export const reportsTable: DataTable<ReportRow> = { columns }

/** The stores that contain reports. */
export interface ReportRows {
  owners: Pick<OwnerStore, 'page'>
  artifacts: ProjectArtifacts
}
const together = 50

export async function* readReportRows({ owners, artifacts }: ReportRows): AsyncGenerator<ReportRow> {
  const page = (cursor: string | undefined, limit: number) => owners.page('evaluation', cursor, limit)
  for await (const owner of listEveryItem(page, together)) {
    const { ended } = owner
    if (!ended) continue
    yield { owner: { ...owner, ended }, result: (await artifacts.getJson(ended.result)) as ReportResult }
  }
}
