/** Tries a backup: restores it into a separate installation on this machine, and compares results. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canonicalJson } from '@stateeval/contracts'
import { ServiceError } from '@stateeval/client'
import { Failure } from '../command.ts'
import { connectEvaluation, connectEvaluationElsewhere, type EvaluationClient } from '../suite/index.ts'
import { readEveryPage } from '../suite/pages.ts'
import { stopSuite } from './down.ts'
import { withDotEnv } from './environment.ts'
import { checkout } from './home.ts'
import { openInstallation, installationFailure } from './installation.ts'
import { startSuite } from './up.ts'

interface DrillOptions {
  file: string
  passphrase: string
  report: (progress: { step?: string; waiting?: string }) => void
  tell: (lines: number) => void
  signal: AbortSignal
}
interface DrillResult {
  lines: number
  /** Projects whose evaluations were compared. */
  projects: number
  /** Evaluations whose results are equal in both. */
  equal: number
  different: string[]
  /** Evaluations that the running installation no longer has. */
  deleted: string[]
}
/** An operator of an installation: its own client, and one for each key. */
interface OperatorAccess {
  own: EvaluationClient
  withKey: (key: string) => EvaluationClient
}

const keyMs = 3_600_000

/** Work that had not ended stays out: no model is asked. */
export async function drillRestore({
  file,
  passphrase,
  report,
  tell,
  signal,
}: DrillOptions): Promise<DrillResult> {
  const { restoreInstallation } = await import('@stateeval/local-servers/installation')
  const running = { own: connectEvaluation(), withKey: (key: string) => connectEvaluation(key) }
  const { operator } = await running.own.getCaller()
  if (!operator)
    throw new Failure(
      'A drill compares the results of all projects, which takes an operator. Set STATEEVAL_API_KEY to a key of the project default with the scope admin.',
    )
  const home = await mkdtemp(join(tmpdir(), 'stateeval-drill-'))
  const adminKey = randomBytes(32).toString('hex')
  const env: NodeJS.ProcessEnv = { ...withDotEnv(checkout, process.env), STATEEVAL_ADMIN_KEY: adminKey }
  // Separate servers, with nothing in them, and separate access.
  for (const name of Object.keys(env))
    if (/^(NATS_.*|(SESSIONS_)?MONGODB_URI|STATEEVAL_(NAMESPACE|ACCESS|OIDC_.*))$/.test(name))
      delete env[name]
  const start = () => startSuite({ home, env, folder: home, report, signal })
  try {
    await start()
    const { lines } = await restoreInstallation(openInstallation(home, env), file, {
      passphrase,
      withoutWork: true,
      tell,
    }).catch(async (error: unknown) => {
      throw await installationFailure(error)
    })
    // Services read keys and settings when they start.
    await stopSuite({ home, env, folder: home })
    const { parts } = await start()
    const baseUrl = parts.find(({ name }) => name === 'evaluation')!.urls['http']!
    const withKey = (key: string) => connectEvaluationElsewhere(baseUrl, key)
    return { lines, ...(await compareProjects({ own: withKey(adminKey), withKey }, running)) }
  } finally {
    await stopSuite({ home, env, folder: home, purge: true })
    await rm(home, { recursive: true, force: true })
  }
}

async function compareProjects(
  restored: OperatorAccess,
  running: OperatorAccess,
): Promise<Omit<DrillResult, 'lines'>> {
  const projectsIn = async ({ own }: OperatorAccess) =>
    (await readEveryPage((query) => own.listProjects({ query }))).map(({ id }) => id)
  const present = new Set(await projectsIn(running))
  const found = { projects: 0, equal: 0, different: [] as string[], deleted: [] as string[] }
  for (const project of await projectsIn(restored)) {
    found.projects++
    await withinProject(restored, project, async (copy) => {
      const all = await readEveryPage((query) => copy.listEvaluations({ query }))
      const ended = all.filter(({ status }) => status === 'succeeded').map(({ id }) => id)
      if (present.has(project))
        await withinProject(running, project, async (original) => {
          for (const id of ended) {
            const expected = await readResult(original, id)
            if (expected === 'deleted') found.deleted.push(id)
            else if (expected !== 'unreadable' && (await readResult(copy, id)) === expected) found.equal++
            else found.different.push(id)
          }
        })
      else found.deleted.push(...ended)
    })
  }
  return found
}

/**
 * Acts in a project. A key acts in one project, so the operator makes one for reading, which is revoked
 * afterwards.
 */
async function withinProject(
  { own, withKey }: OperatorAccess,
  project: string,
  work: (client: EvaluationClient) => Promise<void>,
): Promise<void> {
  if ((await own.getCaller()).project === project) return work(own)
  const expiresAt = new Date(Date.now() + keyMs).toISOString()
  const { id, key } = await own.createKey({
    body: { name: 'drill of a backup', scopes: ['read'], project, expiresAt },
  })
  try {
    return await work(withKey(key))
  } finally {
    await own.revokeKey({ params: { id } })
  }
}

/** The canonical bytes of a result, which are a JSON object, or why there are none. */
async function readResult(client: EvaluationClient, id: string): Promise<string> {
  try {
    return canonicalJson((await client.getEvaluationReport({ params: { id } })).result)
  } catch (error) {
    const status = error instanceof ServiceError ? error.problem.status : 0
    if (status === 404) return 'deleted'
    // Its bytes are lost.
    if (status === 500) return 'unreadable'
    throw error
  }
}
