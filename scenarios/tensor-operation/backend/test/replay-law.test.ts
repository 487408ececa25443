/** The same graphs give the same bytes, on one machine. */
import { asJson } from '@stateeval/contracts'
import { base64 } from '@stateeval/program'
import { replayLaw } from '@stateeval/sandbox-suites/world-laws'
import fc from 'fast-check'
import { createTensorWorld } from '../world.ts'

const leaf = (numbers: readonly number[]) => ({
  op: 'leaf',
  dtype: 'float32',
  shape: [numbers.length],
  data: base64(new Uint8Array(Float32Array.from(numbers).buffer)),
})
const number = fc.float({ noNaN: true, noDefaultInfinity: true })

replayLaw('tensor-operation', () => Promise.resolve(createTensorWorld()), {
  initial: {},
  entry: fc.record({
    op: fc.constantFrom('neg', 'exp', 'sin', 'rm'),
    numbers: fc.array(number, { minLength: 1, maxLength: 4 }),
    isKept: fc.boolean(),
  }),
  async send({ channel }, { op, numbers, isKept }) {
    if (channel.kind !== 'calls') throw new Error('no calls')
    const nodes = [isKept ? { op: 'kept', id: 1 } : leaf(numbers), { op, in: [0] }]
    const graph = { nodes, outputs: [1], keep: isKept ? [] : [[1, 1]] }
    return JSON.stringify(await channel.handle('run', asJson(graph)))
  },
})
