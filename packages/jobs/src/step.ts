/**
 * The queue that advances builds and evaluations: a message starts an item, or brings the answer to its
 * job.
 */
import { type JobReply, subjects } from '@stateeval/contracts'
import type { ItemNeed } from '@stateeval/flows'
import { type ProjectArtifacts, type JobDefinition, JobRefusal } from '@stateeval/service-kit'
import { type WorkflowEngine, formatItemId, parseStep } from '@stateeval/workflow'
import { readJobAnswer } from './job-answer.ts'
import { cannotContinue, type JobOwner } from './owner.ts'
import type { OwnerStore } from './owners.ts'

interface StepParts {
  engine: Pick<WorkflowEngine<JobOwner, ItemNeed>, 'start' | 'answer'>
  owners: OwnerStore
  artifacts: ProjectArtifacts
}

type StepMessage = { start: string } | JobReply

function validate(payload: unknown): StepMessage {
  const value = (payload ?? {}) as Partial<JobReply> & { start?: unknown }
  if (typeof value.start === 'string' && parseStep(value.start)) return { start: value.start }
  if (
    typeof value.correlation === 'string' &&
    parseStep(value.correlation) &&
    typeof value.outcome?.status === 'string'
  )
    return value as JobReply
  throw new JobRefusal('a step is { start } or a JobReply of a job that this service requested')
}

export const stepJob: JobDefinition<StepParts, StepMessage, void> = {
  takes: subjects.step,
  // Steps wait for the database, not for the processor.
  concurrency: 16,
  attempts: 8,
  outcome: 'own',
  validate,
  async handle(message, context) {
    const { engine, artifacts } = context
    const step = parseStep('start' in message ? message.start : message.correlation)
    if (!step) return
    if ('start' in message) return engine.start(step.item)
    const { outcome, carried } = message
    await engine.answer(
      step,
      carried ? await artifacts.unpack(carried) : null,
      await readJobAnswer(context, outcome),
    )
  },
  /** An item that cannot continue would leave its owner running for ever. */
  async ended(message, { reason }, _, context) {
    const text = (message as Partial<{ start: string; correlation: string }> | null) ?? {}
    const step = parseStep(text.start ?? text.correlation ?? '')
    if (step)
      await context.owners.end(step.item.workflow, {
        status: 'failed',
        error: `${cannotContinue} at ${formatItemId(step.item)}: ${reason}`,
      })
  },
}
