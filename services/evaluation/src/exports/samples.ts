/** Samples of an evaluation as rows, one at a time. */
import type { SampleOutcome } from '@stateeval/flows'
import type { TableColumn, DataTable } from '@stateeval/tables'
import { getModelName, type EvaluationOwner, type ItemEnds, loadOutcomes } from '@stateeval/jobs'

interface SampleRow {
  owner: EvaluationOwner
  outcome: SampleOutcome
}
type SampleColumn = TableColumn<SampleRow>
const getScore = ({ outcome }: SampleRow) => outcome.scored.score
const getMutant = ({ outcome }: SampleRow) => outcome.scored.mutant

const columns: readonly SampleColumn[] = [
  { name: 'evaluation', type: 'string', of: ({ owner }) => owner.id },
  { name: 'benchmark', type: 'string', of: ({ owner }) => owner.benchmark },
  { name: 'digest', type: 'string', of: ({ owner }) => owner.set.digest },
  { name: 'kind', type: 'string', of: ({ owner }) => owner.set.kind },
  { name: 'model', type: 'string', of: ({ owner }) => getModelName(owner.model) },
  { name: 'language', type: 'string', of: ({ owner }) => owner.options.language },
  { name: 'prompting', type: 'string', of: ({ owner }) => owner.options.prompting },
  { name: 'policy', type: 'string', of: ({ owner }) => owner.options.policy },
  { name: 'case', type: 'string', of: ({ outcome }) => outcome.scored.case },
  { name: 'sample', type: 'integer', of: ({ outcome }) => outcome.scored.sample },
  { name: 'passed', type: 'boolean', of: (row) => getScore(row)?.passed },
  { name: 'reward', type: 'number', of: (row) => getReward(getScore(row)) },
  { name: 'verdict', type: 'string', of: (row) => getScore(row)?.verdict },
  { name: 'not_scored', type: 'string', of: ({ outcome }) => outcome.scored.notScored },
  { name: 'not_scored_reason', type: 'string', of: ({ outcome }) => outcome.scored.reason },
  { name: 'root_cause', type: 'string', of: (row) => getScore(row)?.evidence.rootCause?.cause },
  { name: 'explanation', type: 'string', of: (row) => getExplanation(getScore(row)) },
  { name: 'attempts', type: 'integer', of: (row) => getScore(row) && (getScore(row)?.attempts?.length ?? 1) },
  { name: 'metrics', type: 'json', of: (row) => getScore(row)?.metrics },
  { name: 'policies', type: 'json', of: (row) => getScore(row)?.policies },
  { name: 'evidence', type: 'json', of: (row) => getScore(row)?.evidence },
  { name: 'mutation_operator', type: 'string', of: (row) => getMutant(row)?.operator },
  { name: 'mutation_site', type: 'string', of: (row) => getMutant(row)?.site },
  { name: 'mutant', type: 'string', of: (row) => getMutant(row)?.outcome },
  { name: 'answer', type: 'string', of: ({ outcome }) => outcome.answer },
  { name: 'finish', type: 'string', of: ({ outcome }) => outcome.finish },
  { name: 'requests', type: 'integer', of: ({ outcome }) => outcome.usage.requests },
  { name: 'prompt_tokens', type: 'integer', of: ({ outcome }) => outcome.usage.promptTokens },
  { name: 'completion_tokens', type: 'integer', of: ({ outcome }) => outcome.usage.completionTokens },
]

type SampleScore = SampleOutcome['scored']['score'] | undefined
const getReward = (score: SampleScore) => score && (score.reward ?? (score.passed ? 1 : 0))
const getExplanation = (score: SampleScore) =>
  score?.evidence.error?.message ?? score?.evidence.differences[0]?.says

export const createSamplesTable = ({ id, set }: EvaluationOwner): DataTable<SampleRow> => ({
  columns,
  about: { 'stateeval.evaluation': id, 'stateeval.digest': set.digest },
})

/** Ids that are looked up together. */
const together = 100

/** Ended samples, in the order of the set. */
export async function* sampleRows(context: ItemEnds, owner: EvaluationOwner): AsyncGenerator<SampleRow> {
  const { total = 0 } = owner.stages['samples'] ?? {}
  for (let from = 0; from < total; from += together) {
    const items = Array.from({ length: Math.min(together, total - from) }, (_, n) => ({
      workflow: owner.id,
      stage: 'samples',
      index: from + n,
    }))
    for await (const outcome of loadOutcomes<SampleOutcome>(context, items))
      if (outcome) yield { owner, outcome }
  }
}
