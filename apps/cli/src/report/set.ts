/** The origin and statistics of a set of test cases, as in the paper's Table I. */
import {
  type BenchmarkResource,
  type FilterCount,
  formatScenarioName,
  type Manifest,
  type SetStatistics,
} from '@stateeval/contracts'
import { formatTable } from '../terminal.ts'
import { formatShare, formatPlural, splitWords } from './format.ts'

const formatNumber = (value: number) => (Number.isInteger(value) ? String(value) : value.toFixed(2))

function formatSetHead({
  id,
  manifest,
  origin,
  reviewed,
}: BenchmarkResource & { manifest: Manifest }): string {
  const { generated, passed, kept, filteredShare } = manifest.counts
  if (origin === 'import') return `Benchmark ${id}: ${formatPlural(kept, 'case')}, imported.`
  const follows = reviewed === undefined ? '' : ` It follows the review decisions about ${reviewed}.`
  return filteredShare === undefined
    ? `Benchmark ${id}: ${formatPlural(generated, 'program')} generated, ${passed} passed every filter, ${kept} kept.${follows}`
    : `Benchmark ${id}: ${formatPlural(generated, 'task')} asked for, ${kept} passed every check, ${formatShare(filteredShare)} filtered.${follows}`
}

/** Names the scenario where there are several. */
function filterTable(filters: readonly FilterCount[], unit: string, scenarios: number): string {
  const several = scenarios > 1
  return formatTable(
    [...(several ? ['scenario'] : []), 'filtered in', 'because', unit],
    filters.map(({ scenario, phase, reason, count }) => [
      ...(several ? [formatScenarioName(scenario)] : []),
      phase,
      reason,
      count,
    ]),
  )
}

function formatCoverage({ atc, atcFeasible, feasible }: SetStatistics): string {
  if (atc === undefined) return ''
  const ofFeasible =
    atcFeasible === undefined ? '' : ` and ${formatShare(atcFeasible)} of the ${feasible} feasible ones`
  return `, transitions cover ${formatShare(atc)} of all pairs of APIs${ofFeasible}`
}

function formatScenario(set: SetStatistics): string {
  const title = `${formatScenarioName(set.scenario)}: ${formatPlural(set.cases, 'case')}, ${set.branches} with an if/else, ${formatPlural(set.apis, 'API')}${formatCoverage(set)}`
  const rows = Object.entries(set.metrics).map(([name, { mean, min, max }]) => [
    splitWords(name),
    formatNumber(mean),
    formatNumber(min),
    formatNumber(max),
  ])
  return rows.length === 0 ? title : `${title}\n${formatTable(['per case', 'mean', 'least', 'most'], rows)}`
}

/** Formats statistics of tasks for one API or several: a line each. */
const formatStatisticsParts = (parts: readonly SetStatistics[]) =>
  formatTable(
    ['part', 'tasks', 'endpoints'],
    parts.map(({ scenario, cases, apis }) => [formatScenarioName(scenario), cases, apis]),
  )

/** Sections of text; only the id if there is no set. */
export function setText(benchmark: BenchmarkResource): string[] {
  const { id, manifest, warnings = [] } = benchmark
  if (!manifest) return [id]
  const { filtered, statistics, counts } = manifest
  const fromTasks = counts.filteredShare !== undefined
  const scenarios = new Set([...statistics, ...filtered].map(({ scenario }) => scenario)).size
  const ofTasks = statistics.every(({ metrics }) => Object.keys(metrics).length === 0)
  return [
    formatSetHead({ ...benchmark, manifest }),
    ...(filtered.length > 0 ? [filterTable(filtered, fromTasks ? 'endpoints' : 'programs', scenarios)] : []),
    ...(fromTasks || statistics.length === 0
      ? []
      : ofTasks
        ? [formatStatisticsParts(statistics)]
        : statistics.map(formatScenario)),
    ...(warnings.length > 0
      ? [['Imported unchanged, although irregular:', ...warnings.map((warning) => `  ${warning}`)].join('\n')]
      : []),
  ]
}
