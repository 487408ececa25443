/** A comparison as tables for a terminal, each with a summary in two sentences. */
import type { ComparedPair, ComparisonResource, OverCases } from '@stateeval/contracts'
import { findPresentation } from '../suite/kinds.ts'
import { type TerminalColors, formatTable } from '../terminal.ts'
import { formatPercent, formatInterval, formatShare, formatRate, splitWords } from './format.ts'
import { formatEstimate } from './samples.ts'
import { formatSection } from './sections.ts'

export const formatSmallP = (p: number) => (p < 0.0001 ? p.toExponential(1) : p.toFixed(4))
const formatSigned = (value: number | null) =>
  value === null ? '–' : `${value > 0 ? '+' : ''}${formatPercent(value)} %`

function formatComparedModels({ comparison: { models } }: ComparisonResource): string {
  const ks = [...new Set(models.flatMap(({ passAtK }) => passAtK.map(({ k }) => k)))]
    .filter((k) => k > 1)
    .sort((a, b) => a - b)
  const columns =
    ks.length > 3 ? [ks[0] as number, ks[Math.floor(ks.length / 2)] as number, ks.at(-1) as number] : ks
  const of = (list: readonly OverCases[], k: number) => formatEstimate(list.find((one) => one.k === k))
  return formatTable(
    ['model', 'passed', 'rate', '95 % interval', ...columns.flatMap((k) => [`pass@${k}`, `pass^${k}`])],
    models.map((model) => [
      model.name,
      `${model.passed}/${model.samples}`,
      formatRate(model),
      formatInterval(model.interval),
      ...columns.flatMap((k) => [of(model.passAtK, k), of(model.passAllK, k)]),
    ]),
  )
}

/** With fewer cases nothing is significant: the smallest n with 2^(1-n) < alpha, corrected for all pairs. */
const countFewestCases = (alpha: number, pairs: readonly ComparedPair[]) =>
  Math.floor(1 - Math.log2(alpha / Math.max(1, pairs.length))) + 1

const buildPairHead = (alpha: number) => [
  'cases',
  'difference',
  '95 % interval',
  'better in',
  'p',
  'corrected',
  `below ${alpha}`,
  'least shown',
]
const buildPairRow = (pair: ComparedPair, fewest: number, pc: TerminalColors) => [
  `${pair.a} – ${pair.b}`,
  pair.cases,
  formatSigned(pair.difference),
  pair.interval === null ? '' : `${formatSigned(pair.interval[0])} to ${formatSigned(pair.interval[1])}`,
  `${pair.betterA} : ${pair.betterB}`,
  formatSmallP(pair.p),
  formatSmallP(pair.adjusted),
  pair.significant ? pc.bold('yes') : 'no',
  pair.cases < fewest ? `too few cases (${fewest} needed)` : formatShare(pair.leastDifference),
]

/** Passing by each policy, for kinds with several. */
const formatPolicyTables = (
  { policies = {}, comparison }: ComparisonResource,
  pc: TerminalColors,
): string[] =>
  Object.entries(policies).map(([policy, pairs]) =>
    formatTable(
      [`by the policy ${policy}`, ...buildPairHead(comparison.alpha)],
      pairs.map((pair) => buildPairRow(pair, countFewestCases(comparison.alpha, pairs), pc)),
    ),
  )

const roundFigure = (value: number) => String(Math.round(value * 1e4) / 1e4)
/** Measures of samples besides the verdict. */
const measureTables = ({ measures = [] }: ComparisonResource): string[] =>
  measures.length === 0
    ? []
    : [
        formatTable(
          ['measure', 'pair', 'cases', 'means', 'difference', '95 % interval', 'higher in'],
          measures.map((one) => [
            splitWords(one.measure),
            `${one.a} – ${one.b}`,
            one.cases,
            one.means.map(roundFigure).join(' – '),
            roundFigure(one.difference),
            one.interval === null ? '' : one.interval.map(roundFigure).join(' to '),
            `${one.higherA} : ${one.higherB}`,
          ]),
        ),
      ]

