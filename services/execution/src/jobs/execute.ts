/**
 * Runs one program: of an evaluation, or of an HTTP caller that does not wait. Both kinds have the same
 * number of workers and share the places.
 */
import {
  AnyExecutionRequest,
  type ExecutionResult,
  type JobSubject,
  maxAttemptBytes,
  maxProgramBytes,
  ProblemError,
  subjects,
} from '@stateeval/contracts'
import { accepts, ElsewhereError, type JobDefinition, PackedValue, JobRefusal } from '@stateeval/service-kit'
import { checkMeaning, findLackingRoom } from '../check-request.ts'
import type { ExecutionContext } from '../context.ts'
import { withCpuSeconds } from '../cpu-time.ts'
import { executeConfirmed } from '../execute.ts'

const defineExecuteJob = (
  takes: JobSubject,
  maxBytes: number,
): JobDefinition<ExecutionContext, AnyExecutionRequest, ExecutionResult> => ({
  takes,
  // 64 inputs of the longest time that may be asked for would take longer; nobody should.
  timeoutMs: 30 * 60_000,
  validate: accepts(AnyExecutionRequest),
  cancelled: (_request, id, { store }) => store.isCancelled(id),
  async handle(request, context, { signal, used, mayMove }) {
    try {
      // A language or level that is missing here may be there later: then each run says so, and is asked for
      // again.
      const narrow = findLackingRoom(request, context)
      if (narrow && mayMove) throw new ElsewhereError(narrow.message)
      await checkMeaning(request, context)
      const run = () => executeConfirmed(request, context, signal, { maxBytes, mayMove })
      return new PackedValue(await withCpuSeconds(run, (cpuSeconds) => used({ cpuSeconds })))
    } catch (error) {
      // A world or an artifact that isn’t here stays away, however often it is asked for.
      if (error instanceof ProblemError) throw new JobRefusal(error.message)
      throw error
    }
  },
})

export const executeJob = defineExecuteJob(subjects.execute, maxAttemptBytes)
export const executeAskedJob = defineExecuteJob(subjects.executeAsked, maxProgramBytes)
export const tensorsJob = defineExecuteJob(subjects.tensors, maxAttemptBytes)
export const tensorsAskedJob = defineExecuteJob(subjects.tensorsAsked, maxProgramBytes)
