/** Which groups a case belongs to, in the order in which a report shows them. */
import type { Case, ReportResult, ScoredSample } from '@stateeval/contracts'
import { executionPaths, isCall, pathDepth, writtenSteps } from '@stateeval/program'
import { rateOf } from './rates.ts'

type Options = ReportResult['options']
const dimensions: readonly [string, (c: Case, options: Options) => readonly (string | number)[]][] = [
  ['scenario', (c) => [c.scenario]],
  ['api', (c) => [...new Set(writtenSteps(c.program).flatMap((step) => (isCall(step) ? [step.api] : [])))]],
  ['length', (c) => [Math.max(...executionPaths(c.program).map(({ steps }) => steps.filter(isCall).length))]],
  ['branch', (c) => [c.program.branch ? 'if/else' : 'straight']],
  ['path_depth', (c) => [pathDepth(c.program)]],
  ['language', (_, { language }) => (typeof language === 'string' ? [language] : [])],
]

/** The pass rate within each group; a case that calls three APIs counts in three of them. */
export function groupsOf(
  samples: readonly ScoredSample[],
  cases: ReadonlyMap<string, Case>,
  options: Options = {},
): ReportResult['groups'] {
  const groups = dimensions.map(([dimension, namesOf]) => {
    const members = new Map<string | number, ScoredSample[]>()
    const names = new Map([...cases].map(([id, c]) => [id, namesOf(c, options)]))
    for (const sample of samples) {
      for (const name of names.get(sample.case) ?? []) {
        const group = members.get(name)
        if (group) group.push(sample)
        else members.set(name, [sample])
      }
    }
    const ordered = [...members].sort(([a], [b]) =>
      typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : 1,
    )
    return [dimension, ordered.map(([name, group]) => ({ name: String(name), rate: rateOf(group) }))] as const
  })
  return Object.fromEntries(groups)
}
