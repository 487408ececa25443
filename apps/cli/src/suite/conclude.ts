/** The end of an evaluation: watches it, prints its report, checks its gate. */
import type { EvaluationResource, Report } from '@stateeval/contracts'
import { rateCounts } from '@stateeval/program/format'
import type { ExitCode, CommandInvocation } from '../command.ts'
import { groupDigits, formatPlural, formatRate } from '../report/format.ts'
import { formats } from '../report/index.ts'
import { probeNote } from '../report/probe.ts'
import { describeTimeLimit } from '../report/time-limit.ts'
import type { TerminalColors } from '../terminal.ts'
import { trackBySetting } from '../commands/track.ts'
import { askGate, type GateCommand, printGate, writeSummaries } from './gate.ts'
import { connectEvaluation } from './index.ts'
import { askPatiently } from './patience.ts'
import { watch } from './watch.ts'

/** Lists commands that usually follow: the report again, and one failed case in full. */
function listNextCommands(id: string, { result: { samples } }: Report): string {
  const failed = samples.find(({ score }) => score !== null && !score.passed)
  const answers = `npx stateeval answers ${id}`
  return `Report: npx stateeval report ${id}   ${failed ? `A failed case: ${answers} --case ${failed.case}` : `Answers: ${answers}`}`
}

/** The outcome of an evaluation: pass rate, samples that failed for infrastructure or time, cost. */
export function describeSpending({ counts, spent }: Pick<EvaluationResource, 'counts' | 'spent'>): string[] {
  const { scored, notScored, timeouts } = counts
  return [
    ...(scored > 0 ? [`${formatRate(rateCounts(counts))} passed`] : []),
    formatPlural(notScored, 'error'),
    formatPlural(timeouts, 'timeout'),
    ...(spent ? [`${groupDigits(spent.promptTokens + spent.completionTokens)} tokens`] : []),
    ...(spent && spent.costUsd !== null ? [`$${spent.costUsd.toFixed(spent.costUsd < 1 ? 4 : 2)}`] : []),
  ]
}

/** Additions to the report: members of the result with --json, otherwise a text above its last line. */
interface BesideReport {
  members: object
  text: (colors: TerminalColors) => string
}

/**
 * @returns 0, or 1 if the gate failed
 * @throws Failure if the evaluation fails or is cancelled
 */
export async function concludeEvaluation(
  first: EvaluationResource,
  { options, terminal, signal }: Pick<CommandInvocation<GateCommand>, 'options' | 'terminal' | 'signal'>,
  besideOf?: (report: Report) => Promise<BesideReport>,
): Promise<ExitCode> {
  const params = { id: first.id }
  const client = connectEvaluation()
  const again = `npx stateeval resume ${first.id}`
  // First of all: with the id, nothing is lost if this command dies.
  terminal.notice(
    `Evaluation ${first.id}: ${first.model} on ${first.benchmark}, ${formatPlural(first.counts.samples, 'sample')}`,
  )
  await watch(
    {
      title: 'evaluation',
      first,
      get: () => client.getEvaluation({ params }),
      later: again,
      remedy: again,
      more: (job) => (job.progress.phase === 'evaluate' ? describeSpending(job) : []),
      notes: [
        ({ model, probe }) => probeNote(model, probe),
        ({ counts, options }) => describeTimeLimit(counts, options.timeLimit),
      ],
    },
    terminal,
    signal,
  )
  const waiting = { what: `evaluation ${first.id}`, later: again, terminal, signal }
  const report = await askPatiently(() => client.getEvaluationReport({ params }), waiting)
  const gate = await askPatiently(() => askGate(first.id, options), waiting)
  const beside = await besideOf?.(report)
  terminal.result(
    { evaluation: first.id, ...report, ...(gate && { gate }), ...beside?.members },
    () =>
      `${formats.table!(report, terminal.colors)}${beside ? `\n${beside.text(terminal.colors)}\n\n` : ''}${listNextCommands(first.id, report)}`,
  )
  await writeSummaries(options, report, gate)
  await trackBySetting(first.id, { terminal, signal })
  return printGate(gate, terminal)
}
