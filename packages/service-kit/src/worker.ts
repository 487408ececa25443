/**
 * The worker loop of all services: a job is done, its outcome stored, then answered, then acknowledged.
 * After a kill at any point, the job is redelivered, finds what is stored, and continues from there.
 */
import { defaultProject, type JobMessage, type JobOutcome, type UsedAmounts } from '@stateeval/contracts'
import { runInProject } from './access/project.ts'
import type { ProjectStore } from './access/projects.ts'
import { type ProjectArtifacts, PackedValue } from './artifacts.ts'
import type { MessageBus, JobDelivery } from './bus/index.ts'
import { ackWaitMs as defaultAckWaitMs } from './bus/streams.ts'
import { ElsewhereError, LeavingJobs, longestReturnMs } from './elsewhere.ts'
import { isAway, getErrorText, JobRefusal } from './errors.ts'
import { type AnyJob, HandedBack, runUnlessCancelled, limitTime } from './job.ts'
import type { ProjectQuota } from './limits/index.ts'
import type { ServiceLog } from './log.ts'
import type { ServiceMetrics } from './metrics.ts'
import { type JobOutcomes, type WritableOutcome, writeOutcome } from './outcomes.ts'
import { formatStorableError, runSealed } from './sealing.ts'
import { waitAtMost } from './time.ts'
import type { TraceSpan, SpanTracer } from './tracing/tracer.ts'
import { write, writeObject, type JsonWritten } from './written.ts'

interface WorkerTools {
  bus: MessageBus
  outcomes: JobOutcomes
  artifacts: ProjectArtifacts
  metrics: ServiceMetrics
  tracer: SpanTracer
  log: ServiceLog
  access: { projects: Pick<ProjectStore, 'isOpen'> }
  quota: Pick<ProjectQuota, 'used'>
}
export interface JobWorker {
  /** Takes no more jobs, waits for those in flight, and hands back what is not done in time. */
  stop(graceMs: number): Promise<void>
}
interface WorkerOptions {
  concurrency?: number | undefined
  ackWaitMs?: number
  /** See Leaving. */
  longestReturnMs?: number
}

export function startWorker<Context>(
  job: AnyJob<Context>,
  context: Context,
  tools: WorkerTools,
  options: WorkerOptions = {},
): JobWorker {
  const { bus, log } = tools
  const stopping = new AbortController()
  const ackWaitMs = options.ackWaitMs ?? defaultAckWaitMs
  const concurrency = options.concurrency ?? job.concurrency ?? 4
  const leaving = new LeavingJobs(options.longestReturnMs ?? longestReturnMs)
  /** Resolves to the reason if a server is away. */
  const handle = async (delivery: JobDelivery, span: TraceSpan): Promise<string | void> => {
    const beating = setInterval(() => delivery.working(), ackWaitMs / 3)
    const kind = job.takes.slice('jobs.'.length)
    tools.metrics.jobsInFlight.inc({ kind })
    tools.metrics.jobWaitSeconds.observe({ kind }, delivery.waitedMs / 1000)
    const stopTimer = tools.metrics.jobSeconds.startTimer({ kind })
    let outcome: JobEnding = 'handed_back'
    try {
      outcome = await performJob(job, context, tools, delivery, leaving, stopping.signal)
    } catch (error) {
      // MongoDB or NATS is away, or went away between the work and the acknowledgement; the job comes again.
      log.debug({ job: delivery.message?.id, reason: getErrorText(error) }, 'job handed back')
      delivery.nak(2000)
      return getErrorText(error)
    } finally {
      clearInterval(beating)
      const seconds = stopTimer()
      tools.metrics.jobs.inc({ kind, outcome })
      tools.metrics.jobsInFlight.dec({ kind })
      const id = delivery.message?.id ?? ''
      log.debug(
        { job: id, outcome, ms: Math.round(seconds * 1000), parts: roundParts(span.parts) },
        'job ended',
      )
      span.end(
        { 'job.id': id, 'job.outcome': outcome, 'job.attempt': delivery.delivery },
        failureStatuses.has(outcome) ? outcome : undefined,
      )
    }
  }
  const consuming = bus.consume(job.takes, { concurrency, ackWaitMs }, (delivery) => {
    const span = tools.tracer.begin(job.takes, 'consumer', delivery.traceparent)
    const project = delivery.message?.project ?? defaultProject
    const isSealed = delivery.message?.sealed === true
    return runInProject(project, () => runSealed(isSealed, () => span.within(() => handle(delivery, span))))
  })
  return {
    async stop(graceMs) {
      await consuming.stop()
      await waitAtMost(graceMs, consuming.finished)
      stopping.abort()
      // Handlers are raced against the signal, so this is about storing and answering only.
      await waitAtMost(3000, consuming.finished)
    },
  }
}

