import { ProblemError } from '@stateeval/contracts'
import type { ExecutionRoute } from '../context.ts'
import { requireExecution, readCurrentState } from '../executions.ts'
import { type ResultPosition, loadResultPage } from '../results.ts'

export const listExecutionResults: ExecutionRoute<'listExecutionResults'> = async (
  { params: { id }, query, signal },
  context,
) => {
  const record = await requireExecution(context, id)
  const { limit = 50, cursor } = query
  const from = parseResultCursor(cursor, record.total)
  const { status, progress, error } = await readCurrentState(record, context)
  if (status !== 'succeeded')
    throw new ProblemError(
      'conflict',
      status === 'queued' || status === 'running'
        ? `${progress.done} of ${progress.total} programs have run; try again when the status of the execution is succeeded`
        : `the execution was ${status}, so it has no results${error === undefined ? '' : `: ${error}`}; send its programs again`,
    )
  return { status: 200, json: await loadResultPage(record, { from, limit }, context, signal) }
}

/** `<program>.<input>`: where a page begins. */
function parseResultCursor(cursor: string | undefined, total: number): ResultPosition {
  if (cursor === undefined) return { program: 0, input: 0 }
  const [, program, input] = /^(\d{1,3})\.(\d{1,3})$/.exec(cursor) ?? []
  if (program === undefined || Number(program) >= total)
    throw new ProblemError('validation-failed', 'cursor must be the `next` of the previous page', 'cursor')
  return { program: Number(program), input: Number(input) }
}
