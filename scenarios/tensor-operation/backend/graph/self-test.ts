/** Tests whether a provider works here: a session is made with it and computes a small graph correctly. */
import { InferenceSession, Tensor } from './onnx-runtime.ts'
import { encodeModel } from './proto.ts'
import type { GraphProvider } from './provider.ts'

const createTestValue = (name: string) => ({ name, dtype: 'float32' as const, shape: [2, 2] })
const graph = {
  nodes: [
    { type: 'MatMul', inputs: ['a', 'b'], outputs: ['c'] },
    { type: 'Add', inputs: ['c', 'b'], outputs: ['d'] },
  ],
  inputs: [createTestValue('a'), createTestValue('b')],
  outputs: [createTestValue('d')],
  constants: [],
}
const expected = '24,28,50,58'

/**
 * null, or why it doesn't. A driver may also end the process, or never answer: that is for the caller to
 * notice.
 */
export async function findProviderFault(provider: GraphProvider): Promise<string | null> {
  try {
    const session = await InferenceSession.create(encodeModel(graph), {
      executionProviders: [provider],
      graphOptimizationLevel: 'disabled',
      logSeverityLevel: 4,
      // A provider that leaves the graph to the CPU has not been tried.
      ...(provider !== 'cpu' && { extra: { session: { disable_cpu_ep_fallback: '1' } } }),
    })
    const tensor = (first: number) =>
      new Tensor(
        'float32',
        Float32Array.from([0, 1, 2, 3], (n) => n + first),
        [2, 2],
      )
    const { d } = await session.run({ a: tensor(1), b: tensor(5) })
    await session.release()
    const actual = [...(d!.data as Float32Array)].join()
    return actual === expected ? null : `it computes ${actual} where ${expected} is right`
  } catch (error) {
    return String((error as Error).message)
      .split('\n')[0]!
      .slice(0, 500)
  }
}
