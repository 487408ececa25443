/**
 * `npx node e2e/small-model/start.ts [port]`: fetches the small model where it is not there yet, and serves it at
 * http://127.0.0.1:8000/v1 until it is stopped. docs/first-model.md tells what to do with it.
 */
import { obtainSmallModel } from './obtain.ts'

const { argv } = process
console.log('Fetching SmolLM2-135M-Instruct and its runtime, about 180 MB, where they are not in the cache yet …')
const found = await obtainSmallModel()
if (!found.ok) {
  console.error(found.reason)
  process.exit(1)
}
// As server.ts takes them.
argv.splice(2, argv.length, found.modules, found.gguf, argv[2] ?? '8000')
await import('./server.ts')
