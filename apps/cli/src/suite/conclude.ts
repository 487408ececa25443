/** The end of an evaluation: watched until it is there, its report printed, its gate held. */
import type { EvaluationResource, ReportResult } from '@stateeval/contracts'
import type { Command } from 'commander'
import type { ExitCode, Invocation } from '../command.ts'
import { grouped, percent, plural } from '../report/format.ts'
import { formats } from '../report/index.ts'
import { timeLimitNote } from '../report/time-limit.ts'
import { evaluation } from './index.ts'
import { share } from './options.ts'
import { patiently } from './patience.ts'
import { watch } from './watch.ts'

export interface GateCommand {
  gate?: number
  allowUnscored?: true
}

export const gateOptions = (command: Command) =>
  command
    .option('--gate <share>', 'exit with 1 if the pass rate is lower (80%), or a sample has no score', share)
    .option('--allow-unscored', 'with --gate: samples without a score are no reason to fail')

/** Shares as they are typed: 80 %, 82.5 %. */
const asTyped = (gate: number) => `${Number((gate * 100).toFixed(6))} %`

/** Why a result doesn't pass the gate, or null. A rate over half the samples says nothing of the others. */
export function refusal(
  { overall: { rate }, notScored }: Pick<ReportResult, 'overall' | 'notScored'>,
  gate: number,
  allowUnscored: boolean,
): string | null {
  if (rate === null) return 'no sample has a score.'
  if (rate < gate) {
    // 79.96 % of a gate of 80 % must not read as 80.0 %.
    const digits = [1, 2, 3, 4, 5].find((n) => Number((rate * 100).toFixed(n)) < gate * 100) ?? 6
    return `the pass rate of ${(rate * 100).toFixed(digits)} % is lower than ${asTyped(gate)}.`
  }
  if (notScored === 0 || allowUnscored) return null
  return `${plural(notScored, 'sample has', 'samples have')} no score; the report says why. Evaluate again, or add --allow-unscored.`
}

/** What an evaluation has come to: pass rate, what failed on our side or ran out of time, what was spent. */
export function spending({ counts, spent }: Pick<EvaluationResource, 'counts' | 'spent'>): string[] {
  const { scored, passed, notScored, timeouts } = counts
  return [
    ...(scored > 0 ? [`${percent(passed / scored)} passed`] : []),
    plural(notScored, 'error'),
    plural(timeouts, 'timeout'),
    ...(spent ? [`${grouped(spent.promptTokens + spent.completionTokens)} tokens`] : []),
    ...(spent && spent.costUsd !== null ? [`$${spent.costUsd.toFixed(spent.costUsd < 1 ? 4 : 2)}`] : []),
  ]
}

/**
 * @returns 0, or 1 where the gate is not passed
 * @throws Failure where the evaluation fails or is cancelled
 */
export async function conclude(
  first: EvaluationResource,
  {
    options: { gate, allowUnscored },
    terminal,
    signal,
  }: Pick<Invocation<GateCommand>, 'options' | 'terminal' | 'signal'>,
): Promise<ExitCode> {
  const params = { id: first.id }
  const client = evaluation()
  const again = `npx stateeval resume ${first.id}`
  // First of all: with the id, nothing is lost if this command dies.
  terminal.notice(
    `Evaluation ${first.id}: ${first.model} on ${first.benchmark}, ${plural(first.counts.samples, 'sample')}`,
  )
  await watch(
    {
      title: 'evaluation',
      first,
      get: () => client.getEvaluation({ params }),
      later: again,
      remedy: again,
      more: (job) => (job.progress.phase === 'evaluate' ? spending(job) : []),
      note: ({ counts, options }) => timeLimitNote(counts, options.timeLimit),
    },
    terminal,
    signal,
  )
  const waiting = { what: `evaluation ${first.id}`, later: again, terminal, signal }
  const report = await patiently(() => client.getEvaluationReport({ params }), waiting)
  terminal.result(
    { evaluation: first.id, ...report },
    () =>
      `${formats.table!(report, terminal.colors)}Report: npx stateeval report ${first.id}   Answers: npx stateeval answers ${first.id}`,
  )
  const refused = gate === undefined ? null : refusal(report.result, gate, allowUnscored === true)
  if (refused === null) return 0
  terminal.step(`The gate failed: ${refused}`)
  return 1
}
