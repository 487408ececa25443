/** An evaluation that a command needs for its own figures: begun, watched, and read. */
import type { EvaluationRequest, EvaluationResource, Report } from '@stateeval/contracts'
import type { CommandTerminal } from '../terminal.ts'
import { connectEvaluation } from './index.ts'
import { watch } from './watch.ts'

export interface EvaluationPlace {
  benchmark: string
  terminal: CommandTerminal
  signal: AbortSignal
}

/** @throws JobFailure if the evaluation does not succeed */
export async function evaluateHere(
  { benchmark, terminal, signal }: EvaluationPlace,
  request: Partial<EvaluationRequest>,
): Promise<{ resource: EvaluationResource; report: Report }> {
  const client = connectEvaluation()
  const first = await client.createEvaluation({ body: { benchmark, ...request } })
  const params = { id: first.id }
  const resource = await watch(
    {
      title: `evaluation of ${request.model}`,
      first,
      get: () => client.getEvaluation({ params }),
      later: `npx stateeval resume ${first.id}`,
    },
    terminal,
    signal,
  )
  return { resource, report: await client.getEvaluationReport({ params }) }
}
