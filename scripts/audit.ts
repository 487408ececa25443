/**
 * Fails where the registry knows of a vulnerability, high or critical, in a locked package. Ends with 77, as
 * skipped, where the registry answers no such question or can't be reached.
 */
import { spawnSync } from 'node:child_process'
import { root } from './generated.ts'

type Audit = { outcome: 'fine' } | { outcome: 'skipped' | 'vulnerable'; says: string }

interface AuditReport {
  vulnerabilities?: Record<string, { severity: string; via: (string | { title: string; url: string })[] }>
}

/** Reads the output of `npm audit --json`. Anything but a report means that nothing was audited. */
export function readAudit(printed: string): Audit {
  let report: AuditReport = {}
  try {
    report = JSON.parse(printed) as AuditReport
  } catch {
    // Handled as a report without the member.
  }
  if (report.vulnerabilities === undefined)
    return { outcome: 'skipped', says: 'the registry answers no audit (`npm audit` tells more)' }
  const severe = Object.entries(report.vulnerabilities).flatMap(([name, { severity, via }]) => {
    const reasons = via.map((one) =>
      typeof one === 'string' ? `through ${one}` : `${one.title} (${one.url})`,
    )
    return ['high', 'critical'].includes(severity) ? [`${name} (${severity}): ${reasons.join('; ')}`] : []
  })
  return severe.length > 0 ? { outcome: 'vulnerable', says: severe.join('\n') } : { outcome: 'fine' }
}

if (import.meta.main) {
  const options = ['audit', '--json', '--fetch-retries=0', '--fetch-timeout=60000']
  const { stdout } = spawnSync('npm', options, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    timeout: 120_000,
  })
  const audit = readAudit(stdout ?? '')
  if (audit.outcome !== 'fine')
    console.log(audit.outcome === 'skipped' ? `skipped: ${audit.says}` : audit.says)
  process.exitCode = { fine: 0, vulnerable: 1, skipped: 77 }[audit.outcome]
}
