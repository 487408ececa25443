/** The data card of an imported set. */
import type { DatasetSet } from '@stateeval/program'
import type { NestfulCase } from '../case.ts'
import { measureDepth } from '../depth.ts'

export function formatNestfulDataReadme(
  { options, statistics }: DatasetSet['about'],
  cases: readonly NestfulCase[],
): string {
  const row = (name: string, members: readonly NestfulCase[]) => {
    const calls = members.reduce((sum, { task }) => sum + task.calls.length, 0)
    const depths = members.map(({ task }) => measureDepth(task.calls))
    const cells = [
      name,
      members.length,
      calls,
      Math.max(0, ...depths),
      members.filter(({ task }) => task.passable).length,
      members.filter(({ task }) => task.gold !== undefined).length,
      members.filter(({ task }) => task.faults.length > 0).length,
    ]
    return `| ${cells.join(' | ')} |`
  }
  return [
    '# NESTFUL',
    '',
    `${cases.length} samples, imported from the published data (IBM/NESTFUL, Apache-2.0).`,
    '',
    '| part | samples | calls | deepest nesting | served by the mock | gold answers | with contradictions |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...statistics.map(({ scenario }) =>
      row(
        scenario,
        cases.filter(({ group }) => group === scenario),
      ),
    ),
    row('all', cases),
    '',
    '- `cases.jsonl`: one sample a line, with its gold calls and what of it contradicts its specification',
    '- `artifacts/<sha256>`: API specifications, and examples for prompts',
    '',
    'Sources, by SHA-256:',
    '',
    ...Object.entries(options['sources'] as Record<string, string>).map(
      ([file, hash]) => `- ${file}: ${hash}`,
    ),
    '',
  ].join('\n')
}
