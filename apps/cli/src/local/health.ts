/** Findings of `doctor` about this machine and the running suite besides isolation and languages. */
import { access, constants, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { BuildError, cacheFolder } from '@stateeval/local-servers/build'
import { createClient } from '@stateeval/client'
import { evaluationOperations, type InstallationCheck } from '@stateeval/contracts'
import { Failure } from '../command.ts'
import { authorization } from './credential.ts'
import { readState } from './state.ts'
import { status } from './status.ts'

export interface Finding {
  what: string
  /** optional: it is not there, and the suite works without it. */
  status: 'ok' | 'missing' | 'optional'
  detail: string
}

/** Folders that must be writable, and the state file. */
export async function examineFolders(home: string, env: NodeJS.ProcessEnv): Promise<Finding[]> {
  return [
    await writable('home', home, 'Set STATEEVAL_HOME to a folder that can be written.'),
    await cacheFinding(env),
    stateFinding(home),
  ]
}

async function cacheFinding(env: NodeJS.ProcessEnv): Promise<Finding> {
  if (env.STATEEVAL_LOCAL_BINARY)
    return { what: 'cache', status: 'ok', detail: 'not needed: STATEEVAL_LOCAL_BINARY is set' }
  try {
    return await writable(
      'cache',
      cacheFolder(env),
      'Set HOME, or XDG_CACHE_HOME, to a folder that can be written.',
    )
  } catch (error) {
    if (!(error instanceof BuildError)) throw error
    return { what: 'cache', status: 'missing', detail: `${error.message}.` }
  }
}

/** A folder that does not exist is made in the nearest one that does. */
async function writable(what: string, folder: string, remedy: string): Promise<Finding> {
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

function stateFinding(home: string): Finding {
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
export async function freeDisk(home: string): Promise<Finding> {
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
export async function examineInstallation(home: string, repair: boolean): Promise<Finding[]> {
  const parts = await status({ home })
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
  const client = createClient(evaluationOperations, { baseUrl: evaluation.url, headers: authorization() })
  const [check, ...clocks] = await Promise.all([
    client.checkInstallation({ body: { repair } }).catch((error: unknown) => (error as Error).message),
    ...services.filter(({ pid }) => pid !== null).map(({ name, url }) => clockFinding(name, url)),
  ])
  const ready = services.map(({ name, status: state, detail }): Finding => ({
    what: name,
    status: state === 'up' ? 'ok' : 'missing',
    detail: detail ?? 'ready',
  }))
  if (typeof check === 'string')
    return [...ready, { what: 'installation', status: 'missing', detail: check }, ...clocks]
  return [...ready, ...checkFindings(check), ...clocks]
}

function checkFindings({ queues, servers, store, clockMs }: InstallationCheck): Finding[] {
  const trial = (what: string, { ms, problem }: InstallationCheck['store'], more = ''): Finding => ({
    what,
    status: ms === null ? 'missing' : 'ok',
    detail: `${ms === null ? (problem ?? 'failed') : `${ms} ms`}${more}`,
  })
  return [
    // One that does not answer is named by what needs it.
    ...servers.flatMap(({ name, version, problem }): Finding[] =>
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
    ...(clockMs === null ? [] : [skewFinding('clock of MongoDB', clockMs)]),
  ]
}

async function clockFinding(name: string, url: string): Promise<Finding> {
  const date = await fetch(`${url}/health/live`, { signal: AbortSignal.timeout(10_000) }).then(
    ({ headers }) => Date.parse(headers.get('date') ?? ''),
    () => NaN,
  )
  // The header has whole seconds.
  return skewFinding(`clock of ${name}`, Number.isNaN(date) ? 0 : date + 500 - Date.now())
}

const skewFinding = (what: string, ms: number): Finding => ({
  what,
  status: Math.abs(ms) > skewMs ? 'optional' : 'ok',
  detail:
    Math.abs(ms) > skewMs
      ? `${Math.round(ms / 1000)} s off. Results do not depend on it, but times in logs do. Set it by NTP.`
      : 'agrees',
})
