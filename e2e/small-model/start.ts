/**
 * `npx node e2e/small-model/start.ts [port]` fetches the small model unless it is in the cache, and serves it
 * at http://127.0.0.1:8000/v1 until it is stopped (docs/first-model.md).
 */
import { spawn } from 'node:child_process'
import { endChildrenWithThis } from '@stateeval/testkit/end-with-owner'
import { serverOf } from './endpoint.ts'
import { obtainSmallModel } from './obtain.ts'

endChildrenWithThis()
console.log('Fetching SmolLM2-135M-Instruct and its runtime (180 MB) unless they are in the cache …')
const model = await obtainSmallModel()
if (!model.ok) {
  console.error(model.reason)
  process.exit(1)
}
const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env
const args = [...serverOf(model), process.argv[2] ?? '8000']
spawn(process.execPath, args, { env, stdio: 'inherit' }).once('exit', (code) => process.exit(code ?? 0))