type JobEnding =
  | JobOutcome['status']
  | ('retried' | 'handed_back' | 'left' | 'moved' | 'returned' | 'repeated' | 'unreadable' | 'deleted')
const failureStatuses: ReadonlySet<JobEnding> = new Set<JobEnding>(['failed', 'retried', 'unreadable'])

async function performJob<Context>(
  job: AnyJob<Context>,
  context: Context,
  tools: WorkerTools,
  delivery: JobDelivery,
  leaving: LeavingJobs,
  stopping: AbortSignal,
): Promise<JobEnding> {
  const { message, newerVersion } = delivery
  if (newerVersion !== undefined) {
    // During an update: a replica that knows it is there, or soon will be.
    delivery.nak(Math.min(30_000, 1000 * delivery.delivery))
    tools.log.warn(
      { subject: job.takes, version: newerVersion },
      'left a message of a newer version to a newer replica',
    )
    return 'left'
  }
  if (!message) {
    delivery.term('not a job message')
    tools.log.error({ subject: job.takes }, 'dropped a message that is not a job')
    return 'unreadable'
  }
  const { project = defaultProject } = message
  if (project !== defaultProject && !(await tools.access.projects.isOpen(project))) {
    delivery.term('its project was deleted')
    return 'deleted'
  }
  const returnMs = leaving.returnMs(message.id)
  if (returnMs !== null) {
    delivery.nak(returnMs)
    return 'returned'
  }
  const { outcome: outcomePlace = 'stored' } = job
  const isStored = outcomePlace === 'stored'
  const { outcomes, artifacts, bus } = tools
  const log = tools.log.child({ job: message.id })
  const maxAttempts = job.attempts ?? 5

  if (message.redrive !== undefined) await outcomes.reopen(message.id, message.redrive)
  // The queue's number of deliveries also counts those that a stop, an outage or another replica cut short.
  // Where no outcome is looked up, a first delivery is stored as an attempt only once it has failed.
  const isCounted = isStored || delivery.delivery > 1
  const start = isCounted ? await outcomes.begin(message.id) : { attempts: 1 }
  const use: Partial<UsedAmounts>[] = []
  const finish = async (outcome: WritableOutcome): Promise<JobEnding> => {
    const counts = isStored ? await outcomes.settle(message.id, outcome) : outcome
    // Several deliveries may end: only the one whose outcome counts reports usage.
    if (counts === outcome) for (const amounts of use) tools.quota.used(amounts)
    await reportEnd(job, context, artifacts, message, counts)
    await answerJob(bus, message, counts)
    if (isCounted && !isStored) await outcomes.forget(message.id)
    delivery.ack()
    return counts.status
  }
  const bury = async (reason: string): Promise<JobEnding> => {
    log.error({ reason, attempts: start.attempts }, 'job is dead')
    const error = formatStorableError(reason)
    await bus
      .publishDead(job.takes, message, { error, attempts: start.attempts })
      .catch((unkept: unknown) => {
        if (isAway(unkept)) throw unkept
        log.error({ reason: getErrorText(unkept) }, 'a dead job could not be stored')
      })
    return finish({ status: 'failed', reason: error })
  }

  if ('outcome' in start && start.outcome) {
    await reportEnd(job, context, artifacts, message, start.outcome)
    await answerJob(bus, message, start.outcome)
    delivery.ack()
    return 'repeated'
  }
  // More attempts than allowed without an outcome: the job ends its process each time.
  if (start.attempts > maxAttempts)
    return bury(('error' in start && start.error) || `ended its worker ${maxAttempts} times`)
  const mayMove = start.attempts < maxAttempts && !leaving.isStuck(message.id)
  let value: JsonWritten
  try {
    const payload = job.validate(await artifacts.unpack(message.payload))
    const handle = (signal: AbortSignal) =>
      limitTime(
        job,
        { id: message.id, signal, log, used: (amounts) => void use.push(amounts), mayMove },
        (run) => job.handle(payload, context, run),
      )
    const handlerResult = await (job.cancelled
      ? runUnlessCancelled(
          async () => (await job.cancelled?.(payload, message.id, context)) === true,
          stopping,
          handle,
        )
      : handle(stopping))
    // A value that cannot be packed counts as a failed attempt, like any other fault of the work.
    value =
      outcomePlace === 'own'
        ? write({ inline: null })
        : handlerResult instanceof PackedValue
          ? write(await artifacts.packParts(handlerResult.parts))
          : await artifacts.pack(handlerResult)
  } catch (error) {
    if (error instanceof JobRefusal) {
      log.warn({ reason: error.message }, 'job refused')
      return finish({ status: 'refused', reason: error.message })
    }
    const handedBack = error instanceof HandedBack || stopping.aborted
    if (handedBack || isAway(error)) {
      if (isCounted) await outcomes.forgive(message.id).catch(() => undefined)
      if (!handedBack) throw error
      delivery.nak()
      log.info({ reason: getErrorText(error) }, 'job handed back')
      return 'handed_back'
    }
    if (start.attempts >= maxAttempts) return bury(getErrorText(error))
    if (!isCounted) await outcomes.begin(message.id)
    await outcomes.noteFailure(message.id, formatStorableError(getErrorText(error))).catch(() => undefined)
    if (error instanceof ElsewhereError) {
      log.info({ reason: error.message, attempt: start.attempts }, 'job left to another replica')
      leaving.add(message.id)
      delivery.nak()
      return 'moved'
    }
    log.warn({ err: error, attempt: start.attempts }, 'job failed and will be retried')
    delivery.nak((job.retryDelayMs ?? computeBackoff)(start.attempts))
    return 'retried'
  }
  return finish({ status: 'done', value })
}

