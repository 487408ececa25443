/**
 * Where the embedded server is: STATEEVAL_LOCAL_BINARY, else the user's cache, where it is built from deploy/local the
 * first time (two minutes on two cores). The cache's name holds the hash of the sources.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const sources = join(import.meta.dirname, '../../../deploy/local')

export async function localBinary(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  if (env['STATEEVAL_LOCAL_BINARY']) return env['STATEEVAL_LOCAL_BINARY']
  const folder = join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'stateeval', `local-${await hashOfSources()}`)
  const binary = join(folder, 'stateeval-local')
  if (existsSync(binary)) return binary
  await mkdir(folder, { recursive: true })
  const unfinished = `${binary}.${process.pid}`
  try {
    await promisify(execFile)('go', ['build', '-trimpath', '-ldflags', '-s -w', '-o', unfinished, '.'], { cwd: sources, env: { ...env, CGO_ENABLED: '0' } })
  } catch (error) {
    throw new Error(
      'tests need NATS and MongoDB: set MONGODB_URI and NATS_URL, or put mongod and nats-server on PATH, or install Go 1.22 or later so that the embedded server can be built',
      { cause: error },
    )
  }
  await rename(unfinished, binary)
  return binary
}

async function hashOfSources(): Promise<string> {
  const hash = createHash('sha256')
  const names = (await readdir(sources)).filter((name) => /\.(go|mod|sum)$/.test(name)).sort()
  for (const name of names) hash.update(`${name}\n`).update(await readFile(join(sources, name)))
  return hash.digest('hex').slice(0, 16)
}
