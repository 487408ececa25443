/** A benchmark set from its programs' outcomes: what is kept, what was filtered and why, and the folder's files. Pure. */
import {
  type BuildOptions,
  type Case,
  type FilterCount,
  type Manifest,
  type SetStatistics,
  canonicalJson,
  contentId,
  sha256,
} from '@stateeval/contracts'
import { adjacentPairs, createRng, writtenSteps, isCall } from '@stateeval/program'
import type { ProgramOutcome } from './program-flow.ts'

/** Outcomes in the order of generation, with the counts of what the generation itself drew again. */
export interface ScenarioOutcomes {
  scenario: string
  outcomes: readonly ProgramOutcome[]
  drawnAgain: Readonly<Record<string, number>>
  /** APIs that could be called. */
  apis: number
  /** Pairs of neighbouring calls that some program can hold; absent where a generation was made before they were counted. */
  feasible?: number | undefined
}

/** A seeded random sample of the cases that passed, in the order of generation. */
export function keep(
  { scenario, outcomes }: ScenarioOutcomes,
  { keep: count, seed }: Pick<BuildOptions, 'keep' | 'seed'>,
): Case[] {
  const passed = outcomes.flatMap((outcome) => (outcome.status === 'passed' ? [outcome.case] : []))
  const chosen = new Set(
    createRng(`${seed}/sample/${scenario}`).sample(
      passed.map((_, index) => index),
      count,
    ),
  )
  return passed.filter((_, index) => chosen.has(index))
}

export function filterCounts({ scenario, outcomes, drawnAgain }: ScenarioOutcomes): FilterCount[] {
  const counts = new Map<string, FilterCount>()
  for (const outcome of outcomes) {
    if (outcome.status !== 'dropped') continue
    const { phase, reason } = outcome
    const key = `${phase}/${reason}`
    counts.set(key, { scenario, phase, reason, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  const generation = Object.entries(drawnAgain).flatMap(([reason, count]) =>
    count > 0 ? [{ scenario, phase: 'generate', reason: reason.replaceAll('_', ' '), count }] : [],
  )
  return [
    ...generation,
    ...[...counts.values()].sort((a, b) => (`${a.phase}/${a.reason}` < `${b.phase}/${b.reason}` ? -1 : 1)),
  ]
}

const rounded = (value: number) => Math.round(value * 1e6) / 1e6

/** A set's row of the paper's Table I. */
export function statisticsOf(
  { scenario, apis, feasible }: Pick<ScenarioOutcomes, 'scenario' | 'apis' | 'feasible'>,
  cases: readonly Case[],
): SetStatistics {
  const names = [...new Set(cases.flatMap(({ metrics }) => Object.keys(metrics)))].sort()
  const metrics = names.map((name) => {
    const values = cases.flatMap(({ metrics: all }) => all[name] ?? [])
    return [
      name,
      {
        mean: rounded(values.reduce((sum, value) => sum + value, 0) / values.length),
        min: Math.min(...values),
        max: Math.max(...values),
      },
    ] as const
  })
  const called = new Set(
    cases.flatMap(({ program }) =>
      writtenSteps(program)
        .filter(isCall)
        .map(({ api }) => api),
    ),
  )
  const pairs = new Set(cases.flatMap(({ program }) => adjacentPairs(program)))
  return {
    scenario,
    cases: cases.length,
    apis: called.size,
    branches: cases.filter(({ program }) => program.branch).length,
    metrics: Object.fromEntries(metrics),
    atc: rounded(pairs.size / apis ** 2),
    ...(feasible && { feasible, atcFeasible: rounded(pairs.size / feasible) }),
  }
}

/** The line of cases.jsonl. */
export const lineOf = (c: Case) => canonicalJson(c)
export const casesFile = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')
/** manifest.json as it stands in the folder. */
export const manifestFile = (manifest: Manifest) =>
  `${JSON.stringify(JSON.parse(canonicalJson(manifest)), null, 2)}\n`

/** @param artifacts what the cases name, by hash: each is a file of the folder. */
export function manifestOf(
  parts: Omit<Manifest, 'schema' | 'id' | 'files'>,
  files: Readonly<Record<string, string>>,
  artifacts: readonly string[] = [],
): Manifest {
  const rest = {
    schema: 1 as const,
    ...parts,
    files: Object.fromEntries([
      ...Object.entries(files).map(([name, text]) => [name, sha256(text)]),
      ...artifacts.map((hash) => [`artifacts/${hash}`, hash]),
    ]) as Record<string, string>,
  }
  return { ...rest, id: contentId(rest) }
}

/** The id that a manifest should have. */
export function idOf({ id: _, ...rest }: Manifest): string {
  return contentId(rest)
}

/** The data card. It stands in the manifest by its hash, so it can't hold the id. */
export function readmeOf(parts: Omit<Manifest, 'schema' | 'id' | 'files'>): string {
  const { benchmark, versions, seed, options, counts, filtered, statistics } = parts
  const rows = statistics.flatMap(
    ({ scenario, cases, apis, branches, atc, feasible, atcFeasible, metrics }) => [
      `| ${scenario} | cases | ${cases} | | |`,
      `| ${scenario} | cases with an if/else | ${branches} | | |`,
      `| ${scenario} | APIs called | ${apis} | | |`,
      `| ${scenario} | adjacent transition coverage | ${atc ?? ''} | | |`,
      ...(feasible
        ? [
            `| ${scenario} | adjacent transition coverage, of the ${feasible} feasible pairs | ${atcFeasible ?? ''} | | |`,
          ]
        : []),
      ...Object.entries(metrics).map(
        ([name, { mean, min, max }]) => `| ${scenario} | ${name} | ${mean} | ${min} | ${max} |`,
      ),
    ],
  )
  return [
    `# A ${benchmark} benchmark`,
    '',
    `${counts.kept} test cases: a random sample of the ${counts.passed} that passed every filter, of ${counts.generated} generated programs.`,
    `Seed ${JSON.stringify(seed)}; the same seed, options and versions give the same bytes.`,
    '',
    '- `manifest.json`: versions, options, statistics, the SHA-256 of each file; its id is the hash of its own contents',
    '- `cases.jsonl`: one test case a line: instruction, variables, program, oracles',
    '- `artifacts/`: initial values that cases name by SHA-256, such as tensors (safetensors); not in every set',
    '',
    `Versions: ${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')}. Options: \`${canonicalJson(options)}\`.`,
    '',
    '## Statistics',
    '',
    '| scenario | metric | mean | min | max |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
    '## What was filtered, and why',
    '',
    ...(filtered.length === 0
      ? ['Nothing.']
      : [
          '| scenario | phase | reason | programs |',
          '| --- | --- | --- | --- |',
          ...filtered.map(
            ({ scenario, phase, reason, count }) => `| ${scenario} | ${phase} | ${reason} | ${count} |`,
          ),
        ]),
    '',
  ].join('\n')
}
