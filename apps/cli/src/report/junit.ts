/**
 * A report as JUnit XML, which every CI system shows: one test case per sample; failures list the
 * differences.
 */
import type { GateVerdict, Rate, ReportResult, ScoredSample } from '@stateeval/contracts'
import { describePartial, explainSample } from './format.ts'
import { replaceFieldNames } from './gate.ts'

/** Escapes text, and replaces characters that XML 1.0 cannot represent. */
export const escapeXml = (text: string) =>
  text
    .replace(
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      '\ufffd',
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

function formatTestCase({ case: id, sample, score, notScored }: ScoredSample): string {
  const open = `    <testcase classname="${escapeXml(id.split('/')[0] ?? id)}" name="${escapeXml(`${id} sample ${sample}`)}"`
  if (!score) return `${open}><skipped message="${escapeXml(notScored ?? 'not scored')}"/></testcase>`
  if (score.passed) return `${open}/>`
  const why = explainSample(score.evidence).join('\n')
  return `${open}><failure type="${escapeXml(score.verdict)}" message="${escapeXml(score.verdict)}">${escapeXml(why)}</failure></testcase>`
}

/** The checks of a gate as a separate suite, so that a CI system shows what failed and why. */
function formatGateSuite({ checks }: GateVerdict): string[] {
  const failures = checks.filter(({ passed }) => !passed).length
  return [
    `  <testsuite name="gate" tests="${checks.length}" failures="${failures}" errors="0" skipped="0">`,
    ...checks.map(({ name, passed, says }) => {
      const open = `    <testcase classname="gate" name="${name}"`
      if (passed) return `${open}/>`
      return `${open}><failure type="gate" message="${escapeXml(replaceFieldNames(says))}"/></testcase>`
    }),
    '  </testsuite>',
  ]
}

/** The rate with its ends if samples are skipped: a CI system shows these as neither passed nor failed. */
function formatBracketProperties({ rate, bracket }: Rate): string[] {
  if (!bracket) return []
  const [low, high] = bracket
  const figures = { pass_rate: rate, pass_rate_unscored_failed: low, pass_rate_unscored_passed: high }
  return [
    '    <properties>',
    ...Object.entries(figures).flatMap(([name, value]) =>
      value === null ? [] : [`      <property name="${name}" value="${value}"/>`],
    ),
    '    </properties>',
  ]
}

/** `gate` is absent if none was requested. */
export function formatReportJunit(result: ReportResult, gate?: GateVerdict): string {
  const { samples, overall, notScored, model, digest, partial } = result
  const name = `${digest} ${model}${partial ? ` (partial: ${describePartial(partial)})` : ''}`
  const failures = overall.scored - overall.passed
  const { checks = [] } = gate ?? {}
  const failedChecks = checks.filter(({ passed }) => !passed).length
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${samples.length + checks.length}" failures="${failures + failedChecks}" errors="0">`,
    ...(gate ? formatGateSuite(gate) : []),
    `  <testsuite name="${escapeXml(name)}" tests="${samples.length}" failures="${failures}" errors="0" skipped="${notScored}">`,
    ...formatBracketProperties(overall),
    ...samples.map(formatTestCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}
