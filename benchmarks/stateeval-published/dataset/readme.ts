/** The data card of an imported set. */
import type { DatasetSet } from '@stateeval/program'
import type { PublishedCase } from '../case.ts'
import { type CaseFlag, meanings } from './flags.ts'

export function formatPublishedReadme(
  { options, statistics, counts }: DatasetSet['about'],
  cases: readonly PublishedCase[],
  warnings: readonly string[],
): string {
  const flagged = (Object.keys(meanings) as CaseFlag[]).flatMap((flag) => {
    const ids = cases.filter(({ task }) => task.flags.includes(flag)).map(({ id }) => id)
    return ids.length === 0 ? [] : [`- \`${flag}\` (${ids.length}): ${meanings[flag]}. ${ids.join(', ')}`]
  })
  return [
    '# StateEval, published cases',
    '',
    `${counts.kept} of ${counts.generated} cases, imported in the form in which the paper's authors published theirs.`,
    '',
    '| scenario | cases | APIs | with if/else |',
    '| --- | ---: | ---: | ---: |',
    ...statistics.map((one) => `| ${one.scenario} | ${one.cases} | ${one.apis} | ${one.branches} |`),
    '',
    '- `cases.jsonl`: one case a line, with its programs and what they left behind',
    '- `artifacts/<sha256>`: large tensors as safetensors',
    ...(flagged.length > 0 ? ['', '## Known weaknesses', '', ...flagged] : []),
    ...(warnings.length > 0
      ? ['', '## Findings of the import', '', ...warnings.map((says) => `- ${says}`)]
      : []),
    '',
    '## Sources, by SHA-256',
    '',
    ...Object.entries(options['sources'] as Record<string, string>).map(
      ([file, hash]) => `- ${file}: ${hash}`,
    ),
    '',
  ].join('\n')
}
