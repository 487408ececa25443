/** Tries a backup: restores it into a separate installation on this machine, and compares results. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canonicalJson, evaluationOperations } from '@stateeval/contracts'
import { createClient } from '@stateeval/client'
import { Failure } from '../command.ts'
import { evaluation } from '../suite/index.ts'
import { everyPage } from '../suite/pages.ts'
import { authorization } from './credential.ts'
import { down } from './down.ts'
import { withDotEnv } from './environment.ts'
import { checkout } from './home.ts'
import { installationAt } from './installation.ts'
import { up } from './up.ts'

interface DrillOptions {
  file: string
  passphrase: string
  report: (progress: { step?: string; waiting?: string }) => void
  tell: (lines: number) => void
  signal: AbortSignal
}
interface DrillResult {
  lines: number
  /** Evaluations of the caller's project whose results are equal in both. */
  equal: number
  different: string[]
}

/** Work that had not ended stays out: no model is asked. */
export async function drill({ file, passphrase, report, tell, signal }: DrillOptions): Promise<DrillResult> {
  const { restoreInstallation, SealedFileError } = await import('@stateeval/local-servers/installation')
  const home = await mkdtemp(join(tmpdir(), 'stateeval-drill-'))
  const env = { ...withDotEnv(checkout, process.env) }
  // Separate servers, with nothing in them.
  for (const name of Object.keys(env))
    if (/^(NATS_.*|(SESSIONS_)?MONGODB_URI|STATEEVAL_NAMESPACE)$/.test(name)) delete env[name]
  const start = () => up({ home, env, folder: home, report, signal })
  try {
    await start()
    const { lines } = await restoreInstallation(installationAt(home, env), file, {
      passphrase,
      withoutWork: true,
      tell,
    }).catch((error: unknown) => {
      throw error instanceof SealedFileError ? new Failure(`${error.message}.`) : error
    })
    // Services read keys and settings when they start.
    await down({ home, env, folder: home })
    const { parts } = await start()
    const baseUrl = parts.find(({ name }) => name === 'evaluation')!.urls['http']!
    const restored = createClient(evaluationOperations, { baseUrl, headers: authorization() })
    const original = evaluation()
    const resultIn = async (client: Pick<typeof restored, 'getEvaluationReport'>, id: string) =>
      client.getEvaluationReport({ params: { id } }).then(({ result }) => canonicalJson(result))
    const ended = (await everyPage((query) => restored.listEvaluations({ query }))).filter(
      ({ status }) => status === 'succeeded',
    )
    const different: string[] = []
    for (const { id } of ended)
      if ((await resultIn(restored, id)) !== (await resultIn(original, id))) different.push(id)
    return { lines, equal: ended.length - different.length, different }
  } finally {
    await down({ home, env, folder: home, purge: true })
    await rm(home, { recursive: true, force: true })
  }
}
