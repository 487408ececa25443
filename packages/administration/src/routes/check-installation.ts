/** Tries every queue and the store, as `npx stateeval doctor --deep` asks. */
import { type InstallationCheck, type JobSubject, ProblemError, subjects } from '@stateeval/contracts'
import {
  findOldVersion,
  isOperator,
  getErrorText,
  type ServicePlatform,
  type ServerName,
  removeCredentials,
} from '@stateeval/service-kit'
import type { EvaluationRoute } from '@stateeval/jobs'

type InstallationParts = Pick<ServicePlatform, 'bus' | 'mongo' | 'now'>

/** A message that waits behind others may take a while. */
const longestMs = 10_000

/** Runs the work; gives how long it took, or why it failed. */
async function tryWork(work: () => Promise<void>): Promise<{ ms: number | null; problem?: string }> {
  const began = performance.now()
  try {
    await work()
    return { ms: Math.round((performance.now() - began) * 10) / 10 }
  } catch (error) {
    return { ms: null, problem: removeCredentials(getErrorText(error)) }
  }
}

async function tryQueue(
  { bus }: InstallationParts,
  subject: JobSubject,
  repair: boolean,
): Promise<InstallationCheck['queues'][number]> {
  const [, service = '', work = ''] = subject.split('.')
  let repaired: string | null = null
  const trial = await tryWork(async () => {
    if (repair) repaired = await bus.repair(subject)
    const tooLong = AbortSignal.timeout(longestMs)
    await bus.roundTrip(subject, tooLong).catch(async (error: unknown) => {
      if (!tooLong.aborted) throw error
      const { waiting, isTaken } = await bus.queue(subject)
      throw new Error(
        isTaken
          ? `No answer within ${longestMs / 1000} s; ${waiting} jobs wait. Add replicas of ${service}, or repair the queue (doctor --deep --repair).`
          : `No answer within ${longestMs / 1000} s. Start ${service}, or look at its log.`,
      )
    })
  })
  return { kind: `${service}.${work}`, ...trial, ...(repaired !== null && { repaired }) }
}

async function examineServer(
  name: ServerName,
  version: () => string | Promise<string>,
): Promise<InstallationCheck['servers'][number]> {
  try {
    const found = await version()
    const problem = findOldVersion(name, found)
    return { name, version: found, ...(problem !== null && { problem }) }
  } catch {
    return { name, version: null }
  }
}

export const checkInstallation: EvaluationRoute<'checkInstallation', InstallationParts> = async (
  { principal, body: { repair = false } },
  context,
) => {
  if (!isOperator(principal))
    throw new ProblemError('not-found', 'only operators check the installation; ask one of them')
  const { mongo, bus, now } = context
  const [servers, store, serverTime, ...queues] = await Promise.all([
    Promise.all([
      examineServer('MongoDB', () => mongo.version()),
      examineServer('NATS', () => bus.version()),
    ]),
    tryWork(() => mongo.probe()),
    mongo.serverTime().catch(() => null),
    ...Object.values(subjects).map((subject) => tryQueue(context, subject, repair)),
  ])
  return {
    status: 200,
    body: { queues, servers, store, clockMs: serverTime && serverTime.getTime() - now().getTime() },
  }
}
