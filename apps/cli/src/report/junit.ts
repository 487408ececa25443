/** A report as JUnit XML, which every CI system shows: a test case a sample, failures with what differed. */
import type { ReportResult, ScoredSample } from '@stateeval/contracts'
import { partialText, whyOf } from './format.ts'

/** Escapes text; characters that XML 1.0 has no way to write are replaced. */
export const xml = (text: string) =>
  text
    .replace(
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      '\ufffd',
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

function testcase({ case: id, sample, score, notScored }: ScoredSample): string {
  const open = `    <testcase classname="${xml(id.split('/')[0] ?? id)}" name="${xml(`${id} sample ${sample}`)}"`
  if (!score) return `${open}><skipped message="${xml(notScored ?? 'not scored')}"/></testcase>`
  if (score.passed) return `${open}/>`
  const why = whyOf(score.evidence).join('\n')
  return `${open}><failure type="${xml(score.verdict)}" message="${xml(score.verdict)}">${xml(why)}</failure></testcase>`
}

export function reportJunit(result: ReportResult): string {
  const { samples, overall, notScored, model, digest, partial } = result
  const name = `${digest} ${model}${partial ? ` (partial: ${partialText(partial)})` : ''}`
  const counts = `tests="${samples.length}" failures="${overall.scored - overall.passed}" skipped="${notScored}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${xml(name)}" ${counts}>`,
    ...samples.map(testcase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}
