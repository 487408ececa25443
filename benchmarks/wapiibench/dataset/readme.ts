/** The data card of an imported set. */
import type { DatasetSet } from '@stateeval/program'
import type { WapiiCase } from '../case.ts'

const methods = ['post', 'get', 'put', 'delete', 'patch']

/** With the paper's Table I as the data have it. */
export function formatTasksReadme(
  { options, statistics }: DatasetSet['about'],
  cases: readonly WapiiCase[],
  source: string,
): string {
  const row = (name: string, members: readonly WapiiCase[]) =>
    `| ${[name, members.length, ...methods.map((method) => members.filter(({ task }) => task.config.method === method).length)].join(' | ')} |`
  return [
    '# WAPIIBench',
    '',
    `${cases.length} tasks of ${statistics.length} web API${statistics.length > 1 ? 's' : ''}, ${source}.`,
    '',
    `| API | tasks | ${methods.map((method) => method.toUpperCase()).join(' | ')} |`,
    `| --- | ---: | ${methods.map(() => '---:').join(' | ')} |`,
    ...statistics.map(({ scenario }) =>
      row(
        scenario,
        cases.filter(({ task }) => task.api === scenario),
      ),
    ),
    row('all', cases),
    '',
    '- `cases.jsonl`: one task a line, with the request that solves it',
    '- `artifacts/<sha256>`: the specifications, as far as requests are judged by them',
    '',
    'Sources, by SHA-256:',
    '',
    ...Object.entries(options['sources'] as Record<string, string>).map(
      ([file, hash]) => `- ${file}: ${hash}`,
    ),
    '',
  ].join('\n')
}
