/**
 * How fresh cases are built: programs of scenarios become sequences of calls, a seeded sample of them the
 * set.
 */
import { type BuildOptions, type FilterCount, listCaseArtifacts } from '@stateeval/contracts'
import { type BenchmarkBuild, type BuiltPart, createRng } from '@stateeval/program'
import { type SolvedExample, formatNestfulCase, type NestfulCase } from '../case.ts'
import { measureDepth } from '../depth.ts'
import { callObjects } from '../player.ts'
import { formatPyJson } from '../python/value.ts'
import { version } from '../version.ts'
import { flow, explainUnfit } from './flow.ts'

type NestfulPart = BuiltPart<NestfulCase>
const shots = 3

export const build: BenchmarkBuild<NestfulCase> = {
  unfit: explainUnfit,
  flow,
  async assemble(parts, options, versions) {
    const samples = parts.map((part) => ({ part, cases: selectSample(part, options) }))
    const cases = samples.flatMap((one) => withExamples(one.cases, options))
    if (cases.length === 0) return null
    const ends = parts.flatMap((part) => part.ends)
    const about = {
      seed: options.seed,
      options: { ...options },
      versions: { 'benchmark nestful': version, ...versions },
      counts: {
        generated: ends.length,
        passed: ends.filter(({ status }) => status === 'passed').length,
        kept: cases.length,
      },
      filtered: parts.flatMap(filterCounts),
      statistics: samples.map(({ part, cases: list }) => computeNestfulStatistics(part, list)),
    }
    return {
      lines: cases.map(formatNestfulCase),
      artifacts: [...new Set(cases.flatMap(listCaseArtifacts))].sort(),
      about,
      readme: formatNestfulReadme(about, cases),
    }
  },
}

/** A seeded random sample of the cases that passed, in the order of generation. */
function selectSample(
  { scenario, ends }: NestfulPart,
  { keep, seed }: Pick<BuildOptions, 'keep' | 'seed'>,
): NestfulCase[] {
  const byId = new Map(
    ends.flatMap((end) => (end.status === 'passed' ? [[end.case.id, end.case] as const] : [])),
  )
  const cases = [...byId.values()]
  const places = new Set(createRng(`${seed}/sample/${scenario}`).sample([...cases.keys()], keep))
  return cases.filter((_, at) => places.has(at))
}

/** Each case brings solved cases of the set to show, never itself. */
function withExamples(cases: readonly NestfulCase[], { seed }: Pick<BuildOptions, 'seed'>): NestfulCase[] {
  return cases.map((c) => {
    const others = cases.filter(({ id }) => id !== c.id)
    const examples = createRng(`${seed}/examples/${c.id}`).sample(others, shots).map(createExample)
    return examples.length === 0 ? c : { ...c, task: { ...c.task, examples } }
  })
}
const createExample = ({ id, instruction, task }: NestfulCase): SolvedExample => ({
  input: instruction,
  output: `[${callObjects(task.calls).map(formatPyJson).join(', ')}]`,
  apis: [...new Set(task.calls.map(({ name }) => name))],
  case: id,
})

function filterCounts({ scenario, ends }: NestfulPart): FilterCount[] {
  const dropped = ends.flatMap((end) => (end.status === 'dropped' ? [end] : []))
  return [...Map.groupBy(dropped, ({ phase, reason }) => `${phase}/${reason}`)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, list]) => ({ scenario, phase: list[0]!.phase, reason: list[0]!.reason, count: list.length }))
}

function computeNestfulStatistics({ scenario }: NestfulPart, cases: readonly NestfulCase[]) {
  const rows = {
    calls: cases.map(({ task }) => task.calls.length),
    depth: cases.map(({ task }) => measureDepth(task.calls)),
  }
  return {
    scenario,
    cases: cases.length,
    apis: new Set(cases.flatMap(({ task }) => task.calls.map(({ name }) => name))).size,
    branches: 0,
    metrics: Object.fromEntries(
      Object.entries(rows)
        .filter(([, values]) => values.length > 0)
        .map(([name, values]) => [
          name,
          {
            mean: Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 1e6) / 1e6,
            min: Math.min(...values),
            max: Math.max(...values),
          },
        ]),
    ),
  }
}

function formatNestfulReadme(
  {
    seed,
    counts,
    filtered,
  }: {
    seed: string | number
    counts: { generated: number; passed: number; kept: number }
    filtered: readonly FilterCount[]
  },
  cases: readonly NestfulCase[],
): string {
  const depths = Map.groupBy(cases, ({ task }) => measureDepth(task.calls))
  return [
    '# Fresh NESTFUL cases',
    '',
    `${counts.kept} cases: a random sample of the ${counts.passed} that passed every filter, of ${counts.generated} generated programs.`,
    `Seed ${JSON.stringify(seed)}; the same seed, options and versions give the same bytes.`,
    '',
    '| nesting depth | cases |',
    '| ---: | ---: |',
    ...[...depths].sort(([a], [b]) => a - b).map(([depth, list]) => `| ${depth} | ${list.length} |`),
    '',
    ...filtered.map(
      ({ scenario, phase, reason, count }) => `- dropped of ${scenario} in ${phase}: ${count}, ${reason}`,
    ),
    '',
  ].join('\n')
}
