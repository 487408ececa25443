/** Limits of a gate's verdict, as sentences. */
import { canonicalJson, type GateComparison, type GateRequest, type ReportResult } from '@stateeval/contracts'
import { countFewestDrops } from '../statistics/least-effect.ts'
import type { SamplePairs } from './pairs.ts'
import { describeDetectable, countNoun } from './sentences.ts'

type NotedResult = Pick<ReportResult, 'options' | 'version'>

/** Notes if the baseline was made differently, or if the comparison has little power. */
export function listGateNotes(
  result: NotedResult,
  baseline: NotedResult,
  comparison: GateComparison,
  { unpaired, failed }: Pick<SamplePairs, 'unpaired' | 'failed'>,
  { significant = false, maxRegression = 0 }: Pick<GateRequest, 'significant' | 'maxRegression'>,
): string[] {
  const { difference, cases, alpha } = comparison
  const notes = [
    ...(failed === 0
      ? []
      : [
          `${countNoun(failed, 'sample')} without a score ${failed === 1 ? 'counts' : 'count'} as failed; with \`unscored\` excluded ${failed === 1 ? 'it is' : 'they are'} not compared.`,
        ]),
    ...describeLeftOut(unpaired.evaluation, '', 'the baseline'),
    ...describeLeftOut(unpaired.baseline, ' of the baseline', 'this evaluation'),
  ]
  const changes = describeOptionChanges(result.options, baseline.options)
  if (changes.length > 0) notes.push(`The baseline was evaluated with other options: ${changes.join(', ')}.`)
  if (baseline.version !== result.version)
    notes.push(
      `The baseline was scored by version ${baseline.version}, this evaluation by ${result.version}: a difference may come from scoring.`,
    )
  if (significant && cases < countFewestDrops(alpha))
    notes.push(`This gate cannot fail. ${describeDetectable(comparison)}`)
  if (!significant && difference !== null && -difference > maxRegression && !comparison.significant)
    notes.push(
      'The drop is not statistically significant, so it may be chance; with `significant` it would not fail the gate.',
    )
  return notes
}

/** Describes samples that are not compared, because the other evaluation did not score them. */
const describeLeftOut = (count: number, of: string, other: string) =>
  count === 0
    ? []
    : [
        `${countNoun(count, 'scored sample')}${of} ${count === 1 ? 'has' : 'have'} no scored counterpart in ${other} and ${count === 1 ? 'is' : 'are'} not compared.`,
      ]

/** `samples 5 (here 1)`, by name. */
function describeOptionChanges(here: ReportResult['options'], there: ReportResult['options']): string[] {
  const names = [...new Set([...Object.keys(here), ...Object.keys(there)])].sort()
  const text = (value: unknown) => (typeof value === 'string' ? value : canonicalJson(value ?? 'none'))
  return names
    .filter((name) => canonicalJson(here[name] ?? null) !== canonicalJson(there[name] ?? null))
    .map((name) => `${name} ${text(there[name])} (here ${text(here[name])})`)
}
