/**
 * An explanation is true, for all kinds and policies. What a difference names as found is what the answer has
 * at that place, and what it names as expected is what the case has there. An answer that is mended in the
 * named facts, one after the other, is no longer said to have them, and passes in the end.
 */
import { expect, test } from '@jest/globals'
import type { JsonValue, ValueDifference } from '@stateeval/contracts'
import { pickForRun } from '@stateeval/testkit/run-length'
import fc from 'fast-check'
import { byKind } from './every-kind.ts'
import { explained } from './explained/index.ts'
import { type ExplainedAnswer, type ExplainedKind, isShownAs } from './explained/kind.ts'
import { change, listPlaces, readAt } from './places.ts'

test('every kind is under the law', () => {
  expect(Object.keys(explained).sort()).toEqual([...byKind.keys()].sort())
})

/** What becomes of the value at a place. */
const changes: Record<string, (value: JsonValue) => JsonValue | undefined> = {
  other: (value) =>
    typeof value === 'string'
      ? `${value}_2`
      : typeof value === 'number'
        ? value + 1
        : typeof value === 'boolean'
          ? !value
          : Array.isArray(value)
            ? value.toReversed()
            : value === null
              ? 1
              : { ...value, extra: 1 },
  'of another type': (value) => (typeof value === 'string' ? [value] : JSON.stringify(value)),
  'left out': () => undefined,
}

/** More mended facts than any answer here has. */
const most = 60

/** The differences that make an answer fail; null where it passes. */
async function judge(kind: ExplainedKind, told: Omit<ExplainedAnswer, 'input'>) {
  const { case: c, policy } = told
  const score = kind.benchmark.score({ case: c, candidate: await kind.candidate(told), policy })
  const { passed, differences } = score.policies?.[policy] ?? {
    ...{ passed: score.passed, differences: score.evidence.differences },
  }
  return passed ? null : { differences, input: score.evidence.input ?? 0 }
}

/** Why a difference is not true of an answer; null where it is. */
function findUntruth(kind: ExplainedKind, told: ExplainedAnswer, difference: ValueDifference): string | null {
  const values = kind.read(told, difference)
  for (const side of ['expected', 'found'] as const) {
    const shown = difference[side]
    if (shown === undefined) continue
    const texts = values?.[side] ?? []
    // What a reference leads to stands behind it.
    const bare = shown.replace(/ \([^()]*\)$/, '')
    if (!texts.some((text) => isShownAs(shown, text) || isShownAs(bare, text)))
      return `${side} is ${shown}, but there is ${texts.slice(0, 4).join(' | ') || 'nothing'}`
  }
  const [, found, expected] = / is (.+?)[;,] expected:? (.+)$/s.exec(difference.says) ?? []
  return found !== undefined && found === expected ? 'both sides are the same' : null
}

test.each(Object.entries(explained))('%s: what is named is so, and is the reason', async (_, kind) => {
  const { cases, benchmark, isChangeable, rank = () => 0 } = kind
  const mendedBy = new Map(benchmark.policies.map((policy) => [policy, 0]))
  const all = { ...changes, ...kind.changes }
  await fc.assert(
    fc.asyncProperty(
      fc.nat(cases.length - 1),
      fc.constantFrom(...benchmark.policies),
      fc.array(fc.tuple(fc.constantFrom(...Object.keys(all)), fc.nat()), { minLength: 1, maxLength: 3 }),
      async (n, policy, drawn) => {
        const c = cases[n]!
        const reference = await kind.reference(c, policy)
        // The released rules fail some references themselves.
        if (reference === null || (await judge(kind, { case: c, policy, answer: reference })) !== null) return
        let answer: JsonValue = reference
        for (const [name, at] of drawn) {
          const places = listPlaces(answer).filter((place) => isChangeable(place.join('.'), name))
          const place: string[] | undefined = name in changes ? places[at % places.length] : []
          if (place) answer = change(answer, place, all[name]!(readAt(answer, place) as JsonValue))
        }
        let mended: { one: ValueDifference; input: number } | undefined
        for (let step = 0; ; step++) {
          const told = { case: c, policy, answer }
          const failure = await judge(kind, told)
          if (failure === null) break
          const label = [c.id, policy, drawn, step, answer]
          const { differences, input } = failure
          for (const one of differences)
            expect([...label, one, findUntruth(kind, { ...told, input }, one)]).toEqual([...label, one, null])
          // An equal one may follow what was too much.
          if (
            mended?.input === input &&
            (mended.one.expected !== undefined || mended.one.found === undefined)
          )
            expect([...label, differences]).not.toEqual([...label, expect.arrayContaining([mended.one])])
          expect([...label, differences, step < most]).toEqual([...label, differences, true])
          const next = differences
            .toSorted((a, b) => rank(a) - rank(b))
            .map((one) => ({ one, answer: kind.mend({ ...told, input }, one, reference) }))
            .find((one) => one.answer !== null)
          expect([...label, differences, next === undefined]).toEqual([...label, differences, false])
          mended = { one: next!.one, input }
          answer = next!.answer!
          mendedBy.set(policy, mendedBy.get(policy)! + 1)
        }
      },
    ),
    { numRuns: pickForRun(40, 500) },
  )
  const judged = [...mendedBy].flatMap(([policy, count]) => (count > 0 ? [policy] : []))
  expect(judged).toEqual([...benchmark.policies])
})
