/**
 * Node’s environment for tests that use native libraries. ONNX Runtime lives once in a process, not once in
 * each test file’s realm: it is loaded outside of them (jest-onnxruntime.js), and they share the typed arrays
 * that it takes and gives.
 */
import { createRequire } from 'node:module'
import { TestEnvironment } from 'jest-environment-node'

const shared = [
  'Float32Array',
  'Float64Array',
  'Int8Array',
  'Int16Array',
  'Int32Array',
  'Uint16Array',
  'Uint32Array',
  'BigInt64Array',
  'BigUint64Array',
]
const outside = createRequire(import.meta.url)

export default class extends TestEnvironment {
  constructor(config, context) {
    super(config, context)
    for (const name of shared) this.global[name] = globalThis[name]
    this.global.__loadOutside = (name) => outside(name)
  }
}
