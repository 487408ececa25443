import { expect, test } from '@jest/globals'
import type { EpisodeEvent, JsonValue, HostNeed } from '@stateeval/contracts'
import fc from 'fast-check'
import { type ReplayFact, run } from '../src/replay.ts'

const ask = (text: string): HostNeed => ({
  kind: 'consult',
  role: 'judge:any',
  messages: [{ role: 'user', content: text }],
})
const consultation = (text: string): EpisodeEvent => ({ kind: 'consulted', text, finish: 'stop' })
const textOf = (event: EpisodeEvent) => (event.kind === 'consulted' ? event.text : '')

/** Asks until it hears `end`; a loop and a nested call, as protocols have them. */
function protocol(fact: ReplayFact): string[] {
  const heard: string[] = []
  const one = (n: number) => fact(ask(`question ${n}`), textOf)
  for (let n = 0; ; n++) {
    const answer = one(n)
    if (answer === 'end') return heard
    heard.push(answer)
  }
}

test('each event leads to the next need, and its memo is all that is kept', () => {
  fc.assert(
    fc.property(fc.array(fc.string().filter((text) => text !== 'end')), (answers) => {
      let step = run([], null, protocol)
      let memo: JsonValue[] = step.memo
      for (const [n, answer] of [...answers, 'end'].entries()) {
        expect(step).toEqual({ memo, need: ask(`question ${n}`) })
        // A state travels as JSON.
        memo = JSON.parse(JSON.stringify(step.memo)) as JsonValue[]
        step = run(memo, consultation(answer), protocol)
        memo = [...memo, answer]
      }
      expect(step).toEqual({ memo: [...answers, 'end'], done: answers })
    }),
  )
})

test('what is remembered is read from the event once', () => {
  let reads = 0
  const code = (fact: ReplayFact) => {
    const first = fact(ask('a'), (event) => (reads++, textOf(event)))
    return first + fact(ask('b'), textOf)
  }
  const { memo } = run([], consultation('1'), code)
  expect(run(memo, consultation('2'), code)).toEqual({ memo: ['1', '2'], done: '12' })
  expect(reads).toBe(1)
})

test('code that asks otherwise than before is a fault', () => {
  expect(() => run([], consultation('1'), () => 'nothing asked')).toThrow('before it asked for all facts')
  expect(() =>
    run([], null, () => {
      throw new RangeError('its own error')
    }),
  ).toThrow('its own error')
})