/** Rates of several evaluations, each with its bracket. */
const formatRates = ({
  rates,
  brackets = [],
}: Pick<ComparisonResource['groups'][string][number], 'rates' | 'brackets'>) =>
  rates.map((rate, n) => formatRate({ rate, bracket: brackets[n] ?? null }))

function formatComparedGroups({ comparison, groups }: ComparisonResource): string[] {
  return Object.entries(groups).flatMap(([dimension, members]) =>
    members.length < 2
      ? []
      : [
          formatTable(
            [splitWords(dimension), ...comparison.models.map(({ name }) => name)],
            members.map(({ name, scenario, ...rates }) => [
              scenario === undefined ? name : `${scenario} ${name}`,
              ...formatRates(rates),
            ]),
          ),
        ],
  )
}

/** Formats the effort of each evaluation; comparisons of earlier versions don't say. */
function formatEffort({ evaluations }: ComparisonResource): string[] {
  const rows = evaluations.flatMap(({ name, effort: spent }) =>
    spent
      ? [[name, spent.requests, spent.promptTokens, spent.completionTokens, spent.seconds.toFixed(1)]]
      : [],
  )
  return rows.length === 0
    ? []
    : [formatTable(['effort', 'answers', 'prompt tokens', 'completion tokens', 'seconds'], rows)]
}

const maxCases = 15
/** Lists which cases pass where, if that differs. */
function formatDiffering({
  comparison: { models: all },
  differing: cases = [],
}: ComparisonResource): string[] {
  if (cases.length === 0) return []
  const more = cases.length - maxCases
  return [
    [
      formatTable(
        ['case', ...all.map(({ name }) => name)],
        cases.slice(0, maxCases).map((one) => [one.case, ...formatRates(one)]),
      ),
      ...(more > 0 ? [`  … and ${more} more; --json has them`] : []),
    ].join('\n'),
  ]
}

/** Sections that the benchmark's kind adds; comparisons of earlier versions don't name it. */
const formatComparisonSections = (resource: ComparisonResource) =>
  (findPresentation(resource.kind ?? '')?.comparisonSections?.(resource) ?? []).map(formatSection)

/** Returns text without a final line break. */
export function formatComparison(resource: ComparisonResource, pc: TerminalColors): string {
  const { comparison, evaluations, digest } = resource
  const { explanations, pairs, alpha } = comparison
  const tests = [...new Set(pairs.map(({ test }) => (test === 'mcnemar' ? 'mcNemar' : 'signFlip')))]
  const explained = (...names: string[]) =>
    names.flatMap((name) => (explanations[name] ? [pc.dim(explanations[name])] : []))
  const unscored = evaluations
    .filter(({ notScored }) => notScored > 0)
    .map(({ name, notScored }) => `${name}: ${notScored}`)
  return [
    `${pc.bold('Comparison')} ${resource.id} on benchmark ${digest.slice(0, 12)}`,
    [
      formatComparedModels(resource),
      // Comparisons of earlier versions don't say: theirs is the bootstrap.
      ...explained(
        ...new Set(comparison.models.map(({ method }) => method ?? 'clustered')),
        ...(comparison.models.some(({ passAtK }) => passAtK.length > 1) ? ['passAtK', 'passAllK'] : []),
        ...(comparison.models.some(({ bracket }) => bracket) ? ['bracket'] : []),
      ),
    ].join('\n'),
    [
      formatTable(
        ['pair', ...buildPairHead(alpha)],
        pairs.map((pair) => buildPairRow(pair, countFewestCases(alpha, pairs), pc)),
      ),
      ...explained('difference', ...tests, 'holm', 'leastDifference'),
    ].join('\n'),
    ...formatPolicyTables(resource, pc),
    ...measureTables(resource),
    ...formatEffort(resource),
    ...formatComparedGroups(resource),
    ...formatDiffering(resource),
    ...formatComparisonSections(resource),
    ...(unscored.length
      ? [
          pc.yellow(
            `Not scored, and in no rate, only in the brackets: ${unscored.join(', ')}. Each report says why.`,
          ),
        ]
      : []),
  ].join('\n\n')
}
