/** Whose failure it is: the run's exactly if it fails twice after it began, and known work never does. */
import { expect, test } from '@jest/globals'
import type { Observation } from '@stateeval/contracts'
import fc from 'fast-check'
import { attributeRuns, markBegun } from './attribution.ts'

interface Try {
  fails: boolean
  /** The code had begun. */
  begun: boolean
  lacksMemory: boolean
  /** Its world could be observed. */
  observed: boolean
}
const world = { state: {}, ids: { initial: [], created: [] }, gone: [] }
const isSuspect = ({ fails, begun, lacksMemory }: Try) => fails && begun && !lacksMemory

function observationOf({ fails, begun, lacksMemory, observed }: Try): Observation {
  const observation: Observation = {
    ending: fails
      ? { status: 'infrastructure', reason: 'no', ...(lacksMemory && { lacks: 'memory' }) }
      : { status: 'completed', result: 1 },
    world: observed ? world : null,
    log: [],
    output: '',
    faults: fails ? ['no'] : [],
    wallMs: 1,
    sandbox: 'none',
  }
  return begun ? markBegun(observation) : observation
}

const oneTry = fc.record({
  fails: fc.boolean(),
  begun: fc.boolean(),
  lacksMemory: fc.boolean(),
  observed: fc.boolean(),
})

test('a failure is the run’s own only if it comes again, and known work succeeds before and after', async () => {
  let [own, ours] = [0, 0]
  await fc.assert(
    fc.asyncProperty(
      oneTry,
      oneTry,
      fc.tuple(fc.boolean(), fc.boolean()),
      async (first, second, soundness) => {
        const events: string[] = []
        const tries = [first, second]
        const taken: Observation[] = []
        await attributeRuns(
          {
            inputs: 1,
            run: async (indices, take) => {
              expect(indices).toEqual([0])
              events.push('run')
              await take(observationOf(tries.shift()!), 0)
            },
            isSound: async () => {
              events.push('known')
              return soundness[events.filter((one) => one === 'known').length - 1]!
            },
          },
          async (observation) => void taken.push(observation),
        )
        expect(taken).toHaveLength(1)
        const { ending, faults } = taken[0]!
        if (!first.fails || !second.fails) return expect(ending.status).toBe('completed')
        const isOwn = isSuspect(first) && isSuspect(second) && soundness.every(Boolean)
        if (isOwn) {
          own++
          expect(events).toEqual(['run', 'known', 'run', 'known'])
          expect(ending).toMatchObject({ status: 'killed', by: second.observed ? 'requests' : 'crash' })
          return expect(faults).toEqual([])
        }
        ours++
        expect([ending.status, faults]).toEqual(['infrastructure', ['no']])
      },
    ),
    { seed: 20_26, numRuns: 5000 },
  )
  expect([own > 5, ours > 5]).toEqual([true, true])
})
