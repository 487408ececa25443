/**
 * Error types per scenario (StateEval, section IV-E, Fig. 5), and finer: which exception, API, argument and
 * state item.
 */
import { type Case, describeScenario, type ErrorReport, type ScoredSample } from '@stateeval/contracts'
import { isScored } from '@stateeval/score'

/** Longer lists help nobody. */
const maxNames = 50

/** undefined where nothing failed. */
export function buildErrorReport(
  samples: readonly ScoredSample[],
  cases: ReadonlyMap<string, Case>,
): ErrorReport | undefined {
  const failed = samples.filter((sample) => isScored(sample) && !sample.score?.passed)
  if (failed.length === 0) return undefined
  const scenarioOf = ({ case: id }: ScoredSample) => describeScenario(cases.get(id)?.scenario ?? 'unknown')
  const byScenario = [...new Set(failed.map(scenarioOf))].sort().map((name) => {
    const members = failed.filter((sample) => scenarioOf(sample) === name)
    const of = (type: string) =>
      members.filter(({ score }) => classifyVerdict(score?.verdict) === type).length
    return {
      name,
      failed: members.length,
      syntax: of('syntax'),
      execution: of('execution'),
      result: of('result'),
    }
  })
  const causes = failed.map(({ score }) => score?.evidence.rootCause)
  return {
    byScenario,
    exceptions: countSampleNames(failed.map(listExceptions)),
    kinds: countSampleNames(causes.map((cause) => (cause?.kind ? [`${cause.cause}/${cause.kind}`] : []))),
    apis: countSampleNames(causes.map((cause) => (cause?.api ? [cause.api] : []))),
    arguments: countSampleNames(
      causes.map((cause) =>
        cause?.argument ? [cause.api ? `${cause.api}.${cause.argument}` : cause.argument] : [],
      ),
    ),
    items: countSampleNames(
      failed.map(({ score }) =>
        (score?.evidence.differences ?? []).flatMap(({ where }) => listItemPlaces(where)),
      ),
    ),
  }
}

/** The paper's three types. */
function classifyVerdict(verdict: string | undefined): 'syntax' | 'execution' | 'result' {
  if (verdict === 'syntax_error' || verdict === 'no_code') return 'syntax'
  return verdict === 'result_error' || verdict === 'no_result' ? 'result' : 'execution'
}
function listExceptions({ score }: ScoredSample): string[] {
  const error = score?.evidence.error
  if (error) return [error.status === undefined ? error.name : `${error.name} ${error.status}`]
  return score && classifyVerdict(score.verdict) === 'execution' ? [score.verdict] : []
}

/** `state.items[2].data.title` is items[].data.title: which item it is differs from case to case. */
function listItemPlaces(where: string): string[] {
  if (!/^(?:result|state)\b/.test(where)) return []
  return [
    where
      .replace(/\[\d+\]/g, '[]')
      .replace(/^result/, 'RESULT')
      .replace(/^state\./, ''),
  ]
}

/** In how many samples each name occurs. */
function countSampleNames(names: readonly (readonly string[])[]): { name: string; samples: number }[] {
  const counts = new Map<string, number>()
  for (const list of names) for (const name of new Set(list)) counts.set(name, (counts.get(name) ?? 0) + 1)
  const sorted = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
  return sorted.slice(0, maxNames).map(([name, samples]) => ({ name, samples }))
}
