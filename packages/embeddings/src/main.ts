/**
 * Serves the embeddings model of a folder until stopped: `node main.ts FOLDER [cls|mean]`, with PORT and
 * HOST.
 */
import { basename, resolve } from 'node:path'
import { loadEmbedder } from './embedder.ts'
import type { PoolingMode } from './folder.ts'
import { startEmbeddingServer } from './server.ts'

const [folder, pooling] = process.argv.slice(2)
const { PORT = '7420', HOST = '127.0.0.1', STATEEVAL_ACCESS } = process.env
const isLoopback = /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(HOST)
const poolings: readonly string[] = ['cls', 'mean']
try {
  if (folder === undefined) throw new Error('Name the folder of an ONNX embeddings model.')
  if (pooling !== undefined && !poolings.includes(pooling))
    throw new Error(`The pooling must be cls or mean, not '${pooling}'.`)
  if (!isLoopback && STATEEVAL_ACCESS !== 'open')
    throw new Error(
      `HOST=${HOST} is reachable from other machines, and this server requires no key. Set STATEEVAL_ACCESS=open to allow everyone, or HOST=127.0.0.1.`,
    )
  const embedder = await loadEmbedder(folder, pooling as PoolingMode | undefined)
  const name = basename(resolve(folder))
  const server = await startEmbeddingServer(embedder, { name, host: HOST, port: Number(PORT) })
  console.log(`embeddings of ${name}: ${server.baseUrl}`)
  const stop = () => {
    void server.close().then(async () => {
      await embedder.close()
      process.exit(0)
    })
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
} catch (error) {
  console.error((error as Error).message)
  process.exit(2)
}
