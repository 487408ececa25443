/**
 * Sequences as graphs: equal if any exchange of calls makes them so, compared with trying all exchanges;
 * within bounded time.
 */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { GoldCall } from '../case.ts'
import { isSameCall, sameByPairs } from '../judge/align.ts'
import { linkCalls } from '../judge/calls.ts'
import { findIsomorphism } from '../judge/isomorphism.ts'
import { matchSound } from '../judge/sound.ts'
import { benchmarkOf, scoreOf } from './drive.ts'
import { caseOf } from './shapes.ts'

/**
 * A call as its name, a literal, and references: by argument, the place of the call that it leads to, and the
 * output.
 */
interface Node {
  name: string
  literal: number | null
  uses: readonly (readonly [place: number, path: string])[]
}
const callsOf = (nodes: readonly Node[]): GoldCall[] =>
  nodes.map(({ name, literal, uses }, at) => ({
    name,
    label: `var${at + 1}`,
    arguments: JSON.stringify({
      ...(literal !== null && { n: literal }),
      ...(uses[0] && { a: `$var${uses[0][0] + 1}${uses[0][1]}$` }),
      ...(uses.length > 1 && { b: uses.slice(1).map(([place, path]) => `$var${place + 1}${path}$`) }),
    }),
  }))

const path = fc.constantFrom('.out', '.out', '.out', '', '.other')
const graph = fc
  .array(
    fc.record({
      name: fc.constantFrom('A', 'A', 'B', 'D'),
      literal: fc.constantFrom(null, null, 1),
      uses: fc.array(fc.tuple(fc.nat(), path), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((nodes): Node[] =>
    nodes.map(({ uses, ...node }, at) => ({
      ...node,
      uses: at === 0 ? [] : uses.map(([place, output]) => [place % at, output] as const),
    })),
  )

/** The same graph in another order, which has each call after those that it uses. */
function reordered(nodes: readonly Node[], keys: readonly number[]): Node[] {
  const order: number[] = []
  while (order.length < nodes.length) {
    const ready = [...nodes.keys()].filter(
      (at) => !order.includes(at) && nodes[at]!.uses.every(([place]) => order.includes(place)),
    )
    order.push(ready.sort((a, b) => keys[a % keys.length]! - keys[b % keys.length]!)[0]!)
  }
  return order.map((at) => ({
    ...nodes[at]!,
    uses: nodes[at]!.uses.map(([place, output]) => [order.indexOf(place), output] as const),
  }))
}

/** By trying all exchanges of calls. */
function isSameGraph(gold: readonly GoldCall[], answer: readonly GoldCall[]): boolean {
  const [a, b] = [linkCalls(gold), linkCalls(answer)]
  const extend = (pairs: readonly number[]): boolean => {
    if (pairs.length === gold.length) {
      const same = sameByPairs(a, b, pairs)
      return pairs.every((j, i) => isSameCall(a, b, i, j, same))
    }
    return answer.keys().some((j) => !pairs.includes(j) && extend([...pairs, j]))
  }
  return gold.length === answer.length && extend([])
}

const runs = { numRuns: process.env['STATEEVAL_LONG'] === '1' ? 20_000 : 400, seed: 5 }
const keys = fc.array(fc.nat(), { minLength: 6, maxLength: 6 })

test('a graph in another order is the same', () => {
  fc.assert(
    fc.property(graph, keys, (nodes, order) => {
      const { graphFull, graphPartial, graphPairs } = matchSound(
        callsOf(nodes),
        callsOf(reordered(nodes, order)),
      )
      expect({ graphFull, graphPartial, partners: new Set(graphPairs).size }).toEqual({
        graphFull: true,
        graphPartial: 1,
        partners: nodes.length,
      })
    }),
    runs,
  )
})

test('graphs are the same exactly if an exchange of calls makes them so', () => {
  let [same, different] = [0, 0]
  // One reference leads elsewhere; few graphs have enough calls that are alike to stay the same.
  const changed = fc.tuple(graph, keys, fc.nat(), fc.nat(), fc.nat())
  fc.assert(
    fc.property(changed, ([nodes, order, which, slot, place]) => {
      const other = reordered(nodes, order)
      const at = which % other.length
      const uses = other[at]!.uses.map((use, k) =>
        k === slot % other[at]!.uses.length ? ([place % at, use[1]] as const) : use,
      )
      const [gold, answer] = [callsOf(nodes), callsOf(other.with(at, { ...other[at]!, uses }))]
      const expected = isSameGraph(gold, answer)
      if (expected) same++
      else different++
      expect(matchSound(gold, answer).graphFull).toBe(expected)
    }),
    runs,
  )
  expect(Math.min(same, different)).toBeGreaterThan(runs.numRuns / 20)
})

const use = (name: string, ...places: number[]): Node => ({
  name,
  literal: null,
  uses: places.map((place) => [place, '.out'] as const),
})
test('calls that are alike are exchanged where their results go to different calls', () => {
  const gold = callsOf([use('A'), use('A'), use('B', 0), use('D', 1)])
  const answer = callsOf([use('A'), use('A'), use('B', 1), use('D', 0)])
  const match = matchSound(gold, answer)
  expect(match).toMatchObject({ graphFull: true, graphPartial: 1, graphPairs: [1, 0, 2, 3] })
  // Equal calls in equal places: which of them a reference leads to makes no difference in order, either.
  expect(match).toMatchObject({ full: true, partial: 1 })
  const shared = callsOf([use('A'), use('A'), use('B', 1), use('D', 1)])
  expect(matchSound(gold, shared)).toMatchObject({ graphFull: false, full: false })
  // Beside another mistake, too, an exchange costs nothing.
  const more = callsOf([use('A'), use('A'), use('B', 1), use('D', 0), use('C')])
  expect(matchSound(gold, more)).toMatchObject({ full: false, partial: 0.8, graphPartial: 0.8 })
})

test('of two equal calls, a reference may lead to either, also beside a mistake in the same call', async () => {
  const twin = { name: 'Alpha', arguments: { city: 'City 0' } }
  const last = (from: string, city: string) => ({ name: 'Beta', label: 'var3', arguments: { from, city } })
  const twins = [
    { ...twin, label: 'var1' },
    { ...twin, label: 'var2' },
  ]
  const c = caseOf([...twins, last('$var1.out$', 'City 1')])
  const { policies } = await scoreOf(
    benchmarkOf({}),
    c,
    JSON.stringify([...twins, last('$var2.out$', 'City 2')]),
  )
  // What is named is the mistake: with it mended, the answer is right.
  expect(policies?.['sound']?.differences.map(({ says }) => says)).toEqual([
    "city of Beta is 'City 2'; expected 'City 1'",
    expect.stringContaining('Alpha is not implemented here'),
  ])
  expect(policies?.['sound']?.metrics).toMatchObject({ full: 0, arguments_correct: 3 })
  const mended = await scoreOf(benchmarkOf({}), c, JSON.stringify([...twins, last('$var2.out$', 'City 1')]))
  expect(mended.policies?.['sound']?.verdict).toBe('correct')
})

/** Calls of one API as the corners of a graph, and others that join two of them each. */
const joined = (corners: number, edges: readonly (readonly [number, number])[]) =>
  callsOf([
    ...Array.from({ length: corners }, () => use('A')),
    ...edges.flatMap(([a, b]) => [use('B', a, b), use('B', b, a)]),
  ])
const ring = (first: number, length: number) =>
  Array.from({ length }, (_, at) => [first + at, first + ((at + 1) % length)] as const)

test('two rings are not one ring, although each call looks alike', () => {
  expect(matchSound(joined(6, ring(0, 6)), joined(6, [...ring(0, 3), ...ring(3, 3)]))).toMatchObject({
    graphFull: false,
  })
  const turned = ring(0, 6).map(([a, b]) => [(5 * b + 2) % 6, (5 * a + 2) % 6] as const)
  expect(matchSound(joined(6, ring(0, 6)), joined(6, turned))).toMatchObject({ graphFull: true })
})

test('what takes too long is undecided, and counts as different', () => {
  // Many small rings against as many of another size: each of them looks like each other one.
  const many = (length: number) =>
    Array.from({ length: 60 / length }, (_, k) => ring(k * length, length)).flat()
  const [gold, answer] = [joined(60, many(4)), joined(60, many(5))].map(linkCalls) as [never, never]
  expect(findIsomorphism(gold, answer, 5_000)).toBe('undecided')
  expect(findIsomorphism(gold, answer)).toBeNull()
})
