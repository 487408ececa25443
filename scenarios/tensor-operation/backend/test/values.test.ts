/** Values that are asked for in the middle: what of a graph the host is said to have. */
import { afterEach, expect, test } from '@jest/globals'
import type { SurfaceHost } from '@stateeval/sandbox'
import { partial } from '@stateeval/testkit/partial'
import { float32 } from '../torch/dtype.ts'
import { unary } from '../torch/elementwise.ts'
import { connect } from '../torch/graph.ts'
import { constant } from '../torch/tensor.ts'
import type { WireGraph } from '../graph/wire.ts'

let before: SurfaceHost | undefined
afterEach(() => void connect(before))

test('where the host refuses a graph, later ones do not refer to values of it', () => {
  const graphs: WireGraph[] = []
  const host = partial<SurfaceHost>({
    callSync(_: string, graph: unknown) {
      graphs.push(graph as WireGraph)
      if (graphs.length === 1) throw new Error('it is too much')
      return { provider: 'cpu', outputs: [{ dtype: 'float32', shape: [1], data: 'AACAvw==' }] }
    },
  })
  before = connect(host)
  const negated = unary.neg(constant([1], [1], float32))
  expect(() => negated.tolist()).toThrow('it is too much')
  expect(negated.tolist()).toEqual([-1])
  expect(unary.exp(negated).tolist()).toEqual([-1])
  expect(graphs.map(({ nodes }) => nodes.map(({ op }) => op))).toEqual([
    ['leaf', 'neg'],
    ['leaf', 'neg'],
    ['kept', 'exp'],
  ])
})