const roundParts = (parts: TraceSpan['parts']) =>
  Object.fromEntries([...parts].map(([name, ms]) => [name, Math.round(ms * 10) / 10]))

const computeBackoff = (attempt: number) => Math.min(60_000, 1000 * 2 ** (attempt - 1))

async function reportEnd<Context>(
  job: AnyJob<Context>,
  context: Context,
  artifacts: ProjectArtifacts,
  message: JobMessage,
  outcome: WritableOutcome,
) {
  if (outcome.status === 'done' || !job.ended) return
  const payload = await artifacts.unpack(message.payload).catch(() => null)
  if (isPayload(job, payload)) await job.ended(payload, outcome, message.id, context)
}
/**
 * Tells whether a message is a payload of this kind of job; others name nothing to which the end could be
 * reported.
 */
function isPayload<Context>(job: AnyJob<Context>, payload: unknown): boolean {
  try {
    job.validate(payload)
    return true
  } catch {
    return false
  }
}

/** Its payload is a JobReply. */
async function answerJob(
  bus: MessageBus,
  { id, replyTo, redrive }: JobMessage,
  outcome: WritableOutcome,
): Promise<void> {
  if (!replyTo) return
  const { correlation } = replyTo
  if ('inbox' in replyTo)
    return bus.publishReply(
      replyTo.inbox,
      writeObject({ correlation, jobId: id, outcome: writeOutcome(outcome) }),
    )
  const { carried, version } = replyTo
  const reply = writeObject({ correlation, jobId: id, outcome: writeOutcome(outcome), carried })
  // Two askers of one job get an answer each, so the correlation is part of the answer's id; so does who was
  // told of a failure before.
  await bus.publishJob(replyTo.subject, {
    id: `${id}:reply:${correlation}${redrive === undefined ? '' : `:${redrive}`}`,
    payload: writeObject({ inline: reply }),
    ...(version !== undefined && { version }),
  })
}
