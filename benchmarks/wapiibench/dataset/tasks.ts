/** Reads tasks/<api>.json: { samples: [{ task, config }] }. A broken entry is named by its place. */
import { ProblemError, findSchemaFault } from '@stateeval/contracts'
import Type, { type Static } from 'typebox'
import { RequestConfiguration } from '../case.ts'

const TaskSample = Type.Object({
  task: Type.String({ minLength: 1, maxLength: 10_000, pattern: '^[^\\r\\n]+$' }),
  config: RequestConfiguration,
})
type TaskSample = Static<typeof TaskSample>

export function readTasks(text: string, file: string): TaskSample[] {
  const wrong = (says: string): never => {
    throw new ProblemError('unprocessable', `${file} ${says}`, `/files/${file}`)
  }
  const samples = (parseTaskJson(text, wrong) as { samples?: unknown } | null)?.samples
  if (!Array.isArray(samples) || samples.length === 0) return wrong('has no list `samples`')
  return samples.map((sample: unknown, n) => {
    const fault = findSchemaFault(TaskSample, sample)
    if (fault) wrong(`entry ${n}${fault.field.replaceAll('/', '.')}: ${fault.says}`)
    return sample as TaskSample
  })
}

function parseTaskJson(text: string, wrong: (says: string) => never): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    return wrong(`is not valid JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}
