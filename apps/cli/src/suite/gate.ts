/** The gate of a command: its options, the request to the service, and the files for a pipeline. */
import { writeFile } from 'node:fs/promises'
import { ServiceError } from '@stateeval/client'
import type { GateRequest, GateVerdict, Report } from '@stateeval/contracts'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type ExitCode, Failure } from '../command.ts'
import { formatGate } from '../report/gate.ts'
import { formatReportJunit } from '../report/junit.ts'
import { formatReportMarkdown } from '../report/markdown.ts'
import type { CommandTerminal } from '../terminal.ts'
import { connectEvaluation } from './index.ts'
import { parseShare } from './options.ts'

type UnscoredLimit = Pick<GateRequest, 'maxUnscored' | 'maxUnscoredShare'>

export interface GateCommand {
  gate?: number
  baseline?: string
  maxRegression?: number
  significant?: true
  maxUnscored?: UnscoredLimit
  allowUnscored?: true
  unscored?: NonNullable<GateRequest['unscored']>
  markdown?: string
  junit?: string
}

export const addGateOptions = (command: Command) =>
  command
    .option(
      '--gate <share>',
      'exit with 1 if the pass rate is lower (80%) or a sample has no score',
      parseShare,
    )
    .option('--baseline <evaluation>', 'compare with an earlier evaluation of the same benchmark')
    .option(
      '--max-regression <points>',
      'with --baseline: exit with 1 if the pass rate drops by more (2pt)',
      parsePoints,
    )
    .option('--significant', 'with --baseline: a drop fails the gate only if it is statistically significant')
    .option(
      '--max-unscored <limit>',
      'exit with 1 if more samples have no score: a number (3) or a share (1%); default 0',
      parseUnscoredLimit,
    )
    .option(
      '--allow-unscored',
      'samples without a score never fail the gate: any number may have none, and the rates exclude them',
    )
    .addOption(
      new Option(
        '--unscored <how>',
        'what samples without a score count as in the rates of the gate (default: failed)',
      ).choices(['failed', 'excluded']),
    )
    .option('--markdown <file>', 'write a summary for a pull request')
    .option('--junit <file>', 'write the report as JUnit XML, with the gate as a test suite')

/** `2pt`, `2.5pt`, or the share 0.02. */
export function parsePoints(text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?) ?(pt|pp)?$/.exec(text.trim()) ?? []
  const value = unit === undefined ? Number(number) : Number(number) / 100
  if (number === undefined || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError('use percentage points from 0pt to 100pt, such as 2pt')
  return value
}

/** A whole number of samples, or a share as a percentage. */
export function parseUnscoredLimit(text: string): UnscoredLimit {
  if (/^\d{1,8}$/.test(text)) return { maxUnscored: Number(text) }
  if (/^\d+(\.\d+)?%$/.test(text) && Number(text.slice(0, -1)) <= 100)
    return { maxUnscoredShare: Number(text.slice(0, -1)) / 100 }
  throw new InvalidArgumentError('use a number of samples, such as 3, or a percentage, such as 1%')
}

/** The options as a request; null without a gate. @throws Failure if an option is missing */
export function buildGateRequest(options: GateCommand): GateRequest | null {
  const { gate, baseline, maxRegression, significant, maxUnscored, allowUnscored, unscored } = options
  if (baseline === undefined && maxRegression !== undefined)
    throw new Failure('--max-regression needs --baseline EVALUATION, the evaluation to compare with.')
  if (baseline === undefined && significant)
    throw new Failure('--significant needs --baseline EVALUATION, the evaluation to compare with.')
  if (baseline !== undefined && maxRegression === undefined && !significant)
    throw new Failure(
      '--baseline needs a rule: add --max-regression 2pt, --significant, or both (a drop of more than 2 points that is significant).',
    )
  if (maxUnscored && allowUnscored)
    throw new Failure('--max-unscored and --allow-unscored contradict each other. Give one of them.')
  if (unscored === 'failed' && allowUnscored)
    throw new Failure('--unscored failed and --allow-unscored contradict each other. Give one of them.')
  if (gate === undefined && baseline === undefined && maxUnscored === undefined) return null
  return {
    ...(gate !== undefined && { minRate: gate }),
    ...(baseline !== undefined && { baseline }),
    ...(maxRegression !== undefined && { maxRegression }),
    ...(significant && { significant }),
    ...(allowUnscored ? { maxUnscoredShare: 1, unscored: 'excluded' } : maxUnscored),
    ...(unscored && { unscored }),
  }
}

/**
 * Checks that the baseline can be compared with, before the evaluation costs anything. @throws Failure with
 * the remedy
 */
export async function checkBaseline(
  { baseline, policy }: GateCommand & { policy?: string },
  benchmark: string,
): Promise<void> {
  if (baseline === undefined) return
  const client = connectEvaluation()
  const resource = await client.getEvaluation({ params: { id: baseline } }).catch((error: unknown) => {
    if (error instanceof ServiceError) throw new Failure(`--baseline ${baseline}: ${error.problem.detail}`)
    throw error
  })
  if (resource.status !== 'succeeded')
    throw new Failure(
      `The baseline ${baseline} has no report to compare with: its status is ${resource.status}. Name one that has succeeded (npx stateeval list evaluations), or continue it: npx stateeval resume ${baseline}`,
    )
  const theirs = resource.options.policy
  // Without a policy in the request, only the service knows which it is.
  if (policy !== undefined && theirs !== undefined && policy !== theirs)
    throw new Failure(
      `The baseline ${baseline} is judged by the policy ${theirs}, not ${policy}. Add --policy ${theirs}, or name another evaluation with --baseline.`,
    )
  const { manifest } = await client.getBenchmark({ params: { id: benchmark } })
  if (manifest && manifest.digest !== resource.digest)
    throw new Failure(
      `The baseline ${baseline} is of another benchmark: ${resource.benchmark} (digest ${resource.digest.slice(0, 12)}), not ${benchmark} (digest ${manifest.digest.slice(0, 12)}), and has other cases. Name an evaluation of this benchmark with --baseline: npx stateeval list evaluations`,
    )
}

/** The service's verdict; undefined if the options define no gate. */
export async function askGate(id: string, options: GateCommand): Promise<GateVerdict | undefined> {
  const body = buildGateRequest(options)
  return body === null ? undefined : connectEvaluation().checkGate({ params: { id }, body })
}

/** Writes the requested files. @throws Failure if one cannot be written */
export async function writeSummaries(
  { markdown, junit }: GateCommand,
  report: Report,
  gate: GateVerdict | undefined,
): Promise<void> {
  const write = (option: string, file: string, text: string) =>
    writeFile(file, text).catch((error: Error) => {
      throw new Failure(`${option} ${file} can't be written: ${error.message}. Name another file.`)
    })
  if (markdown !== undefined) await write('--markdown', markdown, formatReportMarkdown(report, gate))
  if (junit !== undefined) await write('--junit', junit, formatReportJunit(report.result, gate))
}

/**
 * Prints the verdict next to the result. A failed gate is printed with --json, too, because it ends the
 * pipeline.
 */
export function printGate(gate: GateVerdict | undefined, terminal: CommandTerminal): ExitCode {
  if (!gate) return 0
  const tell = gate.passed ? terminal.step : terminal.notice
  tell(formatGate(gate))
  return gate.passed ? 0 : 1
}
