/** The data card of an imported set, with the paper's Table 3 as the data have it. */
import type { DatasetSet } from '@stateeval/program'
import { getPaperRow } from '../creation/composition.ts'

export function formatComplexReadme({ options, statistics }: DatasetSet['about']): string {
  const cases = statistics.reduce((sum, one) => sum + one.cases, 0)
  const mean = (key: 'steps' | 'calls') =>
    statistics.reduce((sum, one) => sum + (one.metrics[key]?.mean ?? 0) * one.cases, 0) / cases
  return [
    '# ComplexFuncBench',
    '',
    `${cases} conversations in the published format.`,
    '',
    '| domain | samples | steps | calls | steps (paper) | calls (paper) |',
    '| --- | ---: | ---: | ---: | ---: | ---: |',
    ...statistics.map(({ scenario, cases: count, metrics }) => {
      const paper = getPaperRow(scenario)
      const published = paper ? `${paper.steps.toFixed(2)} | ${paper.calls.toFixed(2)}` : '– | –'
      return `| ${scenario} | ${count} | ${metrics['steps']?.mean.toFixed(2)} | ${metrics['calls']?.mean.toFixed(2)} | ${published} |`
    }),
    `| all | ${cases} | ${mean('steps').toFixed(2)} | ${mean('calls').toFixed(2)} | 3.26 | 5.07 |`,
    '',
    ...(typeof options['marked'] === 'number'
      ? [
          `${options['marked']} of them have a golden call that its function’s schema refuses. They are kept as published, and marked: under \`published\`, they have no reference.`,
          '',
        ]
      : []),
    '- `cases.jsonl`: one case a line: query and golden calls',
    '- `artifacts/<sha256>`: the published line of each case',
    '',
    'Sources, by SHA-256:',
    '',
    ...Object.entries(options['sources'] as Record<string, string>).map(
      ([file, hash]) => `- ${file}: ${hash}`,
    ),
    '',
  ].join('\n')
}
