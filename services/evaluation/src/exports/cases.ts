/** Cases of a benchmark as rows, one at a time. */
import type { BenchmarkCase, Manifest } from '@stateeval/contracts'
import type { TableColumn, DataTable } from '@stateeval/tables'
import type { BenchmarkSets } from '@stateeval/sets'

interface CaseRow {
  manifest: Manifest
  line: string
  case: BenchmarkCase
}

const columns: readonly TableColumn<CaseRow>[] = [
  { name: 'digest', type: 'string', of: ({ manifest }) => manifest.digest },
  { name: 'kind', type: 'string', of: ({ manifest }) => manifest.kind },
  { name: 'case', type: 'string', of: (row) => row.case.id },
  { name: 'group', type: 'string', of: ({ case: c }) => ('group' in c ? c.group : c.scenario) },
  { name: 'instruction', type: 'string', of: (row) => row.case.instruction },
  { name: 'flags', type: 'json', of: ({ case: c }) => ('flags' in c ? c.flags : undefined) },
  { name: 'metrics', type: 'json', of: ({ case: c }) => ('metrics' in c ? c.metrics : undefined) },
  // The very text, so that cases.jsonl can be put together again.
  { name: 'line', type: 'string', of: ({ line }) => line },
]

export const createCasesTable = ({ digest, kind }: Manifest): DataTable<CaseRow> => ({
  columns,
  about: { 'stateeval.digest': digest, 'stateeval.kind': kind },
})

export async function* readCaseRows(
  sets: Pick<BenchmarkSets, 'line'>,
  id: string,
  manifest: Manifest,
): AsyncGenerator<CaseRow> {
  for (let n = 0; n < manifest.counts.kept; n++) {
    const line = await sets.line(id, n)
    yield { manifest, line, case: JSON.parse(line) as BenchmarkCase }
  }
}
