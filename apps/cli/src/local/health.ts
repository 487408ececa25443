/** Findings of `doctor` about this machine and the running suite besides isolation and languages. */
import { access, constants, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { BuildError, findUserCache } from '@stateeval/local-servers/build'
import { createClient } from '@stateeval/client'
import { evaluationOperations, type InstallationCheck } from '@stateeval/contracts'
import { Failure } from '../command.ts'
import { readAuthorization } from './credential.ts'
import { readState } from './state.ts'
import { readStatus } from './status.ts'

export interface HealthFinding {
  what: string
  /** optional: it is not there, and the suite works without it. */
  status: 'ok' | 'missing' | 'optional'
  detail: string
}

/** Folders that must be writable, and the state file. */
export async function examineFolders(home: string, env: NodeJS.ProcessEnv): Promise<HealthFinding[]> {
  return [
    await examineWritable('home', home, 'Set STATEEVAL_HOME to a folder that can be written.'),
    await examineCache(env),
    examineState(home),
  ]
}

async function examineCache(env: NodeJS.ProcessEnv): Promise<HealthFinding> {
  if (env.STATEEVAL_LOCAL_BINARY)
    return { what: 'cache', status: 'ok', detail: 'not needed: STATEEVAL_LOCAL_BINARY is set' }
  try {
    return await examineWritable(
      'cache',
      findUserCache(env),
      'Set HOME, or XDG_CACHE_HOME, to a folder that can be written.',
    )
  } catch (error) {
    if (!(error instanceof BuildError)) throw error
    return { what: 'cache', status: 'missing', detail: `${error.message}.` }
  }
}

/** A folder that does not exist is made in the nearest one that does. */
async function examineWritable(what: string, folder: string, remedy: string): Promise<HealthFinding> {
  for (let at = folder; ; at = dirname(at)) {
    try {
      await access(at, constants.W_OK)
      return { what, status: 'ok', detail: folder }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT' || at === dirname(at))
        return { what, status: 'missing', detail: `${folder} cannot be written (${code}). ${remedy}` }
    }
  }
}

function examineState(home: string): HealthFinding {
  try {
    const state = readState(home)
    return {
      what: 'state',
      status: 'ok',
      detail: state ? `${state.parts.length} parts` : 'nothing was started',
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { what: 'state', status: 'missing', detail: error.message }
  }
}

/** Bytes below which a disk is as good as full, and below which it soon is. */
const [tooLittle, little] = [256 * 2 ** 20, 2 ** 30]

/** Free space of the folder's disk. */
export async function examineFreeDisk(home: string): Promise<HealthFinding> {
  const { bavail, bsize } = await statfs(home).catch(() => statfs(dirname(home)))
  const free = bavail * bsize
  const detail = `${(free / 2 ** 30).toFixed(1)} GiB free for ${home}`
  if (free >= little) return { what: 'disk', status: 'ok', detail }
  return {
    what: 'disk',
    status: free < tooLittle ? 'missing' : 'optional',
    detail: `${detail}. Free space on it.`,
  }
}

/** Clocks that differ by more confuse whoever compares logs; nothing depends on them. */
const skewMs = 5000

/**
 * Tries every queue, the store and the clocks of the running suite; with `repair`, replaces what is broken.
 */
export async function examineInstallation(home: string, repair: boolean): Promise<HealthFinding[]> {
  const parts = await readStatus({ home })
  const services = parts.filter(({ url }) => url.startsWith('http'))
  const evaluation = services.find((part) => part.name === 'evaluation' && part.pid !== null)
  if (!evaluation)
    return [
      {
        what: 'installation',
        status: 'missing',
        detail: 'Nothing is running. Start it with `npx stateeval up`.',
      },
    ]
  const client = createClient(evaluationOperations, { baseUrl: evaluation.url, headers: readAuthorization() })
  const [check, ...clocks] = await Promise.all([
    client.checkInstallation({ body: { repair } }).catch((error: unknown) => (error as Error).message),
    ...services.filter(({ pid }) => pid !== null).map(({ name, url }) => examineClock(name, url)),
  ])
  const ready = services.map(({ name, status: state, detail }): HealthFinding => ({
    what: name,
    status: state === 'up' ? 'ok' : 'missing',
    detail: detail ?? 'ready',
  }))
  if (typeof check === 'string')
    return [...ready, { what: 'installation', status: 'missing', detail: check }, ...clocks]
  return [...ready, ...checkFindings(check), ...clocks]
}

function checkFindings({ queues, servers, store, clockMs }: InstallationCheck): HealthFinding[] {
  const trial = (what: string, { ms, problem }: InstallationCheck['store'], more = ''): HealthFinding => ({
    what,
    status: ms === null ? 'missing' : 'ok',
    detail: `${ms === null ? (problem ?? 'failed') : `${ms} ms`}${more}`,
  })
  return [
    // One that does not answer is named by what needs it.
    ...servers.flatMap(({ name, version, problem }): HealthFinding[] =>
      version === null
        ? []
        : [
            {
              what: `version of ${name}`,
              status: problem === undefined ? 'ok' : 'missing',
              detail: problem ?? version,
            },
          ],
    ),
    trial('store', store),
    ...queues.map((queue) =>
      trial(
        `queue ${queue.kind}`,
        queue,
        queue.repaired === undefined ? '' : `; replaced its consumer: ${queue.repaired}`,
      ),
    ),
    ...(clockMs === null ? [] : [describeSkew('clock of MongoDB', clockMs)]),
  ]
}

async function examineClock(name: string, url: string): Promise<HealthFinding> {
  const date = await fetch(`${url}/health/live`, { signal: AbortSignal.timeout(10_000) }).then(
    ({ headers }) => Date.parse(headers.get('date') ?? ''),
    () => NaN,
  )
  // The header has whole seconds.
  return describeSkew(`clock of ${name}`, Number.isNaN(date) ? 0 : date + 500 - Date.now())
}

const describeSkew = (what: string, ms: number): HealthFinding => ({
  what,
  status: Math.abs(ms) > skewMs ? 'optional' : 'ok',
  detail:
    Math.abs(ms) > skewMs
      ? `${Math.round(ms / 1000)} s off. Results do not depend on it, but times in logs do. Set it by NTP.`
      : 'agrees',
})
