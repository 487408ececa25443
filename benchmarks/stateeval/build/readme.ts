/** The data card of a set. */
import { canonicalJson, type Manifest } from '@stateeval/contracts'

/** The data card. It stands in the manifest by its hash, so it can't hold the digest. */
export function formatDataCard(parts: Omit<Manifest, 'schema' | 'digest' | 'files'>): string {
  const { kind, versions, seed, options, counts, filtered, statistics } = parts
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
    `# A ${kind} benchmark`,
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
