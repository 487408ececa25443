/**
 * Tool sessions of evaluations. The session's log makes handlers idempotent, so no separate outcome is
 * stored.
 */
import { ProblemError, subjects, ToolSessionJob, type ToolSessionAnswer } from '@stateeval/contracts'
import { accepts, isDiskFull, type JobDefinition, PackedValue, JobRefusal } from '@stateeval/service-kit'
import type { ExecutionContext } from '../context.ts'

/** Jobs are named after the evaluation or episode that needs them, as `ev_…/samples/…`. */
const getSessionOwner = (job: string) => /^[a-z]+_[0-9a-z]+(?=\/)/.exec(job)?.[0]

export const sessionJob: JobDefinition<ExecutionContext, ToolSessionJob, ToolSessionAnswer> = {
  takes: subjects.session,
  concurrency: 16,
  outcome: 'none',
  validate: accepts(ToolSessionJob),
  async handle(job, { sessions }, run) {
    try {
      switch (job.kind) {
        case 'open': {
          const { kind: _, session: id, ...request } = job
          const { session, tools } = await sessions.open(id, request, getSessionOwner(run.id))
          return {
            kind: 'opened',
            variables: session.shown ?? session.input.variables,
            tools,
            seed: session.seed,
          }
        }
        case 'call': {
          const answer = await sessions.call(job.session, job)
          return 'ending' in answer ? { kind: 'ended', ...answer } : { kind: 'called', ...answer }
        }
        case 'close': {
          const result = await sessions.close(job.session, job.result)
          return new PackedValue({ object: { kind: { inline: 'closed' }, result } })
        }
      }
    } catch (error) {
      if (!(error instanceof ProblemError) || isDiskFull(error)) throw error
      // A world that failed is opened anew by the next attempt; every other problem stays one.
      throw error.code === 'unavailable' ? new Error(error.message) : new JobRefusal(error.message)
    }
  },
}
