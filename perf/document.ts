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

const width = 120

/** The text with lines of at most 120 characters, as on the other pages. Table rows and code stay whole. */
function wrapped(text: string): string {
  const lines: string[] = []
  let isList = false
  for (const line of text.split('\n')) {
    const start = /^ *- /.exec(line)?.[0] ?? ''
    // Otherwise the paragraph would continue the last entry of the list.
    if (isList && start === '' && line !== '') lines.push('')
    isList = start !== ''
    if (line.length <= width || line.startsWith('|')) {
      lines.push(line)
      continue
    }
    let current = start.trimEnd()
    for (const word of line.slice(start.length).match(/(?:`[^`]*`|\S)+/g) ?? []) {
      if (current !== '' && current.length + 1 + word.length > width) {
        lines.push(current)
        current = `${' '.repeat(start.length)}${word}`
      } else current = current === '' ? word : `${current} ${word}`
    }
    lines.push(current)
  }
  return lines.join('\n')
}

export function document(results: readonly BenchResult[]): string {
  const sections = results.map(({ name, about, commit, generatorVersion, machine, parts, notes }) =>
    [
      `## ${name}`,
      wrapped(about),
      table(parts),
      ...(notes ? [wrapped(notes)] : []),
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
