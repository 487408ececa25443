import { Readable } from 'node:stream'
import { ProblemError } from '@stateeval/contracts'
import type { Route } from '../context.ts'
import { recordingOf } from '../recordings.ts'
import { readyBenchmark } from '../resources.ts'

export const getBenchmarkRecording: Route<'getBenchmarkRecording'> = async ({ params: { id } }, context) => {
  const owner = await readyBenchmark(context, id)
  if (owner.origin !== 'dataset' && !(owner.origin === 'build' && owner.agents))
    throw new ProblemError(
      'conflict',
      `no model wrote the tasks of ${id} here; there is nothing that a recording could repeat`,
    )
  return { status: 200, body: Readable.from(recordingOf(context, owner)) }
}
