/** The queue side of a service: one file per kind of job, with its payload, its result, and its handler. */
import type { JobSubject, JobOutcome, UsedAmounts } from '@stateeval/contracts'
import type { Static, TSchema } from 'typebox'
import type { PackedValue } from './artifacts.ts'
import { JobRefusal } from './errors.ts'
import type { ServiceLog } from './log.ts'
import { pauseUnlessAborted } from './time.ts'
import { createChecker } from './validation.ts'

export interface JobRun {
  /** The job's deterministic id. */
  id: string
  /**
   * Aborted when the time is up, when the job is cancelled, or when the service stops and hands the job back.
   */
  signal: AbortSignal
  log: ServiceLog
  /** Counts what the job uses of its project's budget: once, when its outcome is stored. */
  used: (amounts: Partial<UsedAmounts>) => void
  /** True if the job may be put back for another replica; otherwise this attempt has to end it. */
  mayMove: boolean
}

export interface JobDefinition<Context, Payload, Value> {
  takes: JobSubject
  /** Jobs of this kind at a time in one process. Default: 4. STATEEVAL_CONCURRENCY overrides it. */
  concurrency?: number
  /** Default: 10 minutes. */
  timeoutMs?: number
  /** How often it is tried before it is dead. Default: 5. */
  attempts?: number
  /** Wait before the attempt after the n-th, in milliseconds. Default: 1 s, 2 s, 4 s … */
  retryDelayMs?: (attempt: number) => number
  /**
   * The place of the outcome. `stored`: the worker stores it by job id (the default). `own`: the handler
   * keeps it in its own state and must be idempotent by itself; such a job is never answered. `none`: a
   * repeated job computes it again, as a pure function that is cheaper than a look into the store.
   */
  outcome?: 'stored' | 'own' | 'none'
  /** The payload as it should be, or a Refusal that names what is wrong. */
  validate(payload: unknown): Payload
  /**
   * Does the work; a value that may be very large is given as Packed. A Refusal means that no retry would
   * help; an ElsewhereError that none would help in this process; other errors are retried.
   */
  handle(this: void, payload: Payload, context: Context, run: JobRun): Promise<Value | PackedValue>
  /**
   * Tells whether the job was cancelled: asked before it begins and every second while it runs, which then
   * ends as refused.
   */
  cancelled?(this: void, payload: Payload, id: string, context: Context): Promise<boolean>
  /**
   * Called when a job with a valid payload was refused or failed for good, so that its resource can report
   * it. May be called twice.
   */
  ended?(
    this: void,
    payload: unknown,
    outcome: Exclude<JobOutcome, { status: 'done' }>,
    id: string,
    context: Context,
  ): Promise<void>
}
/** A job of any payload; parameters of methods are bivariant, so every job is one. */
export type AnyJob<Context> = JobDefinition<Context, unknown, unknown>

/** A `validate` that checks the payload against a schema and fills in its defaults. */
export const accepts =
  <S extends TSchema>(schema: S) =>
  (payload: unknown): Static<S> => {
    const { complete, fault } = createChecker(schema)
    const value = complete(payload)
    const schemaFault = fault(value)
    if (schemaFault) throw new JobRefusal(`${schemaFault.field || 'the payload'} ${schemaFault.says}`)
    return value
  }

/** Limits a job's time, even if the handler ignores the signal. */
export async function limitTime<T>(
  job: { timeoutMs?: number },
  run: JobRun,
  work: (run: JobRun) => Promise<T>,
): Promise<T> {
  const timeoutMs = job.timeoutMs ?? 600_000
  const ending = new AbortController()
  const { promise, reject } = Promise.withResolvers<never>()
  const end = (reason: Error) => {
    ending.abort(reason)
    reject(reason)
  }
  const stop = () => end(run.signal.reason instanceof JobRefusal ? run.signal.reason : new HandedBack())
  // A timer and a listener cost a hundredth of AbortSignal.any, which each job would pay for.
  const timer = setTimeout(() => end(new Error(`not done within ${timeoutMs} ms`)), timeoutMs)
  timer.unref()
  run.signal.addEventListener('abort', stop, { once: true })
  try {
    if (run.signal.aborted) stop()
    return await Promise.race([work({ ...run, signal: ending.signal }), promise])
  } finally {
    clearTimeout(timer)
    run.signal.removeEventListener('abort', stop)
  }
}

/** Does the work with a signal that also fires when the job is cancelled, with a Refusal as the reason. */
export async function runUnlessCancelled<T>(
  cancelled: () => Promise<boolean>,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const refusal = () => new JobRefusal('it was cancelled')
  if (await cancelled()) throw refusal()
  const calledOff = new AbortController()
  const watchEnd = new AbortController()
  const watch = async () => {
    for (;;) {
      await pauseUnlessAborted(askEveryMs, watchEnd.signal)
      if (watchEnd.signal.aborted) return
      // While the servers are away nobody can know, and the work continues.
      if (await cancelled().catch(() => false)) return calledOff.abort(refusal())
    }
  }
  void watch()
  try {
    return await work(AbortSignal.any([signal, calledOff.signal]))
  } finally {
    watchEnd.abort()
  }
}
const askEveryMs = 1000

/** The service stops; another replica does the job. */
export class HandedBack extends Error {
  override readonly name = 'HandedBack'
  constructor() {
    super('the service is stopping')
  }
}
