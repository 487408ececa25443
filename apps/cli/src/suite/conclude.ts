/** The end of an evaluation: watched until it is there, its report printed, its gate held. */
import type { EvaluationResource, ReportResult } from '@stateeval/contracts'
import type { Command } from 'commander'
import type { ExitCode, Invocation } from '../command.ts'
import { formats } from '../report/index.ts'
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
    .option('--gate <share>', 'exit with 1 if the pass rate is lower, or a sample has no score', share)
    .option('--allow-unscored', 'with --gate: samples without a score are no reason to fail')

/** Why a result doesn't pass the gate, or null. A rate over half the samples says nothing of the others. */
function refusal({ overall: { rate }, notScored }: ReportResult, gate: number, allowUnscored: boolean): string | null {
  if (rate === null) return 'no sample has a score.'
  if (rate < gate) return `pass rate ${rate.toFixed(3)} is lower than ${gate}.`
  if (notScored === 0 || allowUnscored) return null
  return `${notScored} samples have no score; the report says why. Evaluate again, or say --allow-unscored.`
}

/**
 * @returns 0, or 1 where the gate is not passed
 * @throws Failure where the evaluation fails or is cancelled
 */
export async function conclude(
  first: EvaluationResource,
  { options: { gate, allowUnscored }, terminal, signal }: Pick<Invocation<GateCommand>, 'options' | 'terminal' | 'signal'>,
): Promise<ExitCode> {
  const params = { id: first.id }
  const client = evaluation()
  const again = `npx stateeval resume ${first.id}`
  await watch({ title: 'evaluation', first, get: () => client.getEvaluation({ params }), later: again, remedy: again }, terminal, signal)
  const waiting = { what: `evaluation ${first.id}`, later: again, terminal, signal }
  const report = await patiently(() => client.getEvaluationReport({ params }), waiting)
  terminal.result(
    { evaluation: first.id, ...report },
    () =>
      `${formats.table!(report, terminal.colors)}Again: npx stateeval report ${first.id}   What was answered: npx stateeval answers ${first.id}`,
  )
  const refused = gate === undefined ? null : refusal(report.result, gate, allowUnscored === true)
  if (refused === null) return 0
  terminal.step(`The gate failed: ${refused}`)
  return 1
}
