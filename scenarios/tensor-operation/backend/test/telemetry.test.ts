/** ONNX Runtime keeps nothing in the user's folders, so it sends nothing either. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'

const root = join(import.meta.dirname, '../../../..')

test.each([
  ['of tensors', 'scenarios/tensor-operation/backend/graph/self-test.ts'],
  ['of embeddings', 'packages/embeddings/src/embedder.ts'],
])('the process %s leaves no file of its telemetry', (_, module) => {
  const folder = mkdtempSync(join(tmpdir(), 'telemetry-'))
  // A model without a graph: the runtime is started, and refuses it.
  const code = `await import(${JSON.stringify(join(root, module))})
const { InferenceSession } = await import('onnxruntime-node')
await InferenceSession.create(Buffer.from([8, 9])).then(() => process.exit(1), () => {})`
  try {
    execFileSync(process.execPath, ['--input-type=module', '-e', code], {
      cwd: root,
      env: { HOME: folder, TMPDIR: folder, XDG_CACHE_HOME: join(folder, 'cache') },
    })
    expect(readdirSync(folder)).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
