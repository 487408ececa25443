/**
 * Error types by scenario (StateEval, Fig. 5), and finer: which exception, API, argument and item of state.
 */
import type { ComparisonResource, NamedCounts, ReportResult } from '@stateeval/contracts'
import { type PresentationSection, splitWords } from '@stateeval/program/presentation'

const types = ['syntax', 'execution', 'result']
const countTypes = (entry: NamedCounts) => types.map((type) => Number(entry[type]))

/** The finer lists, with the head of each. */
const lists: readonly [string, string][] = [
  ['exceptions', 'error that ended the run'],
  ['kinds', 'root cause, and what went wrong within it'],
  ['apis', 'API at which the program diverged from the reference'],
  ['arguments', 'argument or property there'],
  ['items', 'parts of RESULT and state that differ'],
]

/** Nothing of mutants: that they fail is what is wanted. */
export function buildTypeSections({ errors, mutation }: ReportResult): PresentationSection[] {
  if (!errors || mutation) return []
  const finer = lists.flatMap(([list, head]): PresentationSection[] => {
    const entries = errors[list] ?? []
    const label = (name: string) => (list === 'kinds' ? splitWords(name) : name)
    const rows = entries.map(({ name, samples }) => [label(name), Number(samples)])
    return rows.length > 0 ? [{ table: { head: [head, 'samples'], rows }, max: 10 }] : []
  })
  const byScenario: PresentationSection = {
    title: 'Error types',
    parts: {
      label: 'Error types by scenario',
      names: 'error types',
      sum: 'failed',
      parts: types,
      rows: (errors['byScenario'] ?? []).map((entry) => ({ name: entry.name, counts: countTypes(entry) })),
    },
  }
  return [byScenario, ...finer]
}

export function compareErrors({ comparison: { models }, errors }: ComparisonResource): PresentationSection[] {
  const rows = errors.flatMap((scenarios, n) =>
    scenarios.map((entry) => [
      models[n]?.name ?? '–',
      entry.name,
      Number(entry['failed']),
      ...countTypes(entry),
    ]),
  )
  return rows.length > 0 ? [{ table: { head: ['model', 'scenario', 'failed', ...types], rows } }] : []
}
