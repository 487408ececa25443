/** docs/performance.md, made from perf/results/*.json. */
import type { BenchPart, BenchResult } from './result.ts'

const number = (value: number | undefined) =>
  value === undefined
    ? ''
    : Number.isInteger(value)
      ? String(value)
      : value.toFixed(Math.abs(value) < 10 ? 3 : 1)
const row = ({ name, unit, ours, peer, ratio, spread, aim }: BenchPart) =>
  `| ${[name, unit, number(ours), number(peer), number(ratio), number(spread), number(aim)].join(' | ')} |`

export const table = (parts: readonly BenchPart[]) =>
  [
    '| part | unit | ours | peer | ratio | spread | aim |',
    '| --- | --- | ---: | ---: | ---: | ---: | ---: |',
    ...parts.map(row),
  ].join('\n')

export function document(results: readonly BenchResult[]): string {
  const sections = results.map(({ name, about, commit, generatorVersion, machine, parts, notes }) =>
    [
      `## ${name}`,
      about,
      table(parts),
      ...(notes ? [notes] : []),
      `Measured at ${commit}${generatorVersion === undefined ? '' : `, version ${generatorVersion} of the generator,`} on ${machine}.`,
    ].join('\n\n'),
  )
  return [
    '# Performance',
    'Written by `npm run perf -- NAME` from `perf/results/*.json`. A ratio above 1 means that StateEval is ahead.',
    ...sections,
    '',
  ].join('\n\n')
}
