/**
 * The check of a set's reference is stored by what decides whether it passes, for every kind: one that fails
 * names its combination, and says nothing about another one.
 */
import { expect, test } from '@jest/globals'
import { benchmarksFor } from '@stateeval/benchmarks'
import type { AnswerMode, Language } from '@stateeval/contracts'
import type { EvaluationOwner } from '@stateeval/jobs'
import { scenarios } from '@stateeval/scenarios'
import {
  buildBaselineCheck,
  createBaselineRefusal,
  findBaselineCheck,
  identifyCheck,
  storeBaselineCheck,
  type StoredBaselineCheck,
} from './baseline-check.ts'

/** Documents in memory. */
function createStore() {
  const documents = new Map<string, StoredBaselineCheck>()
  return {
    baselineChecks: {
      get: async (id: string) => documents.get(id),
      put: async (id: string, document: StoredBaselineCheck) => void documents.set(id, document),
    } as never,
    size: () => documents.size,
  }
}

type Options = EvaluationOwner['options']
const optional = <T>(all: readonly T[] = []): (T | undefined)[] => [undefined, ...all]
const kinds = [...benchmarksFor({ scenario: () => scenarios[0]!, artifact: () => new Uint8Array() })]

/** All that an evaluation of the kind may ask for. */
const listCombinations = ([
  ,
  {
    policies,
    asking: { setups, layouts },
  },
]: (typeof kinds)[number]): Partial<Options>[] =>
  optional(policies).flatMap((policy) =>
    optional(setups).flatMap((setup) =>
      optional(layouts).flatMap((layout) =>
        optional<AnswerMode>(['program', 'tools']).flatMap((mode) =>
          optional<Language>(['javascript', 'python']).map(
            (language) =>
              JSON.parse(JSON.stringify({ policy, setup, layout, mode, language })) as Partial<Options>,
          ),
        ),
      ),
    ),
  )

test.each(kinds)('%s: a failed check blocks its own combination alone, and names it', async (...kind) => {
  const store = createStore()
  const combinations = listCombinations(kind)
  const identify = (options: Partial<Options>) => ({
    ...identifyCheck({ set: { digest: 'a' }, options } as EvaluationOwner),
    runtime: 'r',
  })
  const failing = combinations[Math.floor(combinations.length / 2)]!
  const failed = [{ case: 'c', reason: 'wrong' }]
  await storeBaselineCheck(store, { ...identify(failing), cases: 3, failed })
  for (const options of combinations) {
    const found = await findBaselineCheck(store, identify(options))
    expect([options, found?.failed]).toEqual([options, options === failing ? failed : undefined])
  }
  // It is made without the limits of an evaluation, so it holds for all of them.
  expect(identify({ ...failing, limits: { turns: 1 } })).toEqual(identify(failing))
  for (const options of combinations)
    await storeBaselineCheck(store, { ...identify(options), cases: 3, failed: [] })
  expect(store.size()).toBe(combinations.length)
  const check = buildBaselineCheck({ ...identify(failing), cases: 3, failed }, false)
  const refusal = createBaselineRefusal(check, failing)
  for (const [name, value] of Object.entries(failing)) expect(refusal).toContain(`${name} ${String(value)}`)
})
